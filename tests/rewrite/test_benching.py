"""``llm bench``: right answers settle everything, echoes nothing, a killed run asks nothing twice, figures add up."""

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

from musify_ai.backends import sandbox
from musify_ai.cli.main import cli
from musify_ai.project import benching
from musify_ai.project.benching import Wanted, bench, chosen
from musify_ai.project.refusals import Refused
from musify_ai.records import Options
from musify_ai.rewrite.corpus import CaseInvalid, read
from musify_ai.rewrite.gates.protocol import Gate, Passed
from musify_ai.rewrite.gates.protocol import Refused as No
from musify_ai.rewrite.gates.sequence import GATES
from musify_ai.rewrite.loop import Policy
from musify_ai.rewrite.opening import Asked
from musify_ai.rewrite.providers.protocol import Answer, NoAnswer, Usage
from musify_ai.rewrite.providers.scripted import Scripted
from musify_ai.rewrite.scoring import Row, Turned, by_kind, failures, share_of, table, to_json
from tests.rewrite.loopback import answers, serving
from tests.rewrite.projects import HEAD, RIGHT, SOURCE, WRONG, fenced

pytestmark = pytest.mark.skipif(
    bool(sandbox.missing()), reason=f"code from a model is not run here: {sandbox.missing()}"
)

TWICE = Policy(1, 1)
READING = tuple(gate for gate in GATES if not gate.runs)
POPC = """#include <cuda_runtime.h>
__device__ unsigned one_of(unsigned a, unsigned b) {
    unsigned d;
    asm("thing.b32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    return d;
}
__global__ void each(const unsigned* x, unsigned* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = one_of(x[i], 3);
}
void run(const unsigned* x, unsigned* y, int n) { each<<<(n + 63) / 64, 64>>>(x, y, n); }
"""
PLAIN = """#include <cuda_runtime.h>
__global__ void twice(float* y, int n) { if (threadIdx.x < n) y[threadIdx.x] *= 2.0f; }
void run(float* y, int n) { twice<<<1, 64>>>(y, n); }
"""


def case(root, kind, name, source, answer, code, kernel):
    folder = root / kind / name
    folder.mkdir(parents=True)
    (folder / "original.cu").write_text(source)
    (folder / "answer.mu").write_text(answer)
    (folder / "case.toml").write_text(
        f'kind = "{kind}"\ncode = "{code}"\nkernel = "{kernel}"\nwhy = "to be tried"\n'
        f"settled_by_rules = {str(source == PLAIN).lower()}\nslower_by_design = false\n"
    )


@pytest.fixture
def corpus(tmp_path):
    root = tmp_path / "corpus"
    body = SOURCE[SOURCE.index(HEAD) : SOURCE.index("\n\n__global__")]
    case(root, "async-copies", "one", SOURCE, SOURCE.replace("cuda", "musa").replace(body, RIGHT), "MUS405", "twice")
    right = POPC.replace("cuda", "musa").replace(
        'asm("thing.b32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));', "d = a | b;"
    )
    case(root, "ptx", "first", POPC, right, "MUS402", "each")
    case(root, "ptx", "plain", PLAIN, PLAIN.replace("cuda", "musa"), "MUS402", "twice")
    case(root, "ptx", "second", POPC.replace("thing", "other"), right, "MUS402", "each")
    return root


@pytest.fixture
def answered(monkeypatch):
    def answer(script, identity="scripted"):
        provider = Scripted(script, identity)
        monkeypatch.setattr("musify_ai.rewrite.opening.provider_of", lambda spec, seconds=0: provider)
        return provider

    return answer


def ran(corpus, out, spec="scripted", gates=READING, policy=TWICE, **more):
    return bench(Wanted(corpus, Asked(spec, policy=policy), out, **more), Options(archs=("mp_31",)), gates)


def test_right_answers_settle_everything_and_echoes_nothing(corpus, tmp_path):
    right = ran(corpus, tmp_path / "right", "answers")
    assert [(row.name, row.came, row.won) for row in right.rows] == [
        ("one", "accepted", "greedy"), ("first", "accepted", "greedy"), ("plain", "settled", ""),
        ("second", "accepted", "greedy"),
    ]  # fmt: skip
    echo = ran(corpus, tmp_path / "echo", "echo")
    assert [row.came for row in echo.rows] == ["refused", "refused", "settled", "refused"]
    assert {turn.outcome for row in echo.rows for turn in row.turns} == {"forbidden"}
    total = share_of(right.rows)
    assert (total.of, total.judged, total.first, total.sampled) == (4, 3, 3, 3) and share_of(echo.rows).sampled == 0


