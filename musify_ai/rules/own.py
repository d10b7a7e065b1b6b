"""A project's own rules: a TOML file of names, include tokens and cases, laid over the rules that come with the tool.

    library = "mylib"

    [names]
    myCudaAlloc = "myMusaAlloc"

    [headers]
    "my_cuda.h" = "my_musa.h"

    [report]
    cudaOldThing = "replace it by hand: see the porting notes"

    [keep]
    cudaFoo = "ours, not the API's"

    [[case]]
    source = "myCudaAlloc(&p);"
    output = "myMusaAlloc(&p);"

Each name that the file speaks of wants a case; `musify-ai rules test` runs them.
"""

import re
from pathlib import Path
from typing import Any, NamedTuple

from musify_ai.rules.linting import BARE_PREFIXES
from musify_ai.rules.table import Header, Label, Rules
from musify_ai.source.patterns import late_pattern

KEPT = "MUS107"
"""The code of the note on a name that is the project's own."""

_SECTIONS = ("names", "headers", "report", "keep")
_IDENTIFIER = late_pattern(r"[A-Za-z_]\w*\Z")


class OwnCase(NamedTuple):
    """A piece of source, what it becomes, and the names that findings speak of."""

    source: str
    output: str
    findings: tuple[str, ...]


class OwnRules(NamedTuple):
    """What a file says: names and include tokens renamed, names reported and kept, each with its text."""

    library: str
    names: dict[str, str]
    headers: dict[str, str]
    report: dict[str, str]
    keep: dict[str, str]
    cases: tuple[OwnCase, ...]


class OwnRulesInvalid(Exception):
    """A file that is no set of rules, with what is wrong and where."""


def read_own(path: str | Path) -> OwnRules:
    """The rules in a file. Raises `OwnRulesInvalid`."""
    import tomllib

    try:
        document = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as problem:
        raise OwnRulesInvalid(f"{path}: {problem.strerror}") from None
    except ValueError as problem:
        raise OwnRulesInvalid(f"{path}: {problem}") from None
    unknown = sorted(document.keys() - {"library", "case", *_SECTIONS})
    if unknown:
        raise OwnRulesInvalid(f"{path}: unknown key {unknown[0]!r}; known are library, case, {', '.join(_SECTIONS)}")
    library = document.get("library", "project")
    if not isinstance(library, str) or not _IDENTIFIER.match(library):
        raise OwnRulesInvalid(f"{path}: library must be a word")
    names, headers, report, keep = (_section(path, document, key) for key in _SECTIONS)
    rules = OwnRules(library, names, headers, report, keep, tuple(_cases(path, document.get("case", []))))
    faults = _faults(rules)
    if faults:
        raise OwnRulesInvalid(f"{path}: {faults[0]}")
    return rules


def laid_over(rules: Rules, own: OwnRules) -> Rules:
    """The rules with a project's own: its word counts for every name that it speaks of."""
    changed = rules.copy()
    for name, musa in own.names.items():
        changed.change(name.encode(), Label("seen", own.library, ""), musa.encode(), "")
    for name, text in own.report.items():
        changed.change(name.encode(), Label("none", own.library, ""), b"", text)
    for name, why in own.keep.items():
        changed.change(name.encode(), Label("unproven", own.library, KEPT), b"", why)
    headers = dict(rules.headers)
    for token, musa in own.headers.items():
        headers[token.encode()] = Header("seen", musa.encode(), own.library, "")
    changed.__dict__["headers"] = headers
    changed.own = changed.own | {name.encode() for name in own.names}
    changed.version = f"{rules.version}+{digest(own)}"
    return changed


def digest(own: OwnRules) -> str:
    """A short name of the rules' contents, for reports; the cases are no part of it."""
    import hashlib

    return hashlib.sha256(repr([sorted(part.items()) for part in own[1:5]]).encode()).hexdigest()[:8]


def uncovered(own: OwnRules) -> list[str]:
    """The names that no case speaks of: rules without a proof."""
    said = " ".join(case.source for case in own.cases)
    words = set(re.findall(r"[\w./-]+", said))
    named = [*own.names, *own.headers, *own.report, *own.keep]
    return [name for name in named if name not in words]


def _section(path: str | Path, document: dict[str, Any], key: str) -> dict[str, str]:
    found = document.get(key, {})
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise OwnRulesInvalid(f"{path}: [{key}] must hold strings")
    return {str(name): value for name, value in found.items()}


def _cases(path: str | Path, found: Any) -> list[OwnCase]:
    cases = []
    for number, case in enumerate(found if isinstance(found, list) else [found], 1):
        known = isinstance(case, dict) and case.keys() <= {"source", "output", "findings"}
        if not known or not isinstance(case.get("source"), str):
            raise OwnRulesInvalid(f"{path}: case {number}: needs source, and may have output and findings")
        findings = case.get("findings", [])
        if not isinstance(findings, list):
            raise OwnRulesInvalid(f"{path}: case {number}: findings must be a list of names")
        source = str(case["source"])
        cases.append(OwnCase(source, str(case.get("output", source)), tuple(str(name) for name in findings)))
    return cases


def _faults(own: OwnRules) -> list[str]:
    """What would make the rules touch words that are no names, or change a file again in a second run."""
    found = []
    named = [*own.names, *own.report, *own.keep]
    for name in named:
        if not _IDENTIFIER.match(name):
            found.append(f"{name!r} is no identifier")
        elif name in BARE_PREFIXES and name in own.names:
            found.append(f"{name} is a bare prefix: as a word it names namespaces and variables too")
    for name, musa in own.names.items():
        if not _IDENTIFIER.match(musa):
            found.append(f"{name}: its MUSA name {musa!r} is no identifier")
        if musa in own.names:
            found.append(f"{name} becomes {musa}, which is renamed itself: a second run would change it again")
    for name in named:
        if named.count(name) > 1:
            found.append(f"{name} is in two sections")
    return found
