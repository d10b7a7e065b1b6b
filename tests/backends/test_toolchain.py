"""Which compiler is taken, and what is said where none is."""

import pytest

from musify_ai.backends.toolchain import Toolchain, no_compiler


def test_a_compiler_that_cxx_names_and_nobody_can_run_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler -O2")
    assert Toolchain.detect() is None
    assert "CXX names 'no-such-compiler -O2'" in no_compiler()
    monkeypatch.delenv("CXX")
    assert "CXX names" not in no_compiler()
