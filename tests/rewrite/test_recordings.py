"""Recorded answers: written, read back, replayed, and missed."""

import json

import pytest

from musify_ai.rewrite.providers.none import Nobody
from musify_ai.rewrite.providers.protocol import Answer, Message, NoAnswer, Request, Sampling, Usage
from musify_ai.rewrite.providers.recordings import Recording, RecordingInvalid, read_all, write
from musify_ai.rewrite.providers.replay import MissedRecording, Replay
from musify_ai.rewrite.providers.scripted import Scripted

ASKED = Request((Message("system", "rules"), Message("user", "naïve: \r\n“x” \x00")), Sampling(0.7, 0.9, 64, 5))
SAID = Answer("code\r\n\x1b[0m", "stop", Usage(1, 2), "coder-v2")


def test_what_was_recorded_is_replayed_whole(tmp_path):
    place = write(tmp_path / "new", Recording("openai:coder", ASKED, SAID))
    assert b"\r" not in place.read_bytes()
    provider = Replay(tmp_path / "new")
    assert provider.identity == "openai:coder" and len(provider) == 1
    assert provider.complete([ASKED, ASKED]) == [SAID, SAID]
    write(tmp_path / "new", Recording("openai:coder", ASKED, SAID._replace(text="other")))
    assert [each.answer.text for each in read_all(tmp_path / "new")] == ["other"]


def test_a_miss_leaves_the_request_unanswered_and_is_an_error_where_that_is_wanted(tmp_path):
    write(tmp_path, Recording("m", ASKED, SAID))
    other = ASKED._replace(messages=ASKED.messages[1:])
    (outcome,) = Replay(tmp_path).complete([other])
    assert isinstance(outcome, NoAnswer) and outcome.kind == "missing" and str(tmp_path) in outcome.detail
    with pytest.raises(MissedRecording, match="llm record"):
        Replay(tmp_path, strict=True).complete([other])
    (outcome,) = Replay(tmp_path / "nowhere").complete([ASKED])
    assert isinstance(outcome, NoAnswer)


def test_an_edited_or_foreign_file_is_named(tmp_path):
    place = write(tmp_path, Recording("m", ASKED, SAID))
    value = json.loads(place.read_text())
    value["request"]["messages"][0]["content"] = "other rules"
    place.write_text(json.dumps(value))
    with pytest.raises(RecordingInvalid, match=f"{place.name}.*another request"):
        Replay(tmp_path)
    for text in ("{}", "[1]", "no json", '{"identity": 1, "request": {"messages": 3, "sampling": {}}, "answer": {}}'):
        place.write_text(text)
        with pytest.raises(RecordingInvalid, match=place.name):
            Replay(tmp_path)


def test_recordings_of_two_models_do_not_share_a_folder(tmp_path):
    write(tmp_path, Recording("first", ASKED, SAID))
    write(tmp_path, Recording("second", ASKED, SAID))
    with pytest.raises(RecordingInvalid, match=r"first, second"):
        Replay(tmp_path)


def test_a_script_is_followed_and_its_end_noticed():
    provider = Scripted(["one", NoAnswer("server", "down")])
    assert [type(each) for each in provider.complete([ASKED, ASKED])] == [Answer, NoAnswer]
    assert provider.asked == [ASKED, ASKED]
    with pytest.raises(AssertionError, match="request 3"):
        provider.complete([ASKED])
    (said,) = Scripted(lambda request: request.messages[-1].content.upper()).complete([ASKED])
    assert isinstance(said, Answer) and said.text.startswith("NA")


def test_nobody_answers_nothing():
    (outcome,) = Nobody().complete([ASKED])
    assert isinstance(outcome, NoAnswer) and outcome.kind == "missing"
