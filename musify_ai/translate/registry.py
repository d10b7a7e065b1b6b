"""Which rules there are, which of them a file asks for, and the page of each code."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from musify_ai.translate.first_looks import LOOKS
from musify_ai.translate.rule_table import BUILD, NAME_RULES, PYTHON
from musify_ai.translate.rule_table import RULES as RULES
from musify_ai.translate.rule_table import RuleEntry as RuleEntry

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from musify_ai.translate.cases import Case, Rule
    from musify_ai.translate.covered import Construct
    from musify_ai.translate.unit import Unit

# For each trigger the rules over source files that it asks for, by their index: most files hold no trigger at all.
_BY_TRIGGER: dict[bytes, list[int]] = {}
_BY_PYTHON_TRIGGER: dict[bytes, list[int]] = {}
for _index, _rule in enumerate(RULES):
    if not _rule.module.startswith(BUILD):
        _table = _BY_PYTHON_TRIGGER if _rule.module.startswith(PYTHON) else _BY_TRIGGER
        for _word in _rule.triggers:
            _table.setdefault(_word, []).append(_index)

_BY_CODE = {entry.code: entry for entry in (*NAME_RULES, *RULES)}


class UnknownCode(KeyError):
    """No rule has that code."""

    def __str__(self) -> str:
        return f"no rule has the code {self.args[0]}; the codes are {', '.join(codes())}"


def codes() -> tuple[str, ...]:
    """Every code that has a page, in order."""
    from musify_ai.translate.documented import DOCUMENTED

    return tuple(sorted({*_BY_CODE, *DOCUMENTED}))


def rule(code: str) -> Rule:
    """The module of a rule; raises `UnknownCode`."""
    entry = _BY_CODE.get(code.upper())
    if entry is None:
        raise UnknownCode(code)
    return load(entry)


def triggers(code: str) -> frozenset[bytes]:
    """The words without which a rule has nothing to say of a file, from the table alone."""
    return _BY_CODE[code].triggers


def load(entry: RuleEntry) -> Rule:
    """The module of an entry, imported on first use."""
    return cast("Rule", import_module(entry.module))


def triggered(words: Collection[bytes]) -> list[RuleEntry]:
    """The rules for source files of which a trigger word stands in a file, in the order of the table."""
    return _asked(_BY_TRIGGER, words)


def asked(unit: Unit) -> list[RuleEntry]:
    """The rules that may have something to say of a source file, by its words and by what a first look tells; none of
    them is imported yet."""
    return [entry for entry in triggered(unit.words) if (look := LOOKS.get(entry.code)) is None or look(unit)]


# With the shim CUDA's names are answered at run time: what stays is the import of it, and what it cannot answer.
_NATIVE_ONLY = frozenset(("MUS820", "MUS821", "MUS822", "MUS823", "MUS824", "MUS828"))
_SHIM_ONLY = frozenset(("MUS833",))


def triggered_in_python(words: Collection[bytes], pytorch: str) -> list[RuleEntry]:
    """The rules for Python files of which a trigger word stands in a file, in the order of the table: those for a way
    to PyTorch, ``native`` or ``shim``."""
    left_out = _NATIVE_ONLY if pytorch == "shim" else _SHIM_ONLY
    return [entry for entry in _asked(_BY_PYTHON_TRIGGER, words) if entry.code not in left_out]


def _asked(table: dict[bytes, list[int]], words: Collection[bytes]) -> list[RuleEntry]:
    held = table.keys() & words
    if not held:
        return []
    asked = {index for word in held for index in table[word]}
    return [RULES[index] for index in sorted(asked)]


def build_rules() -> list[RuleEntry]:
    """The rules over build files, in the order of the table."""
    return [entry for entry in RULES if entry.module.startswith(BUILD)]


def page(code: str) -> str:
    """The page of a code, in Markdown; raises `UnknownCode`."""
    from musify_ai.translate.documented import DOCUMENTED

    documented = DOCUMENTED.get(code.upper())
    if documented is not None:
        return (
            f"# {code.upper()}: {documented.title}\n\n## Why it matters\n\n{documented.why}\n\n"
            f"## Use instead\n\n{documented.instead}\n"
        )
    from musify_ai.translate.covered import covered_by

    module = rule(code)
    parts = [
        f"# {module.CODE}: {module.TITLE}",
        "## Why it matters\n\n" + module.WHY.strip(),
        "## Example\n\n```cuda\n" + module.EXAMPLE.strip("\n") + "\n```",
        "## Use instead\n\n" + module.INSTEAD.strip(),
        "## Fix safety\n\n" + _SAFETY[module.SAFETY],
        f"## Effort\n\n{module.EFFORT.capitalize()} for each place.",
    ]
    changed = [case for case in module.INVALID if case.output is not None or case.fixed is not None]
    if changed:
        parts.append("## What the fix does\n\n" + "\n\n".join(_change(case) for case in changed[:3]))
    covered = covered_by(module.CODE)
    if covered:
        parts.append("## Constructs it covers\n\n" + "\n".join(_construct(each) for each in covered))
    if module.REFERENCES:
        parts.append("## References\n\n" + "\n".join(f"- {reference}" for reference in module.REFERENCES))
    return "\n\n".join(parts) + "\n"


def title(code: str) -> str:
    """What a code is about, in a phrase; raises `UnknownCode`."""
    from musify_ai.translate.documented import DOCUMENTED

    documented = DOCUMENTED.get(code.upper())
    return documented.title if documented is not None else rule(code).TITLE


def titles(codes: Iterable[str]) -> dict[str, tuple[str, str]]:
    """What codes are about and why that matters; an unknown one (a project's own rule has none) is left out."""
    from musify_ai.translate.documented import DOCUMENTED

    found: dict[str, tuple[str, str]] = {}
    for code in codes:
        documented = DOCUMENTED.get(code)
        try:
            found[code] = (
                (documented.title, documented.why) if documented else (rule(code).TITLE, rule(code).WHY.strip())
            )
        except UnknownCode:
            continue
    return found


_SAFETY = {
    "safe": "Safe: the edit keeps the meaning and is applied. Where it would not, there is a finding and no safe edit.",
    "unsafe": "Unsafe: an edit is suggested, and applied only with `--unsafe-fixes`.",
    "display": "None: nothing is edited. The finding says what a person has to decide.",
}


def _construct(row: Construct) -> str:
    return f"- {row.name}" + (f" ({row.status})" if row.status else "")


def _change(case: Case) -> str:
    after = case.output if case.output is not None else case.fixed
    return f"```cuda\n{case.source.strip()}\n```\n\nbecomes\n\n```cuda\n{(after or '').strip()}\n```"
