"""What a hook's run imports: nothing that one file without structure does not need."""

import json
import subprocess
import sys
from pathlib import Path

HEAVY = (
    "tree_sitter",
    "tree_sitter_cuda",
    "clang",
    "jinja2",
    "rich",
    "torch",
    "tomllib",
    "concurrent",
    "multiprocessing",
    "subprocess",
    "asyncio",
    "json",
    "dataclasses",
    "importlib.metadata",
    "musify_ai.verify",
    "musify_ai.backends",
    "musify_ai.kernels",
    "musify_ai.emulator",
    "musify_ai.syntax",
)


def imported_by(*arguments: str) -> set[str]:
    code = (
        "import sys\n"
        "from musify_ai.cli.main import run\n"
        "try:\n"
        "    run(sys.argv[1:])\n"
        "except SystemExit:\n"
        "    pass\n"
        "print(chr(10) + repr(sorted(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, cwd=Path(__file__).parents[2]
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stderr.strip().splitlines()[-1].replace("'", '"')))


def heavy(modules: set[str]) -> list[str]:
    return [name for name in HEAVY if any(m == name or m.startswith(name + ".") for m in modules)]


def test_checking_one_file_without_structure_imports_nothing_heavy(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_bytes(
        b"#include <cuda_runtime.h>\n"
        b"__global__ void k(float *p) { p[threadIdx.x] = 1; }\n"
        b"void f(float *p) { k<<<1, 32>>>(p); cudaDeviceSynchronize(); }\n"
    )
    assert heavy(imported_by("check", str(file))) == []


def test_a_finding_imports_nothing_heavy_either(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_bytes(b"void f() { cudaLogsDumpToFile(0, 0, 0); }\n")
    assert heavy(imported_by("check", str(file))) == []


def test_help_imports_no_command() -> None:
    modules = imported_by("--help")
    assert heavy(modules) == []
    assert not any(m in modules for m in ("musify_ai.cli.check", "musify_ai.translate", "musify_ai.rules"))
