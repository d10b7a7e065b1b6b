"""A run that is killed with calls on their way, and taken up again: no call twice, nothing lost."""

import pytest

pytest.importorskip("openai", reason="the openai package is not installed (musify-ai[llm])")

from benchmarks.llm_store import measure


def test_a_killed_run_costs_no_call_twice_and_loses_nothing(tmp_path):
    found = measure(60, 12, 0.2, tmp_path)
    assert found.calls == 12 and 6 <= found.calls_at_kill < 12
    assert found.right == 60
