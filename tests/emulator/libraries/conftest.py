"""A library's test program prints ``ok NAME`` or ``WRONG NAME``, a line a check."""

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def passes(run: Callable[..., Any], side: tuple[str, int]) -> Callable[..., Any]:
    """Runs a program on the chosen side: all its checks are good, and there are as many as said (of each side, where
    MUSA has less)."""

    def call(name: str, count: int | dict[str, int], **options: Any) -> Any:
        ran = run(f"libraries/{name}", **options)
        assert ran.status == 0, ran.err
        lines = ran.out.splitlines()
        assert [line for line in lines if not line.startswith("ok ")] == [], ran.out
        assert len(lines) == (count if isinstance(count, int) else count[side[0]])
        return ran

    return call
