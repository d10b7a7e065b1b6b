"""The wrong translations can be applied: each replaces text that stands exactly once in the expected tree."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXPECTED = ROOT / "corpus" / "gallery-musa"
WRONG = ROOT / "tests" / "data" / "wrong"

KERNELS = {k["name"] for k in tomllib.loads((ROOT / "corpus/gallery-expected.toml").read_text())["kernel"]}


def entries(path: Path) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = tomllib.loads(path.read_text())["wrong"]
    return loaded


FILES = sorted(WRONG.glob("*.toml"))


def test_every_kernel_has_wrong_translations() -> None:
    assert {f.stem for f in FILES} == KERNELS


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_applies_exactly_once(path: Path) -> None:
    wrong = entries(path)
    assert sum(w.get("scope", "kernel") == "kernel" for w in wrong) >= 3
    results = set()
    for entry in wrong:
        assert set(entry) <= {"file", "kernel", "old", "new", "why", "expect", "scope"}
        assert entry["kernel"] == path.stem
        assert entry["expect"] in ("differs", "build-failed")
        assert entry["why"]
        right = (EXPECTED / entry["file"]).read_bytes()
        assert right.count(entry["old"].encode()) == 1, entry["why"]
        results.add((entry["file"], right.replace(entry["old"].encode(), entry["new"].encode())))
    # every one is another mistake, and none of them is the right translation
    assert len(results) == len(wrong)
    assert all(result != (EXPECTED / file).read_bytes() for file, result in results)
