"""Files of a project that define what others use, or hold what others' guards would switch on."""

from pathlib import Path

import pytest

from musify_ai.project import check, migrate
from musify_ai.records import Options
from tests.growth import assert_in_proportion

QUIET = Options(verify=False)
_ASM = 'asm volatile("cp.async.wait_all;");'
_GUARD = "__device__ void f() {\n#if __CUDA_ARCH__ >= 800\n  fast();\n#endif\n}\n"


def _migrated(tmp_path: Path, files: dict[str, str]) -> dict[str, str]:
    for path, text in files.items():
        place = tmp_path / "src" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    outcome = migrate(tmp_path / "src", tmp_path / "out", QUIET)
    assert not outcome.run.failed
    assert not any(file.residue for file in outcome.run.files)
    return {path: (tmp_path / "out" / path).read_text() for path in files}


@pytest.mark.parametrize(
    "shim",
    [
        "#define cudaFree(p) pool_free(p)\n",
        "inline int cudaFree(void* p) { return pool_free(p); }\n",
        "extern int cudaFree;\n",
    ],
)
def test_a_name_that_an_included_file_defines_is_left_and_noted(tmp_path: Path, shim: str) -> None:
    use = '#include "deep/shim.h"\nint g(void* p) { return cudaFree(p) + cudaMalloc(p); }\n'
    files = {"deep/shim.h": shim, "deep/more.h": '#include "shim.h"\n', "a.cu": use}
    files["b.cu"] = use.replace("deep/shim.h", "more.h")
    files["c.cu"] = "int g(void* p) { return cudaFree(p); }\n"  # does not see the shim
    out = _migrated(tmp_path, files)
    assert out["a.cu"] == use.replace("cudaMalloc", "musaMalloc")
    assert out["b.cu"] == files["b.cu"].replace("cudaMalloc", "musaMalloc")
    assert "musaFree" in out["c.cu"]
    said = [f for file in check([tmp_path / "src"], QUIET).run.files for f in file.findings if f.code == "MUS107"]
    assert "cudaFree is defined in" in said[0].message
    assert {f.severity for f in said} == {"note"}


def test_a_header_of_the_projects_own_that_stands_beside_a_file_is_no_header_of_cudas(tmp_path: Path) -> None:
    use = '#include "cuda.h"\n#include <cuda.h>\n#include "cublas_v2.h"\nCUdevice d;\n'
    files = {"own/cuda.h": "int z;\n", "own/a.cu": use, "other/b.cu": use, "own/c.cu": '#include "../own/cuda.h"\n'}
    out = _migrated(tmp_path, files)
    assert out["own/a.cu"] == '#include "cuda.h"\n#include <musa.h>\n#include "mublas.h"\nMUdevice d;\n'
    assert out["other/b.cu"].startswith('#include "musa.h"\n#include <musa.h>\n')
    said = [f for file in check([tmp_path / "src"], QUIET).run.files for f in file.findings if f.code == "MUS107"]
    assert [finding.severity for finding in said] == ["note"] and "own/cuda.h" in said[0].message
    # A run over one file alone looks beside it too.
    alone = check([tmp_path / "src/own/a.cu"], QUIET).run.files[0]
    assert [edit.new for edit in alone.edits] == [b"musa.h", b"mublas.h", b"MUdevice"]


def test_what_no_cuda_build_sees_keeps_no_name(tmp_path: Path) -> None:
    files = {
        "hip.h": "#define cudaFree hipFree\n",
        "stub.h": "#ifdef USE_CUDA\n#include <cuda_runtime.h>\n#else\ntypedef int cudaStream_t;\n#endif\n",
        "local.h": "inline int h(int cudaSuccess) { int cudaMalloc = 1; return cudaSuccess + cudaMalloc; }\n",
        "a.cu": '#if defined(USE_HIP)\n#include "hip.h"\n#endif\n#include "stub.h"\n#include "local.h"\n'
        "cudaStream_t s; int g() { cudaFree(p); cudaMalloc(q); return cudaSuccess; }\n",
    }
    out = _migrated(tmp_path, files)
    assert out["a.cu"].endswith("musaStream_t s; int g() { musaFree(p); musaMalloc(q); return musaSuccess; }\n")
    assert "typedef int musaStream_t;" in out["stub.h"]


