"""A compiler that ran out of time, memory or disk has said nothing about the file, and nothing is remembered."""

from pathlib import Path

import pytest

from musify_ai.backends.cache import Cache
from musify_ai.backends.emulated import BuildFailure, BuildStoppedError, Emulated, Unit
from musify_ai.backends.toolchain import Toolchain

UNIT = Unit({"k.cu": b"int x;\n"}, '#include "k.cu"\n')


def backend(tmp_path: Path, said: str, ending: str = "exit 1") -> Emulated:
    """A compiler that makes precompiled headers, and of anything else says this."""
    script = tmp_path / "cxx"
    script.write_text(
        '#!/bin/sh\nfor a in "$@"; do case $a in c++-header) exit 0;; esac; done\n'
        f"printf '%s\\n' \"{said}\" >&2\n{ending}\n"
    )
    script.chmod(0o755)
    return Emulated(Toolchain((str(script),), "g++", "0"), Cache(tmp_path / "cache"))


@pytest.mark.parametrize(
    ("said", "ending"),
    [
        ("g++: fatal error: Killed signal terminated program cc1plus", "exit 1"),
        ("g++: fatal error: CPU time limit exceeded signal terminated program cc1plus", "exit 1"),
        ("cc1plus: out of memory allocating 65536 bytes", "exit 1"),
        ("/tmp/x.s: fatal error: cannot write: No space left on device", "exit 1"),
        ("half a message", "kill -SEGV $$"),
    ],
)
def test_nothing_is_remembered(tmp_path: Path, said: str, ending: str) -> None:
    stopped = backend(tmp_path, said, ending)
    with pytest.raises(BuildStoppedError):
        stopped.compile(UNIT, "cuda", 800)
    assert not list((tmp_path / "cache").glob("unit/*"))


@pytest.mark.parametrize("said", ["k.cu:1:2: error: x", "k.cu:1:2: error: #error out of memory"])
def test_what_is_wrong_with_the_file_is(tmp_path: Path, said: str) -> None:
    failed = backend(tmp_path, said)
    assert isinstance(failed.compile(UNIT, "cuda", 800), BuildFailure)
    assert len(list((tmp_path / "cache").glob("unit/*"))) == 1
