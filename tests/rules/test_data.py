"""What holds of the rules' data that ships: the lints, the grades, and the rows that are no plain renames."""

import re
from collections import Counter
from pathlib import Path

import pytest

from musify_ai.rules import data_dir, load
from musify_ai.rules.linting import lint
from musify_ai.rules.lookup import lookup
from musify_ai.rules.reading import read
from musify_ai.rules.treatments import RENAMED


def test_the_data_passes_its_lints():
    assert lint(data_dir()) == []


def test_each_grade_is_there_in_numbers():
    counts = Counter(row.treatment for row in read(data_dir()) if row.kind != "header")
    assert counts["seen"] > 1000
    assert counts["table"] > 7000
    assert counts["prefix"] > 2000
    assert counts["unchanged"] == 250


@pytest.mark.parametrize(
    ("cuda", "musa"),
    [
        ("cudaMalloc", "musaMalloc"),
        ("cudaMemcpyHostToDevice", "musaMemcpyHostToDevice"),
        ("cublasSgemm_v2", "mublasSgemm_v2"),
        ("CUstream", "MUstream"),
        ("ncclCommCuDevice", "mcclCommMuDevice"),
        ("__nv_bfloat16", "__mt_bfloat16"),
        ("nv_bfloat16", "mt_bfloat16"),
        ("__nv_half", "__half"),
        ("curandStatePhilox4_32_10_t", "murandStatePhilox4_32_10_t"),
        ("CUBLAS_STATUS_NOT_SUPPORTED", "MUBLAS_STATUS_NOT_IMPLEMENTED"),
        ("CUBLAS_GEMM_DEFAULT_TENSOR_OP", "MUBLAS_GEMM_DEFAULT"),
        ("cusolverDnCungqr", "musolverDnCungqr"),
        ("cusolverDnCungbr_bufferSize", "musolverDnCungbr_bufferSize"),
        ("cudaDevAttrMultiProcessorCount", "musaDevAttrMultiProcessorCount"),
        ("__nv_cvt_float_to_fp8", "__musa_cvt_float_to_fp8"),
    ],
)
def test_chosen_pairs(cuda, musa):
    assert load().names[cuda.encode()].decode() == musa


@pytest.mark.parametrize("prefix", ["cu", "cuda", "CU", "CUDA", "cublas", "cudnn", "nccl", "cupti", "cutlass"])
def test_a_bare_prefix_is_no_name(prefix):
    assert prefix.encode() not in load().names


@pytest.mark.parametrize(
    ("name", "treatment", "code"),
    [
        ("cudnnCreate", "differs", "MUS701"),
        ("cudaGridDependencySynchronize", "differs", ""),
        ("cudaLaunchAttributeProgrammaticStreamSerialization", "differs", ""),
        ("CUtensorMap", "differs", ""),
        ("nvtxRangePushA", "none", "MUS703"),
        ("nvrtcCompileProgram", "differs", "MUS704"),
        ("nvmlInit", "differs", "MUS705"),
        ("cutensorCreate", "none", ""),
        ("CUDNN_VERSION", "version", ""),
        ("NCCL_VERSION_CODE", "version", ""),
        ("__match_any_sync", "unproven", ""),
    ],
)
def test_rows_that_are_no_plain_renames(name, treatment, code):
    label = load().label(name.encode())
    assert label.treatment == treatment
    assert name.encode() not in load().names
    if code:
        assert label.code == code


@pytest.mark.parametrize(
    "name", ["__CUDA_ARCH__", "CUDA_VERSION", "CUDART_VERSION", "__CUDACC__", "__NVCC__", "__CUDA__"]
)
def test_guard_macros_are_left_to_the_guard_rules(name):
    assert name.encode() not in load().classes
    assert lookup(name).rows[0].treatment == "guard"


@pytest.mark.parametrize(
    "name", ["NV_NPPI_COLOR_CONVERSION_H", "nCutoffValue", "cubin", "pCudaDevices", "nvlinkVersion"]
)
def test_published_pairs_that_are_wrong_are_left_out(name):
    assert name.encode() not in load().classes
    assert lookup(name).rows[0].treatment == "left-out"


