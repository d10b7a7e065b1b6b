"""Which edits are applied, and which findings are shown."""

from collections.abc import Iterable, Sequence

from musify_ai.records import Edit, FileResult, Finding, Options


def is_applied(edit: Edit, options: Options) -> bool:
    """Whether a run with these options makes this edit: safe ones always, unsafe ones when asked to, and a model's
    where it is, since it was asked for and passed every gate."""
    return edit.evidence == "llm" or edit.safety == "safe" or (edit.safety == "unsafe" and options.unsafe_fixes)


def selected(code: str, options: Options) -> bool:
    """Whether a code is asked for: ``--select`` and ``--ignore`` take codes or their beginnings; the longer one wins,
    ``--ignore`` where both are as long."""
    chosen = max((len(p) for p in options.select if code.startswith(p)), default=-1 if options.select else 0)
    left_out = max((len(p) for p in options.ignore if code.startswith(p)), default=-1)
    return chosen >= 0 and chosen > left_out


def without_repeated_notes(files: Iterable[FileResult]) -> tuple[FileResult, ...]:
    """The files with each note about a name (MUS1xx) kept at its first place in the run only.

    Such a note says something of the name, not of the place: that its counterpart stands in a published table only.
    Findings of another severity are about their place, and all stay.
    """
    said: set[tuple[str, str]] = set()
    out = []
    for file in files:
        kept = _first_notes(file.findings, said)
        out.append(file if len(kept) == len(file.findings) else file._replace(findings=kept))
    return tuple(out)


def _first_notes(findings: Sequence[Finding], said: set[tuple[str, str]]) -> tuple[Finding, ...]:
    kept = []
    for finding in findings:
        if finding.severity == "note" and finding.name and finding.code.startswith("MUS1"):
            if (finding.code, finding.name) in said:
                continue
            said.add((finding.code, finding.name))
        kept.append(finding)
    return tuple(kept)
