"""Figures over real projects in local checkouts: ``PYTHONPATH=. python benchmarks/real_input.py CHECKOUT...``.

All kernels of `karpathy/llm.c`'s ``dev/cuda``, and some programs of ``programs.toml`` (kernels, and the whole program
with small arguments). Each case is copied to a scratch folder, constants that would keep an emulator busy for hours
are made smaller there, and the copy is migrated and checked. ``--only NAME`` limits the cases; ``--json FILE`` keeps
the rows. Nothing is written into the checkouts. For many whole programs and no kernels there is ``programs.py``.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.checkouts import Case, copy, given, known, table

KERNELS = Case("llm.c dev/cuda", "karpathy/llm.c", "dev/cuda", "-")
PROGRAMS = (
    "residual_forward", "gelu_forward", "encoder_forward", "crossentropy_softmax_backward", "classifier_fused",
    "asmooth", "bincount", "convolution1D", "cross", "heat2d", "jenkins-hash", "murmurhash3", "popcount",
    "vanGenuchten", "zeropoint", "fsm", "moe-sum", "scatter", "addBiasResidualLayerNorm", "atomicAggregate",
    "cc", "score", "vote", "reduction",
)  # fmt: skip


def cases(checkouts: Sequence[Path], only: Sequence[str]) -> Iterator[tuple[Path, Case]]:
    """The cases of some checkouts."""
    places = known(checkouts)
    rows = {case.name: case for case in table()}
    for case in (KERNELS, *(rows[name] for name in PROGRAMS)):
        if case.repository in places and (not only or case.name in only):
            yield places[case.repository], case


def musify(*words: str | Path) -> dict[str, Any]:
    """The JSON of a command of ours. It ends with 1 where something differs, which is a result like any other."""
    command = [sys.executable, "-m", "musify_ai", *map(str, words), "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        return {"error": done.stderr.strip()[-300:] or f"status {done.returncode}"}
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def measure(checkout: Path, case: Case, scratch: Path, style: str = "tokens") -> dict[str, Any]:
    """One case: migrated, checked, run."""
    source, out, data = scratch / "source", scratch / "out", scratch / "data"
    wrong = copy(checkout, case, source) or given(checkout, case, data)
    if wrong:
        return {"error": wrong}
    start = perf_counter()
    migrated = musify("migrate", source, "--out", out, "--no-verify", "--style", style)
    between = perf_counter()
    if "error" in migrated:
        return migrated
    words = [f"--argument={word}" for word in case.arguments or ()]
    program = [] if case.arguments is None else ["--program", f"--data={data}", *words]
    checked = musify("verify", source, out, "--style", style, *program)
    return {"migrated": migrated, "checked": checked, "translate": between - start, "check": perf_counter() - between}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("checkouts", nargs="+", type=Path, metavar="CHECKOUT")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this case; may be repeated")
    parser.add_argument("--style", default="tokens", help="house style of the translation")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the results there")
    arguments = parser.parse_args()
    rows: dict[str, dict[str, Any]] = {}
    print("case | tier | files | edits by grade | findings | residue | kernels | program | seconds")
    for checkout, case in cases(arguments.checkouts, arguments.only):
        with tempfile.TemporaryDirectory() as scratch:
            rows[case.name] = found = measure(checkout.resolve(), case, Path(scratch), arguments.style)
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
