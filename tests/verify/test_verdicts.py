"""Small kernels of every kind of outcome, built and run on both emulated sides."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from musify_ai.backends.cache import Cache
from musify_ai.records import Verdict
from musify_ai.verify import Checked, verify

DATA = Path(__file__).parents[1] / "data" / "verify"

Verdicts = Mapping[str, Verdict]


@pytest.mark.parametrize(
    "name", ["same", "plane", "by_value", "add_all<int>", "add_all<double>", "tapped<float>", "weigh", "sum_up"]
)
def test_equal(verdicts: Verdicts, name: str) -> None:
    got = verdicts[name]
    assert (got.headline, got.reason) == ("equal-emulated", None)
    assert dict(got.by_arch) == {"mp_22": "equal-emulated", "mp_31": "equal-emulated"}
    for row in got.evidence:
        assert any(buffer.varies for buffer in row.buffers)
        assert len(row.seeds) == 3
        assert len(row.schedules) == 3
        assert len(row.poison) == 2
        assert row.repeat.startswith("musify-ai verify ")
        assert f"--arch {row.arch}" in row.repeat


def test_lanes_of_each_arch(verdicts: Verdicts) -> None:
    assert [(row.arch, row.lanes) for row in verdicts["same"].evidence] == [("mp_22", 128), ("mp_31", 32)]


def test_device_variables_are_buffers_too(verdicts: Verdicts) -> None:
    names = {buffer.name: buffer.varies for buffer in verdicts["sum_up"].evidence[0].buffers}
    assert names["total"]


def test_what_is_not_compared_is_no_buffer_of_the_evidence(verdicts: Verdicts) -> None:
    def variables(name: str) -> set[str]:
        return {b.name for row in verdicts[name].evidence for b in row.buffers} & {"total", "weights"}

    assert variables("same") == set()
    assert variables("sum_up") == {"total"}
    assert variables("weigh") == {"weights"}


def test_one_element_differs(verdicts: Verdicts) -> None:
    got = verdicts["one_off"]
    assert got.headline == "differs"
    assert got.reason is not None
    assert "y differs: element 37 is " in got.reason
    assert "1 of " in got.reason
    assert "seed 1, schedule forward" in got.reason


def test_const_input_modified(verdicts: Verdicts) -> None:
    got = verdicts["input_kept"]
    assert got.headline == "differs"
    assert got.reason is not None
    assert got.reason.startswith("const input modified: x")


def test_out_of_bounds_on_one_side_only(verdicts: Verdicts) -> None:
    got = verdicts["stays_inside"]
    assert got.headline == "differs"
    assert got.reason is not None
    assert "fault" in got.reason


def test_endless_loop(verdicts: Verdicts) -> None:
    got = verdicts["ends"]
    assert got.headline == "differs"
    assert got.reason is not None
    assert got.reason.startswith("timeout: the translation")


def test_trap(verdicts: Verdicts) -> None:
    got = verdicts["goes_on"]
    assert got.headline == "differs"
    assert got.reason is not None
    assert "the translation ends with a trap" in got.reason


def test_new_nan(verdicts: Verdicts) -> None:
    got = verdicts["finite"]
    assert got.headline == "differs"
    assert got.reason is not None
    assert got.reason.startswith("NaN in y where the original has none")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("rows", "inputs: parameter table is a pointer to pointers"),
        ("idle", "inputs: the kernel wrote nothing with these inputs"),
    ],
)
def test_not_checkable(verdicts: Verdicts, name: str, reason: str) -> None:
    assert (verdicts[name].headline, verdicts[name].reason) == ("not-checkable", reason)


def test_what_depends_on_no_input_says_little(verdicts: Verdicts) -> None:
    got = verdicts["constant_only"]
    assert got.headline == "equal-weak"
    assert (got.reason or "").startswith("nothing that the kernel writes depends on the contents of its inputs")


def test_fault_on_both_sides_is_a_matter_of_inputs(verdicts: Verdicts) -> None:
    got = verdicts["always_outside"]
    assert got.headline == "not-checkable"
    assert got.reason is not None
    assert got.reason.startswith("inputs: the original ends with fault")


def test_dropped_barrier(verdicts: Verdicts) -> None:
    assert verdicts["reversed"].headline == "differs"


def test_warp_size(verdicts: Verdicts) -> None:
    got = verdicts["per_warp"]
    assert got.headline == "arch-dependent"
    assert dict(got.by_arch) == {"mp_22": "differs", "mp_31": "equal-emulated"}


def test_ballot_rests_on_an_assumption_at_128_lanes(verdicts: Verdicts) -> None:
    got = verdicts["votes"]
    assert got.headline == "equal-assumed"
    assert dict(got.by_arch) == {"mp_22": "equal-assumed", "mp_31": "equal-emulated"}
    assert got.evidence[0].assumptions
    assert not got.evidence[1].assumptions


def test_append_depends_on_the_order(verdicts: Verdicts) -> None:
    assert verdicts["append"].headline == "equal-emulated"
    assert "order-dependent" in verdicts["append"].notes


def test_append_of_other_elements_differs(verdicts: Verdicts) -> None:
    assert verdicts["append_wrong"].headline == "differs"


def test_last_writer_wins(verdicts: Verdicts) -> None:
    assert verdicts["racing"].headline == "equal-emulated"
    assert "order-dependent" in verdicts["racing"].notes


def test_a_filter_that_counts_on_lockstep_races_by_name(verdicts: Verdicts) -> None:
    got = verdicts["in_step"]
    assert got.headline == "original-schedule-dependent"
    assert got.reason is not None and "shared variable line" in got.reason


def test_unsettled_construct_leaves_its_kernel_out(verdicts: Verdicts) -> None:
    assert (verdicts["with_asm"].headline, verdicts["with_asm"].reason) == ("unchecked", "MUS401")


def test_unsettled_construct_in_a_macro(verdicts: Verdicts) -> None:
    assert (verdicts["by_macro"].headline, verdicts["by_macro"].reason) == ("unchecked", "MUS402")


def test_assembly_that_is_switched_off_does_not_build(verdicts: Verdicts) -> None:
    got = verdicts["asm_switched_off"]
    assert got.headline == "build-failed"
    assert got.reason is not None
    assert "asm_is_not_taken_by_MUSA" in got.reason


def test_undeclared_name(verdicts: Verdicts) -> None:
    got = verdicts["without_name"]
    assert got.headline == "build-failed"
    assert got.reason is not None
    assert got.reason.startswith("translation: broken.cu:16: ")
    assert "__fmaf_rm" in got.reason


def test_host_code_that_launches_it_does_not_build(verdicts: Verdicts) -> None:
    got = verdicts["host_trouble"]
    assert got.headline == "build-failed"
    assert got.reason is not None
    assert "cudaMemset" in got.reason


def test_its_neighbour_is_still_checked(verdicts: Verdicts) -> None:
    assert verdicts["untouched"].headline == "equal-emulated"


def test_kernel_that_is_gone(verdicts: Verdicts) -> None:
    got = verdicts["gone"]
    assert (got.headline, got.reason) == ("build-failed", "translation: there is no kernel gone")


def test_what_does_not_build_is_a_failure_of_its_own(checked: Checked) -> None:
    errors = [failure.error for failure in checked.failures if failure.path == "broken.cu"]
    assert any("cudaMemset" in error for error in errors)


def test_header_that_neither_side_has(verdicts: Verdicts) -> None:
    assert verdicts["beside"].headline == "equal-emulated"
    got = verdicts["calls_library"]
    assert got.headline == "not-checkable"
    assert got.reason is not None
    assert "nowhere_device" in got.reason


def test_kernel_beside_an_error_of_the_preprocessor_is_checked(verdicts: Verdicts) -> None:
    assert (verdicts["alone"].headline, verdicts["alone"].reason) == ("equal-emulated", None)


def test_kernel_that_was_built_without_its_unit_says_so(build_cache: Cache, verdicts: Verdicts) -> None:
    # Nothing is known to be unsettled, so that the translation's unit as a whole does not build.
    done = verify(
        DATA / "cuda", DATA / "musa", files={"broken.cu": "broken.cu"}, kernels=["untouched"], cache=build_cache
    )
    (got,) = done.verdicts
    assert (got.headline, got.notes) == ("equal-emulated", ("closure-only",))
    assert done.failures
    assert verdicts["untouched"].notes == ()


def test_error_that_the_original_has_too_is_no_failure(checked: Checked) -> None:
    assert not [failure for failure in checked.failures if failure.path in ("beyond.cu", "nowhere.cu")]


def test_callee_that_another_file_defines(verdicts: Verdicts) -> None:
    got = verdicts["calls_elsewhere"]
    assert got.headline == "not-checkable"
    assert got.reason == "original does not build here: elsewhere(float) is not defined in the unit"
