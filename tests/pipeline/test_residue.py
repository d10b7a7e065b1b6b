"""The check on the translator: names that are left, in code, unexplained."""

import ast
from pathlib import Path

import pytest

import musify_ai.pipeline.residue as module
from musify_ai.pipeline.residue import known_names, residue


def names(src, explained=()):
    found = residue(src.encode() if isinstance(src, str) else src, explained)
    return [name for *_, name in found.known], [name for *_, name in found.pattern]


@pytest.mark.parametrize(
    "name",
    [
        "cudaMalloc", "cudaError_t", "cudaMemcpyHostToDevice", "cuInit", "CUstream", "CU_STREAM_DEFAULT", "cublasSgemm",
        "CUBLAS_OP_N", "curand_init", "curandState", "cufftExecC2C", "cusparseSpMV", "cusolverDnSgetrf", "cudnnCreate",
        "nvrtcCompileProgram", "nvtxRangePushA", "ncclAllReduce", "__nv_bfloat16", "CUDA_R_32F", "cudaLaunchKernelExC",
        "CUDA_VERSION", "cuFloatComplex", "cudaDeviceProp", "CUtensorMap",
    ],
)  # fmt: skip
def test_the_list_knows_the_apis(name):
    assert name.encode() in known_names()
    assert names(f"f({name});") == ([name], [])


@pytest.mark.parametrize(
    "source",
    [
        "// cudaMalloc\n",
        "// a \\\ncudaMalloc\n",
        "/* cudaMalloc */",
        'f("cudaMalloc \\" cudaFree");',
        'R"x(cudaMalloc)x";',
        "#error cudaMalloc\n",
        "x.cudaMalloc(); p->cudaMalloc(); my::cudaMalloc(); Box<1>::cudaMalloc();",
        "struct CallCounts { int cudaMalloc = 0; int cudaFree; long cudaMemcpy[3]; };",
        "musaMalloc(); muInit(); __syncthreads(); atomicAdd(p, 1); dim3 d; __half h;",
        "accumulate(current, cursor, cub, cute); customer(); CUBE; CUSTOM_X;",
        "#include <musa_runtime.h>\n#include <cooperative_groups.h>\n#include <cub/cub.cuh>\n",
        '#include "cuda_utils.cuh"\n',
        "",
    ],
)
def test_nothing_left(source):
    assert names(source) == ([], [])


def test_what_is_left_has_its_place():
    source = b"// cudaFree. \n  cudaFree(p); ::cudaMalloc(q); 1'000; cudaFree(r);"
    found = residue(source)
    assert [source[start:end].decode() for start, end, _ in found.known] == ["cudaFree", "cudaMalloc", "cudaFree"]


def test_the_projects_own_names_are_reported_apart():
    assert names("cudaCheckError(); cudaCheck(x); CUDA_CHECK(y); cuMyThing(); nvPixels; cublasWrapper();") == (
        [],
        ["cudaCheckError", "cudaCheck", "CUDA_CHECK", "cuMyThing", "nvPixels", "cublasWrapper"],
    )


@pytest.mark.parametrize("source", ["return cudaSuccess;", "x = cudaSuccess;", "f(cudaSuccess);", "a cudaFree(p);"])
def test_a_use_is_no_declaration(source):
    assert len(names(source)[0]) == 1


def test_headers_count():
    assert names('#include <cuda_runtime.h>\n#include "cublas_v2.h"\n#if __has_include(<cuda_fp8.h>)\n') == (
        ["cuda_runtime.h", "cublas_v2.h", "cuda_fp8.h"],
        [],
    )


def test_a_finding_over_a_name_explains_it_throughout():
    source = b"cudnnCreate(h); cudaFree(p); cudnnCreate(g);"
    assert names(source, [(0, 11)]) == (["cudaFree"], [])


def test_a_wide_span_explains_what_stands_in_it():
    source = b"{ cudaFree(p); cudaMalloc(q); } cudaFree(r);"
    assert names(source, [(0, 31)]) == (["cudaFree"], [])


@pytest.mark.parametrize(
    "piece", [b'"\\', b"/*", b"//\\", b'R"(', b"'", b"cudaFree ", b"\\\n", b"#include <", b"cuda_x.", b"->"]
)
def test_odd_input_takes_linear_time(piece):
    residue(piece * 200_000 + b" cudaFree cuda_runtime ")


def test_names_of_headers_and_parameters_are_no_names_of_an_api():
    """CUDA's headers are called cuda_runtime.h and have parameters called cuda_stream; its functions are neither."""
    assert names(b"int64_t cuda_stream; f(cuda_stream, cuda_runtime, CUDAContext, cudart_platform);") == ([], [])
    names_alone = module.known_names() - set(module._text().partition(b"\n\n")[0].split())
    assert not [name for name in names_alone if name.startswith(b"cuda_")]


def test_it_shares_nothing_with_the_translator():
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    imported = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    imported += [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]
    # How a pattern is compiled is no knowledge of names.
    assert [name for name in imported if name.startswith("musify_ai")] == ["musify_ai.source.patterns"]
    assert Path(module.__file__).with_name("cuda_names.txt").stat().st_size < 400_000
