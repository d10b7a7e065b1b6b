import shutil
from pathlib import Path

import pytest

from musify_ai.backends.cache import Cache
from musify_ai.backends.limits import Completed, Ended
from musify_ai.records import Evidence, Options
from musify_ai.verify.output import mask
from musify_ai.verify.program import verify_program
from musify_ai.verify.runs import Launched, ProgramRun, compare_runs, unsteady

DATA = Path(__file__).parents[1] / "data" / "verify"


def run(
    stdout: bytes = b"PASS\n", code: int = 0, ended: Ended = "exit", launches: tuple[Launched, ...] | None = None
) -> ProgramRun:
    if launches is None:
        launches = (Launched("k", {"grid": [1, 1, 1], "argument 1 (hash)": "a"}),)
    return ProgramRun(Completed(ended, code, stdout, b""), launches)


def test_alike() -> None:
    assert compare_runs(run(), run()).headline == "equal-emulated"


def test_a_fault_that_only_the_translation_has_weakens() -> None:
    faulty = run()._replace(faults={"copy-overflow": "8000 bytes into a buffer of 4000"})
    got = compare_runs(run(), faulty)
    assert got.headline == "equal-weak"
    assert got.detail == "only the translation: copy-overflow: 8000 bytes into a buffer of 4000"
    assert compare_runs(faulty, faulty).headline == "equal-emulated"


def test_times_and_addresses_are_masked() -> None:
    left, right = b"kernel took 1.5 ms at 0x7f0012345678\n", b"kernel took 22 ms at 0x7f9912345678\n"
    assert mask(left) == mask(right)
    assert mask(b"Time: 0.5\n") == mask(b"Time: 0.75\n")
    assert mask(b"0.87\t#runtime [s]\n") == mask(b"0.59\t#runtime [s]\n")
    assert mask(b"12.5 GB/s") == mask(b"9 GB/s")
    assert mask(b"GPU Time in seconds:\n0.5\n") == mask(b"GPU Time in seconds:\n0.25\n")
    assert mask(b"GPU Time in seconds:\n0.5\n7\n") != mask(b"GPU Time in seconds:\n0.5\n8\n")
    assert mask(b"Time in seconds:\n0.5 errors\n") != mask(b"Time in seconds:\n0.6 errors\n")
    assert mask(b"Result:\n0.5\n") != mask(b"Result:\n0.25\n")
    assert mask(b"sum 12.5\n") != mask(b"sum 9\n")
    assert mask(b"error 3 of 10\n") != mask(b"error 4 of 10\n")


def test_only_the_name_that_the_device_has_is_masked() -> None:
    assert mask(b"Device 0: emulated sm_80\n") == mask(b"Device 0: emulated mp_22\n")
    assert mask(b"Device 0: sm_80\n") != mask(b"Device 0: mp_22\n")
    assert mask(b"Device 0: emulated sm_80, 4 SMs\n") != mask(b"Device 0: emulated mp_22, 8 SMs\n")
    got = compare_runs(run(b"on emulated sm_80\n"), run(b"on emulated mp_22\n"))
    assert (got.headline, "device names in a line" in got.detail) == ("equal-emulated", True)


@pytest.mark.parametrize(
    ("translated", "detail"),
    [
        (run(code=1), "exit status 0 became 1"),
        (run(b"FAIL\n"), "line 1 of stdout: 'PASS' became 'FAIL'"),
        (run(b""), "line 1 of stdout: 'PASS' became nothing"),
        (run(code=11, ended="signal"), "the translation: killed by SIGSEGV"),
        (run(ended="timeout"), "the translation: time limit"),
        (run(launches=()), "1 launches became 0"),
        (run(launches=(Launched("other", {}),)), "launch 1 is of k in the original and of other in the translation"),
        (
            run(launches=(Launched("k", {"grid": [1, 1, 1], "argument 1 (hash)": "b"}),)),
            "launch 1 (k) differs in argument 1 (hash)",
        ),
    ],
)
def test_differs(translated: ProgramRun, detail: str) -> None:
    got = compare_runs(run(), translated)
    assert (got.headline, got.detail) == ("differs", detail)


