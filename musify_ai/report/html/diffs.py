"""A file's changes as HTML: both sides beside each other, or, where there are very many, each changed line once.

Rows are made here rather than in a template: a page may hold tens of thousands.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from musify_ai.records import Edit
from musify_ai.report.html.colouring import Language, Piece, coloured, language
from musify_ai.report.html.visible import attribute, decoded, visible
from musify_ai.report.hunks import Hunk, Line, Segment, hunks
from musify_ai.report.meaning import is_plain_name
from musify_ai.source import region_at, regions, splice

# Beyond this a line is data, and would cost more than it tells.
LONGEST = 1000
# Whole files are coloured up to this size where only their beginning says what a line of the middle is.
_WHOLE = 200_000


class Changes(NamedTuple):
    """A file's hunks, those with an edit of meaning apart from those that only rename; lines that they show."""

    path: str
    encoding: str
    before: bytes
    of_meaning: tuple[Hunk, ...]
    of_names: tuple[Hunk, ...]
    edits: Sequence[Edit] = ()
    linked: Collection[str] = ()  # the codes that have a page to link to

    @property
    def rows(self) -> int:
        """How many rows the hunks that only rename would take side by side."""
        return sum(len(hunk.lines) for hunk in self.of_names)


def changes(path: str, encoding: str, before: bytes, edits: Sequence[Edit], linked: Collection[str] = ()) -> Changes:
    """The hunks of a file with its ``edits``, in order, none overlapping."""
    found = hunks(before, edits) if edits else []
    meaning = [any(not is_plain_name(e) for line in hunk.lines for e in line.edits) for hunk in found]
    return Changes(
        path,
        encoding,
        before,
        tuple(hunk for hunk, is_meaning in zip(found, meaning, strict=True) if is_meaning),
        tuple(hunk for hunk, is_meaning in zip(found, meaning, strict=True) if not is_meaning),
        edits,
        linked,
    )


def side_by_side(file: Changes, shown: Sequence[Hunk]) -> Markup:
    """Hunks as rows of a table of four columns: line and text before, line and text after; notes below a change."""
    if not shown:
        return Markup("")
    how = language(file.path)
    comments = regions(file.before) if how.is_c and b"/*" in file.before else []
    starts = _starts(file.before) if comments else []
    whole = _whole(file, how) if not how.is_c and len(file.before) <= _WHOLE else None
    out: list[str] = []
    last = 0
    for hunk in shown:
        first = hunk.before_start
        if first > last + 1 and (last or first > 1):
            count = first - last - 1
            text = f"{count:,} line{'' if count == 1 else 's'} {'between' if last else 'above'}"
            out.append(f'<tr class="h"><td colspan="4">{text}</td></tr>')
        at = starts[first - 1] if comments and 0 < first <= len(starts) else 0
        region = region_at(comments, at) if comments else None
        inside = region is not None and region.kind == "comment" and region.start < at
        out += _rows(hunk, file, how, inside, whole)
        last = hunk.before_start + hunk.before_count - 1
    return Markup("".join(out))  # noqa: S704


def in_lines(file: Changes, shown: Sequence[Hunk]) -> Markup:
    """Hunks as their changed lines only, each once, with what went and what came in it."""
    out: list[str] = []
    for hunk in shown:
        for line, new in _pairs(hunk.lines):
            if line is not None and line.kind == " ":
                continue
            number = line.before if line is not None else ""
            edits = [*(line.edits if line else ()), *(new.edits if new else ())]
            meant = [edit for edit in edits if not is_plain_name(edit)]
            said = f"<small>{notes(meant, file.linked)}</small>" if meant else ""
            out.append(f'<div><span class="n">{number}</span>{said}{_both(line, new, file.encoding)}</div>')
    return Markup("".join(out))  # noqa: S704


def without_text(edits: Iterable[Edit], linked: Collection[str] = ()) -> Markup:
    """Edits as lines where the file's own text is not at hand: what went, what came, and why."""
    out = []
    for edit in edits:
        old, new = (visible(data.decode("utf-8", "surrogateescape")[:LONGEST]) for data in (edit.old, edit.new))
        note = "" if is_plain_name(edit) else f' <span class="soft">{notes([edit], linked)}</span>'
        out.append(f'<div><span class="n">{edit.line}</span><del>{old}</del><ins>{new}</ins>{note}</div>')
    return Markup("".join(out))  # noqa: S704


