"""Bytes put aside on disk: they come back as they were, and where there is no room they stay in memory."""

import os
import pickle
from pathlib import Path

import pytest

from musify_ai.source import aside
from musify_ai.source.aside import Aside, Spool, bytes_of, is_same, read_bytes


def test_what_is_put_aside_comes_back_and_leaves_no_file(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    texts = [bytes([each]) * size for each, size in enumerate((0, 10, 64, 5_000, 3_000_000))]
    kept = [spool.put(text) for text in texts]
    del spool
    assert [isinstance(each, Aside) for each in kept] == [False, False, True, True, True]
    assert [bytes_of(each) for each in kept] == texts and list(tmp_path.iterdir()) == []
    assert is_same(kept[3], texts[3]) and not is_same(kept[3], texts[3][:-1] + b"x") and not is_same(kept[2], None)
    with pytest.raises(TypeError, match="stay in their process"):
        pickle.dumps(kept[3])


def test_a_full_disk_leaves_the_bytes_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    spool = Spool(tmp_path / "no such folder")
    first = spool.put(b"a" * 100)
    monkeypatch.setattr(aside.os, "pwrite", full)
    assert spool.put(b"b" * 100) == b"b" * 100
    monkeypatch.undo()
    second = spool.put(b"c" * 100)
    assert (bytes_of(first), bytes_of(second)) == (b"a" * 100, b"c" * 100)


def test_a_file_is_read_whole(tmp_path: Path) -> None:
    for size in (0, 1, 70_000):
        (tmp_path / "f").write_bytes(b"x" * size)
        assert read_bytes(os.fspath(tmp_path / "f")) == b"x" * size
    with pytest.raises(IsADirectoryError):
        read_bytes(os.fspath(tmp_path))
