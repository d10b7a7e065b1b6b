"""New places of a project's files, and what becomes of the include paths that lead to them."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from posixpath import dirname, normpath

from musify_ai.styles.parts import Wording


class Moves(dict[str, str]):
    """Files and folders with their new places, relative with ``/``; those that stay are not in it.

    ``refused`` are files that could not move, with what stands at the place.
    """

    refused: dict[str, str]


def moves(
    paths: Iterable[str],
    sources: Collection[str],
    fixed: Collection[str],
    wording: Wording,
    roots: Collection[str] = (),
) -> Moves:
    """Where files go: source files by the words in their names and by their suffix, everything with its folder.

    ``paths`` are all files, ``sources`` those whose own name may change. ``fixed`` are files that must stay where they
    are, and so must every folder above one. ``roots`` are folders that the project lies in: they are not its own.
    """
    paths = sorted(paths)
    pinned: set[str] = set()
    for path in (*(path for path in paths if path in fixed), *(f"{root}/" for root in roots if root)):
        folder = dirname(path)
        while folder not in ("", "/") and folder not in pinned:
            pinned.add(folder)
            folder = dirname(folder)
    folders: dict[str, str] = {"": ""}

    def placed(folder: str) -> str:
        if folder not in folders:
            above, _, name = folder.rpartition("/")
            new = name if folder in pinned else wording.folder_name(name)
            folders[folder] = f"{placed(above)}/{new}" if above else f"/{new}" if folder.startswith("/") else new
        return folders[folder]

    wanted: dict[str, str] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        new = wording.file_name(name) if path in sources and path not in fixed else name
        wanted[path] = f"{placed(folder)}/{new}" if folder else new
    out = Moves()
    out.refused = {}
    counts = Counter(wanted.values())
    for path, new in wanted.items():
        if counts[new] > 1 and new != path:
            out.refused[path] = new
        elif new != path:
            out[path] = new
    if out.refused:
        # A file that stays keeps its folder too, so everything else is asked again around it.
        again = moves(paths, sources, {*fixed, *out.refused}, wording, roots)
        again.refused = {**out.refused, **again.refused}
        return again
    out.update((folder, new) for folder, new in folders.items() if folder != new)
    return out


def file_names(moved: Mapping[str, str]) -> dict[bytes, str]:
    """The names of files that get another one, without their folders."""
    pairs = ((old.rpartition("/")[2], new.rpartition("/")[2]) for old, new in moved.items())
    return {old.encode("utf-8", "surrogateescape"): new for old, new in pairs if old != new and "." in old}


class Includes:
    """Include tokens resolved by path, for files that move."""

    def __init__(self, paths: Iterable[str], moved: Mapping[str, str]) -> None:
        self._moved = moved
        self._by_name: dict[str, list[str]] = {}
        for path in paths:
            self._by_name.setdefault(path.rpartition("/")[2], []).append(path)

    def renamed(self, token: str, path: str) -> str:
        """What an include in a file is to be when everything has moved; the token itself where it leads nowhere we
        know, or to several files that move differently."""
        found = self.targets(token, path)
        new = {self._token(token, each) for each in found}
        return new.pop() if len(new) == 1 else token

    def targets(self, token: str, path: str) -> Sequence[str]:
        """The files that an include may mean: the one beside the file, else all whose path ends so."""
        plain = normpath(token)
        beside = normpath(f"{dirname(path)}/{token}" if dirname(path) else token)
        candidates = self._by_name.get(plain.rpartition("/")[2], ())
        if beside in candidates:
            return [beside]
        return [each for each in candidates if each == plain or each.endswith("/" + plain)]

    def _token(self, token: str, target: str) -> str:
        """The token with its names replaced by those that the target has now, counted from the end."""
        parts = token.split("/")
        old, new = target.split("/"), self._moved.get(target, target).split("/")
        if len(old) != len(new):
            return token
        position = len(parts) - 1
        for index in range(len(old) - 1, -1, -1):
            while position >= 0 and parts[position] == ".":
                position -= 1
            if position < 0 or parts[position] != old[index]:
                break  # a way up, or the beginning
            parts[position] = new[index]
            position -= 1
        return "/".join(parts)