def test_the_command_counts_and_keeps_its_figures(corpus, tmp_path, monkeypatch, answered):
    def differs(candidate):
        return No("numeric", "y differs") if b"0.0f" in candidate.code else Passed()

    monkeypatch.setattr("musify_ai.rewrite.gates.sequence.GATES", (*READING, Gate("equality", differs, runs=True)))
    answered([fenced(WRONG), fenced(RIGHT)])
    told = ["llm", "bench", "--corpus", str(corpus), "--kinds", "async-copies", "--out", str(tmp_path / "out")]
    told += ["--llm", "scripted", "--arch", "mp_31", "--llm-samples", "0", "--jobs", "1"]
    done = CliRunner().invoke(cli, told)
    assert done.exit_code == 0, done.output
    value = json.loads((tmp_path / "out" / "bench.json").read_text())
    assert value["by_kind"]["async-copies"]["pass_at_1"] == 0 and value["total"]["pass_after_repair"] == 1
    assert value["failures"] == {"numeric at equality": 1}
    assert "1/1 100 %" in done.output and done.output == (tmp_path / "out" / "bench.txt").read_text()
    again = CliRunner().invoke(cli, [*told, "--format", "json"])  # the script is at its end: nobody is asked
    assert again.exit_code == 0 and json.loads(again.output) == value


def test_a_run_that_was_ended_goes_on_and_asks_nothing_twice(corpus, tmp_path, answered):
    class Killed(BaseException):
        pass

    def script(request):
        if "other.b32" in request.messages[1].content and not back:
            raise Killed
        return fenced("nothing") if len(request.messages) == 2 else "sorry"

    back = []
    provider = answered(script)
    with pytest.raises(Killed):
        ran(corpus, tmp_path / "out", at_once=1)
    asked = len(provider.asked)
    journal = tmp_path / "out" / "journal.jsonl"
    assert asked > 4
    with journal.open("a") as file:
        file.write('{"key": "cut')  # as a kill leaves it
    back.append(True)
    done = ran(corpus, tmp_path / "out", at_once=1)
    keys = [request.key("scripted") for request in provider.asked]
    assert keys.count(keys[asked - 1]) == 2 and len(keys) == len(set(keys)) + 1  # the one that was never answered
    assert done.taken == 2 and [row.came for row in done.rows] == ["refused", "refused", "settled", "refused"]
    assert all(turn.seconds is not None for row in done.rows for turn in row.turns)
    last = ran(corpus, tmp_path / "out")
    assert last.calls == 0 and last.taken == 3 and last.rows == done.rows and len(provider.asked) == len(keys)


def test_what_is_kept_holds_for_what_it_follows_from_only(corpus, tmp_path, answered, monkeypatch):
    answered(lambda request: "sorry")
    out = tmp_path / "out"
    ran(corpus, out)
    assert ran(corpus, out).taken == 3
    assert ran(corpus, out, policy=Policy(0, 0)).taken == 0
    case(corpus, "ptx", "third", POPC.replace("3)", "4)"), "", "MUS402", "each")
    assert ran(corpus, out).taken == 3
    (corpus / "ptx" / "first" / "original.cu").write_text(POPC.replace("a, unsigned b", "a, unsigned  b"))
    assert ran(corpus, out).taken == 3  # `third` is kept meanwhile, `first` is another
    monkeypatch.setattr(benching, "_stage_digest", lambda: "gates of tomorrow")
    assert ran(corpus, out).taken == 0
    answered(lambda request: "sorry", "another")
    assert ran(corpus, out).taken == 0


def test_no_answer_and_no_judgement_are_not_held_against_a_model_and_not_kept(corpus, tmp_path, answered):
    answered(lambda request: NoAnswer("server", "down"))
    first = ran(corpus, tmp_path / "out")
    assert [row.came for row in first.rows] == ["unjudged", "unjudged", "settled", "unjudged"]
    assert share_of(first.rows).judged == 0 and "3 not judged" in table(first.rows, repairs=1, samples=1)
    answered(lambda request: Answer("sorry", "stop", Usage(1, 1), "m"))
    again = ran(corpus, tmp_path / "out")
    assert again.taken == 0 and [row.came for row in again.rows].count("refused") == 3


