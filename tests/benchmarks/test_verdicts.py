"""The benchmark over whole projects: what it copies, what it counts as run, and what it would check again."""

from pathlib import Path
from typing import Any

from benchmarks.verdicts import LATE, kernels_of, shortened, staged, summary


def row(headline: str, reason: str = "", name: str = "k", line: int = 1, instantiation: str = "") -> dict[str, Any]:
    """A verdict as the benchmark keeps it."""
    return {"name": name, "line": line, "instantiation": instantiation, "headline": headline, "reason": reason}


def test_a_folder_brings_what_it_includes_from_above(tmp_path: Path) -> None:
    project = tmp_path / "project"
    for path, text in {
        "one/k.cu": '#include "../shared/a.h"\n__global__ void k(int *p) { p[0] = N; }\n',
        "shared/a.h": '#include "../shared/b.h"\n',
        "shared/b.h": "#define N 3\n",
        "other/big.cu": "__global__ void other() {}\n",
    }.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text(text)
    copy = staged(project / "one", tmp_path / "scratch")
    assert copy == tmp_path / "scratch/one"
    assert (copy / "../shared/b.h").read_text() == "#define N 3\n"
    assert not (tmp_path / "scratch/other").exists()
    assert kernels_of(tmp_path / "scratch") == {"one/k.cu": [("k", 2)]}


def test_a_kernel_counts_by_its_worst_instantiation() -> None:
    rows = {
        "t:a.cu": {"kernels": [row("equal-emulated", instantiation="1"), row("unchecked", LATE, instantiation="2")]},
        "t:b.cu": {"kernels": [row("equal-emulated"), row("differs", "element 3 is 1 in ...", name="d", line=9)]},
    }
    lines = summary(rows).splitlines()
    assert "t | 2 | 3 | 2 (67 %) | 1 | 1 differs, 1 equal-emulated, 1 unchecked" in lines
    assert "   1  unchecked: no verdict within the time budget of its file" in lines


def test_alike_reasons_count_together() -> None:
    one = shortened("original does not build here: src/a.cu:12: 'Pack' has no 17")
    assert one == shortened("original does not build here: b.cuh:7: 'Pack' has no 3")
