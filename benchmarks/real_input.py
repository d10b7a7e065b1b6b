"""Figures over real projects in local checkouts: ``python benchmarks/real_input.py CHECKOUT...``.

A checkout is known by what is in it: `karpathy/llm.c` (all kernels of ``dev/cuda``), `zjin-lcf/HeCBench` and
`NVIDIA/cuda-samples` (programs: kernels, and the whole program with small arguments). Each case is copied to a scratch
folder, constants that would keep an emulator busy for hours are made smaller there, and the copy is migrated and
checked. ``--only NAME`` limits the cases; ``--json FILE`` keeps the rows. Nothing is written into the checkouts.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple


class Case(NamedTuple):
    """A folder of a checkout; ``arguments`` to run it as a program, None for its kernels alone.

    ``others`` are files from elsewhere in the checkout that it includes (its build says so with ``-I``), ``keep`` the
    only files taken from the folder where it holds several programs, ``smaller`` texts to replace: file, old, new.
    """

    name: str
    folder: str
    tier: str
    arguments: tuple[str, ...] | None = None
    others: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    smaller: tuple[tuple[str, str, str], ...] = ()


def _hecbench(
    tier: str, name: str, arguments: str, *smaller: tuple[str, str, str], others: tuple[str, ...] = ()
) -> Case:
    return Case(name, f"src/{name}-cuda", tier, tuple(arguments.split()), others, smaller=smaller)


def _llmc(tier: str, name: str, arguments: str, *smaller: tuple[str, str]) -> Case:
    file = f"{name}.cu"
    texts = tuple((file, old, new) for old, new in smaller)
    return Case(name, "dev/cuda", tier, tuple(arguments.split()), (), (file, "common.h"), texts)


_BATCH = (("B = 8;", "B = 2;"), ("T = 1024;", "T = 32;"))

CASES: dict[str, tuple[Case, ...]] = {
    "dev/cuda/common.h": (
        Case("llm.c dev/cuda", "dev/cuda", "-"),
        _llmc("A", "residual_forward", "1", *_BATCH, ("C = 768;", "C = 64;")),
        _llmc("A", "gelu_forward", "1", *_BATCH, ("C = 768;", "C = 64;")),
        _llmc("A", "encoder_forward", "1", *_BATCH, ("C = 768;", "C = 64;"), ("V = 50257;", "V = 257;")),
        _llmc("A", "crossentropy_softmax_backward", "1", *_BATCH, ("V = 50257;", "V = 257;")),
        _llmc("B", "classifier_fused", "1", *_BATCH, ("V = 50257;", "V = 257;")),
    ),
    "src/vote-cuda": (
        _hecbench("A", "asmooth", "64 16 9 2"),
        _hecbench("A", "bincount", "10000 2"),
        _hecbench("A", "convolution1D", "4096 2"),
        _hecbench("A", "cross", "1000 2"),
        _hecbench("A", "heat2d", "64 64 4"),
        _hecbench("A", "jenkins-hash", "256 4096 2"),
        _hecbench("A", "murmurhash3", "100 2"),
        _hecbench("A", "popcount", "4096 2"),
        _hecbench("A", "vanGenuchten", "16 16 16 2"),
        _hecbench("A", "zeropoint", "1000 2"),
        _hecbench("A", "fsm", "64"),
        _hecbench("A", "moe-sum", "4 64 2"),
        _hecbench("A", "scatter", "1000 2"),
        _hecbench(
            "B", "addBiasResidualLayerNorm", "2", ("main.cu", "m = 4096;", "m = 4;"),
            ("main.cu", "n <= 8192", "n <= 512"),
        ),
        _hecbench("B", "atomicAggregate", "2", ("main.cu", "nBlocks = 65536;", "nBlocks = 16;")),
        _hecbench("B", "cc", "graph.egr 2", others=("src/mis-cuda/graph.h",)),
        _hecbench(
            "B", "score", "2", ("main.cu", "num_classes = 1000;", "num_classes = 8;"),
            ("main.cu", "batch_size = 128;", "batch_size = 2;"),
        ),
        _hecbench("B", "vote", "100"),
    ),
    "Samples/2_Concepts_and_Techniques/reduction": (
        Case(
            "reduction", "Samples/2_Concepts_and_Techniques/reduction", "B", ("--n=8192", "--kernel=7"),
            ("Common/helper_cuda.h", "Common/helper_functions.h", "Common/helper_string.h", "Common/helper_timer.h",
             "Common/helper_image.h", "Common/exception.h"),
            smaller=(("reduction.cpp", "testIterations = 100;", "testIterations = 2;"),),
        ),
    ),
}  # fmt: skip


def cases(checkouts: Sequence[Path], only: Sequence[str]) -> Iterator[tuple[Path, Case]]:
    """The cases of some checkouts."""
    for checkout in checkouts:
        found = [case for mark, many in CASES.items() if (checkout / mark).exists() for case in many]
        if not found:
            sys.exit(f"{checkout}: no checkout that this benchmark knows")
        yield from ((checkout, case) for case in found if not only or case.name in only)


def prepare(checkout: Path, case: Case, place: Path) -> str:
    """Copy a case; what is wrong with it, or nothing."""
    if not (checkout / case.folder).is_dir():
        return f"{case.folder} is not in the checkout"
    shutil.copytree(checkout / case.folder, place, symlinks=True)
    if case.keep:
        for path in place.iterdir():
            if path.name not in case.keep and path.suffix in (".cu", ".cpp"):
                path.unlink()
    for other in case.others:
        (place / "others").mkdir(exist_ok=True)
        if not (checkout / other).is_file():
            return f"{other} is not in the checkout"
        shutil.copy(checkout / other, place / "others")
    for file, old, new in case.smaller:
        text = (place / file).read_bytes()
        if old.encode() not in text:
            return f"{file} does not hold {old!r}"
        (place / file).write_bytes(text.replace(old.encode(), new.encode()))
    return ""


def graph(path: Path, nodes: int = 600) -> None:
    """A graph file of rings with chords, in the format that the connected-components program reads."""
    import struct

    near = [sorted({(v + d) % (nodes // 3) + v // (nodes // 3) * (nodes // 3) for d in (1, -1, 7, -7)} - {v}) for v in
            range(nodes)]  # fmt: skip
    near[0] = sorted({*range(1, nodes // 3), *near[0]})  # one of high degree, which another kernel takes
    for v in range(1, nodes // 3):
        near[v] = sorted({*near[v], 0})
    starts = [0]
    for each in near:
        starts.append(starts[-1] + len(each))
    flat = [w for each in near for w in each]
    numbers = [nodes, len(flat), *starts, *flat]
    path.write_bytes(struct.pack(f"<{len(numbers)}i", *numbers))


def musify(*words: str | Path) -> dict[str, Any]:
    """The JSON of a command of ours. It ends with 1 where something differs, which is a result like any other."""
    command = [sys.executable, "-m", "musify_ai", *map(str, words), "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        return {"error": done.stderr.strip()[-300:] or f"status {done.returncode}"}
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def measure(checkout: Path, case: Case, scratch: Path) -> dict[str, Any]:
    """One case: migrated, checked, run."""
    source, out = scratch / case.name.replace("/", "-"), scratch / "out"
    wrong = prepare(checkout, case, source)
    if wrong:
        return {"error": wrong}
    arguments = list(case.arguments or ())
    for index, word in enumerate(arguments):
        if word.endswith(".egr"):
            graph(scratch / word)
            arguments[index] = str(scratch / word)
    start = perf_counter()
    migrated = musify("migrate", source, "--out", out, "--no-verify")
    between = perf_counter()
    if "error" in migrated:
        return migrated
    program = [] if case.arguments is None else ["--program", *(f"--argument={word}" for word in arguments)]
    checked = musify("verify", source, out, *program)
    return {"migrated": migrated, "checked": checked, "translate": between - start, "check": perf_counter() - between}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("checkouts", nargs="+", type=Path, metavar="CHECKOUT")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this case; may be repeated")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the results there")
    arguments = parser.parse_args()
    rows: dict[str, dict[str, Any]] = {}
    print("case | tier | files | edits by grade | findings | residue | kernels | program | seconds")
    for checkout, case in cases(arguments.checkouts, arguments.only):
        with tempfile.TemporaryDirectory() as scratch:
            rows[case.name] = found = measure(checkout.resolve(), case, Path(scratch))
        print(_row(case, found), flush=True)
        if arguments.json is not None:
            arguments.json.write_text(json.dumps(rows), encoding="utf-8")
    _summary(rows)


def _row(case: Case, found: dict[str, Any]) -> str:
    if "error" in found:
        return f"{case.name} | {case.tier} | {found['error']}"
    summary, checked = found["migrated"]["summary"], found["checked"]
    kernels = Counter(kernel["headline"] for kernel in checked.get("kernels", ()))
    programs = [
        f"{program['headline']}" + (f" ({program['reason'][:160]})" if program["reason"] else "")
        for program in checked.get("programs", ())
    ]
    cells = [
        case.name,
        case.tier,
        f"{summary['files']} ({summary['changed']} changed)",
        _counts({key: value for key, value in summary["edits"]["by_evidence"].items() if value}),
        _counts(summary["findings"]),
        f"{summary['residue']} ({summary['residue_pattern']} by pattern)",
        checked.get("error") or _counts(kernels),
        ", ".join(programs) or "-",
        f"{found['translate']:.1f} + {found['check']:.1f}",
    ]
    return " | ".join(cells)


def _summary(rows: dict[str, dict[str, Any]]) -> None:
    kernels = [each for row in rows.values() for each in row.get("checked", {}).get("kernels", ())]
    programs = [each for row in rows.values() for each in row.get("checked", {}).get("programs", ())]
    varied = [k for k in kernels if k["headline"].startswith(("equal", "arch")) and _varies(k)]
    print(f"\nkernels: {len(kernels)}, {_counts(Counter(k['headline'] for k in kernels))}")
    print(f"equal on a buffer that varies (arch-dependent among them): {len(varied)} of {len(kernels)}")
    print(f"programs: {len(programs)}, {_counts(Counter(p['headline'] for p in programs))}")
    print(f"notes: {_counts(Counter(note.split(':', 1)[0] for k in kernels for note in k['notes']))}\n")
    reasons = Counter((k["headline"], k["reason"] or "") for k in kernels if not k["headline"].startswith("equal-em"))
    for (headline, reason), count in sorted(reasons.items(), key=lambda each: (each[0][0], -each[1])):
        print(f"{count:4}  {headline}: {reason[:220]}")


def _varies(kernel: dict[str, Any]) -> bool:
    return any(buffer["varies"] for row in kernel["evidence"] for buffer in row["buffers"])


def _counts(counted: Any) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counted.items())) or "none"


if __name__ == "__main__":
    main()
