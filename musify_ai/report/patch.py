"""``--diff``: what a run would change, as a patch that ``git apply`` takes, in the files' own bytes."""

import os

from musify_ai.records import Edit, Run
from musify_ai.report import Texts
from musify_ai.report.hunks import Hunk, hunks


def render(run: Run, texts: Texts) -> bytes:
    """Unified diffs of all changed files, in order of path. Bytes, since files may be in any encoding.

    There is no ``diff --git`` line: with one, git takes paths from the root of the repository, and ``git apply`` in
    a project that is a folder of a larger repository passes over every file without a word.
    """
    out: list[bytes] = []
    for file in run.files:
        before, after = texts.get(file.path, (b"", b""))
        if file.output not in (None, file.path) and before:
            out += _as_another(file.path, file.output or "", before, after)
        elif before != after:
            path = os.fsencode(file.path)
            old, new = _quoted(b"a/" + path), _quoted(b"b/" + path)
            if not (before or file.sha256_before) and (file.reason or "").startswith("generated"):
                old = b"/dev/null"
            out.append(b"--- %b\n+++ %b\n" % (_ended(old), _ended(new)))
            out += [_hunk(hunk) for hunk in hunks(before, [e for e in file.edits if e.applied])]
    return b"".join(out)


def _as_another(path: str, output: str, before: bytes, after: bytes) -> list[bytes]:
    """A file under another name, as one taken away and one put in: without a ``diff --git`` line git knows no move."""
    old, new = (_ended(_quoted(mark + os.fsencode(name))) for mark, name in ((b"a/", path), (b"b/", output)))
    gone = Edit(0, len(before), before, b"", "", "rule", applied=True)
    come = Edit(0, 0, b"", after, "", "rule", applied=True)
    return [
        b"--- %b\n+++ /dev/null\n" % old,
        *(_hunk(hunk) for hunk in hunks(before, [gone])),
        b"--- /dev/null\n+++ %b\n" % new,
        *(_hunk(hunk) for hunk in hunks(b"", [come])),
    ]


def _hunk(hunk: Hunk) -> bytes:
    head = b"@@ -%s +%s @@\n" % (
        _range(hunk.before_start, hunk.before_count),
        _range(hunk.after_start, hunk.after_count),
    )
    lines = []
    for line in hunk.lines:
        text = line.text
        lines.append(line.kind.encode() + text)
        if not text.endswith(b"\n"):
            lines.append(b"\n\\ No newline at end of file\n")
    return head + b"".join(lines)


def _range(start: int, count: int) -> bytes:
    return b"%d" % start if count == 1 else b"%d,%d" % (start, count)


def _ended(name: bytes) -> bytes:
    """A name with a blank in it ends at a tab."""
    return name + b"\t" if b" " in name else name


def _quoted(name: bytes) -> bytes:
    """A name as git writes it: in quotes, with octal escapes, where it holds anything out of the ordinary."""
    if all(0x20 <= byte < 0x7F and byte not in b'"\\' for byte in name):
        return name
    escaped = b"".join(
        b"\\" + bytes([byte]) if byte in b'"\\' else bytes([byte]) if 0x20 <= byte < 0x7F else b"\\%03o" % byte
        for byte in name
    )
    return b'"' + escaped + b'"'
