"""``--redact``: a unit with slots in the place of the project's own names, and an answer with the names back in it.

What the project calls its things stays here: functions, variables, types, macros, files, and the text of its strings.
What is sent besides is the language's, the API's and the instructions'.
"""

import re
from typing import NamedTuple

from musify_ai.rewrite.canonical import canonical, in_slots
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

    def told(self, text: str) -> str:
        """A text (a diagnostic, a report) with shown names for the project's own, and no path of it."""
        hidden = dict(zip(self.names, self.shown, strict=True))
        for path in self.paths:
            text = text.replace(path, "the file")
        return _WORD.sub(lambda match: hidden.get(match[0], match[0]), text)

    def back(self, code: str) -> str:
        """An answer's code with the project's names."""
        slots = in_slots(code, self.shown)
        return _SLOT.sub(lambda match: self.names[int(match[1])], slots)


def redacted(unit: WorkUnit) -> Redaction:
    """A unit to be shown: same code, same offsets within it, other names."""
    known = canonical(unit.region, unit.context, kind=unit.kind, archs=unit.archs, sdk=unit.sdk, versions=())
    launched = {word for each in unit.launches for word in _WORD.findall(each)}
    further = sorted({*unit.kernels, unit.name, *launched} - set(known.names) - _KEPT)
    names = (*known.names, *(each for each in further if _WORD.fullmatch(each)))
    taken = set(_WORD.findall(unit.region.decode("utf-8", "replace"))) | {
        w for c in unit.context for w in _WORD.findall(c)
    }
    shown = []
    number = 0
    for _ in names:
        number += 1
        while f"{_PREFIX}{number}" in taken:
            number += 1
        shown.append(f"{_PREFIX}{number}")
    plain = Redaction(unit, names, tuple(shown), (unit.path, unit.place))
    head = _hidden(prepared(unit.head, 0).text, plain) + " "
    body = _hidden(prepared(unit.region[unit.body_start - unit.start :], 0).text, plain)
    text = (head + body).encode()
    findings = tuple(finding._replace(message=plain.told(finding.message)) for finding in unit.findings)
    changed = unit._replace(
        path="the file", place="the file", name=dict(zip(names, shown, strict=True)).get(_base(unit.name), "function"),
        findings=findings, text=text, start=0, body_start=len(head.encode()), end=len(text), original=b"",
        original_start=0, original_end=0,
        context=tuple(_hidden(prepared(each.encode("utf-8", "replace"), 0).text, plain) for each in unit.context),
        launches=tuple(_hidden(each, plain) for each in unit.launches),
        kernels=tuple(plain.told(each) for each in unit.kernels),
    )  # fmt: skip
    return plain._replace(unit=changed)


_KEPT = frozenset(("x", "y", "z", "w", "min", "max", "dim3", "size_t", "sizeof", "static_cast", "const", "void"))
_KEPT |= frozenset(("int", "unsigned", "float", "double", "char", "short", "long", "bool"))


def _hidden(code: str, plain: Redaction) -> str:
    return _SLOT.sub(lambda match: plain.shown[int(match[1])], in_slots(code, plain.names))


def _base(name: str) -> str:
    return name.split("<", 1)[0].rsplit("::", 1)[-1]
