"""What a hook's run imports: nothing that one file without structure does not need."""

import json
import subprocess
import sys
from pathlib import Path

from musify_ai.translate.registry import RULES

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
    "hashlib",  # loads OpenSSL
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
        "from musify_ai.cli.starting import run\n"
        "try:\n"
        "    run()\n"
        "except SystemExit:\n"
        "    pass\n"
        "print(chr(10) + repr(sorted(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, cwd=Path(__file__).parents[2]
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stderr.strip().splitlines()[-1].replace("'", '"')))


# What a file asks for by what it holds; one that holds none of that imports none of these.
ON_DEMAND = (
    "musify_ai.records.kernels",
    "musify_ai.records.rewrites",
    "musify_ai.records.verdicts",
    "musify_ai.rules.lookup",
    "musify_ai.rules.reading",
    "musify_ai.source.literals",
    "musify_ai.translate.cases",  # and so no rule
    "musify_ai.translate.documented",
    "musify_ai.translate.repetition",
)


def heavy(modules: set[str]) -> list[str]:
    return [name for name in HEAVY if any(m == name or m.startswith(name + ".") for m in modules)]


def test_checking_one_file_without_structure_imports_nothing_heavy(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_bytes(
        b"#include <cuda_runtime.h>\n"
        b"__global__ void k(float *p) { p[threadIdx.x] = 1; }\n"
        b"void f(float *p) { k<<<1, 128>>>(p); cudaDeviceSynchronize(); }\n"
    )
    modules = imported_by("check", str(file))
    assert heavy(modules) == []
    assert [name for name in ON_DEMAND if name in modules] == []
    rules = {entry.module for entry in RULES}
    assert {"musify_ai.translate.translation"} < modules
    assert sorted(rules & modules) == []


def test_a_rule_is_imported_where_its_first_look_says_so(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_bytes(b"__global__ void k(float *p) { p[threadIdx.x] = 32; }\n")
    entries = {entry.module: entry.code for entry in RULES}
    assert sorted(entries[name] for name in imported_by("check", str(file)) if name in entries) == [
        "MUS304",
        "MUS306",
        "MUS307",
    ]


def test_a_finding_imports_nothing_heavy_either(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_bytes(b"void f() { cudaLogsDumpToFile(0, 0, 0); }\n")
    assert heavy(imported_by("check", str(file))) == []


def test_help_imports_no_command() -> None:
    modules = imported_by("--help")
    assert heavy(modules) == []
    assert not any(m in modules for m in ("musify_ai.cli.check", "musify_ai.translate", "musify_ai.rules"))
