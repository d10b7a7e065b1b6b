"""Where the rules' data is: inside the installed package, or beside it in a checkout."""

from pathlib import Path

PACKAGED = Path(__file__).resolve().parent.parent / "_data" / "rules"
CHECKOUT = Path(__file__).resolve().parent.parent.parent / "rules"


class RulesMissing(Exception):
    """The rules' data is not where an installation or a checkout has it."""


def data_dir() -> Path:
    """The folder that holds ``names/``, ``headers/``, ``unchanged/`` and ``bulk/``.

    Raises `RulesMissing` where there is none.
    """
    for folder in (CHECKOUT, PACKAGED):
        if (folder / "names").is_dir():
            return folder
    raise RulesMissing(f"no rules in {PACKAGED} or {CHECKOUT}: the installation is incomplete, install musify-ai again")


def is_packaged(folder: Path) -> bool:
    """Whether a folder is the installed one, which nobody edits."""
    return folder == PACKAGED
