"""The provider for any compatible server, against one that rate-limits, fails, hangs, cuts off and mixes models up."""

import threading
from email.utils import formatdate

import pytest

pytest.importorskip("openai", reason="the openai package is not installed (musify-ai[llm])")

from musify_ai.rewrite.providers.openai import Openai, Server, read_answer, same_model
from musify_ai.rewrite.providers.protocol import Answer, Message, NoAnswer, Request, Sampling, Usage
from musify_ai.rewrite.providers.retrying import Patience
from tests.rewrite.clocks import Clock
from tests.rewrite.loopback import answers, completion, cut_off, serving, status

ASKED = Request((Message("system", "rules"), Message("user", "rewrite")), Sampling(0.7, 0.9, 64, 5))


class Asking:
    def __init__(self, server, seconds=30.0, **patience):
        self.clock = Clock()
        self.provider = Openai(Server(server.url, "coder", seconds), Patience(**patience), self.clock.timing())

    def __call__(self, request=ASKED):
        try:
            return self.provider.complete([request])[0]
        finally:
            self.provider.close()


def test_a_request_is_sent_as_it_is_and_its_answer_read(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "not-this-one")
    monkeypatch.setenv("MUSIFY_AI_API_KEY", "this-one")
    seen = {}

    def behave(handler, body):
        seen.update({name.lower(): value for name, value in handler.headers.items()})
        handler.send(200, completion("code"))

    with serving(behave) as server:
        outcome = Asking(server)()
    assert outcome == Answer("code", "stop", Usage(7, 3), "coder")
    (body,) = server.asked
    assert seen["authorization"] == "Bearer this-one"
    assert body["messages"] == [{"role": "system", "content": "rules"}, {"role": "user", "content": "rewrite"}]
    assert (body["model"], body["temperature"], body["top_p"], body["max_tokens"], body["seed"]) == (
        "coder", 0.7, 0.9, 64, 5,
    )  # fmt: skip


def test_a_rate_limit_is_waited_out_as_long_as_the_server_says():
    with serving(status(429, {"Retry-After": "17"}), status(429, {"retry-after": "2.5"})) as server:
        asking = Asking(server)
        assert isinstance(asking(), Answer)
    assert asking.clock.slept == [17, 2.5]
    assert len(server.asked) == 3


def test_a_date_to_retry_after_is_understood():
    from time import time

    with serving(status(429, {"Retry-After": formatdate(time() + 40, usegmt=True)})) as server:
        asking = Asking(server)
        assert isinstance(asking(), Answer)
    assert 30 < asking.clock.slept[0] <= 40


def test_a_wait_longer_than_there_is_patience_ends_the_tries():
    with serving(status(429, {"Retry-After": "3600"})) as server:
        asking = Asking(server)
        outcome = asking()
    assert isinstance(outcome, NoAnswer) and outcome.kind == "rate-limit" and "3600 s" in outcome.detail
    assert asking.clock.slept == [] and len(server.asked) == 1


def test_a_failing_server_is_tried_again_with_growing_waits():
    with serving(status(500), status(503), status(502)) as server:
        asking = Asking(server)
        assert isinstance(asking(), Answer)
    assert asking.clock.slept == [1, 2, 4]


def test_a_server_that_goes_on_failing_is_given_up_with_what_it_said():
    with serving(default=status(500, message="out of memory")) as server:
        outcome = Asking(server, attempts=3)()
    assert isinstance(outcome, NoAnswer) and outcome.kind == "server"
    assert "out of memory" in outcome.detail and "3 attempts" in outcome.detail
    assert len(server.asked) == 3


def test_a_refusal_is_final():
    for code in (400, 401, 403, 404, 422):
        with serving(status(code, message="unknown \x1b[31mmodel")) as server:
            asking = Asking(server)
            outcome = asking()
        assert isinstance(outcome, NoAnswer) and outcome.kind == "refused", code
        assert str(code) in outcome.detail and "\x1b" not in outcome.detail
        assert asking.clock.slept == [] and len(server.asked) == 1


