"""What PyTorch for MUSA has of PyTorch for CUDA, as data: ``rules/python/torch_musa.toml``."""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

FILE = "torch_musa.toml"


class PythonApi(NamedTuple):
    """Names below ``torch.cuda`` by their dotted path, and environment variables.

    ``names`` gives the path below ``torch.musa``; ``missing`` says of others why there is none. ``environment`` gives
    a variable's MUSA name and the source of it, ``environment_open`` says why one is not renamed. What ``differs`` is
    there and answers on another scale. ``bindings`` are the names that torch_musa's extension has.
    """

    source: str
    names: dict[str, str]
    missing: dict[str, str]
    environment: dict[str, tuple[str, str]]
    environment_open: dict[str, str]
    differs: frozenset[str]
    bindings: frozenset[str] = frozenset()


@cache
def python_api() -> PythonApi:
    """The table, read once. Raises `RulesMissing` where the rules are not installed."""
    from musify_ai.rules.locating import data_dir

    return read_python_api(data_dir() / "python" / FILE)


def read_python_api(file: Path) -> PythonApi:
    """The table of a file; ValueError for one in which a name has two treatments, or a list is out of order."""
    import tomllib

    table: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
    same, renamed, missing = table["same"], table["renamed"], table["none"]
    differs = table.get("differs", [])
    if same != sorted(set(same)):
        raise ValueError(f"{file.name}: `same` is not sorted, or has a name twice")
    twice = (
        (set(differs) & (set(same) | set(renamed) | set(missing)))
        | (set(same) & set(renamed))
        | (set(same) & set(missing))
        | (set(renamed) & set(missing))
    )
    twice |= set(table["environment"]) & set(table["environment_open"])
    if twice:
        raise ValueError(f"{file.name}: {', '.join(sorted(twice))} has two treatments")
    environment = {name: (row["musa"], row["source"]) for name, row in table["environment"].items()}
    return PythonApi(
        table["source"],
        {name: name for name in same} | renamed,
        missing,
        environment,
        table["environment_open"],
        frozenset(differs),
        frozenset(table.get("bindings", ())),
    )
