"""`alias` and `semantic`: what stays, what is edited all the same, and the headers that make up for it."""

import subprocess
from pathlib import Path

import pytest

from musify_ai.pipeline import Processed, process
from musify_ai.records import Edit, Options
from musify_ai.source import splice
from musify_ai.styles import Plan, compat, translate_in_style
from musify_ai.styles.offers import refusal

ALIAS = Options(style="alias")
SEMANTIC = Options(style="semantic")


def run(src: str, options: Options = ALIAS) -> Processed:
    done = process(src.encode(), "a.cu", options)
    assert done.failure is None
    return done


def test_names_and_includes_stay_and_are_told_apart() -> None:
    src = "#include <cuda_fp16.h>\nvoid f(void* p) { cudaFree(p); cudaFree(p); }\n"
    done = run(src)
    assert done.output == src.encode()
    assert {(use.old, use.new, use.is_header) for use in done.uses} == {
        (b"cuda_fp16.h", b"musa_fp16.h", True),
        (b"cudaFree", b"musaFree", False),
    }
    assert done.result.residue == ()


def test_what_meaning_needs_is_edited_and_a_second_run_changes_nothing() -> None:
    src = "#if __CUDA_ARCH__ >= 800\n#endif\nint f(void* p) { return cudaFree(p); }\n"
    out = run(src).output
    assert out == src.replace("__CUDA_ARCH__ >= 800", "__MUSA_ARCH__ >= 220").encode()
    again = translate_in_style(out, "a.cu", ALIAS)
    assert again.edits == ()
    assert [use.old for use in again.uses] == [b"cudaFree"]
    assert "MUS001" not in [finding.code for finding in again.findings]


def test_a_name_with_no_proof_is_aliased_only_when_asked() -> None:
    src = "int f() { return cudaStreamGetDevice(0, 0); }\n"
    assert run(src).uses == ()
    assert [use.new for use in run(src, ALIAS._replace(unsafe_fixes=True)).uses] == [b"musaStreamGetDevice"]


def test_pytorchs_names_and_namespaces_are_edited() -> None:
    src = "#include <c10/cuda/CUDAStream.h>\nthrust::cuda::par; cudaFree(p);\n"
    styled = translate_in_style(src.encode(), "a.cu", ALIAS)
    assert {edit.old for edit in styled.edits} == {b"c10/cuda/CUDAStream.h", b"cuda"}
    assert [use.old for use in styled.uses] == [b"cudaFree"]


def test_a_name_that_the_project_defines_is_spelled_out() -> None:
    plan = Plan(spelled_out=frozenset((b"cudaFree",)))
    styled = translate_in_style(b"void f(void* p) { cudaFree(p); cudaMalloc(&p, 1); }", "a.cu", ALIAS, plan=plan)
    assert [(edit.old, edit.new) for edit in styled.edits] == [(b"cudaFree", b"musaFree")]
    assert [use.old for use in styled.uses] == [b"cudaMalloc"]
    owner = translate_in_style(b"struct P { void cudaFree(void*); };", "a.cu", ALIAS)
    assert owner.owned == {b"cudaFree"}


