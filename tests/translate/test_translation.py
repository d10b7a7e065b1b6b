"""The entry point over whole files: order, suppressions, files that are MUSA already, rules that fail, any bytes."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from musify_ai.records import Finding, Options
from musify_ai.source.splicing import resolve, splice, undo
from musify_ai.translate import Unit, translate
from musify_ai.translate import translation as module
from musify_ai.translate.registry import RULES, triggered
from tests.growth import assert_in_proportion

_LOWERED = b'__device__ void f(unsigned& d, unsigned a) { asm("add.u32 %0, %1, 1;" : "=r"(d) : "r"(a)); }\n'


def _applied(src: bytes, path: str = "a.cu", options: Options | None = None) -> bytes:
    unsafe = options is not None and options.unsafe_fixes
    edits = [e for e in translate(src, path, options).edits if e.safety == "safe" or unsafe]
    return splice(src, edits)


def _codes(src: bytes, path: str = "a.cu", options: Options | None = None) -> list[str]:
    return [finding.code for finding in translate(src, path, options).findings]


def test_edits_and_findings_are_sorted_and_do_not_overlap() -> None:
    src = _LOWERED + b"__global__ void k(int* x) { x[0] = __shfl_sync(~0u, warpSize, 0); cudaFoo(); }\n" + _LOWERED
    found = translate(src, "a.cu")
    assert [e.rule for e in found.edits if e.safety == "safe"] == ["MUS401", "MUS401"]
    kept, refused = resolve(found.edits)
    assert list(found.edits) == kept
    assert not refused
    assert [(f.start, f.code) for f in found.findings] == sorted((f.start, f.code) for f in found.findings)


def test_unsafe_edits_are_listed_but_displace_nothing() -> None:
    src = b"__global__ void k(int* x) { x[0] = __shfl_sync(~0u, x[0], 0); }\n"
    found = translate(src, "a.cu")
    assert [(e.rule, e.safety) for e in found.edits] == [("MUS302", "unsafe")]
    assert found.edits[0] == found.findings[0].edit
    assert _applied(src) == src
    assert b"0, 32)" in _applied(src, options=Options(unsafe_fixes=True))


def test_names_inside_a_lowered_statement_are_translated() -> None:
    src = _LOWERED.replace(b'"r"(a)', b'"r"(cudaSuccess)')
    assert b"d = (unsigned int)(musaSuccess) + 1u;" in _applied(src)


@pytest.mark.parametrize(
    ("path", "head"),
    [
        ("a.mu", b""),
        ("a.muh", b""),
        ("a.cu", b"#include <musa_runtime.h>\n"),
        ("a.cu", b'#include "musa_fp16.h"\n'),
        ("a.h", b"#ifdef __MUSA__\n#endif\n"),
        ("a.h", b"#if __MUSA_ARCH__ >= 220\n#endif\n"),
    ],
)
def test_a_file_that_is_musa_already_is_left_alone(path: str, head: bytes) -> None:
    src = head + b"#include <cuda_runtime.h>\n" + _LOWERED + b"__device__ int g() { return warpSize; }\n"
    found = translate(src, path, Options(unsafe_fixes=True))
    assert found.edits == ()
    assert {f.code for f in found.findings} >= {"MUS001", "MUS301"}
    assert all(f.edit is None for f in found.findings)


def test_speaking_of_musa_does_not_make_a_file_musa() -> None:
    src = b"// __MUSA_ARCH__ and <musa_runtime.h>\n#include <cuda_runtime.h>\n"
    assert b"#include <musa_runtime.h>" in _applied(src)


def test_an_nvidia_number_in_a_musa_file_is_an_error() -> None:
    assert _codes(b"#if __MUSA_ARCH__ < 800\n#endif\n", "a.mu") == ["MUS210"]


def test_excluded_lines_get_no_edit_and_no_finding() -> None:
    src = (
        b"// MUSIFY_EXCL_START\n" + _LOWERED + b"int a = warpSize;\n// MUSIFY_EXCL_STOP\nint b = warpSize;\n"
        b"int c = warpSize; // MUSIFY_EXCL_LINE\nint d = warpSize; // musify: ignore\n"
        b"int e = warpSize; // musify: ignore[MUS301]\nint f = warpSize; // musify: ignore[MUS302, MUS4]\n"
        b'const char* s = "musify: ignore";\n'
    )
    found = translate(src, "a.cu")
    lines = [src.count(b"\n", 0, f.start) + 1 for f in found.findings if f.code != "MUS002"]
    assert lines == [5, 9]
    assert all(e.safety != "safe" for e in found.edits)
    assert found.excluded[0][0] == 0
    assert len(found.excluded) == 4  # three suppress everything, one a code


@pytest.mark.parametrize(
    ("source", "codes"),
    [
        (b"int a; // MUSIFY_EXCL_LINE\n", ["MUS002"]),
        (b"int a = warpSize; // MUSIFY_EXCL_LINE\n", []),
        (b"cudaFree(p); // musify: ignore\n", []),
        (b"cudaFree(p); // musify: ignore[names]\n", []),
        (b"int a = warpSize; // musify: ignore[MUS302]\n", ["MUS002", "MUS301"]),
        (b"int a = warpSize; // musify: ignore[MUS302, MUS301]\n", []),
        (b"// MUSIFY_EXCL_START\nint a;\n// MUSIFY_EXCL_STOP\ncudaFree(p);\n", ["MUS002"]),
        (b"// MUSIFY_EXCL_START\ncudaFree(p);\n// MUSIFY_EXCL_STOP\n", []),
    ],
)
def test_a_suppression_that_keeps_nothing_out_is_reported(source: bytes, codes: list[str]) -> None:
    assert _codes(source) == codes


def test_a_run_over_chosen_codes_cannot_tell_which_suppressions_are_used() -> None:
    assert _codes(b"int a = warpSize; // musify: ignore[MUS301]\n", options=Options(select=("MUS4",))) == []


def test_an_exclusion_that_is_never_closed_holds_to_the_end() -> None:
    assert _codes(b"/* MUSIFY_EXCL_START */\nint a = warpSize;\n") == ["MUS002"]  # it is never closed


def test_a_name_that_a_rule_replaces_everywhere_is_not_found_besides() -> None:
    place = b"cudaMemPrefetchAsync(p, n, {cudaMemLocationTypeHost, 0}, 0, s);"
    assert (
        _applied(b"void f() { " + place + b" }\n") == b"void f() { musaMemPrefetchAsync(p, n, musaCpuDeviceId, s); }\n"
    )
    assert "MUS103" not in _codes(b"void f() { " + place + b" }\n")
    assert "MUS103" in _codes(b"void f() { " + place + b" g(cudaMemLocationTypeHost); }\n")


def test_half_a_chain_is_never_renamed() -> None:
    src = b"#if __CUDA_ARCH__ >= 900\nint a;\n#elif __CUDA_ARCH__ >= 800 // musify: ignore\nint b;\n#endif\n"
    assert _applied(src) == src
    assert _codes(src) == ["MUS201"]


def test_a_guard_waits_for_a_name_without_a_counterpart() -> None:
    guard = b"#if __CUDA_ARCH__ >= 800\n%s\n#endif\n"
    assert b"__MUSA_ARCH__" in _applied(guard % b"int a;")
    for body in (
        b'asm volatile("wgmma.fence.sync.aligned;");',
        b"wmma::fragment<int> f;",
        b"__pipeline_commit();",
    ):
        src = b"__device__ void f() {\n" + guard % body + b"}\n"
        assert _applied(src) == src, body
        assert "MUS201" in _codes(src)


def test_warp_rules_are_silent_where_every_target_has_32_lanes() -> None:
    src = b"__global__ void k(int* x) { x[0] = __shfl_sync(~0u, warpSize, 0) + __ballot_sync(~0u, 1); }\n"
    assert _codes(src, options=Options(archs=("mp_31",))) == []
    assert _codes(src, options=Options(archs=("mp_21",))) == ["MUS302", "MUS301", "MUS303"]


def test_select_and_ignore_choose_by_the_beginning_of_a_code() -> None:
    src = b"__global__ void k(int* x) { x[0] = __shfl_sync(~0u, warpSize, 0); }\n"
    assert _codes(src, options=Options(ignore=("MUS301",))) == ["MUS302"]
    assert _codes(src, options=Options(select=("MUS301",))) == ["MUS301"]
    assert _codes(src, options=Options(ignore=("MUS3",))) == []


def test_a_rule_that_raises_is_a_finding_and_the_file_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(unit: Unit) -> list[Finding]:
        raise ValueError("what happened")

    target = next(entry for entry in RULES if entry.code == "MUS301")
    monkeypatch.setattr(module.load(target), "find", broken)
    src = b"#include <cuda_runtime.h>\n#if __CUDA_ARCH__ >= 800\nint a = warpSize;\n#endif\n"
    found = translate(src, "a.cu")
    error = next(f for f in found.findings if f.code == "MUS000")
    assert "MUS301" in error.message
    assert "what happened" in error.message
    assert not error.settled
    # A file that a rule failed on is unsettled as a whole, so no guard is switched in it.
    assert _applied(src) == src.replace(b"cuda_runtime", b"musa_runtime")


_PIECES = [
    b"#if ", b"#elif ", b"#else\n", b"#endif\n", b"#define X ", b"\\\n", b"\n", b"\r\n", b" ", b"(", b")", b"{", b"}",
    b"__CUDA_ARCH__", b" >= 800", b"800 <= ", b"defined", b"!", b" && ", b"CUDA_VERSION", b"__CUDACC__", b"warpSize",
    b"int ", b",", b";", b"asm", b' volatile("', b'"', b"%0", b"add.u32 ", b': "=r"(d)', b"::", b":", b"[", b"]",
    b"__shfl_sync(", b"__ballot_sync(", b"threadIdx.x", b" & 31", b" / 32", b".warpSize", b"major",
    b"__global__ void k() {",
    b"// musify: ignore[", b"MUSIFY_EXCL_START", b"/*",
    b"*/", b"'", b"\xff", b"\x00", b".major >= 8", b"cudaDeviceProp",
    b"<", b">", b"template <int ", b"texture<float> t;", b"wmma::", b"R\"(",
]  # fmt: skip


@given(st.lists(st.one_of(st.sampled_from(_PIECES), st.binary(max_size=3)), max_size=60).map(b"".join))
@settings(max_examples=300, deadline=None)
def test_any_bytes_translate_undo_and_translate_to_nothing_more(src: bytes) -> None:
    for options in (Options(), Options(unsafe_fixes=True)):
        found = translate(src, "a.cu", options)
        assert all(f.code != "MUS000" for f in found.findings), found.findings
        edits = [e for e in found.edits if e.safety == "safe" or options.unsafe_fixes]
        out = splice(src, edits)
        assert undo(out, edits) == src
        assert all(0 <= f.start <= f.end <= len(src) for f in found.findings)
        again = translate(out, "a.cu", options)
        assert all(f.code != "MUS001" for f in again.findings) or any(f.code == "MUS001" for f in found.findings)
        assert [e for e in again.edits if e.safety == "safe" or options.unsafe_fixes] == []


@pytest.mark.parametrize(
    "piece",
    [
        b"int warpSize; warpSize;",
        b"__device__ (",
        b"asm(",
        b"asm volatile(\"add.u32 %0, %1, %2;\" : \"=r\"(d) : \"r\"(a), \"r\"(b));\n",
        b"#if __CUDA_ARCH__ >= 800\nint a;\n",
        b"#if __CUDA_ARCH__ >= 800\nint a;\n#endif\n",
        b"#if ((((((((CUDA_VERSION\n",
        b"x = p.major + (cudaDeviceProp.major ",
        b"__shfl_sync(a<b, ",
        b"printf(p.warpSize ",
        b"texture<float> t; wmma::x(",
        b"/* musify: ignore */ int a = warpSize;\n",
    ],
)  # fmt: skip
def test_time_grows_with_size_and_no_faster(piece: bytes) -> None:
    assert_in_proportion(lambda repeats: translate(piece * repeats, "a.cu"), 400)


def test_a_file_without_triggers_imports_no_rule() -> None:
    code = (
        "import sys\nfrom musify_ai.translate import translate\n"
        "translate(b'#include <cuda_runtime.h>\\nint main() { return cudaDeviceSynchronize(); }\\n', 'a.cu')\n"
        "bad = [m for m in sys.modules if m.split('.')[0] in ('tree_sitter', 'clang', 'jinja2', 'rich', 'json')\n"
        "       or m.startswith(('musify_ai.translate.guards', 'musify_ai.translate.warps',\n"
        "                        'musify_ai.translate.ptx', 'musify_ai.translate.memory'))]\n"
        "assert not bad, bad\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_triggered_rules_are_those_whose_words_the_file_holds() -> None:
    assert triggered({b"int", b"main"}) == []
    assert [entry.code for entry in triggered({b"__CUDA__"})] == ["MUS206"]


_GUARDED = b'#if __CUDA_ARCH__ >= 800\n  asm volatile("%b");%b\n#endif\n'


@pytest.mark.parametrize(
    ("options", "statement", "comment"),
    [
        (Options(ignore=("MUS4",)), b"cp.async.wait_all;", b""),
        (Options(select=("MUS2",)), b"cp.async.wait_all;", b""),
        (Options(ignore=("MUS401",)), b"trap;", b""),  # a rule that would have settled it
        (Options(), b"trap;", b"  // musify: ignore[MUS401]"),
        (Options(), b"cp.async.wait_all;", b"  // musify: ignore[MUS405]"),
    ],
)
def test_a_guard_stays_over_what_is_not_reported_but_unsettled_all_the_same(
    options: Options, statement: bytes, comment: bytes
) -> None:
    src = b"__device__ void f() {\n" + _GUARDED % (statement, comment) + b"}\n"
    translation = translate(src, "a.cu", options)
    assert [edit.rule for edit in translation.edits if edit.safety == "safe"] == []
    assert "MUS201" in [finding.code for finding in translation.findings]


def test_a_guard_is_switched_over_what_is_settled() -> None:
    src = b"__device__ void f() {\n" + _GUARDED % (b"trap;", b"") + b"}\n"
    assert [edit.rule for edit in translate(src, "a.cu").edits] == ["MUS201", "MUS401"]


def test_words_that_a_lowered_operand_carries_are_replaced_as_elsewhere() -> None:
    src = b'__device__ void f() {\n  unsigned d;\n  asm("bfe.u32 %0, %1, 8, 8;" : "=r"(d) : "r"(warpSize));\n}\n'
    options = Options(unsafe_fixes=True)
    done = splice(src, translate(src, "a.cu", options).edits)
    assert b"(32)" in done
    assert translate(done, "a.cu", options).edits == ()


def test_a_note_about_a_header_stays_where_a_rule_edits_something_else() -> None:
    src = b"#ifdef __CUDA_ARCH__\n#  include <math_constants.h>\n#endif\n"
    found = translate(src, "a.h")
    assert [edit.rule for edit in found.edits] == ["MUS203"]
    assert [(each.code, each.name) for each in found.findings] == [("MUS110", "math_constants.h")]


def test_what_lowering_wrote_is_no_news_in_the_file_that_it_wrote() -> None:
    src = b"""#include <cuda_runtime.h>
__global__ void k(unsigned* o) {
  unsigned a, b;
  asm("mov.u32 %0, %%laneid;" : "=r"(a));
  asm("mov.u32 %0, %%warpid;" : "=r"(b));
  o[threadIdx.x] = a + b;
}
"""
    first = translate(src, "a.cu")
    output = splice(src, [edit for edit in first.edits if edit.safety == "safe"])
    assert b"& 31u" in output
    assert [each.code for each in translate(output, "a.cu").findings] == []
    # The same spelling in CUDA source is somebody's own.
    assert translate(output.replace(b"musa_", b"cuda_"), "a.cu").findings