def test_a_member_of_a_class_in_a_header_is_not_taken_for_the_apis(tmp_path: Path) -> None:
    files = {
        "s.h": "struct S { int cudaSuccess; int f(); };\n",
        "a.cc": '#include "s.h"\nint S::f() { return cudaSuccess; }\nint g() { return cudaSuccess; }\n',
    }
    out = _migrated(tmp_path, files)
    assert out["a.cc"].endswith("int S::f() { return cudaSuccess; }\nint g() { return musaSuccess; }\n")


@pytest.mark.parametrize(
    "files",
    [
        {"ptx.h": f"__device__ void fast() {{ {_ASM} }}\n", "a.cu": '#include "ptx.h"\n' + _GUARD},
        {
            "ptx.h": f"#define WAIT() {_ASM}\n",
            "mid.h": '#include "ptx.h"\n__device__ void fast() { WAIT(); }\n',
            "a.cu": '#include "mid.h"\n' + _GUARD,
        },
        {
            "ptx.h": f"__device__ void fast() {{ {_ASM} }}\n",
            "a.cu": '#if __CUDA_ARCH__ >= 800\n#include "ptx.h"\n#endif\n',
        },
    ],
)
def test_a_guard_over_what_another_file_leaves_unsettled_is_not_switched(tmp_path: Path, files: dict[str, str]) -> None:
    assert _migrated(tmp_path, files)["a.cu"] == files["a.cu"]


@pytest.mark.parametrize("condition", ["#ifdef HAS_ASYNC", "#if HAS_ASYNC > 0 && !defined(SLOW)"])
def test_a_guard_that_defines_what_chooses_in_a_file_that_includes_it_is_left(tmp_path: Path, condition: str) -> None:
    config = "#if __CUDA_ARCH__ >= 800\n#define HAS_ASYNC 1\n#endif\n#if __CUDA_ARCH__ >= 800\n#define WIDE 1\n#endif\n"
    use = f'#include "more.h"\n__device__ void f() {{\n{condition}\n{_ASM}\n#endif\n}}\n'
    out = _migrated(tmp_path, {"config.h": config, "more.h": '#include "config.h"\n', "a.cu": use})
    assert out["config.h"] == config[:50] + config[50:].replace("__CUDA_ARCH__ >= 800", "__MUSA_ARCH__ >= 220")


def test_a_guard_over_what_is_settled_is_switched(tmp_path: Path) -> None:
    files = {"ptx.h": f"__device__ void other() {{ {_ASM} }}\n", "a.cu": '#include "ptx.h"\n' + _GUARD}
    files["b.cu"] = f"__device__ void fast() {{ {_ASM} }}\n"  # of the same name, and not seen
    assert "__MUSA_ARCH__ >= 220" in _migrated(tmp_path, files)["a.cu"]


def test_a_guard_on_what_a_header_of_the_project_sets_is_left(tmp_path: Path) -> None:
    files = {"arch.h": "#ifndef __CUDA_ARCH__\n#define __CUDA_ARCH__ 800\n#endif\n"}
    files["a.cu"] = (
        '#include "arch.h"\n#if __CUDA_ARCH__ >= 800\nint a;\n#endif\n#ifdef __CUDA_ARCH__\nint b;\n#endif\n'
    )
    out = _migrated(tmp_path, files)
    assert out["a.cu"] == files["a.cu"]


def test_time_grows_with_the_number_of_files_and_no_faster(tmp_path: Path) -> None:
    def grow(count: int) -> None:
        root = tmp_path / str(count)
        root.mkdir(exist_ok=True)
        for i in range(count):
            (root / f"h{i}.h").write_text(f'#include "h{i + 1}.h"\n{_GUARD}')
        (root / f"h{count}.h").write_text(f"__device__ void fast() {{ {_ASM} }}\n#define cudaFree(p) 0\n")
        check([root], QUIET)

    assert_in_proportion(grow, 60, slack=0.1)
