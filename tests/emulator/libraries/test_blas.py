"""BLAS on the CPU device, the light one too."""

import pytest

both = pytest.mark.parametrize("side", [("cuda", 32), ("musa", 32)], indirect=True, ids=["cuda", "musa"])


@both
def test_vectors_matrices_batches_factors_and_epilogues(passes):
    ran = passes("blas.cpp", 62)
    assert ran.findings == []


@both
def test_what_is_not_here_ends_the_program_by_name(run, side):
    ran = run("libraries/blas.cpp", "fill mode")
    assert ran.status == 70
    call = f"{'cu' if side[0] == 'cuda' else 'mu'}blasLtMatmulDescSetAttribute of this attribute"
    assert [f["message"] for f in ran.findings] == [f"{call}: not emulated"]


def test_library_calls_stand_in_the_launch_log_by_the_same_names_on_both_sides(device):
    logs = [[row["kernel"] for row in device.run("libraries/blas.cpp", side, 32).log] for side in ("cuda", "musa")]
    assert logs[0] == logs[1]
    assert {"blas::axpy", "blas::gemm", "blas::matmul"} <= set(logs[0])