def test_numbers_that_a_program_does_not_repeat_are_left_out() -> None:
    first, again = run(b"sum 4\nrate 0.5 a\nend\n"), run(b"sum 4\nrate 0.7 a\nend\n")
    assert unsteady(first, again) == {1}
    other = run(b"sum 4\nrate 9.5 a\nend\n")
    assert compare_runs(first, other).headline == "differs"
    assert compare_runs(first, other, {1}).headline == "equal-emulated"
    assert compare_runs(first, run(b"sum 5\nrate 0.5 a\nend\n"), {1}).headline == "differs"
    assert compare_runs(first, run(b"sum 4\nrate 0.5 b\nend\n"), {1}).headline == "differs"
    assert unsteady(first, run(b"sum 4\n")) == frozenset()


def test_a_library_call_that_is_not_emulated_is_named() -> None:
    first = run(code=70)._replace(unsupported="cublasSgemm: not emulated")
    got = compare_runs(first, run(code=70))
    assert (got.headline, got.detail) == ("not-checkable", "cublasSgemm: not emulated")


def test_first_launch_is_named_beside_the_output() -> None:
    got = compare_runs(run(), run(b"FAIL\n", launches=(Launched("k", {"grid": [2, 1, 1], "argument 1 (hash)": "a"}),)))
    assert got.detail == "line 1 of stdout: 'PASS' became 'FAIL'; launch 1 (k) differs in grid"


@pytest.mark.parametrize(
    "original", [run(ended="timeout"), run(code=11, ended="signal"), run(ended="output"), run(launches=())]
)
def test_original_that_tells_nothing(original: ProgramRun) -> None:
    assert compare_runs(original, run()).headline == "not-checkable"
    assert compare_runs(original, original).headline == "not-checkable"


def test_library_call_that_is_not_emulated_ends_both_sides_and_says_nothing() -> None:
    ended = run(code=70)._replace(unsupported="cublasSgemm: not emulated")
    got = compare_runs(ended, ended)
    assert (got.headline, got.detail) == ("not-checkable", "cublasSgemm: not emulated")
    assert compare_runs(run(), ended).headline == "differs"


@pytest.mark.parametrize("reason", ["time-limit", "deadlock", "fault"])
def test_an_original_whose_kernel_does_not_end_by_itself_tells_nothing(reason: str) -> None:
    waits = run(code=1, launches=(Launched("spin", {"reason": reason}),))
    got = compare_runs(waits, waits)
    assert (got.headline, got.detail) == ("not-checkable", f"the original's kernel spin does not end here: {reason}")
    trapped = run(code=1, launches=(Launched("check", {"reason": "assert"}),))
    assert compare_runs(trapped, trapped).headline == "equal-emulated"


def test_stub_reached() -> None:
    got = compare_runs(run(), run(launches=(Launched("k", {"reason": "stub"}),)))
    assert got.headline == "unchecked"


def test_assumptions() -> None:
    got = compare_runs(run(), run()._replace(assumptions=("warp128-ballot-segment",)))
    assert (got.headline, got.assumptions) == ("equal-assumed", ("warp128-ballot-segment",))


def programs(cache: Cache, translation: Path, *arguments: str) -> tuple[Evidence, ...]:
    done = verify_program(
        DATA / "program-cuda",
        translation,
        files={"main.cu": "main.cu"},
        arguments=arguments,
        options=Options(archs=("mp_31",), jobs=1),
        cache=cache,
    )
    assert done.path == "main.cu"
    return done.evidence


def test_program_runs_alike(build_cache: Cache) -> None:
    (row,) = programs(build_cache, DATA / "program-musa")
    # It prints the time of day and an address.
    left_out = "without the times, rates, addresses and device names in a line of stdout, which differ"
    assert (row.outcome, row.detail) == ("equal-emulated", left_out)
    assert {buffer.name: buffer.elements for buffer in row.buffers} == {"exit status": 1, "stdout": 1, "launches": 1}


def test_program_that_launches_nothing(build_cache: Cache) -> None:
    (row,) = programs(build_cache, DATA / "program-musa", "0")
    assert row.outcome == "not-checkable"


def test_wrong_program(build_cache: Cache, tmp_path: Path) -> None:
    shutil.copytree(DATA / "program-musa", tmp_path / "t")
    path = tmp_path / "t" / "main.cu"
    path.write_text(path.read_text().replace("x[i] *= a", "x[i] += a"))
    (row,) = programs(build_cache, tmp_path / "t")
    assert row.outcome == "differs"
    assert "launch 1 (scale) differs in argument 1 (hash)" in row.detail


def test_program_that_does_not_build(build_cache: Cache, tmp_path: Path) -> None:
    shutil.copytree(DATA / "program-musa", tmp_path / "t")
    path = tmp_path / "t" / "main.cu"
    path.write_text(path.read_text().replace("musaFree", "cudaFree"))
    (row,) = programs(build_cache, tmp_path / "t")
    assert row.outcome == "build-failed"
    assert row.detail.startswith("translation: main.cu:")
    assert "cudaFree" in row.detail


