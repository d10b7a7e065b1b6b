"""The result for a file, for a whole program, and for a run."""

from typing import TYPE_CHECKING, Literal, NamedTuple

from musify_ai.records.changes import Edit, Finding
from musify_ai.records.options import Options

if TYPE_CHECKING:
    from musify_ai.records.rewrites import Rewrite
    from musify_ai.records.verdicts import Evidence, Verdict

Status = Literal["changed", "unchanged", "copied", "skipped", "failed"]


class Tool(NamedTuple):
    """Who made a run: the tool's version and a digest of the rules it used."""

    name: str
    version: str
    rules: str


class Failure(NamedTuple):
    """One file that a stage gave up on; the run went on without it."""

    path: str
    stage: Literal["read", "translate", "write", "merge", "check"]
    error: str
    hint: str


class FileResult(NamedTuple):
    """One file: where it went, what became of it, its edits and findings.

    ``path`` and ``output`` are relative to the source and the destination, with ``/``. ``residue`` are the spans of
    known CUDA names that the output still holds unexplained, ``residue_pattern`` those caught by a pattern alone.
    """

    path: str
    output: str | None
    status: Status
    reason: str | None = None
    encoding: str = ""
    sha256_before: str = ""
    sha256_after: str | None = None
    edits: tuple[Edit, ...] = ()
    findings: tuple[Finding, ...] = ()
    residue: tuple[tuple[int, int, str], ...] = ()
    residue_pattern: tuple[tuple[int, int, str], ...] = ()


class Program(NamedTuple):
    """A whole program run on both sides: what was compared and how it came out."""

    path: str
    evidence: "tuple[Evidence, ...]"


class Run(NamedTuple):
    """Everything one command found out; what every report is made from."""

    tool: Tool
    command: str
    options: Options
    files: tuple[FileResult, ...]
    verdicts: "tuple[Verdict, ...]" = ()
    failed: tuple[Failure, ...] = ()
    programs: tuple[Program, ...] = ()
    rewrites: "tuple[Rewrite, ...]" = ()
