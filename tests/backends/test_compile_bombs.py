"""Sources that turn on the compiler: each is stopped, told of, and leaves nothing running or written outside."""

import shutil
from pathlib import Path

import pytest

from musify_ai.backends import sandbox
from musify_ai.backends.device_programs import OnDevice
from musify_ai.backends.emulated import BuildFailure, Unit
from musify_ai.backends.limits import Limits, run_limited
from musify_ai.backends.machines import Here
from musify_ai.backends.mcc import MccGpu
from musify_ai.backends.sandbox import Access
from musify_ai.records import ARCHS
from tests.standins.mcc import install

COMPILER = next((name for name in ("g++", "clang++") if shutil.which(name)), None)
pytestmark = [
    pytest.mark.skipif(sandbox.detect() is None, reason=f"no sandbox here: {sandbox.missing()}"),
    pytest.mark.skipif(COMPILER is None, reason="no C++ compiler (g++ or clang++)"),
]
LIMITS = Limits(cpu=3, wall=30, memory=1500, output=200_000, file=16, scratch=32, tasks=40)

MACROS = "#define A0 int x; \n" + "".join(f"#define A{n} A{n - 1} A{n - 1} A{n - 1} A{n - 1}\n" for n in range(1, 20))
BOMBS = {
    "templates": "template <long N> struct T { typename T<2 * N>::t a; typename T<2 * N + 1>::t b; using t = int; };\n"
    "T<1> x;",
    "macros": f"{MACROS}A19",
    "an endless file": '#include "/dev/zero"',
    "itself": '#include "bomb.cpp"',
    "constants": "constexpr long f(long n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\nconstexpr long x = f(90);",
    "a flood of errors": "int x = ;\n" * 40_000,
    "assembler": 'asm(".rept 2000000000\\n.quad 1\\n.endr");',
    "an endless file in the assembler": 'asm(".incbin \\"/dev/zero\\"");',
    "a large object": "char x[1l << 40] = {1};",
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs(name: str, tmp_path: Path) -> None:
    assert COMPILER is not None
    (tmp_path / "bomb.cpp").write_text(BOMBS[name])
    command = [COMPILER, "-ftemplate-depth=100000", "-fmax-errors=0" if COMPILER == "g++" else "-ferror-limit=0"]
    done = run_limited([*command, "-c", "bomb.cpp", "-o", "out.o"], cwd=tmp_path, limits=LIMITS, access=Access())
    assert not done.ok
    assert done.ended in ("exit", "timeout", "memory", "output", "disk", "signal"), done
    if done.ended == "exit":
        assert done.stderr.strip(), "the compiler says why"
    written = sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file())
    assert written < 64 << 20


def test_a_real_backend_s_compiler_and_program_see_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = tmp_path / "secret"
    secret.write_text("the SECRET word\n")
    monkeypatch.setenv("MUSA_HOME", str(install(tmp_path / "sdk")))
    monkeypatch.setenv("MY_TOKEN", "SECRET")
    reading = f"""#include <musa_runtime.h>
#include <cstdlib>
#include <fstream>
#include <string>
static int taken = [] {{
    std::string text;
    std::getline(std::ifstream("{secret}"), text);
    if (const char* token = std::getenv("MY_TOKEN")) text += token;
    std::ofstream("{tmp_path}/copy") << "copied";
    std::ofstream("described") << text;
    return (int)text.size();
}}();
__global__ void add(int* a) {{ a[threadIdx.x] += 1; }}
"""
    with Here().session() as session:
        on = OnDevice(MccGpu(), Here(), session)

        def built(text: str) -> object:
            return on.build(Unit({"a.mu": text.encode()}, '#include "a.mu"\n'), ARCHS["mp_22"])

        for line in (f'#include "{secret}"', f'asm(".incbin \\"{secret}\\"");'):
            failure = built(f"#include <musa_runtime.h>\n{line}\n")
            assert isinstance(failure, BuildFailure)
            assert "SECRET" not in failure.text
        program = built(reading)
        assert not isinstance(program, BuildFailure), program
        done = session.run(["./program"], within="b2", limits=LIMITS, read=on.compiler.roots)
        assert b"SECRET" not in done.stdout + done.stderr
        assert session.fetch(["b2/described"]).get("b2/described", b"") == b""
    assert not (tmp_path / "copy").exists()
