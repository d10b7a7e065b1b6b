"""Prepares a set of files into a mirror tree, so that their includes of one another still resolve."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from musify_ai.emulator.prepare.shared_memory import Aliases, specifier_aliases
from musify_ai.emulator.prepare.source import Problem, Side, prepare


def prepare_tree(
    root: Path, files: Iterable[str], out: Path, side: Side, replace: Mapping[str, bytes] | None = None
) -> dict[str, tuple[Problem, ...]]:
    """Prepare ``files`` (paths relative to ``root``, with ``/``) into ``out`` and say what could not be prepared.

    ``replace`` gives other bytes for some of them. A file is written atomically and only where it differs from what
    is there. A path that leads out of ``root``, or a file that cannot be read, is a problem of its own.
    """
    sources: dict[str, bytes] = {}
    problems: dict[str, tuple[Problem, ...]] = {}
    given = replace or {}
    for name in files:
        parts = PurePosixPath(name)
        if parts.is_absolute() or ".." in parts.parts:
            problems[name] = (Problem(0, "path", "this path leads out of the tree"),)
            continue
        try:
            sources[name] = given[name] if name in given else (root / name).read_bytes()
        except OSError as error:
            problems[name] = (Problem(0, "read", error.strerror or str(error)),)
    aliases: Aliases = {}
    for src in sources.values():
        aliases.update(specifier_aliases(src))
    for name, src in sources.items():
        prepared = prepare(src, side, aliases=aliases)
        problems[name] = prepared.problems
        _write(out / name, prepared.text)
    return problems


def _write(target: Path, text: bytes) -> None:
    try:
        if target.read_bytes() == text:
            return
    except OSError:
        pass  # not there yet
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(f"{target.name}.{os.getpid()}.new")
    beside.write_bytes(text)
    beside.replace(target)