@pytest.mark.parametrize(("side", "headline"), [("original", "equal-emulated"), ("translation", "differs")])
def test_only_the_original_excuses_numbers_that_are_not_repeated(
    build_cache: Cache, tmp_path: Path, side: str, headline: str
) -> None:
    """A clock on the original's side makes its line say nothing; one on the translation's side only is a fault."""
    for name in ("program-cuda", "program-musa"):
        shutil.copytree(DATA / name, tmp_path / name)
        path = tmp_path / name / "main.cu"
        drifts = side == "original" or name == "program-musa"
        value = "(long long)clock_now.tv_sec * 1000000000LL + clock_now.tv_nsec" if drifts else "7LL"
        print_it = "timespec clock_now; timespec_get(&clock_now, TIME_UTC);\n    "
        print_it += f'printf("mark %lld\\n", {value});\n    free(host);'
        path.write_text(path.read_text().replace("free(host);", print_it))
    done = verify_program(
        tmp_path / "program-cuda",
        tmp_path / "program-musa",
        files={"main.cu": "main.cu"},
        options=Options(archs=("mp_31",), jobs=1),
        cache=build_cache,
    )
    (row,) = done.evidence
    assert row.outcome == headline, row.detail
    assert ("which the original does not repeat" in row.detail) == (side == "original")


def test_times_that_differ_are_said_to_be_left_out() -> None:
    got = compare_runs(run(b"sum 5\ntime 3.5 ms\n"), run(b"sum 5\ntime 4.5 ms\n"))
    assert got.headline == "equal-emulated"
    assert got.detail == "without the times, rates, addresses and device names in a line of stdout, which differ"
    assert compare_runs(run(b"time 3.5 ms\n"), run(b"time 3.5 ms\n")).detail == ""


def test_the_width_of_a_time_moves_no_blanks() -> None:
    got = compare_runs(run(b"n =   5, BW =  9.123 GB/s\n"), run(b"n =   5, BW = 19.123 GB/s\n"))
    assert got.headline == "equal-emulated"
    assert compare_runs(run(b"a  b 1\n"), run(b"a b 1\n")).headline == "differs"


def sized_by_the_device(place: Path, api: str, does: str) -> Path:
    """A program that prints figures of its device and launches as many blocks as it has room for."""
    place.mkdir()
    operator = {"another sum": "-"}.get(does, "*")
    lanes = "p.warpSize" if does == "prints lanes" else "32"
    capability = "p.major" if does in ("prints capability", "chooses by capability") else "1"
    # A line that only some capabilities have, before a number that is another one each time.
    more = (
        "timespec t; clock_gettime(CLOCK_REALTIME, &t);"
        'if (p.major < 7) puts("an old one"); printf("%ld\\n", t.tv_nsec);'
        if does == "prints capability"
        else ""
    )
    chosen = {"chooses by capability": "p.major >= 7 ? 4096 : 2048", "chooses by lanes": "p.warpSize * 32"}.get(
        does, "4096"
    )
    (place / "main.cu").write_text(
        f"""#include <cstdio>
#include <{api}_runtime.h>
__global__ void mark(int* x, int n) {{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = i {operator} 3;
}}
int main() {{
    {api}DeviceProp p;
    {api}GetDeviceProperties(&p, 0);
    int* x;
    {api}Malloc(&x, 4096 * sizeof(int));
    mark<<<p.multiProcessorCount * p.maxThreadsPerMultiProcessor / 256, 256>>>(x, {chosen});
    printf("%d kHz, %d lanes, %d\\n", p.clockRate, {lanes}, {capability});
    {more}
    return {api}Free(x);
}}
"""
    )
    return place


@pytest.mark.parametrize(
    ("does", "outcome", "assumptions"),
    [
        ("prints figures", "equal-assumed", ("device-figures",)),
        ("prints capability", "equal-assumed", ("device-figures", "device-identity")),
        ("chooses by capability", "equal-weak", ("device-figures", "device-identity")),
        ("another sum", "differs", ()),
        ("prints lanes", "equal-assumed", ("device-figures", "device-identity")),
        ("chooses by lanes", "differs", ()),
    ],
)
def test_a_program_sized_by_the_device_is_given_the_same_figures(
    build_cache: Cache, tmp_path: Path, does: str, outcome: str, assumptions: tuple[str, ...]
) -> None:
    original = sized_by_the_device(tmp_path / "o", "cuda", "" if does == "another sum" else does)
    translation = sized_by_the_device(tmp_path / "t", "musa", does)
    done = verify_program(
        original, translation, files={"main.cu": "main.cu"}, options=Options(archs=("mp_22",)), cache=build_cache
    )
    (row,) = done.evidence
    assert (row.outcome, row.assumptions) == (outcome, assumptions)
    if outcome == "differs":
        assert "1410000 kHz" in row.detail
    elif outcome == "equal-weak":
        assert "chooses" in row.detail


