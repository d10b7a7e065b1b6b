"""Units of several functions: what one kernel runs is rewritten together, in however many files it stands."""

import pytest

from musify_ai.backends import sandbox
from musify_ai.project import migrate
from musify_ai.records import Options
from musify_ai.rewrite.answering import Answering
from musify_ai.rewrite.gates.protocol import Gate, Passed, Refused
from musify_ai.rewrite.loop import Judge, Policy, rewrite
from musify_ai.rewrite.opening import Asked
from musify_ai.rewrite.providers.scripted import Scripted
from musify_ai.rewrite.store import Store
from musify_ai.rewrite.working import Setting, work
from tests.rewrite.projects import fenced, project

COPY = "__device__ __forceinline__ void copy_later(float4* to, const float4* from)"
COMMIT = "__device__ __forceinline__ void commit()"
WAIT = "template <int N>\n__device__ __forceinline__ void wait_for()"
HEADER = f"""#pragma once
// Later copies.
{COPY} {{
    unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from));
}}

{COMMIT} {{
    asm volatile("cp.async.commit_group;" ::);
}}
"""
SOURCE = f"""#include <cuda_runtime.h>
#include "late.cuh"
{WAIT} {{
    asm volatile("cp.async.wait_group %0;" ::"n"(N));
}}
__global__ void twice(const float4* x, float4* y, int n) {{
    __shared__ float4 stage[64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) copy_later(&stage[threadIdx.x], &x[i]);
    commit();
    wait_for<0>();
    __syncthreads();
    if (i < n) {{
        float4 v = stage[threadIdx.x];
        y[i] = make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w);
    }}
}}
void run(const float4* x, float4* y, int n) {{ twice<<<(n + 63) / 64, 64>>>(x, y, n); }}
"""
FILES = {"late.cuh": HEADER, "a.cu": SOURCE}
RIGHT = f"{COPY} {{\n    *to = *from;\n}}\n\n{COMMIT} {{}}\n\n{WAIT} {{}}"
PAIR = """#include <cuda_runtime.h>
__device__ __forceinline__ void pair_barrier() { asm volatile("bar.sync 1, 64;" ::: "memory"); }
__global__ void turn(const float* x, float* y, int n) {
    __shared__ float stage[64];
    const int t = threadIdx.x, i = blockIdx.x * 128 + t;
    if (t < 64) {
        stage[t] = i < n ? x[i] : 0.0f;
        pair_barrier();
        if (i < n) y[i] = stage[63 - t];
    } else if (i < n) {
        y[i] = 2.0f * x[i];
    }
}
void run(const float* x, float* y, int n) { turn<<<(n + 127) / 128, 128>>>(x, y, n); }
"""


def passing(candidate):
    return Passed()


def test_functions_that_share_a_kernel_are_one_unit_over_files(tmp_path):
    found, _ = project(tmp_path, FILES)
    (unit,) = found.units
    assert [(piece.path, piece.name) for piece in unit.pieces] == [
        ("late.cuh", "copy_later"), ("late.cuh", "commit"), ("a.cu", "wait_for"),
    ]  # fmt: skip
    assert {piece.name for piece in unit.pieces if piece.may_vanish} == {"commit", "wait_for"}
    assert unit.kernels == ("twice",) and not any("copy_later" in each for each in unit.context)


def test_functions_of_different_kernels_are_units_of_their_own(tmp_path):
    other = SOURCE.replace("twice", "other").replace("copy_later", "copy_other").replace("commit", "commit_other")
    files = {"a.cu": SOURCE, "late.cuh": HEADER, "b.cu": other.replace('"late.cuh"', '"late2.cuh"'),
             "late2.cuh": HEADER.replace("copy_later", "copy_other").replace("commit()", "commit_other()")}  # fmt: skip
    found, _ = project(tmp_path, {**files, "b.cu": files["b.cu"].replace("wait_for", "wait_other")})
    assert sorted(len(unit.pieces) for unit in found.units) == [3, 3]


def test_a_kernel_around_a_construct_that_needs_it_comes_along(tmp_path):
    found, _ = project(tmp_path, {"a.cu": PAIR})
    (unit,) = found.units
    assert [(piece.name, piece.optional) for piece in unit.pieces] == [("pair_barrier", False), ("turn", True)]


