"""Which compiler is taken, and what is said where none is."""

from pathlib import Path

import pytest

from musify_ai.backends import watching
from musify_ai.backends.limits import Limits, run_limited
from musify_ai.backends.toolchain import Toolchain, no_compiler


def test_a_compiler_that_cxx_names_and_nobody_can_run_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler -O2")
    assert Toolchain.detect() is None
    assert "CXX names 'no-such-compiler -O2'" in no_compiler()
    monkeypatch.delenv("CXX")
    assert "CXX names" not in no_compiler()


def test_a_slow_compiler_is_found_from_a_folder_of_any_size(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    slow = tmp_path / "slow-g++"
    slow.write_text("#!/bin/sh\nsleep 0.5\necho 'g++ (Slow) 12.2.0'\n")
    slow.chmod(0o755)
    monkeypatch.setattr(watching, "_written", lambda place, most: 1 << 50)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CXX", str(slow))
    found = Toolchain.detect()
    assert found is not None and found.version == "12.2.0"
    # A folder that is the command's own is still measured.
    assert run_limited([slow], cwd=tmp_path, limits=Limits(cpu=20, wall=60)).ended == "disk"