def test_the_limits_other_name_is_used_where_the_server_wants_it():
    no = status(400, message="Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
    with serving(no) as server:
        assert isinstance(Asking(server)(), Answer)
    assert "max_tokens" in server.asked[0] and "max_completion_tokens" not in server.asked[0]
    assert server.asked[1]["max_completion_tokens"] == 64 and "max_tokens" not in server.asked[1]


def test_a_hanging_server_runs_into_the_time_limit():
    let_go = threading.Event()

    def hang(handler, body):
        let_go.wait(20)
        handler.close_connection = True

    with serving(hang, hang) as server:
        outcome = Asking(server, seconds=0.2, attempts=2)()
        let_go.set()
    assert isinstance(outcome, NoAnswer) and outcome.kind == "timeout"
    assert len(server.asked) == 2


def test_a_stream_that_drips_runs_into_the_limit_of_the_whole_answer():
    # Each byte comes in time; all together do not. The clock moves with each, so nobody waits.
    with serving() as server:
        asking = Asking(server, seconds=30, attempts=1)

        def drip(handler, body):
            text = completion("x" * 500)
            handler.send(200, text[:1], length=len(text))
            for at in range(1, len(text)):
                asking.clock.now += 1.0
                handler.wfile.write(text[at : at + 1])
                handler.wfile.flush()

        server.script.append(drip)
        outcome = asking()
    assert isinstance(outcome, NoAnswer) and outcome.kind == "timeout"


def test_an_answer_without_end_is_not_read_to_the_end(monkeypatch):
    monkeypatch.setattr("musify_ai.rewrite.providers.openai.MOST_BYTES", 10_000)
    with serving(answers("x" * 200_000)) as server:
        outcome = Asking(server)()
    assert isinstance(outcome, NoAnswer) and outcome.kind == "too-large"


def test_a_cut_off_answer_is_asked_for_again():
    with serving(cut_off, answers("whole")) as server:
        outcome = Asking(server)()
    assert isinstance(outcome, Answer) and outcome.text == "whole"
    with serving(default=cut_off) as server:
        outcome = Asking(server, attempts=2)()
    assert isinstance(outcome, NoAnswer) and outcome.kind == "cut-off"


def test_another_models_answer_is_not_taken():
    with serving(answers(model="other-7b")) as server:
        outcome = Asking(server)()
    assert isinstance(outcome, NoAnswer) and outcome.kind == "wrong-model" and "other-7b" in outcome.detail
    assert len(server.asked) == 1


def test_no_server_at_all_is_a_connection_that_fails():
    with serving() as server:
        url = server.url
    clock = Clock()
    provider = Openai(Server(url, "coder"), Patience(attempts=2), clock.timing())
    (outcome,) = provider.complete([ASKED])
    provider.close()
    assert isinstance(outcome, NoAnswer) and outcome.kind == "connection"
    assert len(clock.slept) == 1


def test_the_breaker_spares_a_server_that_is_down_and_tries_again_later():
    with serving(default=status(500)) as server:
        clock = Clock()
        provider = Openai(Server(server.url, "coder"), Patience(attempts=1), clock.timing())
        kinds = [provider.complete([ASKED])[0].kind for _ in range(9)]
        assert kinds == ["server"] * 5 + ["breaker"] * 4 and len(server.asked) == 5
        clock.now += 61
        assert [provider.complete([ASKED])[0].kind for _ in range(2)] == ["server", "breaker"]
        server.default = answers()
        clock.now += 61
        assert all(isinstance(provider.complete([ASKED])[0], Answer) for _ in range(3))
        provider.close()


def test_being_told_to_wait_does_not_open_the_breaker():
    with serving(*[status(429, {"Retry-After": "1"})] * 8) as server:
        assert isinstance(Asking(server, attempts=9)(), Answer)


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>", b"[]", b"{}", b'{"choices": []}', b'{"choices": [{"message": {}}]}',
     b'{"choices": [{"message": {"content": null}}]}', b'{"choices": 3}', b"\xff\xfe"],
)  # fmt: skip
def test_what_is_no_completion_is_malformed(body):
    outcome = read_answer(body, "coder")
    assert isinstance(outcome, NoAnswer) and outcome.kind == "malformed"


def test_an_answer_cut_at_the_limit_says_so():
    outcome = read_answer(completion("half", finish="length"), "coder")
    assert isinstance(outcome, Answer) and outcome.finish == "length"
    outcome = read_answer(completion("filtered", finish="content_filter"), "coder")
    assert isinstance(outcome, Answer) and outcome.finish == "other"


def test_servers_spell_a_models_name_in_their_own_way():
    assert same_model("qwen-coder-1.5b", "/models/Qwen-Coder-1.5B.gguf")
    assert same_model("org/coder", "coder") and same_model("coder", "coder:latest")
    assert same_model("big", "big-2026-01-01")
    assert not same_model("coder-1.5b", "coder-15b") and not same_model("big", "bigger")
    assert not same_model("big", "big-mini")