def test_too_much_at_once_is_left(tmp_path):
    helpers = "\n".join(f'__device__ void f{n}() {{ asm volatile("bar.sync 1, 64;"); }}' for n in range(9))
    calls = "".join(f"f{n}();" for n in range(9))
    found, _ = project(tmp_path, {"a.cu": f"{helpers}\n__global__ void k(int* p) {{ {calls} *p = 1; }}\n"})
    assert found.units == () and {left.why.split(":")[0] for left in found.left} == {"too much at once"}


def test_an_answer_has_all_functions_and_what_is_optional_may_stay(tmp_path):
    found, site = project(tmp_path / "p", {"a.cu": PAIR})
    (unit,) = found.units
    barrier = (
        unit.pieces[0].region.decode().replace('asm volatile("bar.sync 1, 64;" ::: "memory");', "__syncthreads();")
    )
    kernel = unit.pieces[1].region.decode()
    both = f"{barrier}\n{kernel.replace('2.0f', '3.0f')}"
    with Store(tmp_path / "s.sqlite") as store:
        provider = Scripted([fenced(kernel), fenced(both)])
        judge = Judge((Gate("g", lambda c: Refused("numeric", "no") if b"3.0f" in c.code else Passed()),))
        done = rewrite(unit, site, Answering(store, provider).ask, "scripted", judge, Policy(1, 0))
    assert [each.outcome for each in done.tries] == ["extract", "numeric"]
    assert "no definition of pair_barrier" in done.tries[0].reason
    with Store(tmp_path / "t.sqlite") as store:
        provider = Scripted([fenced(barrier)])
        done = rewrite(unit, site, Answering(store, provider).ask, "scripted", Judge((Gate("g", passing),)), Policy())
    assert done.codes[0].decode().strip() == barrier.strip() and done.codes[1].decode().strip() == kernel.strip()


def test_a_rewrite_of_several_is_kept_and_made_elsewhere_under_other_names(tmp_path):
    names = (
        ("copy_later", "fetch"),
        ("commit()", "send()"),
        ("wait_for", "settle"),
        ("stage", "tile"),
        ("twice", "double_it"),
    )
    files = dict(FILES)
    for path, text in FILES.items():
        for old, new in names:
            text = text.replace(old, new)
        files[f"other/{path}"] = text
    found, site = project(tmp_path / "p", files)
    assert len(found.units) == 2
    with Store(tmp_path / "s.sqlite") as store:
        provider = Scripted([fenced(RIGHT)])
        setting = Setting(store, Answering(store, provider).ask, "scripted", Judge((Gate("g", passing, runs=True),)))
        first, second = work(found.units, site, setting)
    assert len(provider.asked) == 1
    assert b"".join(first.codes).count(b"{}") == 2 and b"*to = *from;" in b"".join(second.codes)
    assert {piece.name for piece in second.unit.pieces} == {"fetch", "send", "settle"}


@pytest.mark.skipif(bool(sandbox.missing()), reason=f"code from a model is not run here: {sandbox.missing()}")
def test_three_functions_in_two_files_go_through_every_gate_together(tmp_path, monkeypatch):
    wrong = RIGHT.replace("*to = *from;", "to->x = from->x;")
    provider = Scripted([fenced(wrong), fenced(RIGHT)])
    monkeypatch.setattr("musify_ai.rewrite.opening.provider_of", lambda spec, seconds=0: provider)
    for name, text in FILES.items():
        (tmp_path / "src").mkdir(exist_ok=True)
        (tmp_path / "src" / name).write_text(text)
    asked = Asked("scripted", tmp_path / "s.sqlite")
    outcome = migrate(tmp_path / "src", tmp_path / "out", Options(archs=("mp_31",)), asked=asked)
    assert [each.headline for each in outcome.run.verdicts] == ["equal-emulated"]
    assert [each.outcome for each in outcome.run.rewrites[0].attempts] == ["numeric", "accepted"]
    assert (
        "{}" in (tmp_path / "out" / "a.cu").read_text()
        and "// Later copies.\n" in (tmp_path / "out" / "late.cuh").read_text()
    )
    edits = [edit for file in outcome.run.files for edit in file.edits if edit.evidence == "llm"]
    assert len(edits) == 3 and all(edit.applied for edit in edits)
    assert {finding.code for file in outcome.run.files for finding in file.findings} == {"MUS901"}
