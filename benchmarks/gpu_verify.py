"""The gallery by real backends on an NVIDIA GPU: each original by nvcc, each translation by nvcc through aliases.

Usage: python benchmarks/gpu_verify.py                      where nvcc and a GPU are on this machine
       python benchmarks/gpu_verify.py --prepare FOLDER     here, without a GPU: choose inputs, build every program
       sh FOLDER/run.sh FOLDER/results                      there, with a GPU and nothing else: a minute or two
       python benchmarks/gpu_verify.py --compare FOLDER     here again: verdicts from what came back

FOLDER has some tens of MiB; only FOLDER/results has to come back. --backend and --arch choose others than
musa-on-nvidia and mp_31 (whose CUDA arch is sm_90; a GPU of that capability or later is needed), --kernel some kernels,
and --original and --translation another port than the gallery's.

Exit status: 0 every kernel that was compared is equal, 1 one differs or none was compared, 2 it cannot be asked.
"""

import argparse
import hashlib
import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from musify_ai.backends.devices import BUILDERS
from musify_ai.backends.limits import Completed, Limits
from musify_ai.backends.machines import PROBE, Here, Machine, Session
from musify_ai.project import verify_port
from musify_ai.records import Options

ROOT = Path(__file__).parents[1]
RUN = r"""#!/bin/sh
# Runs every prepared program with its plans; results go to the folder named, which has to come back.
here=$(cd -- "$(dirname -- "$0")" && pwd) && mkdir -p "$1" && out=$(cd -- "$1" && pwd) || exit 2
(%s) > "$out/probe"
count=0
for job in "$here"/jobs/*/; do
  id=$(basename "$job"); mkdir -p "$out/$id"; cd "$out/$id" || exit 2
  timeout 300 "$here/programs/$(cat "$job/program")" run "$job/plan" lines contents 2> said; echo $? > status
  count=$((count + 1))
done
echo "$count jobs run; results in $out"
"""

# What stands for a run that is still to be made: one case of which nothing is known.
UNKNOWN = (
    b'{"shape": 0, "seed": 0, "schedule": "", "poison": 0, "state": "ok", "message": "", "threads": 0, "printed": "0",'
    b' "findings": [], "buffers": []}'
)


class Prepared:
    """A machine that comes later: programs are built here and their runs written down, or answered from results."""

    name = ""

    def __init__(self, folder: Path, results: Path | None) -> None:
        self.folder, self.results = folder, results
        self.count = self.sessions = 0

    @contextmanager
    def session(self) -> Iterator[Session]:
        """A session that builds here."""
        self.sessions += 1
        with Here().session() as session:
            yield _Recording(self, session, self.sessions)


class _Recording:
    def __init__(self, machine: Prepared, session: Session, number: int) -> None:
        self.machine, self.session, self.number = machine, session, number
        self.job = ""

    def put(self, files: Mapping[str, bytes]) -> None:
        self.session.put(files)

    def run(
        self, command: Sequence[str], *, within: str, limits: Limits, read: Sequence[str] = (),
        nodes: Sequence[str] = (), env: Mapping[str, str] | None = None,
    ) -> Completed:  # fmt: skip
        if list(command[:2]) != ["./program", "run"]:
            return self.session.run(command, within=within, limits=limits, read=read, nodes=nodes, env=env)
        found = self.session.fetch([f"{within}/program", f"{within}/plan"])
        program, plan = found[f"{within}/program"], found[f"{within}/plan"]
        # Sessions and builds come in the same order in both passes, for units are checked one after the other.
        self.job = hashlib.sha256(f"{self.number} {within} ".encode() + plan).hexdigest()[:16]
        if self.machine.results is None:
            place = self.machine.folder / "jobs" / self.job
            name = hashlib.sha256(program).hexdigest()[:16]
            (self.machine.folder / "programs").mkdir(parents=True, exist_ok=True)
            target = self.machine.folder / "programs" / name
            target.write_bytes(program)
            target.chmod(0o755)
            place.mkdir(parents=True, exist_ok=True)
            (place / "plan").write_bytes(plan)
            (place / "program").write_text(f"{name}\n")
            self.machine.count += 1
        return Completed("exit", 0, b"", b"")

    def fetch(self, paths: Sequence[str]) -> dict[str, bytes]:
        if not all(path.endswith(("/lines", "/contents")) for path in paths):
            return self.session.fetch(paths)
        if self.machine.results is None:
            return {paths[0]: UNKNOWN}
        places = {path: self.machine.results / self.job / path.rsplit("/", 1)[1] for path in paths}
        return {path: place.read_bytes() for path, place in places.items() if place.is_file()}

    def ask(self, script: str) -> Completed:
        if script == PROBE and self.machine.results is not None:
            return Completed("exit", 0, (self.machine.results / "probe").read_bytes(), b"")
        return self.session.ask(script)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prepare", type=Path)
    parser.add_argument("--compare", type=Path)
    parser.add_argument("--backend", action="append")
    parser.add_argument("--kernel", action="append", default=[])
    parser.add_argument("--arch", default="mp_31")
    parser.add_argument("--original", type=Path, default=ROOT / "corpus" / "gallery")
    parser.add_argument("--translation", type=Path, default=ROOT / "corpus" / "gallery-musa")
    given = parser.parse_args(arguments)
    start = time.monotonic()
    folder = given.prepare or given.compare
    machines: dict[str, Machine] | None = None
    if folder is not None:
        if given.prepare and folder.exists():
            shutil.rmtree(folder)
        results = folder / "results" if given.compare else None
        if results is not None and not (results / "probe").is_file():
            print(f"gpu_verify: {results} holds no results; run.sh of {folder} makes them", file=sys.stderr)
            return 2
        machine = Prepared(folder.absolute(), results)
        machines = dict.fromkeys(BUILDERS, machine)
    options = Options(archs=(given.arch,), backends=tuple(given.backend or ["musa-on-nvidia"]), jobs=1)
    run = verify_port(given.original, given.translation, options, kernels=given.kernel, machines=machines).run
    good = bad = 0
    for verdict in run.verdicts:
        for row in verdict.evidence:
            if row.method != "device":
                continue
            good += row.outcome.startswith("equal")
            bad += row.outcome in ("differs", "build-failed")
            if given.prepare is None or row.outcome == "build-failed" or "does not build" in row.detail:
                name = verdict.name + (f"<{verdict.instantiation}>" if verdict.instantiation else "")
                print(f"{name:<28} {verdict.headline:<28} {row.outcome:<18} {row.detail[:160]}")
    for failure in run.failed:
        print(f"failed: {failure.error[:300]}")
    if given.prepare is not None:
        (folder / "run.sh").write_text(RUN % PROBE.strip().replace("exit 0", "true"))
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) >> 20
        print(f"{machine.count} runs prepared in {folder}, {size} MiB  {time.monotonic() - start:6.1f} s")
        return 0 if machine.count else 2
    print(f"{good} kernels equal, {bad} not  {time.monotonic() - start:6.1f} s")
    return 0 if good and not bad else 1


if __name__ == "__main__":
    sys.exit(main())
