"""``migrate --llm`` over a construct of each kind in one run: a wrong answer refused by the gate that is to see it, the
right one accepted and applied.

What the gates that run afterwards add (other inputs, mutants) is shown in tests/rewrite for one construct, and for all
of them by ``python -m benchmarks.llm_corpus``; here each answer is built and run once, for the sake of time.
"""

from pathlib import Path

import pytest

from musify_ai.backends import sandbox
from musify_ai.project import migrate
from musify_ai.project.constructs import posed
from musify_ai.records import Options
from musify_ai.rewrite.corpus import functions_of, laid_out, read
from musify_ai.rewrite.gates.sequence import GATES
from musify_ai.rewrite.loop import Policy
from musify_ai.rewrite.opening import Asked
from musify_ai.rewrite.providers.scripted import Scripted
from tests.rewrite.projects import fenced

pytestmark = pytest.mark.skipif(
    bool(sandbox.missing()), reason=f"code from a model is not run here: {sandbox.missing()}"
)

CASES = {f"{case.kind}/{case.name}": case for case in read(Path(__file__).parents[2] / "corpus" / "llm")}
# For each kind a construct, and what makes its right answer a wrong one: the text, what stands there instead, the class
# of the failure and the gate that says so.
WRONG = {
    "async-copies/stage-float4": ("stage[threadIdx.x] = from[i];", "stage[threadIdx.x].x = from[i].x;", "numeric", "equality"),
    "named-barriers/first-half-waits": ("    __syncthreads();\n", "", "numeric", "equality"),
    "tensor-cores/mma-m8n8k16-bytes": ("column * 4 + 4 + k / 4", "column * 4 + k / 4", "numeric", "equality"),
    "matrix-moves/movmatrix": ("4 * column + row / 2", "4 * row + column / 2", "numeric", "equality"),
    "warp-votes/sum-of-32": ("int step = 16;", "int step = 8;", "numeric", "equality"),
    "ptx/mask-of-a-field": ("    if (first >= 32u) return 0u;\n", "", "numeric", "equality"),
    "memory-order/counter-of-the-system": ("atomicAdd(counter, by);", "*counter += by;", "numeric", "equality"),
    "cache-hints/policy-for-a-table": ("return *at;", "return 0.0f;", "cheating", "emptied"),
    "mbarriers/count-of-arrivals": ("31 - t % 32", "t % 32", "numeric", "equality"),
    "pipelines/primitives-of-the-pipeline": ("    __syncthreads();\n", "    __pipeline_wait_prior(0);\n", "forbidden", "construct"),
    "libcudacxx/reference-to-an-atomic": ("atomicAdd(&counts[x[i] % 16u], x[i] & 7u)", "counts[x[i] % 16u] += x[i] & 7u", "numeric", "equality"),
    "clusters/proxy-fence": ("__threadfence_block();", 'if (false) asm volatile("fence.proxy.async;");', "forbidden", "forbidden"),
    "device-types/least-of-signed-longs": ("now < v ? now : v", "wanted_of(now, v)", "forbidden", "names"),
    "video/greater-of-halves": ("    const int high", '    asm("");\n    const int high', "forbidden", "forbidden"),
    "device-launches/a-grid-for-each-row": ("for (int i = 0; i < length; ++i) x[row * stride + i] *= by;", "scale_row<<<2, 8>>>(x + row * stride, length, by);", "forbidden", "construct"),
    "warp-width/parts-by-warp-size": ("threadIdx.x % 32;", "threadIdx.x % warpSize;", "forbidden", "construct"),
}  # fmt: skip


def test_a_construct_of_each_kind_is_refused_wrong_and_accepted_right(tmp_path, monkeypatch):
    chosen = [CASES[name] for name in WRONG]
    assert {case.kind for case in chosen} == {case.kind for case in CASES.values() if not case.settled_by_rules}
    options = Options(archs=("mp_22",))
    found, _ = posed(chosen, tmp_path / "posed", options)
    answers = {}
    for one in found:
        right = b"\n\n".join(functions_of(one.case.answer, one.unit)).decode()
        old, new, _, _ = WRONG[f"{one.case.kind}/{one.case.name}"]
        assert right.count(old) == 1, one.case.path
        answers[f"`{one.unit.names}`"] = (right.replace(old, new), right)

    def script(request):
        (wrong, right) = next(pair for names, pair in answers.items() if names in request.messages[1].content)
        return fenced(wrong if len(request.messages) == 2 else right)

    provider = Scripted(script)
    monkeypatch.setattr("musify_ai.rewrite.opening.provider_of", lambda spec, seconds=0: provider)
    kept = tuple(gate for gate in GATES if not gate.runs or gate.name == "equality")
    monkeypatch.setattr("musify_ai.rewrite.gates.sequence.GATES", kept)
    src, out = tmp_path / "src", tmp_path / "out"
    options = options._replace(verify=False, inputs=str(laid_out(chosen, src)), seeds=2)
    outcome = migrate(src, out, options, asked=Asked("scripted", tmp_path / "s.sqlite", policy=Policy(1, 0)))
    tried = {rewrite.path: rewrite for rewrite in outcome.run.rewrites}
    for one in found:
        name = f"{one.case.kind}/{one.case.name}"
        first, second = tried[one.case.path].attempts
        assert (first.outcome, first.detail.split(":")[0]) == WRONG[name][2:], (name, first)
        assert second.outcome == "accepted", (name, second)
        assert (out / one.case.path).read_bytes() == one.case.answer, name
    for file in (each for each in outcome.run.files if each.path.endswith(".cu")):
        assert {f.code for f in file.findings if f.severity != "note"} == set(), file.path
        assert any(edit.evidence == "llm" and edit.applied for edit in file.edits), file.path
    assert len(provider.asked) == 2 * len(WRONG)