def notes(edits: Iterable[Edit], linked: Collection[str] = ()) -> Markup:
    """Rule, evidence, safety and source of some edits, equal ones once with their number; ``linked`` rules lead to
    their page."""
    counts = Counter(
        # A table's pair has its grade for a source.
        (e.rule, e.evidence, e.safety, "" if is_plain_name(e) else e.source, e.applied)
        for e in edits
    )
    parts = []
    for (rule, evidence, safety, source, applied), times in counts.items():
        name = f'<a class="code" href="#{attribute(rule)}">{visible(rule)}</a>' if rule in linked else visible(rule)
        text = f'{name} <span class="g {attribute(evidence)}">{visible(evidence)}</span>'
        if safety != "safe":
            text += f' <span class="g unsafe">{visible(safety)}</span>'
        if not applied:
            text += ' <span class="g">pending</span>'
        text += f" <em>{visible(source)}</em>" if source else ""
        parts.append(text + (f" &times;{times}" if times > 1 else ""))
    return Markup(" &middot; ".join(parts))  # noqa: S704


def marked_line(segments: Iterable[tuple[str, bool]], tag: str = "mark") -> Markup:
    """A line of source with some of it marked, cut where it is very long."""
    out, left = [], LONGEST
    for text, is_marked in segments:
        shown = visible(text[:left].rstrip("\r\n") if len(text) <= left else text[:left])
        out.append(f"<{tag}>{shown}</{tag}>" if is_marked and shown else shown)
        if len(text) > left:
            out.append(_CUT)
            break
        left -= len(text)
    return Markup("".join(out))  # noqa: S704


_CUT = '<b class="odd">line cut</b>'


def _starts(before: bytes) -> list[int]:
    found = [0]
    at = before.find(b"\n")
    while at >= 0:
        found.append(at + 1)
        at = before.find(b"\n", at + 1)
    return found


_Whole = tuple[list[list[Piece]], list[list[Piece]]]


def _whole(file: Changes, how: Language) -> _Whole:
    """Both versions of a file in colour, line by line: only a file's beginning says what is a string in its middle."""
    before, after = (
        [line.rstrip("\r")[:LONGEST] for line in decoded(data, file.encoding).split("\n")]
        for data in (file.before, splice(file.before, file.edits))
    )
    return coloured(before, how), coloured(after, how)


def _rows(hunk: Hunk, file: Changes, how: Language, inside: bool, whole: _Whole | None) -> Iterable[str]:
    encoding = file.encoding
    old = [line for line in hunk.lines if line.kind != "+"]
    new = [line for line in hunk.lines if line.kind != "-"]
    if whole is not None:
        pieces = {id(line): whole[0][line.before - 1] for line in old}
        pieces |= {id(line): whole[1][line.after - 1] for line in new if line.kind == "+"}
    else:
        pieces = {id(line): each for line, each in zip(old, _pieces(old, encoding, how, inside), strict=True)}
    added = [line for line in new if line.kind == "+"]
    if added and whole is None:
        again = _pieces(new, encoding, how, inside)
        pieces |= {id(line): each for line, each in zip(new, again, strict=True) if line.kind == "+"}
    waiting: list[Edit] = []
    for left, right in _pairs(hunk.lines):
        starting = [*(left.edits if left else ()), *(right.edits if right else ())]
        if waiting and (starting or (left is not None and left.kind == " ")):
            yield f'<tr class="y"><td colspan="4">{notes(waiting, file.linked)}</td></tr>'
            waiting = []
        if left is not None and left.kind == " ":
            text = _html(left, pieces[id(left)], encoding)
            yield (
                f'<tr><td class="n">{left.before}</td><td>{text}</td><td class="n">{left.after}</td>'
                f'<td class="again">{text}</td></tr>'
            )
            continue
        # What is said of a rename is short and stands in its line; anything else has a line of its own.
        names = [edit for edit in starting if is_plain_name(edit)]
        waiting += [edit for edit in starting if not is_plain_name(edit)]
        aside = f"<small>{notes(names)}</small>" if names else ""
        yield f'<tr class="x">{_side(left, "o", pieces, encoding)}{_side(right, "w", pieces, encoding, aside)}</tr>'
    if waiting:
        yield f'<tr class="y"><td colspan="4">{notes(waiting, file.linked)}</td></tr>'


