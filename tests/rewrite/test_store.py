"""The store: one call for equal requests whoever asks, claims that end with their owner, budgets that hold."""

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from musify_ai.rewrite.answering import Answering
from musify_ai.rewrite.budget import Budget, Limits, Prices, estimated
from musify_ai.rewrite.providers.protocol import Answer, Message, NoAnswer, Request, Sampling, Usage
from musify_ai.rewrite.providers.scripted import Scripted
from musify_ai.rewrite.store import Kept, Spent, Store, StoreInvalid
from tests.rewrite.clocks import Clock


def asked(text="rewrite", **sampling):
    return Request((Message("user", text),), Sampling(**sampling))


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "deep" / "store.sqlite") as store:
        yield store


def test_an_answer_is_kept_with_its_request_and_found_by_another_process(store):
    provider = Scripted(["first"])
    answering = Answering(store, provider, run="r")
    assert answering.ask(asked()).text == answering.ask(asked()).text == "first"
    with Store(store.path) as other:
        (recording,) = other.recordings()
        assert (recording.identity, recording.request, recording.answer.text) == ("scripted", asked(), "first")
        assert other.answer(asked().key("scripted")).text == "first"
        assert other.answer(asked().key("another")) is None
        assert other.spent("r") == Spent(1, 1, 1) and other.spent("q") == Spent()


def test_equal_requests_of_many_threads_cost_one_call(store):
    started = threading.Event()
    provider = Scripted(lambda request: (started.wait(5), request.messages[0].content)[1])
    answering = Answering(store, provider)
    with ThreadPoolExecutor(16) as pool:
        waiting = [pool.submit(answering.ask, asked(str(i % 4))) for i in range(64)]
        started.set()
        assert [each.result().text for each in waiting] == [str(i % 4) for i in range(64)]
    assert len(provider.asked) == 4


def test_requests_go_out_in_batches_of_the_providers_liking(store):
    sizes = []

    class Batches(Scripted):
        batch = 3

        def complete(self, requests):
            sizes.append(len(requests))
            return super().complete(requests)

    provider = Batches(lambda request: request.messages[0].content)
    answering = Answering(store, provider)
    answering.ask(asked("2"))
    outcomes = answering.ask_all([asked(str(i % 7)) for i in range(14)])
    assert [each.text for each in outcomes] == [str(i % 7) for i in range(14)]
    assert sizes == [1, 3, 3]


def test_what_comes_to_nothing_is_not_kept_and_asked_again(store):
    provider = Scripted([NoAnswer("server", "down"), "up"])
    answering = Answering(store, provider)
    assert answering.ask(asked()) == NoAnswer("server", "down")
    assert answering.ask(asked()).text == "up"


def test_a_provider_that_raises_lets_go_of_its_claims(store):
    def broken(request):
        raise RuntimeError("a fault")

    budget = Budget(Limits(calls=1))
    answering = Answering(store, Scripted(broken), budget)
    with pytest.raises(RuntimeError):
        answering.ask(asked())
    assert budget.calls == 0 and budget.tokens == 0
    assert Answering(store, Scripted(["again"]), budget).ask(asked()).text == "again"


def test_a_claim_holds_against_all_others_until_it_is_let_go_of(store):
    assert store.claim("work") and not store.claim("work")
    with Store(store.path) as other:
        assert not other.claim("work")
        other.release("work")  # not its own
        assert not other.claim("work")
        store.release("work")
        assert other.claim("work") and not store.claim("work")
    assert store.claim("work")  # closed, so let go of


def test_a_killed_processes_claim_is_taken_over(store):
    program = (
        "import sys, time; from pathlib import Path; from musify_ai.rewrite.store import Store\n"
        "store = Store(Path(sys.argv[1])); print(store.claim('work'), flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", program, store.path], stdout=subprocess.PIPE, text=True)
    with process:
        assert process.stdout.readline() == "True\n"
        assert not store.claim("work")
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert store.claim("work")
    assert [each.name for each in store.path.with_name("store.sqlite-owners").iterdir()] == [store._owned().name]


