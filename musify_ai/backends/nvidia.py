"""NVIDIA's compiler, where it is installed: a source tree to PTX, without any GPU.

``nvcc`` is looked for on ``PATH``, under ``CUDA_HOME`` or ``CUDA_PATH``, and in NVIDIA's wheels
(``pip install nvidia-cuda-nvcc nvidia-cuda-crt nvidia-cuda-runtime nvidia-nvvm nvidia-cuda-cccl``).
"""

import os
import re
import shutil
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from musify_ai.backends.limits import Limits, clean_environment, run_limited, scratch
from musify_ai.backends.sandbox import Access

NO_NVCC = (
    "no nvcc was found: install the CUDA toolkit, or pip install nvidia-cuda-nvcc nvidia-cuda-crt nvidia-cuda-runtime"
    " nvidia-nvvm nvidia-cuda-cccl"
)

LIMITS = Limits(cpu=180, wall=600, memory=12288, output=2_000_000)

_ENTRY = re.compile(
    r"^[ \t]*(?:\.visible |\.weak |\.extern )*\.(?:entry|func)\b[^\n]*?\b([A-Za-z_$][\w$]*)[ \t]*\(?[ \t]*$", re.M
)
ERROR = re.compile(
    r"^(.+?)\((\d+)\): (?:catastrophic )?error[^:]*: (.+)$|^(.+?):(\d+):(?:\d+:)? (?:fatal )?error: (.+)$", re.M
)


class Module(NamedTuple):
    """The functions of a PTX module by mangled name, without comments and line marks, and all that stands outside."""

    functions: Mapping[str, str]
    rest: str


class Refused(NamedTuple):
    """Why nvcc gives no PTX: its first error, with file and line where it names them."""

    message: str


class Nvcc(NamedTuple):
    """An nvcc: its path, its version, and include folders that it does not know by itself."""

    program: Path
    version: str
    includes: tuple[Path, ...] = ()

    @property
    def name(self) -> str:
        """For evidence rows."""
        return f"nvcc {self.version}"

    @staticmethod
    def detect() -> "Nvcc | None":
        """The nvcc of this machine; None where there is none that answers."""
        return _detect(os.environ.get("PATH", ""), os.environ.get("CUDA_HOME", "") or os.environ.get("CUDA_PATH", ""))

    def ptx(
        self, sources: Mapping[str, bytes], unit: str, include_dirs: Sequence[str], arch: str,
        first: Sequence[str] = (), defines: Sequence[str] = (),
    ) -> "Module | Refused":  # fmt: skip
        """The PTX of a unit of a source tree for an arch (``sm_80``); ``first`` are headers before it."""
        with scratch() as work:
            tree = work / "tree"
            for path, src in sources.items():
                place = tree / path
                if not place.resolve().is_relative_to(tree.resolve()):
                    continue
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(src)
            command: list[str | Path] = [
                self.program, f"-arch={arch}", "-ptx", "-x", "cu", "-std=c++17", "-w", "--expt-relaxed-constexpr",
                "--expt-extended-lambda", *defines, *(f"-I{each}" for each in include_dirs),
                *(f"-I{each}" for each in self.includes), "-I.",
                *(word for each in first for word in ("-include", each)), unit, "-o", work / "out.ptx",
            ]  # fmt: skip
            access = Access((self.program.resolve().parent.parent, *self.includes), (work,))
            done = run_limited(command, cwd=tree, limits=LIMITS, env=clean_environment(work), access=access)
            if not done.ok:
                return Refused(_first_error(done.stderr.decode("utf-8", "replace")) or done.describe())
            return module_of((work / "out.ptx").read_text("utf-8", "replace"))


def module_of(text: str) -> Module:
    """A PTX module taken apart. Comments, ``.loc``, ``.file`` and blank lines say nothing of what it does."""
    lines = []
    for raw in text.splitlines():
        line = raw.split("//", 1)[0].rstrip()
        if line.strip() and not line.lstrip().startswith((".loc", ".file")):
            lines.append(line)
    functions: dict[str, list[str]] = {}
    rest: list[str] = []
    name, depth, opened = "", 0, False
    for number, line in enumerate(lines):
        found = _ENTRY.match(line) if not name else None
        if found is None and not name and (".entry" in line or ".func" in line):
            # The name may stand on the line after the parameter that is returned.
            found = _ENTRY.match(" ".join(lines[number : number + 2]))
        if found is not None:
            name, depth, opened = found[1], 0, False
        if not name:
            rest.append(line)
            continue
        functions.setdefault(name, []).append(line)
        depth += line.count("{") - line.count("}")
        opened = opened or "{" in line
        if (opened and depth == 0) or (not opened and line.rstrip().endswith(";")):
            name = ""
    return Module({each: "\n".join(text) for each, text in functions.items()}, "\n".join(rest))


def _first_error(text: str) -> str:
    match = ERROR.search(text)
    if match is None:
        return text.strip().splitlines()[0][:300] if text.strip() else ""
    file, line, message = (match[1], match[2], match[3]) if match[1] else (match[4], match[5], match[6])
    return f"{file}:{line}: {message}"[:400]


@cache
def _detect(path: str, home: str) -> Nvcc | None:
    found = shutil.which("nvcc", path=path)
    candidates = [Path(found)] if found else []
    if home:
        candidates.append(Path(home) / "bin" / "nvcc")
    candidates += [folder / "bin" / "nvcc" for folder in _wheel_folders()]
    for program in candidates:
        if not program.is_file():
            continue
        with scratch() as work:
            done = run_limited([program, "--version"], cwd=work, limits=Limits(cpu=20, wall=60))
        version = re.search(r"release \d+\.\d+, V([\d.]+)", done.stdout.decode("utf-8", "replace"))
        if done.ok and version:
            own = program.resolve().parent.parent / "include"
            cccl = own / "cccl"
            return Nvcc(program, version[1], tuple(each for each in (own, cccl) if each.is_dir()))
    return None


def _wheel_folders() -> list[Path]:
    """Where NVIDIA's wheels put the toolkit's folders: ``nvidia/cu13`` and its like beside our own packages."""
    from importlib.util import find_spec

    try:
        spec = find_spec("nvidia")
    except (ImportError, ValueError):
        return []
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    return [folder for place in places for folder in sorted(Path(place).glob("cu[0-9]*"), reverse=True)]
