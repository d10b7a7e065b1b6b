"""Bytes put aside on disk while a run goes on, so that a run over many files does not hold them all."""

import os
from contextlib import suppress
from pathlib import Path


class Aside:
    """Bytes that lie in a spool, for as long as something refers to them. Not to be sent to another process."""

    __slots__ = ("_file", "_offset", "_size")

    def __init__(self, file: "_File", offset: int, size: int) -> None:
        self._file, self._offset, self._size = file, offset, size

    def read(self) -> bytes:
        """The bytes. ``OSError`` where the disk fails."""
        data = os.pread(self._file.handle, self._size, self._offset)
        while len(data) < self._size:  # the system gives some 2 GB at a time at most
            more = os.pread(self._file.handle, self._size - len(data), self._offset + len(data))
            if not more:
                raise OSError("what was put aside on disk is cut short")
            data += more
        return data

    def __len__(self) -> int:
        return self._size

    def __reduce__(self) -> str:
        raise TypeError("bytes that were put aside stay in their process")


class _File:
    """A file without a name, closed with the last that refers to it."""

    def __init__(self, folder: Path | None) -> None:
        import tempfile

        self.handle, name = tempfile.mkstemp(prefix="musify-ai-", dir=folder)
        Path(name).unlink()

    def __del__(self) -> None:
        if hasattr(self, "handle"):
            os.close(self.handle)


class Spool:
    """A file without a name in a folder, gone with the process however that ends."""

    def __init__(self, folder: Path | None = None) -> None:
        """``folder`` is where; the folder for passing files where there is none, or it cannot be written to."""
        self._file: _File | None = None
        for place in (folder, None):
            with suppress(OSError):
                self._file = _File(place)
                break
        self._end = 0

    def put(self, data: bytes) -> bytes | Aside:
        """The bytes put aside; themselves where there is no room for them, or nothing to be gained."""
        if self._file is None or len(data) < 64:
            return data
        try:
            written = 0
            while written < len(data):
                written += os.pwrite(self._file.handle, memoryview(data)[written:], self._end + written)
        except OSError:
            return data
        aside = Aside(self._file, self._end, len(data))
        self._end += len(data)
        return aside


def bytes_of(kept: bytes | Aside | None) -> bytes | None:
    """The bytes, wherever they are."""
    return kept.read() if isinstance(kept, Aside) else kept


def is_same(one: bytes | Aside | None, other: bytes | Aside | None) -> bool:
    """Whether two are the same bytes."""
    if one is other:
        return True
    if one is None or other is None or len(one) != len(other):
        return False
    return bytes_of(one) == bytes_of(other)


def read_bytes(path: str) -> bytes:
    """The bytes of a file, for those who read thousands. ``OSError`` where it cannot be read."""
    handle = os.open(path, os.O_RDONLY)
    try:
        size = os.fstat(handle).st_size
        parts = [os.read(handle, size + 1)]
        while parts[-1]:
            parts.append(os.read(handle, 1 << 20))
        return b"".join(parts)
    finally:
        os.close(handle)