def test_waiting_for_another_process_ends_with_its_answer(store, tmp_path):
    request = asked()
    other = Store(store.path)
    assert other.claim(f"request:{request.key('scripted')}")
    naps = []

    def nap(seconds):
        naps.append(seconds)
        if len(naps) == 3:
            other.keep_answer("scripted", request, Answer("theirs", "stop", Usage(), "scripted"))

    with Store(store.path, sleep=nap) as waiting:
        assert Answering(waiting, Scripted([])).ask(request).text == "theirs"
    assert len(naps) == 3
    other.close()


def test_rewrites_are_kept_by_construct_and_refusals_by_policy_too(store):
    store.keep_rewrite(Kept("k", "model-a", False, {"why": "numeric"}))
    assert store.accepted("k") is None and store.refused("k", "model-b") is None
    assert store.refused("k", "model-a").record == {"why": "numeric"}
    store.keep_rewrite(Kept("k", "model-b", True, {"code": "x"}))
    assert store.accepted("k").record == {"code": "x"}
    store.keep_rewrite(Kept("k", "model-a", False, {"why": "compile"}))
    assert [each.record for each in store.rewrites()] == [{"why": "compile"}, {"code": "x"}]


def test_what_is_no_store_is_said_to_be_none(tmp_path):
    place = tmp_path / "file"
    place.write_bytes(b"not a database at all, but long enough to be looked at" * 40)
    with pytest.raises(StoreInvalid, match="not a store"):
        Store(place)
    with Store(tmp_path / "newer") as store, store._writing() as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreInvalid, match="version 99"):
        Store(tmp_path / "newer")


def said(tokens_in, tokens_out):
    return Answer("x", "stop", Usage(tokens_in, tokens_out), "scripted")


def test_a_limit_of_calls_is_kept_and_hits_are_free(store):
    provider = Scripted(lambda request: said(1, 1))
    answering = Answering(store, provider, Budget(Limits(calls=3)))
    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(lambda i: answering.ask(asked(str(i))), range(20)))
    assert len(provider.asked) == 3
    left_out = [each for each in outcomes if isinstance(each, NoAnswer)]
    assert len(left_out) == 17 and {each.kind for each in left_out} == {"budget"} and "3 calls" in left_out[0].detail
    assert isinstance(answering.ask(provider.asked[0]), Answer)


def test_tokens_and_money_are_set_aside_before_and_settled_after(store):
    request = asked("x" * 300, max_tokens=100)
    aside = estimated(request)
    assert aside.tokens_in >= 100 and aside.tokens_out == 100
    budget = Budget(Limits(tokens=sum(aside)))
    answering = Answering(store, Scripted(lambda r: said(50, 10)), budget)
    assert isinstance(answering.ask(request), Answer)
    assert budget.tokens == 60
    outcome = answering.ask(asked("y" * 300, max_tokens=100))
    assert outcome.kind == "budget" and f"{sum(aside) - 60} of {sum(aside)} tokens" in outcome.detail
    paid = Budget(Limits(money=0.001), Prices(1.0, 10.0))
    answering = Answering(store, Scripted(lambda r: said(100, 50)), paid)
    assert isinstance(answering.ask(asked("a", max_tokens=90)), Answer)
    assert paid.money == pytest.approx(0.0006)
    assert answering.ask(asked("b", max_tokens=90)).kind == "budget"
    assert isinstance(answering.ask(asked("c", max_tokens=20)), Answer)


def test_time_runs_out():
    clock = Clock()
    budget = Budget(Limits(seconds=10), clock=clock)
    clock.now += 9
    assert budget.take(asked()) == ""
    clock.now += 1
    assert "10 s" in budget.take(asked())


def test_a_failed_call_costs_nothing(store):
    budget = Budget(Limits(calls=1))
    answering = Answering(store, Scripted([NoAnswer("connection", "refused"), "x"]), budget)
    answering.ask(asked())
    assert budget.calls == 0 and isinstance(answering.ask(asked()), Answer) and budget.calls == 1
