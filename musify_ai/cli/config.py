"""Settings from ``musify-ai.toml`` or ``[tool.musify-ai]`` of ``pyproject.toml``; the command line wins over them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

# Each key, and what it holds: a type, or a list of strings.
KEYS: dict[str, type] = {
    "style": str,
    "sdk": str,
    "direction": str,
    "overlay": str,
    "rules": list,
    "baseline": str,
    "since": str,
    "arch": list,
    "unsafe-fixes": bool,
    "verify": bool,
    "seeds": int,
    "mutants": bool,
    "include": list,
    "define": list,
    "inputs": str,
    "ptx-identity": bool,
    "excused-mutants": list,
    "pytorch": str,
    "jobs": int,
    "time-budget": str,
    "select": list,
    "ignore": list,
    "fail-on": list,
}

_NAMES = {str: "a string", bool: "true or false", int: "a whole number", list: "a list of strings"}


def settings_for(place: Path) -> dict[str, Any]:
    """The settings that hold for a file or directory: those of the nearest folder above it that has any.

    Looking stops at the root of a git repository. A key that is unknown or of the wrong type is a usage error.
    """
    file = settings_file_for(place)
    return {} if file is None else _checked(_read(file) or {}, file)


def settings_file_for(place: Path) -> Path | None:
    """The file that the settings of a place are in, or None."""
    folder = place.absolute()
    for parent in (folder, *folder.parents):
        for name in ("musify-ai.toml", "pyproject.toml"):
            if _read(parent / name) is not None:
                return parent / name
        if (parent / ".git").exists():
            break
    return None


def _read(file: Path) -> Mapping[str, Any] | None:
    """The table of a file, or None where it has none; only a file that names us is parsed at all."""
    try:
        text = file.read_bytes()
    except OSError:
        return None
    own = file.name == "musify-ai.toml"
    if not own and b"musify-ai" not in text:
        return None
    import tomllib

    try:
        table: Any = tomllib.loads(text.decode("utf-8"))
    except ValueError as problem:
        raise click.UsageError(f"{file}: not valid TOML: {problem}") from None
    if own:
        return dict(table)
    tools = table.get("tool", {})
    if not isinstance(tools, dict):
        raise click.UsageError(f"{file}: tool must be a table")
    found = tools.get("musify-ai")
    if found is not None and not isinstance(found, dict):
        raise click.UsageError(f"{file}: tool.musify-ai must be a table")
    return found


def _checked(table: Mapping[str, Any], file: Path) -> dict[str, Any]:
    for key, value in table.items():
        kind = KEYS.get(key)
        if kind is None:
            if key == "tool" and file.name == "musify-ai.toml":
                raise click.UsageError(f"{file}: the keys stand at the top of this file, not under [tool.musify-ai]")
            raise click.UsageError(f"{file}: unknown key {key!r}{near(key, KEYS)}")
        wrong = not isinstance(value, kind) or (kind is int and isinstance(value, bool))
        if wrong or (kind is list and not all(isinstance(item, str) for item in value)):
            example = f', such as {key} = ["{value}"]' if kind is list and isinstance(value, str) else ""
            raise click.UsageError(f"{file}: {key} must be {_NAMES[kind]}{example}")
    found = dict(table)
    for key in ("overlay", "baseline"):
        if found.get(key):
            found[key] = str(file.parent / found[key])
    if found.get("rules"):
        found["rules"] = [str(file.parent / each) for each in found["rules"]]
    return found


def near(word: str, known: Mapping[str, Any] | list[str] | tuple[str, ...]) -> str:
    """``; did you mean ...?`` for the known word nearest to one, or nothing where none is near."""
    from difflib import get_close_matches

    found = get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f"; did you mean {found[0]!r}?" if found else f"; known: {', '.join(known)}" if len(known) < 20 else ""
