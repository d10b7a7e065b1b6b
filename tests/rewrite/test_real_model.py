"""A real model on this machine. Not part of a usual run: it takes minutes and a file of a gigabyte.

MUSIFY_AI_TEST_MODEL=/path/to/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf pytest -m realmodel
"""

import hashlib
import os
import tomllib
from pathlib import Path

import pytest

from benchmarks.llm_record import FOLDER
from musify_ai.backends import sandbox
from musify_ai.project import migrate
from musify_ai.records import Options
from musify_ai.rewrite.loop import Policy
from musify_ai.rewrite.opening import Asked
from tests.rewrite.projects import SOURCE

pytestmark = pytest.mark.realmodel


@pytest.fixture(scope="module")
def model():
    place = os.environ.get("MUSIFY_AI_TEST_MODEL")
    if not place:
        pytest.skip("MUSIFY_AI_TEST_MODEL names no model; about.toml of the recordings says which file it is to be")
    with Path(place).open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    assert found == tomllib.loads((FOLDER / "about.toml").read_text("utf-8"))["sha256"], f"{place}: another file"
    return place


@pytest.mark.skipif(bool(sandbox.missing()), reason=f"code from a model is not run here: {sandbox.missing()}")
def test_what_it_writes_lands_only_through_every_gate(model, tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_text(SOURCE)
    asked = Asked(f"transformers:{model}", tmp_path / "s.sqlite", policy=Policy(1, 0, max_tokens=256))
    done = migrate(tmp_path / "src", tmp_path / "out", Options(archs=("mp_31",)), asked=asked)
    (rewrite,) = done.run.rewrites
    outcomes = [attempt.outcome for attempt in rewrite.attempts]
    assert outcomes and not {"infra", "budget"}.intersection(outcomes), rewrite
    assert all(attempt.tokens_out > 0 for attempt in rewrite.attempts)
    written = (tmp_path / "out" / "a.cu").read_text()
    if rewrite.accepted is None:
        assert written == SOURCE.replace("cuda", "musa") and "accepted" not in outcomes
    else:
        assert outcomes[-1] == "accepted" and "asm" not in written
        assert {verdict.headline for verdict in done.run.verdicts} == {"equal-emulated"}