def test_lookup_says_all_that_is_known():
    new, old = lookup("cublasGetStatusString").rows
    assert (new.musa, new.library, new.kind, new.since) == ("mublasGetStatusString", "cublas", "function", "4.2")
    assert (old.musa, old.until) == ("mublasStatus_to_string", "4.2")
    assert new.source and old.source
    assert lookup("cublasGetStatusString", "4.0").rows == (old,)
    assert lookup("cusolverDnSgetrf").rows[0].since == "4.3"
    assert [row.name for row in lookup("musaMalloc").stands_for] == ["cudaMalloc"]
    assert lookup("cuda_fp16.h").rows[0].musa == "musa_fp16.h"
    assert lookup("__syncthreads").rows[0].treatment == "unchanged"
    assert not lookup("noSuchName")


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("cusolverDnCungqr", "musolverDnMungqr"),
        ("cusolverDnCunmtr", "musolverDnMunmtr"),
        ("cusolverDnCungbr_bufferSize", "musolverDnMungbr_bufferSize"),
        ("nppsCubrt_32f", "mtppsMubrt_32f"),
        ("__nv_half", "__mt_half"),
        ("curandStatePhilox4_32_10_t", "murand_state_philox4x32_10"),
    ],
)
def test_where_the_published_name_is_not_taken_the_row_says_so(name, published):
    (row,) = lookup(name).rows
    assert row.musa != published
    assert published in row.note


@pytest.mark.parametrize(
    "name",
    ["ncclDevComm_t", "cublasSetEmulationStrategy", "cufftMpAttachComm", "cuptiProfilerHostInitialize", "Npp8u"],
)
def test_names_newer_than_the_published_table_are_decided(name):
    assert load().label(name.encode()).treatment in ("none", "unproven")


@pytest.mark.parametrize(
    ("sdk", "name", "musa"),
    [
        ("4.2", "cublasGetStatusString", "mublasGetStatusString"),
        ("4.0", "cublasGetStatusString", "mublasStatus_to_string"),
        ("4.0", "CUBLAS_TF32_TENSOR_OP_MATH", "MUBLAS_MATH_MODE_DEFAULT"),
        ("4.2", "CUBLAS_DEFAULT_MATH", "MUBLAS_DEFAULT_MATH"),
        ("3.1", "CUBLAS_DEFAULT_MATH", "MUBLAS_MATH_MODE_DEFAULT"),
        ("3.1", "cublasComputeType_t", "musaDataType_t"),
        ("3.1", "CUBLAS_COMPUTE_32F", "MUSA_R_32F"),
        ("4.0", "CUBLAS_COMPUTE_32F", "MUBLAS_COMPUTE_32F"),
        ("4.3", "cusolverDnSgetrf", "musolverDnSgetrf"),
        ("3.1", "cudaMalloc", "musaMalloc"),
    ],
)
def test_names_that_changed_between_sdks(sdk, name, musa):
    assert load("main", sdk).names[name.encode()].decode() == musa


@pytest.mark.parametrize("name", ["cusolverDnSgetrf", "cusolverDnCreate", "cusolverStatus_t"])
def test_a_name_outside_its_range_is_a_finding_that_says_why(name):
    rules = load("main", "4.2")
    assert name.encode() not in rules.names
    assert rules.label(name.encode()).treatment == "differs"
    assert "from SDK 4.3 on" in rules.note(name.encode())
    assert name.encode() in load().names


def test_the_bulk_part_is_apart():
    assert b"nppiFilterBox_8u_C1R_Ctx" not in load().classes
    assert lookup("nppiFilterBox_8u_C1R_Ctx").bulk
    assert all(label.treatment in ("prefix", "seen") for label in load("bulk").labels)


def test_headers():
    headers = load().headers
    assert headers[b"cuda_runtime.h"].musa == b"musa_runtime.h"
    assert headers[b"cublas_v2.h"].musa == headers[b"cublas.h"].musa == b"mublas.h"
    assert headers[b"curand_kernel.h"].musa == b"murand_kernel.h"
    assert headers[b"mma.h"].treatment == "none"
    assert b"cuda_utils.cuh" not in headers
    assert all(header.musa for header in headers.values() if header.treatment in RENAMED)


def test_no_row_speaks_of_a_path_on_some_machine():
    for path in Path(data_dir()).rglob("*.toml"):
        assert not re.search(r"(?<![\w.:/])/(?:home|root|tmp|Users|opt)/", path.read_text(encoding="utf-8"))
