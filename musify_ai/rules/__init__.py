"""The rules' data: which CUDA name becomes which MUSA name, on what evidence. Load, compile, lint, look up."""

from musify_ai.rules.compiling import load
from musify_ai.rules.locating import RulesMissing, data_dir
from musify_ai.rules.table import Header, Label, Rules
from musify_ai.rules.treatments import RENAMED, Treatment

__all__ = [
    "RENAMED",
    "Header",
    "Label",
    "Rules",
    "RulesMissing",
    "Treatment",
    "data_dir",
    "load",
]
