"""What the headers of a real SDK confirm of the rules' MUSA names and what they lack: made once, laid over the rules.

The rules know names from public code and tables; an installed SDK knows better. `scan` reads its headers and keeps
only what the rules speak of, so that the file is small and holds nothing of the SDK but names.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from musify_ai.rules.table import Header, Label, Rules
from musify_ai.rules.treatments import RENAMED

FORMAT = 1
_HEADER_SUFFIXES = frozenset((".h", ".hpp", ".hh", ".muh", ".inl", ".inc", ""))
_LARGEST = 32 << 20


class OverlayInvalid(Exception):
    """A file that is no overlay of this version."""


class Overlay(NamedTuple):
    """Of the MUSA names and include tokens that the rules speak of: those in the SDK's headers, and those missing.

    ``sdk`` is the version that the headers state, empty where they state none.
    """

    sdk: str
    names: frozenset[bytes]
    missing: frozenset[bytes]
    headers: frozenset[bytes]
    missing_headers: frozenset[bytes]


def scan(folder: Path, rules: Rules) -> Overlay:
    """What the headers under a folder (an SDK's root, or its ``include``) say of the rules.

    A name counts as missing only where its library's headers are there: no name of an absent library does. Raises
    `OverlayInvalid` where the folder holds no header of the SDK.
    """
    root = folder / "include" if (folder / "include").is_dir() else folder
    wanted = set(rules.names.values()) | {name for name in rules.classes if rules.label(name).treatment == "unproven"}
    found: set[bytes] = set()
    version = ""
    tokens = set()
    for path in _header_files(root):
        tokens.add(path.relative_to(root).as_posix().encode())
        src = path.read_bytes()
        found |= _code_words(src) & wanted
        if path.name == "musa.h":
            version = version or _version(src)
    known = {header.musa for header in rules.headers.values() if header.treatment in RENAMED and header.musa}
    if not tokens & known:  # a word of MUSA's alone stands in many a header of others
        raise OverlayInvalid(f"{root}: no header of a MUSA SDK is here; give its root (MUSA_HOME) or include folder")
    installed = {rules.label(name).library for name, musa in rules.names.items() if musa in found}
    missing = {musa for name, musa in rules.names.items() if rules.label(name).library in installed} - found
    return Overlay(
        version, frozenset(found), frozenset(missing), frozenset(tokens & known), frozenset(_files(known) - tokens)
    )


def overlaid(rules: Rules, overlay: Overlay) -> Rules:
    """The rules with an SDK's word: a confirmed name is as good as seen, a missing one is left with a finding."""
    changed = rules.copy()
    for name, musa in rules.names.items():
        label = rules.label(name)
        if musa in overlay.names and label.treatment != "seen":
            changed.change(name, Label("seen", label.library, label.code), musa, rules.note(name))
        elif musa in overlay.missing:
            note = f"{musa.decode()} is not in the headers of the scanned SDK {overlay.sdk}".rstrip()
            changed.change(name, Label("differs", label.library, ""), musa, note)
    for name in overlay.names & rules.classes.keys():
        if rules.label(name).treatment == "unproven":
            del changed.classes[name]
    headers = dict(rules.headers)
    for token, header in rules.headers.items():
        if header.musa in overlay.headers:
            headers[token] = header._replace(treatment="seen") if header.treatment in RENAMED else header
        elif header.musa in overlay.missing_headers and header.treatment in RENAMED:
            headers[token] = Header("differs", header.musa, header.library, "which the scanned SDK does not have")
    changed.__dict__["headers"] = headers
    changed.version = f"{rules.version}+{digest(overlay)}"
    return changed


def digest(overlay: Overlay) -> str:
    """A short name of an overlay's contents, for reports."""
    import hashlib

    return hashlib.sha256(as_toml(overlay).encode()).hexdigest()[:8]


def as_toml(overlay: Overlay) -> str:
    """The file's text, sorted and one name a line."""
    parts = [
        "# What the headers of an installed MUSA SDK say of musify-ai's rules; made by `musify-ai sdk scan`.",
        f"format = {FORMAT}",
        f'sdk = "{overlay.sdk}"',
    ]
    for key, names in zip(("names", "missing", "headers", "missing-headers"), overlay[1:], strict=True):
        lines = "".join(f'    "{name.decode()}",\n' for name in sorted(names))
        parts.append(f"{key} = [\n{lines}]")
    return "\n".join(parts) + "\n"


def read_overlay(path: str | Path) -> Overlay:
    """The overlay in a file. Raises `OverlayInvalid`."""
    import tomllib

    try:
        document = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as problem:
        raise OverlayInvalid(f"{path}: {problem.strerror}") from None
    except ValueError as problem:
        raise OverlayInvalid(f"{path}: {problem}") from None
    if document.get("format") != FORMAT:
        raise OverlayInvalid(f"{path}: no overlay of format {FORMAT}; make it with `musify-ai sdk scan`")
    lists = [_names(path, document, key) for key in ("names", "missing", "headers", "missing-headers")]
    return Overlay(str(document.get("sdk", "")), *lists)


def _names(path: str | Path, document: dict[str, Any], key: str) -> frozenset[bytes]:
    found = document.get(key, [])
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise OverlayInvalid(f"{path}: {key} must be a list of strings")
    return frozenset(each.encode() for each in found)


def _header_files(root: Path) -> Iterator[Path]:
    for path in sorted(root.rglob("*")):
        if path.suffix in _HEADER_SUFFIXES and path.is_file() and path.stat().st_size <= _LARGEST:
            yield path


def _code_words(src: bytes) -> set[bytes]:
    """The words outside comments and literals: a name that only a comment mentions is not there."""
    from musify_ai.source.lexing import blank, regions, words

    return words(blank(src, regions(src)))


def _version(src: bytes) -> str:
    import re

    match = re.search(rb"#[ \t]*define[ \t]+MUSA_VERSION[ \t]+(\d{5,6})\b", src)
    return f"{int(match[1]) // 10000}.{int(match[1]) // 100 % 100}" if match else ""


def _files(tokens: set[bytes]) -> set[bytes]:
    """Include tokens of single files; a folder's stands for many."""
    return {token for token in tokens if not token.endswith(b"/") and b"torch" not in token}
