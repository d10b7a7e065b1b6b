"""Which files of a tree include which, by path alone."""

from collections.abc import Mapping, Sequence
from posixpath import dirname, normpath

from musify_ai.translate.surroundings import included_tokens


def includes_of(files: Mapping[str, bytes]) -> dict[str, dict[bytes, str]]:
    """For each file the tokens of its includes that are files of the tree, and which; in the order of the files."""
    by_name: dict[str, list[str]] = {}
    for path in files:
        by_name.setdefault(path.rpartition("/")[2], []).append(path)
    return {
        path: {
            token: found
            for token in included_tokens(src)
            if (found := _resolved(token.decode("utf-8", "surrogateescape"), path, by_name)) is not None
        }
        for path, src in files.items()
    }


def _resolved(token: str, path: str, by_name: Mapping[str, Sequence[str]]) -> str | None:
    """The file of the tree that an include names: beside the file, else the one whose path ends so; none where
    several do."""
    beside = normpath(f"{dirname(path)}/{token}" if dirname(path) else token)
    plain = normpath(token)
    candidates = by_name.get(plain.rpartition("/")[2], ())
    if beside in candidates:
        return beside
    ending = [each for each in candidates if each == plain or each.endswith("/" + plain)]
    return ending[0] if len(ending) == 1 else None
