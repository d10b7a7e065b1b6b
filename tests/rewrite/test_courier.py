"""The process that carries requests: budgets, failures, its end."""

import io
import os
import signal
from contextlib import suppress

import pytest

pytest.importorskip("openai", reason="the openai package is not installed (musify-ai[llm])")

from musify_ai.rewrite.budget import Limits
from musify_ai.rewrite.opening import Asked, opened
from musify_ai.rewrite.providers.protocol import Answer, Message, NoAnswer, Request
from tests.rewrite.loopback import answers, serving, status


def asked(text):
    return Request((Message("user", text),))


def test_answers_come_back_are_kept_and_counted(tmp_path):
    with serving(answers("one"), status(400, message="no")) as server:
        at = Asked(f"openai:{server.url}#coder", tmp_path / "store.sqlite", Limits(calls=1))
        with opened(at, "r") as somebody:
            first = somebody.ask(asked("a"))
            assert isinstance(first, Answer) and first.text == "one"
            assert somebody.ask(asked("a")) == first and somebody.budget.calls == 1
            refused = somebody.ask(asked("b"))
            assert isinstance(refused, NoAnswer) and refused.kind == "budget"
            assert somebody.store.spent("r").calls == 1
        with opened(at._replace(limits=Limits())) as somebody:
            refused = somebody.ask(asked("b"))
            assert isinstance(refused, NoAnswer) and refused.kind == "refused" and "400" in refused.detail
            assert somebody.ask(asked("a")) == first
    assert len(server.asked) == 2


def test_a_courier_that_dies_leaves_a_request_unanswered_and_no_one_waiting(tmp_path):
    with serving() as server:
        at = Asked(f"openai:{server.url}#coder", tmp_path / "store.sqlite")
        with opened(at) as somebody:

            def die(handler, body):
                os.kill(somebody._process.pid, signal.SIGKILL)
                handler.close_connection = True

            server.script.append(die)
            outcome = somebody.ask(asked("a"))
            assert isinstance(outcome, NoAnswer) and outcome.kind == "connection" and "gone" in outcome.detail
            assert isinstance(somebody.ask(asked("b")), NoAnswer)
            # A killed process's pipes close one after the other: one that still takes lines is read by no one.
            with suppress(OSError):
                somebody._process.stdin.close()
            somebody._process.stdin = io.StringIO()
            assert isinstance(somebody.ask(asked("c")), NoAnswer)
        with opened(at) as somebody:
            assert isinstance(somebody.ask(asked("a")), Answer)
