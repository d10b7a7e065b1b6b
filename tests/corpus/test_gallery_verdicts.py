"""The checker on the gallery: each kernel's verdict is the one expected, and every wrong translation is caught."""

import shutil
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import pytest

from musify_ai.backends.cache import Cache
from musify_ai.backends.toolchain import Toolchain
from musify_ai.records import Options
from musify_ai.verify import Checked, Unsettled, verify

ROOT = Path(__file__).resolve().parents[2]
ORIGINAL = ROOT / "corpus" / "gallery"
EXPECTED = ROOT / "corpus" / "gallery-musa"
WRONG = ROOT / "tests" / "data" / "wrong"

EXPECTATIONS = tomllib.loads((ROOT / "corpus" / "gallery-expected.toml").read_text())
FILES = sorted(p.relative_to(ORIGINAL).as_posix() for p in ORIGINAL.rglob("*") if p.suffix in (".cu", ".cuh", ".h"))
# What the expected translation leaves unsettled: the text in question and the code of its finding.
HOST_ONLY = {"src/device_info.cu": [("cudaStreamGetDevice", "MUS103"), ("cudaLogsDumpToFile", "MUS101")]}
UNSETTLED = HOST_ONLY | {"src/handoff.cu": [('asm volatile("bar.sync 1, 64;" ::: "memory");', "MUS407")]}
# The kernels that a change in a header can reach.
READERS = {"include/device_math.cuh": {"segment_sum", "ballot_mask", "compact_segments", "sobel", "fir"}}


def check(tree: Path, unsettled: Mapping[str, Any], cache: Cache, kernels: Collection[str] = ()) -> Checked:
    spans = {}
    for file, places in unsettled.items():
        source = (tree / file).read_bytes()
        starts = [(source.index(text.encode()), text, code) for text, code in places]
        spans[file] = [Unsettled(start, start + len(text), code) for start, text, code in starts]
    files = {file: file for file in FILES}
    return verify(ORIGINAL, tree, files=files, unsettled=spans, options=Options(jobs=2), kernels=kernels, cache=cache)


@pytest.fixture(scope="module")
def build_cache(tmp_path_factory: pytest.TempPathFactory) -> Cache:
    if Toolchain.detect() is None:
        pytest.skip("no C++ compiler (g++ or clang++) on this machine: nothing can be built or run")
    return Cache(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def checked(build_cache: Cache) -> Checked:
    return check(EXPECTED, UNSETTLED, build_cache)


def test_nothing_fails(checked: Checked) -> None:
    assert checked.failures == ()
    instances = sum(len(kernel.get("instantiations", [None])) for kernel in EXPECTATIONS["kernel"])
    assert len(checked.verdicts) == instances


@pytest.mark.parametrize("kernel", EXPECTATIONS["kernel"], ids=lambda kernel: str(kernel["name"]))
def test_the_verdict_is_the_expected_one(checked: Checked, kernel: dict[str, Any]) -> None:
    verdicts = [v for v in checked.verdicts if (v.path, v.name) == (kernel["file"], kernel["name"])]
    assert [v.instantiation for v in verdicts] == kernel.get("instantiations", [None])
    for verdict in verdicts:
        assert verdict.headline == kernel["headline"], verdict.reason
        for arch in ("mp_22", "mp_31"):
            assert verdict.by_arch[arch] == kernel.get("by_arch", {}).get(arch, kernel["headline"])
        assert set(kernel.get("notes", [])) <= set(verdict.notes)
        assert kernel.get("code", "") in (verdict.reason or "")
        for evidence in verdict.evidence:
            if evidence.outcome.startswith("equal"):
                assert any(buffer.varies for buffer in evidence.buffers)
                assert len(evidence.seeds) >= 3 and len(evidence.schedules) >= 3 and len(evidence.poison) == 2


def rounds() -> list[list[dict[str, Any]]]:
    """The wrong translations in as few trees as will do: no two in one tree that can reach the same kernel."""
    entries = [entry for path in sorted(WRONG.glob("*.toml")) for entry in tomllib.loads(path.read_text())["wrong"]]
    made: list[tuple[set[str], list[dict[str, Any]]]] = []
    for entry in sorted(entries, key=lambda entry: entry["file"] not in READERS):
        if entry.get("scope", "kernel") != "kernel":
            continue
        reached = READERS.get(entry["file"], {entry["kernel"]})
        for taken, members in made:
            if not taken & reached:
                taken |= reached
                members.append(entry)
                break
        else:
            made.append((set(reached), [entry]))
    return [members for _, members in made]


@pytest.mark.parametrize("wrong", rounds(), ids=lambda wrong: f"{len(wrong)} mistakes")
def test_wrong_translations_are_caught(build_cache: Cache, tmp_path: Path, wrong: list[dict[str, Any]]) -> None:
    tree = tmp_path / "tree"
    shutil.copytree(EXPECTED, tree)
    for entry in wrong:
        path = tree / entry["file"]
        source = path.read_bytes()
        assert source.count(entry["old"].encode()) == 1
        path.write_bytes(source.replace(entry["old"].encode(), entry["new"].encode()))
    checked = check(tree, HOST_ONLY, build_cache, {entry["kernel"] for entry in wrong})
    missed = []
    for entry in wrong:
        headlines = {verdict.headline for verdict in checked.verdicts if verdict.name == entry["kernel"]}
        if headlines != {entry["expect"]}:
            missed.append((entry["kernel"], entry["why"], entry["expect"], headlines))
    assert missed == []
