"""A limit of time over all of a check."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from musify_ai.cli.choices import options_from
from musify_ai.records import Options
from musify_ai.verify import verify
from musify_ai.verify.budget import Budget

SOURCE = """
__global__ void one(int *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] += i; }
__global__ void two(int *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] -= i; }
"""


@pytest.mark.skipif(not (shutil.which("g++") or shutil.which("clang++")), reason="checking needs g++ or clang++")
def test_what_is_not_begun_in_time_is_unchecked_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def spent(budget: Budget) -> bool:
        asked.append(budget.seconds == 7)
        return len(asked) > 2  # once for the arch, once for the first kernel

    monkeypatch.setattr(Budget, "is_spent", property(spent))
    for side in ("cuda", "musa"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "a.cu").write_text(SOURCE)
    options = Options(archs=("mp_31",), seeds=2, jobs=1, time_budget=7)
    done = verify(tmp_path / "cuda", tmp_path / "musa", files={"a.cu": "a.cu"}, options=options)
    assert [(v.name, v.headline) for v in done.verdicts] == [("one", "equal-emulated"), ("two", "unchecked")]
    assert "time budget of 7 s" in (done.verdicts[1].reason or "")
    assert all(asked)


def test_a_budget_is_spent_by_the_clock_and_none_never_is(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    some, none = Budget.of(60), Budget.of(0)
    assert not some.is_spent
    now[0] = 160.0
    assert some.is_spent
    assert not none.is_spent


@pytest.mark.parametrize(
    ("text", "seconds"), [("90", 90), ("90s", 90), ("15m", 900), ("1h30m", 5400), ("2h", 7200), ("1m5", 65), ("0", 0)]
)
def test_how_a_time_is_written(tmp_path: Path, text: str, seconds: int) -> None:
    assert options_from(tmp_path, time_budget=text).time_budget == seconds


@pytest.mark.parametrize("text", ["", " ", "soon", "-5", "1.5h", "30m1h", "5 m"])
def test_what_is_no_time_is_refused(musify_refuses: Callable[..., Any], text: str) -> None:
    assert "write 90 (seconds), 15m or 1h30m" in musify_refuses(text)


@pytest.fixture
def musify_refuses(tmp_path: Path) -> Callable[[str], str]:
    import click

    def refused(text: str) -> str:
        with pytest.raises(click.UsageError) as problem:
            options_from(tmp_path, time_budget=text)
        return problem.value.message

    return refused