def test_a_file_that_another_takes_in_is_no_unit(build_cache: Cache, tmp_path: Path) -> None:
    for side in ("cuda", "musa"):
        shutil.copytree(DATA / f"program-{side}", tmp_path / side)
        main = tmp_path / side / "main.cu"
        text = main.read_text()
        start, end = text.index("__global__"), text.index("int main")
        (tmp_path / side / "kernels.cu").write_text(text[start:end].replace("float* x,", "REAL* x,"))
        main.write_text(text[:start] + '#define REAL float\n#include "kernels.cu"\n' + text[end:])
    done = verify_program(
        tmp_path / "cuda", tmp_path / "musa", files={name: name for name in ("main.cu", "kernels.cu")},
        options=Options(archs=("mp_31",), jobs=1), cache=build_cache,
    )  # fmt: skip
    assert [row.outcome for row in done.evidence] == ["equal-emulated"]


def test_host_code_that_is_left_unsettled_is_no_difference(build_cache: Cache, tmp_path: Path) -> None:
    shutil.copytree(DATA / "program-musa", tmp_path / "t")
    path = tmp_path / "t" / "main.cu"
    text = path.read_text().replace("    musaFree(x);", "    if (n < 0) cudaFree(x);\n    musaFree(x);")
    path.write_text(text)
    start = text.index("cudaFree")
    done = verify_program(
        DATA / "program-cuda", tmp_path / "t", files={"main.cu": "main.cu"}, cache=build_cache,
        unsettled={"main.cu": [(start, start + 8, "MUS999")]}, options=Options(archs=("mp_31",), jobs=1),
    )  # fmt: skip
    (row,) = done.evidence
    assert (row.outcome, row.detail) == ("unchecked", "host code reaches what is left unsettled: MUS999")


def test_a_launch_by_pointer_is_the_same_call_on_both_sides(build_cache: Cache, tmp_path: Path) -> None:
    for side in ("cuda", "musa"):
        shutil.copytree(DATA / f"program-{side}", tmp_path / side)
        main = tmp_path / side / "main.cu"
        call = f"int m = n; void* all[] = {{&x, &a, &m}}; {side}LaunchKernel((const void*)scale, 5, 64, all, 0, 0);"
        text = main.read_text()
        assert "scale<<<" in text
        start = text.index("scale<<<")
        main.write_text(text[:start] + call + text[text.index(";", start) + 1 :])
    done = verify_program(
        tmp_path / "cuda", tmp_path / "musa", files={"main.cu": "main.cu"}, options=Options(archs=("mp_31",), jobs=1),
        cache=build_cache,
    )  # fmt: skip
    assert [(row.outcome, row.buffers[2].elements) for row in done.evidence] == [("equal-emulated", 1)]


def test_a_kernel_that_waits_for_the_host_is_run_with_streams_that_work_late(
    build_cache: Cache, tmp_path: Path
) -> None:
    text = """#include <@_runtime.h>
#include <cstdio>
__global__ void wait(volatile int* latch, int* out) {
  while (*latch < 1) {
  }
  *out = *latch + 1;
}
int main() {
  int *latch, *out, got;
  @MallocHost(&latch, 4);
  @Malloc(&out, 4);
  *latch = 0;
  wait<<<1, 1>>>(latch, out);
  *latch = 1;
  @Memcpy(&got, out, 4, @MemcpyDeviceToHost);
  printf("%d\\n", got);
}
"""
    for side in ("cuda", "musa"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "main.cu").write_text(text.replace("@", side))
    done = verify_program(
        tmp_path / "cuda", tmp_path / "musa", files={"main.cu": "main.cu"}, options=Options(archs=("mp_31",), jobs=1),
        cache=build_cache, seconds=3,
    )  # fmt: skip
    (row,) = done.evidence
    assert row.outcome == "equal-emulated"
    assert "with streams that work as late as they may" in row.detail
