import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from musify_ai.backends.cache import Cache, default_root, digest


def test_digest_keeps_parts_apart() -> None:
    assert digest(["ab", "c"]) != digest(["a", "bc"])
    assert digest(["a"]) != digest(["a", ""])
    assert digest([b"a"]) == digest(["a"])


def test_made_once(tmp_path: Path) -> None:
    calls = []

    def fill(place: Path) -> None:
        calls.append(place)
        (place / "x").write_text("1")

    cache = Cache(tmp_path)
    assert cache.find("unit", "k") is None
    first = cache.make("unit", "k", fill)
    assert cache.make("unit", "k", fill) == first == cache.find("unit", "k")
    assert len(calls) == 1
    assert (first / "x").read_text() == "1"


def test_failed_fill_leaves_nothing(tmp_path: Path) -> None:
    def fill(place: Path) -> None:
        (place / "half").write_text("")
        raise ValueError

    with pytest.raises(ValueError):
        Cache(tmp_path).make("unit", "k", fill)
    assert list((tmp_path / "unit").iterdir()) == []


def test_two_makers_at_once(tmp_path: Path) -> None:
    cache = Cache(tmp_path)

    def one(number: int) -> str:
        return (cache.make("unit", "k", lambda place: (place / "x").write_text(str(number)) and None) / "x").read_text()

    with ThreadPoolExecutor(8) as pool:
        read = set(pool.map(one, range(8)))
    assert len(read) == 1
    assert [path.name for path in (tmp_path / "unit").iterdir()] == ["k"]


def test_root_from_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.delenv("MUSIFY_AI_CACHE", raising=False)
    assert default_root() == tmp_path / "xdg" / "musify-ai"
    monkeypatch.setenv("MUSIFY_AI_CACHE", str(tmp_path / "own"))
    assert default_root() == tmp_path / "own"


@pytest.fixture
def homeless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Without a place for a cache; the folder for temporary files."""
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    monkeypatch.delenv("MUSIFY_AI_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(blocked))
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    return temporary


@pytest.mark.parametrize("variable", ["HOME", "XDG_CACHE_HOME", "MUSIFY_AI_CACHE"])
def test_a_place_that_cannot_be_written_gives_way_to_a_temporary_one(
    homeless: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, str(homeless.parent / "file" / "inside"))
    place = default_root()
    assert place.parent == homeless
    assert place.stat().st_mode & 0o777 == 0o700
    assert default_root() == place
    assert Cache().make("unit", "k", lambda folder: None).is_relative_to(place)


def test_a_temporary_place_that_another_may_have_laid_is_not_used(homeless: Path) -> None:
    expected = default_root()
    expected.chmod(0o777)
    other = default_root()
    assert other != expected
    assert other.stat().st_mode & 0o777 == 0o700
    expected.rmdir()
    expected.symlink_to(other)
    assert default_root() not in (expected, other)


def _filled(cache: Cache, key: str, size: int, age: float) -> Path:
    place = cache.make("unit", digest([key]), lambda where: (where / "unit.o").write_bytes(b"x" * size) and None)
    used = time.time() - age
    os.utime(place, (used, used))
    return place


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    old, older, young = _filled(cache, "a", 5000, 9000), _filled(cache, "b", 5000, 12000), _filled(cache, "c", 5000, 10)
    size = sum(path.lstat().st_size for place in (old, older, young) for path in (place, place / "unit.o"))
    assert cache.prune(size) == 0
    assert cache.prune(size - 1) == 1
    assert [place.is_dir() for place in (old, older, young)] == [True, False, True]
    assert cache.find("unit", digest(["a"])) == old  # used, and so among the young
    assert cache.prune(0) == 0
    assert cache.prune(0, kept=0) == 2
    assert list((tmp_path / "unit").iterdir()) == []
    cache.make("headers", "cuda-0123", lambda where: None)
    assert cache.prune(0, kept=0) == 0  # what is no result is left alone


def test_the_limit_is_held_when_something_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path)
    monkeypatch.setenv("MUSIFY_AI_CACHE_MIB", "1")
    old = _filled(cache, "a", 2 << 20, 9000)
    _filled(cache, "b", 10, 0)
    assert old.is_dir()  # somebody looked a moment ago
    os.utime(tmp_path / ".pruned", (0, 0))
    _filled(cache, "c", 10, 0)
    assert not old.exists()
    assert cache.make("unit", digest(["b"]), lambda where: None).is_dir()
