"""``--redact``: a unit with slots in the place of the project's own names, and an answer with the names back in it.

What the project calls its things stays here: functions, variables, types, macros, files, and the text of its strings.
What is sent besides is the language's, the API's and the instructions'.
"""

import re
from typing import NamedTuple

from musify_ai.rewrite.canonical import canonical, in_slots
from musify_ai.rewrite.gates.names import is_known
from musify_ai.rewrite.gates.protocol import Site
from musify_ai.rewrite.gates.reading import identifiers
from musify_ai.rewrite.sending import prepared
from musify_ai.rewrite.units import WorkUnit

_SLOT = re.compile("\u27e6(\\d+)\u27e7")
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_PREFIX = "name"


class Redaction(NamedTuple):
    """A unit as it is shown, both ways between its names and the shown ones, and the paths of its file."""

    unit: WorkUnit
    names: tuple[str, ...]
    shown: tuple[str, ...]
    paths: tuple[str, ...] = ()

    def told(self, text: str, site: Site | None = None) -> str:
        """A text (a diagnostic, a report) with shown names for the project's own, and no path of it.

        A report speaks of more than what was shown: of the kernel's parameters, of other files. ``site`` is where the
        unit stands: whatever its files call their own is hidden too, and so are all paths.
        """
        hidden = dict(zip(self.names, self.shown, strict=True))
        paths = dict.fromkeys(self.paths, "the file")
        if site is not None:
            for word in sorted(_words_of(self.unit, site) - hidden.keys()):
                hidden[word] = f"other{len(hidden)}"
            paths = dict.fromkeys((*site.files, *site.files.values()), "another file") | paths
            paths |= {path.rsplit("/", 1)[-1]: said for path, said in paths.items() if "/" in path}
            paths[str(site.original)] = "the project"
        for path in sorted(paths, key=len, reverse=True):
            text = text.replace(path, paths[path])
        return _WORD.sub(lambda match: hidden.get(match[0], match[0]), text)

    def back(self, code: str) -> str:
        """An answer's code with the project's names."""
        slots = in_slots(code, self.shown)
        return _SLOT.sub(lambda match: self.names[int(match[1])], slots)


def redacted(unit: WorkUnit) -> Redaction:
    """A unit to be shown: the same code with other names."""
    region = b"\n\n".join(piece.region for piece in unit.pieces)
    known = canonical(region, unit.context, kind=unit.kind, archs=unit.archs, sdk=unit.sdk, versions=())
    launched = {word for each in unit.launches for word in _WORD.findall(each)}
    own = {_base(piece.name) for piece in unit.pieces} | {_base(kernel) for kernel in unit.kernels}
    further = sorted((own | launched) - set(known.names) - _KEPT)
    names = (*known.names, *(each for each in further if _WORD.fullmatch(each)))
    taken = {word for text in (region.decode("utf-8", "replace"), *unit.context) for word in _WORD.findall(text)}
    free = (name for number in range(1, 1 << 20) if (name := f"{_PREFIX}{number}") not in taken)
    shown = tuple(name for _, name in zip(names, free, strict=False))
    paths = tuple(dict.fromkeys(path for piece in unit.pieces for path in (piece.path, piece.place)))
    plain = Redaction(unit, names, shown, paths)
    hidden = dict(zip(names, shown, strict=True))
    context = tuple(_hidden(prepared(each.encode("utf-8", "replace"), 0).text, plain) for each in unit.context)
    launches = tuple(_hidden(each, plain) for each in unit.launches)
    kernels = tuple(hidden.get(_base(each), "kernel") for each in unit.kernels)
    pieces = []
    for piece in unit.pieces:
        head = _hidden(prepared(piece.head, 0).text, plain) + " "
        body = _hidden(prepared(piece.region[piece.body_start - piece.start :], 0).text, plain)
        text = (head + body).encode()
        findings = tuple(finding._replace(message=plain.told(finding.message)) for finding in piece.findings)
        changed = piece._replace(
            path="the file", place="the file", name=hidden.get(_base(piece.name), "function"), findings=findings,
            text=text, start=0, body_start=len(head.encode()), end=len(text), original=b"", original_start=0,
            original_end=0, context=context, launches=launches, kernels=kernels,
        )  # fmt: skip
        pieces.append(changed)
    return plain._replace(unit=pieces[0]._replace(also=tuple(pieces[1:])))


def _words_of(unit: WorkUnit, site: Site) -> set[str]:
    """What the files of a unit and of its kernels call their own: every identifier that is not the language's, the
    API's, or a word that reports are made of."""
    places = {site.files.get(path, path) for path in (*unit.kernel_paths, *(piece.path for piece in unit.pieces))}
    words = {
        word.decode("utf-8", "replace")
        for place in places | {piece.place for piece in unit.pieces}
        for word in identifiers(site.texts.get(place, b""))
        if not is_known(word)
    }
    return words - _REPORTED - _KEPT


_REPORT = """is in the original and translation of elements element differ differs worst error first block seed
schedule forward poison lanes warp file member named struct class no has it does not fit declarations other"""
_REPORTED = frozenset(_REPORT.split())
_KEPT = frozenset(("x", "y", "z", "w", "min", "max", "dim3", "size_t", "sizeof", "static_cast", "const", "void"))
_KEPT |= frozenset(("int", "unsigned", "float", "double", "char", "short", "long", "bool"))


def _hidden(code: str, plain: Redaction) -> str:
    return _SLOT.sub(lambda match: plain.shown[int(match[1])], in_slots(code, plain.names))


def _base(name: str) -> str:
    return name.split("<", 1)[0].rsplit("::", 1)[-1]
