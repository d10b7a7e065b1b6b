"""``semantic``: names are left to the SDK's own mapping compiler, from SDK 5.2 on.

MusaMapping is a plugin of clang that maps names and includes while it compiles, by tables of the same content as the
published ones. What these lack, or map otherwise than the evidence says (``cusolverDnCungqr``), is renamed in the
source: a name of MUSA's is in no table and stays. `rules/mapping/sdk.toml` lists such names.
"""

from collections.abc import Iterable
from functools import lru_cache

from musify_ai.records import Edit, Finding
from musify_ai.rules import data_dir
from musify_ai.source.patterns import late_pattern

_OF_VERSIONS = frozenset(("MUS112", "MUS204"))
_WORD = late_pattern(r"\w+")
_SCALE = (
    " The SDK's mapping compiler does not leave such a macro as it is: its table has a MUSA macro for it, whose "
    "numbers are MUSA's, so the condition would be decided by a version on another scale. Decide this place by hand."
)


@lru_cache(maxsize=1)
def unmapped() -> frozenset[bytes]:
    """Names and include tokens that the mapping's published tables lack, or map to something else than the rules."""
    return frozenset(name.encode() for key in ("absent", "otherwise") for name in _document()[key])


@lru_cache(maxsize=1)
def _document() -> dict[str, list[str]]:
    import tomllib

    return tomllib.loads((data_dir() / "mapping" / "sdk.toml").read_text(encoding="utf-8"))


def is_mapped(edit: Edit) -> bool:
    """Whether the compiler makes of a name what the edit would. A derived name is in no published table."""
    return edit.evidence != "prefix" and not edit.rule.endswith(".back") and edit.old not in unmapped()


def as_mapped(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, where those about version macros also say what the mapping compiler makes of them."""
    versions = frozenset(_document()["versions"])
    return [
        each._replace(message=each.message + _SCALE)
        if each.code in _OF_VERSIONS and not versions.isdisjoint(_WORD.findall(each.message))
        else each
        for each in findings
    ]
