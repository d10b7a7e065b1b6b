"""The bytes of a run's files by path, read from where they were put aside one at a time."""

from collections.abc import Iterator, Mapping

from musify_ai.project.treating import Treated
from musify_ai.source.aside import Aside, Spool, bytes_of


class Texts(Mapping[str, bytes]):
    """The files' bytes as they were read."""

    def __init__(self, kept: Mapping[str, bytes | Aside]) -> None:
        self._kept = kept

    def __getitem__(self, path: str) -> bytes:
        return bytes_of(self._kept[path]) or b""

    def __iter__(self) -> Iterator[str]:
        return iter(self._kept)

    def __len__(self) -> int:
        return len(self._kept)


class Both(Mapping[str, tuple[bytes, bytes]]):
    """The files' bytes before and after."""

    def __init__(self, kept: Mapping[str, tuple[bytes | Aside, bytes | Aside]]) -> None:
        self._kept = kept

    def __getitem__(self, path: str) -> tuple[bytes, bytes]:
        before, after = self._kept[path]
        return bytes_of(before) or b"", bytes_of(after) or b""

    def __iter__(self) -> Iterator[str]:
        return iter(self._kept)

    def __len__(self) -> int:
        return len(self._kept)


def put_aside(treated: Treated, spool: Spool) -> Treated:
    """A file whose bytes lie in a spool."""
    before, after = treated.kept, treated.processed.kept
    if before is None and after is None:
        return treated
    held = before if before is None or isinstance(before, Aside) else spool.put(before)
    if after is None or isinstance(after, Aside):
        return treated._replace(kept=held)
    made = held if after == bytes_of(before) and held is not None else spool.put(after)
    return treated._replace(kept=held, processed=treated.processed._replace(kept=made))
