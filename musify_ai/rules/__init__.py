"""The rules' data: which CUDA name becomes which MUSA name, on what evidence. Load, compile, lint, look up."""

from musify_ai.rules.compiling import load
from musify_ai.rules.locating import RulesMissing, data_dir
from musify_ai.rules.lookup import MEANING, Known, lookup
from musify_ai.rules.reading import RENAMED, Row, RulesInvalid, Treatment
from musify_ai.rules.table import Header, Label, Rules

__all__ = [
    "MEANING",
    "RENAMED",
    "Header",
    "Known",
    "Label",
    "Row",
    "Rules",
    "RulesInvalid",
    "RulesMissing",
    "Treatment",
    "data_dir",
    "load",
    "lookup",
]
