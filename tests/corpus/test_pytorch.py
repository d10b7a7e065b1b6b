"""Operators of a PyTorch extension: every kernel runs in the types that its dispatch macros name, and a wrong port of
one is told from the right one.
"""

import shutil
from pathlib import Path

import pytest

from musify_ai.backends.toolchain import Toolchain
from musify_ai.project import migrate, verify_port
from musify_ai.records import Options, Verdict

ORIGINAL = Path(__file__).resolve().parents[2] / "corpus" / "pytorch"
OPTIONS = Options(unsafe_fixes=True, verify=False, seeds=2, archs=("mp_22",), jobs=2)
WRONG = {
    "points_in_ball": ("points.cu", "distance < radius", "distance <= 2 * radius"),
    "gather_voxels": ("points.cu", "if (to < 0) return;", "if (to < 1) return;"),
    "mark_overlaps": ("regions.cu", "threadIdx.x + 1 : 0", "threadIdx.x : 0"),
    "upsample_filter": ("filters.cu", "p.filter_size.x - 1 - i", "p.filter_size.x - i"),
    "focal_loss": ("losses.cu", "using acc_t = at::acc_type<scalar_t, true>;", "using acc_t = scalar_t;"),
}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if Toolchain.detect() is None:
        pytest.skip("no C++ compiler (g++ or clang++): kernels are not run")
    out = tmp_path_factory.mktemp("port") / "musa"
    run = migrate(ORIGINAL, out, OPTIONS).run
    assert not run.failed
    assert {f.severity for file in run.files for f in file.findings} <= {"note"}
    return out


def by_name(verdicts: tuple[Verdict, ...]) -> dict[str, list[Verdict]]:
    found: dict[str, list[Verdict]] = {}
    for each in verdicts:
        found.setdefault(each.name, []).append(each)
    return found


def test_each_kernel_runs_in_the_types_that_the_program_dispatches(port: Path) -> None:
    pytest.importorskip("clang", reason="libclang (the extra verify) tells the instantiations")
    verdicts = by_name(verify_port(ORIGINAL, port, OPTIONS).run.verdicts)
    assert {v.headline for each in verdicts.values() for v in each} == {"equal-emulated"}
    types = {name: {v.instantiation for v in each} for name, each in verdicts.items()}
    small = {"c10::Half", "c10::BFloat16", "float"}
    assert types == {
        "activate_and_multiply": {f"{each}, &swish" for each in small},
        "average_boxes": {"float", "double"},
        "focal_loss": {f"{each}, {flag}" for each in small for flag in ("true", "false")},
        "gather_voxels": {"float", "double"},
        "group_points": {
            *("unsigned char", "signed char", "short", "int", "long", "float", "double", "c10::Half"),
        },
        "mark_overlaps": {None},
        "moved_columns": {"float", "double", "c10::Half"},
        "points_in_ball": {None},
        "upsample_filter": {"float", "double", "c10::Half"},
    }


def test_wrong_ports_are_told(port: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    shutil.copytree(port, wrong)
    for file, right, other in WRONG.values():
        text = (wrong / file).read_text()
        assert text.count(right) == 1, file
        (wrong / file).write_text(text.replace(right, other))
    verdicts = by_name(verify_port(ORIGINAL, wrong, OPTIONS, kernels=tuple(WRONG)).run.verdicts)
    for name in WRONG:
        assert "differs" in {v.headline for v in verdicts[name]}, name
