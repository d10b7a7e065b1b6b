"""A run in style `rebrand`: the plan over all files, made before one is treated, and each file's new place."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from posixpath import commonpath, dirname, join, normpath

from musify_ai.pipeline.places import placed_findings
from musify_ai.pipeline.selection import selected
from musify_ai.project.discovery import Entry
from musify_ai.project.roles import is_vendored
from musify_ai.project.scheduling import Progress, treat_all
from musify_ai.project.treating import Manner, Treated, why_left_alone
from musify_ai.records import Finding
from musify_ai.source import Lines
from musify_ai.styles.project import plan_for
from musify_ai.styles.rebrand import named_in_build

# Languages, and lists of a linker's, that name functions of C's linkage.
_FOREIGN = (".py", ".pyx", ".rs", ".go", ".f", ".f90", ".F90", ".jl", ".java", ".cs", ".lua", ".map", ".def", ".lds")


def treat_rebranded(
    root: Path, entries: Sequence[Entry], manner: Manner, progress: Progress | None = None
) -> list[Treated]:
    """Every entry treated, with the project's own names and files rebranded throughout the run."""
    sources: dict[str, bytes] = {}
    left: dict[str, bytes] = {}
    build: dict[str, bytes] = {}
    foreign: dict[str, bytes] = {}
    for entry in entries:
        if entry.kind != "file" or (entry.role == "other" and not entry.path.endswith(_FOREIGN)):
            continue
        try:
            src = (root / entry.path).read_bytes()
        except OSError:
            continue  # whoever treats it says so
        if entry.role == "other":
            foreign[entry.path] = src
        elif entry.role == "build":
            build[entry.path] = src
        elif is_vendored(entry.path) or why_left_alone(entry.path, src, manner) is not None:
            left[entry.path] = src
        else:
            sources[entry.path] = src
    # A Python file whose strings hold source is one that the run changes, and calls functions by name too.
    foreign.update((path, src) for path, src in sources.items() if path.endswith(_FOREIGN))
    others = [e.path for e in entries if e.path not in sources and e.path not in left and e.path not in build]
    fixed = {e.path for e in entries if is_vendored(e.path)} | _led_to(root, entries)
    if manner.way == "diff":
        fixed |= {path for path, src in sources.items() if not src}  # a patch that any tree takes cannot move these
    # What `check` is given comes with the folders above it, as they were named.
    folders = [dirname(entry.path) or "." for entry in entries] if manner.way == "check" else []
    roots = [commonpath(folders)] if folders and len({each.startswith("/") for each in folders}) == 1 else []
    plan = plan_for(
        sources,
        manner.options,
        left=left,
        build=build,
        others=others,
        fixed=fixed,
        roots=roots,
        foreign=foreign,
    )
    treated = treat_all(root, entries, manner._replace(plan=plan), progress)
    return [_with_build_notes(_moved(each, manner, plan.paths), manner, build, plan.paths) for each in treated]


def _led_to(root: Path, entries: Sequence[Entry]) -> set[str]:
    """What symbolic links of the tree lead to, and the links themselves: a link would lead nowhere after a move."""
    found: set[str] = set()
    for entry in entries:
        if entry.kind == "link":
            found.add(entry.path)
            target = normpath(join(dirname(entry.path), (root / entry.path).readlink()))
            found |= {e.path for e in entries if e.path == target or e.path.startswith(target + "/")}
    return found


def _moved(treated: Treated, manner: Manner, paths: Mapping[str, str]) -> Treated:
    target = paths.get(treated.entry.path)
    if target is None or treated.entry.kind == "special" or treated.processed.result.status == "failed":
        return treated
    result = treated.processed.result
    reason = f"{result.reason}; becomes {target}" if result.reason else f"becomes {target}"
    if manner.way == "diff":
        result = result._replace(output=target)
    return treated._replace(target=target, processed=treated.processed._replace(result=result._replace(reason=reason)))


def _with_build_notes(
    treated: Treated, manner: Manner, build: Mapping[str, bytes], paths: Mapping[str, str]
) -> Treated:
    src = build.get(treated.entry.path)
    finding: Finding | None = None if src is None else named_in_build(src, paths)
    if src is None or finding is None or not selected(finding.code, manner.options):
        return treated
    result = treated.processed.result
    placed = placed_findings([finding], src, Lines(src))
    findings = tuple(sorted([*result.findings, *placed], key=lambda each: (each.start, each.code)))
    return treated._replace(processed=treated.processed._replace(result=result._replace(findings=findings)))