def test_the_best_turn_is_the_one_that_counts():
    def turned(turn, outcome, request="r", gate=""):
        return Turned(turn, outcome, gate, "", request, 100, 10, 2.0)

    rows = [
        Row("a", "1", "M", "accepted", (turned("greedy", "accepted", "1"),)),
        Row("a", "2", "M", "accepted", (turned("greedy", "numeric", "2", "equality"),
                                        turned("repair", "accepted", "3"))),
        Row("b", "3", "M", "accepted", (turned("greedy", "extract", "4"), turned("repair", "extract", "4"),
                                        turned("sample", "extract", "5"), turned("sample", "accepted", "6"))),
        Row("b", "4", "M", "refused", (turned("greedy", "compile", "7", "typed"),)),
        Row("b", "5", "M", "settled"), Row("b", "6", "M", "no-unit", (), "in a macro"),
    ]  # fmt: skip
    total = share_of(rows)
    assert (total.of, total.judged, total.first, total.repaired, total.sampled) == (6, 4, 1, 2, 3)
    assert (total.calls, total.tokens_in, total.seconds) == (7, 700, 14.0)  # a repeated request is no second call
    assert by_kind(rows)["b"].first == 0 and by_kind(rows)["a"].repaired == 2
    assert failures(rows) == {"extract": 3, "compile at typed": 1, "numeric at equality": 1}
    value = to_json(rows, model="m")
    assert value["total"]["pass_at_1"] == 0.25 and value["by_kind"]["b"]["pass_at_k"] == 0.5
    json.dumps(value)
    text = table(rows, repairs=1, samples=2)
    assert "at 4" in text and "3/4 75 %" in text and "1 settled by rules, 1 nothing to ask" in text
    assert "100 %" not in table(rows, repairs=0, samples=0)


def test_constructs_are_taken_from_the_kinds_in_turn(corpus, tmp_path):
    cases = read(corpus)
    assert [each.name for each in chosen(cases, (), 3)] == ["one", "first", "plain"]
    assert [each.name for each in chosen(cases, ("ptx",), 0)] == ["first", "plain", "second"]
    with pytest.raises(CaseInvalid, match="no constructs of the kind none; there are async-copies, ptx"):
        chosen(cases, ("none",), 0)
    with pytest.raises(Refused, match="no constructs"):
        ran(tmp_path, tmp_path / "out", "echo")
    with pytest.raises(Refused, match="redact"):
        ran(corpus, tmp_path / "out", "answers", policy=Policy(redact=True))


def test_without_a_sandbox_there_are_no_figures(corpus, tmp_path, monkeypatch):
    monkeypatch.setenv(sandbox.SWITCH, "off")
    with pytest.raises(Refused, match="no sandbox here"):
        ran(corpus, tmp_path / "out", "answers", gates=(Gate("none", lambda candidate: Passed()),))


def test_a_provider_that_likes_batches_is_asked_in_batches(corpus, tmp_path, answered):
    provider = answered(lambda request: "sorry")
    provider.batch = 2
    sizes = []
    complete = provider.complete
    provider.complete = lambda requests: [sizes.append(len(requests)), complete(requests)][1]
    ran(corpus, tmp_path / "out", policy=Policy(0, 0), gates=(Gate("no", lambda candidate: No("forbidden", "no")),))
    assert sizes == [2, 1]


def test_our_own_constructs_echoed_settle_nothing(tmp_path):
    root = Path(__file__).parents[2] / "corpus" / "llm"
    wanted = Wanted(root, Asked("echo", policy=Policy(0, 0)), tmp_path / "out")
    rows = bench(wanted, Options(), READING).rows
    assert [(row.kind, row.name) for row in rows] == [(case.kind, case.name) for case in read(root)]
    assert [row.came for row in rows] == ["settled" if case.settled_by_rules else "refused" for case in read(root)]


def test_a_run_that_is_killed_with_a_call_on_its_way_pays_for_it_once(corpus, tmp_path):
    pytest.importorskip("openai", reason="the openai package is not installed (musify-ai[llm])")
    begun, killed = threading.Event(), threading.Event()

    def slow(handler, body):
        begun.set()
        killed.wait(300)
        answers("sorry")(handler, body)

    with serving(answers("sorry"), slow, default=answers("sorry")) as server:
        told = ["llm", "bench", "--corpus", str(corpus), "--out", str(tmp_path / "out"), "--llm-repairs", "0"]
        told += ["--llm", f"openai:{server.url}#coder", "--llm-samples", "0", "--at-once", "1"]
        with subprocess.Popen([sys.executable, "-m", "musify_ai", *told], stdout=subprocess.DEVNULL) as first:
            assert begun.wait(300)
            first.kill()
        killed.set()
        done = CliRunner().invoke(cli, told)
        assert done.exit_code == 0 and "1 unit there already" in done.output, done.output
        assert len(server.asked) == 3  # one of each construct: the second was on its way when the run was killed
    value = json.loads((tmp_path / "out" / "bench.json").read_text())
    assert value["total"]["calls"] == 3 and value["total"]["timed"] >= 2