def test_the_header_compiles_names_of_every_kind(tmp_path: Path) -> None:
    """Types, functions, enumerators, macros and a name that is also a library's, through the forwarding headers."""
    src = (
        "#include <cuda_runtime.h>\n#include <curand_kernel.h>\n"
        "struct cudaDeviceProp prop; cudaError_t e = cudaSuccess; namespace curand { int x; }\n"
        "int f() { curandState s; return cudaGetDeviceProperties(&prop, 0) + curand(&s) + curand::x; }\n"
    )
    files = compat.files(run(src).uses, ALIAS)
    assert set(files) == {"musify_compat.h", "cuda_runtime.h", "curand_kernel.h"}
    for name, text in files.items():
        (tmp_path / name).write_bytes(text)
    musa = tmp_path / "musa"
    musa.mkdir()
    (musa / "musa_runtime.h").write_text(
        "#pragma once\nstruct musaDeviceProp { int n; };\nenum musaError_t { musaSuccess };\n"
        "inline int musaGetDeviceProperties(musaDeviceProp*, int) { return 0; }\n"
    )
    (musa / "murand_kernel.h").write_text("struct murandState {};\ninline int murand(murandState*) { return 0; }\n")
    command = ["g++", "-fsyntax-only", "-x", "c++", f"-I{tmp_path}", f"-I{musa}", "-include", "musify_compat.h", "-"]
    done = subprocess.run(command, input=src, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_headers_of_two_runs_are_one(tmp_path: Path) -> None:
    first = compat.files(run("cudaFree(p);").uses, ALIAS)
    second = compat.files(run("#include <cuda.h>\ncudaMalloc(&p, 1);").uses, ALIAS)
    both = compat.merged(first, second, ALIAS)
    whole = compat.files(run("#include <cuda.h>\ncudaFree(p); cudaMalloc(&p, 1);").uses, ALIAS)
    assert both == whole
    assert compat.merged(both, first, ALIAS) == both


def test_the_mapping_compiler_gets_what_it_maps_and_no_more() -> None:
    styled = translate_in_style(b"cusolverDnCungqr(h); cudaLaunchKernelEx(c); cudaFree(p);", "a.cu", SEMANTIC)
    assert [(edit.old, edit.new) for edit in styled.edits] == [
        (b"cusolverDnCungqr", b"musolverDnCungqr"),  # the table has a name that is not there
        (b"cudaLaunchKernelEx", b"musaLaunchKernelEx"),  # the table has none
    ]
    assert [use.old for use in styled.uses] == [b"cudaFree"]


def test_a_version_macro_says_what_the_mapping_compiler_does_to_it() -> None:
    src = b"#if CUDART_VERSION >= 11000\nint a;\n#endif\n"
    plain, mapped = (translate_in_style(src, "a.cu", options).findings for options in (ALIAS, SEMANTIC))
    assert [each.code for each in plain] == [each.code for each in mapped] == ["MUS204"]
    assert "mapping compiler" in mapped[0].message
    assert "mapping compiler" not in plain[0].message


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (Options(style="semantic", sdk="5.1"), "comes with SDK 5.2"),
        (Options(style="semantic", direction="m2c"), "no way back"),
        (Options(style="dual", direction="m2c"), "nothing to take back"),
        (Options(style="alias", direction="m2c"), ""),
        (Options(style="semantic"), ""),
    ],
)
def test_what_does_not_go_together_is_refused(options: Options, said: str) -> None:
    assert said in refusal(options) if said else refusal(options) == ""


def test_the_way_back_has_aliases_too() -> None:
    options = Options(style="alias", direction="m2c")
    src = "#include <musa_runtime.h>\nvoid f(void* p) { musaFree(p); }\n"
    done = run(src, options)
    assert done.output == src.encode()
    files = compat.files(done.uses, options)
    assert b"#define musaFree cudaFree\n" in files["musify_compat.h"]
    assert b"#include <cuda_runtime.h>" in files["musa_runtime.h"]


GALLERY = sorted(path for path in Path("corpus/gallery").rglob("*") if path.suffix in (".cu", ".cuh", ".h"))


@pytest.mark.parametrize("style", ["alias", "semantic"])
@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.name)
def test_with_its_aliases_written_in_the_output_is_that_of_tokens(path: Path, style: str) -> None:
    """Nothing but names is left to the header: put in their place, what it says gives the plain translation."""
    src = path.read_bytes()
    plain = process(src, path.name, Options()).output
    done = process(src, path.name, Options(style=style))
    assert done.output is not None
    edits = [Edit(use.start, use.end, use.old, use.new, "", use.evidence) for use in done.uses]
    assert splice(done.output, edits) == plain
