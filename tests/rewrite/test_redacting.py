"""``--redact``: nothing of the project's own naming is sent, and an answer fits all the same."""

from musify_ai.rewrite.answering import Answering
from musify_ai.rewrite.gates.protocol import Gate, Passed, Refused
from musify_ai.rewrite.loop import Judge, Policy, rewrite
from musify_ai.rewrite.prompting import user_text
from musify_ai.rewrite.providers.scripted import Scripted
from musify_ai.rewrite.redacting import redacted
from musify_ai.rewrite.store import Store
from tests.rewrite.projects import RIGHT, fenced, project

SECRET = """#include <cuda_runtime.h>
#define ACME_SCALE 2
struct AcmeTile { int acme_width; };
__device__ void acme_fetch(float* secret_to, const float* from, AcmeTile tile) {
    // acme: do not tell
    printf("acme %d", tile.acme_width * ACME_SCALE);
    unsigned acme_at = static_cast<unsigned>(__cvta_generic_to_shared(secret_to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(acme_at), "l"(from));
    asm volatile("cp.async.wait_all;" ::);
}
__global__ void acme_kernel(const float* x, float* y, AcmeTile t) {
    __shared__ float acme_stage[64];
    acme_fetch(&acme_stage[threadIdx.x], x + threadIdx.x, t);
    __syncthreads();
    y[threadIdx.x] = acme_stage[threadIdx.x];
}
void run(const float* x, float* acme_out, AcmeTile t) { acme_kernel<<<1, 64>>>(x, acme_out, t); }
"""
OWN = ("acme", "Acme", "ACME", "secret", "Tile")


def test_no_name_of_the_projects_is_sent_and_every_instruction_is(tmp_path):
    found, _ = project(tmp_path, {"acme.cu": SECRET})
    (unit,) = found.units
    text = user_text(redacted(unit).unit)
    assert not [word for word in OWN if word in text], text
    for told in (
        "cp.async.ca.shared.global [%0], [%1], 4;",
        "struct ",
        "int ",
        "printf",
        "<<<1, 64>>>",
        "__cvta_generic",
    ):
        assert told in text
    assert any(word in user_text(unit) for word in OWN)


def test_an_answer_in_slots_comes_back_in_names_and_repairs_are_told_in_slots(tmp_path):
    found, site = project(tmp_path / "p")
    unit = found.units[0]
    hidden = redacted(unit)
    head = hidden.unit.head.decode().strip()
    to, source = hidden.shown[hidden.names.index("to")], hidden.shown[hidden.names.index("from")]
    wrong = fenced(f"{head} {{\n    *{to} = *{source} + bad;\n}}")
    right = fenced(f"{head} {{\n    *{to} = *{source};\n}}")

    def check(candidate):
        if b"bad" in candidate.code:
            return Refused("numeric", f"{unit.path}: to differs from fetch", "twice: from is wrong")
        return Passed() if RIGHT.encode() in candidate.code else Refused("numeric", repr(candidate.code))

    provider = Scripted([wrong, right])
    with Store(tmp_path / "s.sqlite") as store:
        ask = Answering(store, provider).ask
        done = rewrite(unit, site, ask, "scripted", Judge((Gate("g", check),)), Policy(redact=True))
    assert done.code is not None, done.tries
    said = provider.asked[1].messages[-1].content
    assert "a.cu" not in said and "fetch" not in said and f"the file: {to} differs" in said


def test_what_a_report_says_of_more_than_was_shown_is_hidden_too(tmp_path):
    files = {
        "acme_dir/acme.cu": SECRET.replace("float* y,", "float* acme_result,").replace("y[thr", "acme_result[thr"),
        "acme_dir/acme_other.cuh": "#pragma once\nstruct AcmeUnused { int acme_inside; };\n",
    }
    found, site = project(tmp_path / "acme_project", files)
    (unit,) = found.units
    report = (
        "mp_31 (32 lanes a warp): acme_result differs: element 0 is 0.5 in the original and 1 in the translation\n"
        f"{tmp_path}/acme_project/acme_dir/acme.cu:5: no member named 'q' in 'AcmeTile'\nacme_other.cuh:2: AcmeTile\n"
        "acme_kernel: __shfl_xor_sync and fmaf stay"
    )
    said = redacted(unit).told(report, site)
    assert not [word for word in OWN if word in said], said
    for kept in ("element 0 is 0.5 in the original and 1 in the translation", "__shfl_xor_sync and fmaf stay", ":5: "):
        assert kept in said
    asked = []

    def script(request):
        asked.append(request.messages[-1].content)
        return "sorry"

    judge = Judge((Gate("g", lambda candidate: Refused("numeric", report, report)),))
    with Store(tmp_path / "s.sqlite") as store:
        shown = redacted(unit).unit
        answer = fenced(shown.region.decode())
        ask = Answering(store, Scripted(lambda request: script(request) and answer)).ask
        rewrite(unit, site, ask, "scripted", judge, Policy(2, 1, redact=True))
    assert len(asked) >= 2 and "element 0 is 0.5" in asked[1]
    assert not [word for text in asked for word in OWN if word in text]


def test_short_strings_come_back(tmp_path):
    found, site = project(tmp_path / "p", {"acme.cu": SECRET})
    unit = found.units[0]
    hidden = redacted(unit)
    lines = [line for line in hidden.unit.region.decode().split("\n") if "asm" not in line]
    provider = Scripted([fenced("\n".join(lines))])
    with Store(tmp_path / "s.sqlite") as store:
        ask = Answering(store, provider).ask
        done = rewrite(unit, site, ask, "scripted", Judge(()), Policy(0, 0, redact=True))
    assert b'    // acme: do not tell\n    printf("acme %d", tile.acme_width * ACME_SCALE);\n' in done.code
