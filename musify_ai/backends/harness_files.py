"""Where the C++ part of the kernel harness lies: in the installed package's data, or in the source tree."""

from functools import cache
from pathlib import Path


@cache
def harness_dir() -> Path:
    """The folder with ``musify_check.h`` and the driver's sources."""
    package = Path(__file__).parents[1]
    for folder in (package / "_data" / "templates" / "harness", package.parent / "templates" / "harness"):
        if (folder / "musify_check.h").is_file():
            return folder
    raise FileNotFoundError("the harness templates of musify-ai are missing from this installation; install it again")