def _side(line: Line | None, kind: str, pieces: dict[int, list[Piece]], encoding: str, aside: str = "") -> str:
    if line is None:
        return f'<td class="n"></td><td class="v">{aside}</td>'
    return (
        f'<td class="n">{line.before or line.after}</td>'
        f'<td class="{kind}">{aside}{_html(line, pieces[id(line)], encoding)}</td>'
    )


def _pairs(lines: Sequence[Line]) -> Iterable[tuple[Line | None, Line | None]]:
    """The lines of a hunk, those taken away beside those put in for them."""
    index = 0
    while index < len(lines):
        if lines[index].kind == " ":
            yield lines[index], lines[index]
            index += 1
            continue
        old = index
        while index < len(lines) and lines[index].kind == "-":
            index += 1
        new = index
        while index < len(lines) and lines[index].kind == "+":
            index += 1
        for number in range(max(new - old, index - new)):
            yield (
                lines[old + number] if number < new - old else None,
                lines[new + number] if number < index - new else None,
            )


def _pieces(lines: Sequence[Line], encoding: str, how: Language, inside: bool) -> list[list[Piece]]:
    shown = ["".join(decoded(s.text, encoding) for s in line.segments).rstrip("\r\n")[:LONGEST] for line in lines]
    # A lexer takes a line end for what it is: within a line there is none.
    return coloured([text.replace("\n", " ") for text in shown], how, in_comment=inside)


def _html(line: Line, pieces: Sequence[Piece], encoding: str) -> str:
    """A line with both its colours and its marks."""
    out: list[str] = []
    length = sum(len(text) for _, text in pieces)
    bounds = _marks(line.segments, encoding)
    at = 0
    for kind, text in pieces:
        start = 0
        while start < len(text):
            is_marked, until = _mark_at(bounds, at + start, length)
            piece = text[start : max(start + 1, min(len(text), until - at))]
            safe = str(visible(piece))
            safe = f'<i class="{kind}">{safe}</i>' if kind else safe
            out.append(f"<mark>{safe}</mark>" if is_marked else safe)
            start += len(piece)
        at += len(text)
    if length >= LONGEST:
        out.append(_CUT)
    return "".join(out).replace("</mark><mark>", "")


def _marks(segments: Sequence[Segment], encoding: str) -> list[tuple[int, bool]]:
    """Where each segment ends, in characters, and whether it is marked."""
    found, at = [], 0
    for segment in segments:
        at += len(decoded(segment.text, encoding))
        found.append((at, segment.marked))
    return found


def _mark_at(bounds: Sequence[tuple[int, bool]], at: int, length: int) -> tuple[bool, int]:
    for end, is_marked in bounds:
        if at < end:
            return is_marked, end
    return False, length


def _both(old: Line | None, new: Line | None, encoding: str) -> str:
    """One line with what was taken out of it and what was put in; two where one side has none."""
    if old is None or new is None:
        line, tag = (new, "ins") if old is None else (old, "del")
        text = (
            visible("".join(decoded(s.text, encoding) for s in line.segments).rstrip("\r\n")[:LONGEST]) if line else ""
        )
        return f"<{tag}>{text}</{tag}>"
    out: list[str] = []
    put_in = iter([segment for segment in new.segments if segment.marked])
    left = LONGEST
    for segment in old.segments:
        text = decoded(segment.text, encoding).rstrip("\r\n")
        shown = visible(text[:left])
        out.append(f"<del>{shown}</del>" if segment.marked and shown else str(shown))
        if segment.marked and (coming := next(put_in, None)) is not None:
            out.append(f"<ins>{visible(decoded(coming.text, encoding).rstrip(chr(10)))}</ins>")
        left -= len(text)
        if left <= 0:
            return "".join([*out, _CUT])
    out += [f"<ins>{visible(decoded(segment.text, encoding).rstrip(chr(10)))}</ins>" for segment in put_in]
    return "".join(out)
