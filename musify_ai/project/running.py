"""The commands as functions: what is read, in what order it is worked on, where it goes, and the run's record."""

import errno
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from musify_ai import __version__
from musify_ai.pipeline import without_repeated_notes
from musify_ai.project.discovery import MANIFEST, Entry, look, walk
from musify_ai.project.refusals import Refused
from musify_ai.project.scheduling import Progress, treat_all
from musify_ai.project.styling import treat_in_style
from musify_ai.project.texts import Both
from musify_ai.project.treating import Manner, Treated, Way
from musify_ai.records import Failure, FileResult, Options, Run, Tool

if TYPE_CHECKING:
    from musify_ai.backends.machines import Machine
    from musify_ai.project.checking import Result, Whole
    from musify_ai.project.splitting import Commit
    from musify_ai.records import Rewrite, Verdict
    from musify_ai.rewrite.opening import Asked


UNCOMMITTED = "changed, but in no commit: "
"""How the reason of a file begins that ``split`` could not commit."""


class Outcome(NamedTuple):
    """A finished run, and for each translated file its bytes before and after, which reports show; and the commits
    that were made of it. ``by_hand`` are the findings that a person has settled in the tree that a run into one found
    there, each as path, code, start and end: they stay in the run, for the original still has them."""

    run: Run
    texts: Mapping[str, tuple[bytes, bytes]]
    commits: "tuple[Commit, ...]" = ()
    by_hand: frozenset[tuple[str, str, int, int]] = frozenset()


def check(paths: Sequence[Path], options: Options, *, progress: Progress | None = None) -> Outcome:
    """Findings and pending edits of files and directories; nothing is written. `Refused` for a path that is not."""
    root, entries = _given(paths)
    manner = Manner("check", options, called_with_cuda=_called_with_cuda(root, entries))
    treated = treat_in_style(root, entries, manner, _home(paths, options), progress)
    return _outcome("check", options, treated)


def fix(paths: Sequence[Path], options: Options, *, progress: Progress | None = None) -> Outcome:
    """Make the safe edits in files, each by atomic rename. `Refused` for a path that is not."""
    root, entries = _given(paths)
    if options.style == "rebrand":
        raise Refused(
            "style 'rebrand' renames files and what other files use, so `fix` does not make it; use `migrate`"
        )
    manner = Manner("fix", options, called_with_cuda=_called_with_cuda(root, entries))
    treated = treat_in_style(root, entries, manner, _home(paths, options), progress)
    return _outcome("fix", options, [_written_in_place(root, t) for t in treated])


def migrate(
    source: Path,
    out: Path | None,
    options: Options,
    *,
    way: Way = "out",
    allow_dirty: bool = False,
    everything: bool = False,
    progress: Progress | None = None,
    asked: "Asked | None" = None,
    split: bool = False,
) -> Outcome:
    """The whole way for a file or a directory: into ``out``, in place (``way="in-place"``), or not written (``diff``).
    ``asked`` puts what rules leave to a model. ``split`` commits what is changed in place, a commit a kind.

    `Refused`, before anything is written, for a source that is not and a destination that may not be used. A file
    that goes wrong is in ``run.failed``, stands in the destination as it was, and ends nothing.
    """
    if not os.path.lexists(source):
        raise Refused(f"{source}: no such file or directory")
    if way == "out":
        if out is None:
            raise Refused("no destination was given")
        from musify_ai.project.destination import check_destination

        check_destination(source, out)
    with_ledger = source.is_dir() and (way == "out" or (way == "in-place" and options.style == "tokens"))
    if way == "in-place" and not with_ledger and not allow_dirty:
        from musify_ai.project.in_place import refuse_dirty_tree

        refuse_dirty_tree(source)
    root, entries = (source, walk(source)) if source.is_dir() else (source.parent, [_named(source, source.name)])
    if way == "out":  # the record of an earlier run, which is not the project's
        entries = [entry for entry in entries if entry.path != MANIFEST]
    wholly = way == "out" or options.style == "rebrand"  # what folders may move depends on files of every kind
    files = [e for e in entries if e.kind != "directory" and (wholly or e.role != "other")]
    manner = Manner(way, options, everything, called_with_cuda=_called_with_cuda(root, files))
    if source.is_dir() and not everything:
        manner = _told_by_git(source, entries, manner)
    if with_ledger and out is None:
        return _in_tree(source, files, manner, progress, asked, allow_dirty, split)
    if with_ledger and out is not None:
        folders = [entry.path for entry in entries if entry.kind == "directory"]
        return _into_tree(source, out, folders, files, manner, progress, asked)
    treated = treat_in_style(root, files, manner, "", progress)
    rewrites: tuple[Rewrite, ...] = ()
    if asked is not None:
        from musify_ai.project.rewriting import rewritten

        treated, rewrites = rewritten(source, treated, manner, asked, progress)
    if way == "diff":
        return _outcome("migrate", options, treated, rewrites=rewrites)
    if out is not None:
        from musify_ai.project.writing import write_file

        treated = write_file(source, out, treated)
    checked = _checked(source, out, treated, options, progress)
    if way == "in-place":
        treated = [_written_in_place(root, t) for t in treated]
    return _outcome("migrate", options, treated, checked, rewrites)


def _into_tree(
    source: Path,
    out: Path,
    folders: Sequence[str],
    files: Sequence[Entry],
    manner: Manner,
    progress: Progress | None,
    asked: "Asked | None",
) -> Outcome:
    """A directory migrated into a tree of its own, each step written to the ledger that lies there."""
    from musify_ai.project.burning import settled_by_hand, tally_of
    from musify_ai.project.destination import opened_tree
    from musify_ai.project.keeping import Keeping, verdicts_told
    from musify_ai.project.updating import refuse_another
    from musify_ai.project.writing import changed_meanwhile, write_tree

    options = manner.options
    with opened_tree(out) as tree:
        if not tree.is_new:
            refuse_another(source, tree, files)
        keeping = Keeping(tree.ledger, manner, _tool(options).rules)
        keeping.begin(source, files)
        treated = treat_in_style(source, files, manner, "", progress, keeping)
        rewrites: tuple[Rewrite, ...] = ()
        if asked is not None:
            from musify_ai.project.rewriting import rewritten

            treated, rewrites = rewritten(source, treated, manner, asked, progress)
        tree.ledger.note("stage", "writing")
        treated = write_tree(source, tree, folders, treated)
        treated = changed_meanwhile(source, treated, keeping.since)
        tree.ledger.note("stage", "checking")
        known = {} if options.verify else keeping.unchecked()
        checked = _checked(source, out, [t for t in treated if t.entry.path not in known], options, progress)
        tree.ledger.checked({**keeping.listed, **verdicts_told(checked.verdicts)})
        checked = checked._replace(verdicts=(*checked.verdicts, *(v for each in known.values() for v in each)))
        tree.ledger.note("checks", "made" if options.verify else "none")
        outcome = _outcome("migrate", options, treated, checked, rewrites)
        outcome = outcome._replace(by_hand=settled_by_hand(outcome.run, tree.root, tree.ledger))
        tree.ledger.finish(*tally_of(outcome.run, source, tree.root, tree.ledger))
    return outcome


def _in_tree(
    source: Path,
    files: Sequence[Entry],
    manner: Manner,
    progress: Progress | None,
    asked: "Asked | None",
    allow_dirty: bool,
    split: bool,
) -> Outcome:
    """A directory migrated in place; a run that was killed while it wrote is completed."""
    from musify_ai.project.checking import Result
    from musify_ai.project.in_place import refuse_dirty_tree
    from musify_ai.project.keeping import Keeping, verdicts_told
    from musify_ai.project.ledger import Ledger
    from musify_ai.project.resuming import InPlace, folder_for

    options, commits = manner.options, None
    if split:
        from musify_ai.project.splitting import Splitter

        commits = Splitter(source)
    with Ledger(folder_for(source)) as ledger:
        run = InPlace(source, ledger)
        if not allow_dirty:
            refuse_dirty_tree(source, run.is_own)
        rewrites: tuple[Rewrite, ...] = ()
        if run.is_unfinished:
            treated, verdicts, failures = run.resumed(files, manner)
            checked = Result(verdicts, failures)
        else:
            keeping = Keeping(ledger, manner, _tool(options).rules)
            keeping.begin(source, files)
            treated = treat_in_style(source, files, manner, "", progress, keeping)
            if asked is not None:
                from musify_ai.project.rewriting import rewritten

                treated, rewrites = rewritten(source, treated, manner, asked, progress)
            checked = _checked(source, None, treated, options, progress)
            ledger.checked(verdicts_told(checked.verdicts))
            run.plan(treated)
        treated = run.write(treated)
        made: tuple[Commit, ...] = ()
        if commits is not None:
            made, left = commits.commit(treated, ledger, resumed=run.is_unfinished)
            treated = [_uncommitted(each, left.get(each.entry.path, "")) for each in treated]
        outcome = _outcome("migrate", options, treated, checked, rewrites)._replace(commits=made)
        ledger.finish_in_place()
    return outcome


def _uncommitted(treated: Treated, why: str) -> Treated:
    """A file with why its change is in no commit, where it is in none."""
    if not why:
        return treated
    result = treated.processed.result._replace(reason=UNCOMMITTED + why)
    return treated._replace(processed=treated.processed._replace(result=result))


def translated(source: Path, options: Options, *, progress: Progress | None = None) -> list[Treated]:
    """A file or a directory translated as `migrate` would, and nothing written. `Refused` for a source that is not."""
    if not os.path.lexists(source):
        raise Refused(f"{source}: no such file or directory")
    root, entries = (source, walk(source)) if source.is_dir() else (source.parent, [_named(source, source.name)])
    files = [e for e in entries if e.kind != "directory" and e.role != "other"]
    return treat_in_style(root, files, Manner("diff", options), "", progress)


def _checked(
    source: Path, out: Path | None, treated: list[Treated], options: Options, progress: Progress | None
) -> "Result":
    """Check a translation: a new tree where it is, anything else in a passing copy before the tree itself is touched.

    A single file is checked together with what it includes from its own folder, translated likewise.
    """
    from musify_ai.project.checking import check_migration
    from musify_ai.project.writing import staged

    if source.is_dir() and out is not None:
        return check_migration(source, out, treated, options, progress, named=(source, out))
    if source.is_dir():
        with staged(treated) as stage:
            return check_migration(source, stage, treated, options, progress)
    from musify_ai.project.company import company_of

    readable = any(item.kept is not None for item in treated)
    others = treat_all(source.parent, company_of(source), Manner("out", options)) if readable else []
    named = (source, out) if out is not None and not others else None
    with staged([*treated, *others]) as stage:
        result = check_migration(source.parent, stage, [*treated, *others], options, progress, named=named)
    return result._replace(verdicts=tuple(v for v in result.verdicts if v.path == source.name))


def verify_port(
    original: Path,
    translation: Path,
    options: Options,
    *,
    kernels: Sequence[str] = (),
    program: "Whole | None" = None,
    progress: Progress | None = None,
    overlay: Path | None = None,
    machines: "Mapping[str, Machine] | None" = None,
) -> Outcome:
    """Check a port of any making against its original; with ``program`` run both whole, as it says. What a real
    compiler lacks is written to ``overlay``, beside what stands there. Real backends run on ``machines``, by key
    (`musify_ai.backends.devices.BUILDERS`), where these are given instead of the options' remotes.

    `Refused` where there is nothing to check it with.
    """
    from musify_ai.project.checking import check_port

    checked = check_port(original, translation, options, kernels, progress, program=program, machines=machines)
    if overlay is not None:
        from musify_ai.project.overlays import write_absent

        write_absent(overlay, checked.absent)
    run = Run(_tool(options), "verify", options, (), _in_order(checked.verdicts), checked.failures, checked.programs)
    return Outcome(run, {})


def _told_by_git(source: Path, entries: Sequence[Entry], manner: Manner) -> Manner:
    """The manner of a run over a whole tree, with what git says of the tree's files."""
    from musify_ai.project.git_listing import Others, ignored_files

    ignored = ignored_files(source, entries)
    others = Others(source, entries)
    if not others:
        return manner._replace(ignored=ignored)
    told = {e.path: why for e in entries if e.kind == "file" and (why := others.reason(e.path)) is not None}
    return manner._replace(ignored=ignored, others=told)


def _called_with_cuda(root: Path, entries: Sequence[Entry]) -> frozenset[str]:
    """What the CMake files of a run have to know of each other; nothing is read where there is none."""
    if not any(entry.role == "build" and "cmake" in entry.path.lower() for entry in entries):
        return frozenset()
    from musify_ai.project.build_context import called_with_cuda

    return called_with_cuda(root, entries)


def _home(paths: Sequence[Path], options: Options) -> str:
    """The folder that the files of a style are put in, where single files are given."""
    if options.style == "tokens":
        return ""
    from musify_ai.project.companions import home_of

    return home_of(paths)


def _given(paths: Sequence[Path]) -> tuple[Path, list[Entry]]:
    """The files that paths name, directories walked; the root that their paths are relative to is where we stand.

    A file named outright is read whatever its suffix says, as long as it is source or a build file by name. One file
    under two names is read once, under the first. Of directories, what git ignores is left out.
    """
    found: dict[str, Entry] = {}
    real: set[str] = set()
    for path in paths:
        if not os.path.lexists(path):
            raise Refused(f"{path}: no such file or directory")
        name = path.as_posix()
        if path.is_dir():
            prefix = "" if name == "." else name.removesuffix("/") + "/"
            entries = walk(path)
            ignored = _ignored(path, entries)
            listed = [e for e in entries if (e.role != "other" or e.kind == "special") and e.path not in ignored]
            found.update((prefix + e.path, e._replace(path=prefix + e.path)) for e in listed)
        elif (place := os.path.realpath(path)) not in real:
            real.add(place)
            found[name] = _named(path, name)
    entries = [found[name] for name in sorted(found)]
    return Path(), [e for e in entries if e.kind != "directory"]


def _ignored(folder: Path, entries: Sequence[Entry]) -> frozenset[str]:
    from musify_ai.project.git_listing import ignored_files

    return ignored_files(folder, entries)


def _named(path: Path, name: str) -> Entry:
    """The entry for a file that the user named outright: a link to one stands for its target."""
    entry = look(path, name)
    if entry.kind == "link" and path.is_file():
        return Entry(name, "file", entry.role, path.stat().st_size)
    return entry


def _written_in_place(root: Path, treated: Treated) -> Treated:
    """The file replaced where it changed. What cannot be written is a failure, and its edits were not applied."""
    data = treated.processed.output
    if treated.target and treated.processed.result.status != "failed":
        return _moved_in_place(root, treated)
    if not treated.is_changed or data is None:
        return treated
    from musify_ai.project.in_place import replace_file, write_new

    result = treated.processed.result
    place = root / treated.entry.path
    try:
        if (place.read_bytes() if treated.kept is not None or os.path.lexists(place) else None) != treated.before:
            raise OSError(errno.EBUSY, "it was changed while the run was going on and is left as it is")
        if treated.kept is None:
            write_new(place, data)
        else:
            replace_file(place, data)
    except OSError as problem:
        error = problem.strerror or type(problem).__name__
        failure = Failure(result.path, "write", error, "The file is as it was. Check its folder's permissions.")
        edits = tuple(e._replace(applied=False) for e in result.edits)
        failed = result._replace(status="failed", reason=error, sha256_after=None, edits=edits)
        return treated._replace(processed=treated.processed._replace(result=failed, kept=None, failure=failure))
    return treated._replace(processed=treated.processed._replace(result=result._replace(output=result.path)))


def _moved_in_place(root: Path, treated: Treated) -> Treated:
    """The file at its new place, with its new bytes, and gone from the old one."""
    from musify_ai.project.in_place import move_file

    result = treated.processed.result
    try:
        if treated.kept is not None and (root / treated.entry.path).read_bytes() != treated.before:
            raise OSError(errno.EBUSY, "it was changed while the run was going on and is left as it is")
        move_file(root, treated.entry.path, treated.target, treated.processed.output if treated.is_changed else None)
    except OSError as problem:
        error = problem.strerror or type(problem).__name__
        failure = Failure(
            result.path, "write", error, "The file is where and as it was. Check the folders' permissions."
        )
        edits = tuple(e._replace(applied=False) for e in result.edits)
        failed = result._replace(status="failed", reason=error, sha256_after=None, edits=edits)
        return treated._replace(processed=treated.processed._replace(result=failed, kept=None, failure=failure))
    return treated._replace(processed=treated.processed._replace(result=result._replace(output=treated.target)))


def _outcome(
    command: str,
    options: Options,
    treated: Sequence[Treated],
    checked: "Result | None" = None,
    rewrites: "Sequence[Rewrite]" = (),
) -> Outcome:
    """The records of a run put together, everything in order of path and place."""
    ordered: list[FileResult] = sorted((t.processed.result for t in treated), key=lambda f: f.path)
    failed = [t.processed.failure for t in treated if t.processed.failure is not None]
    run = Run(
        tool=_tool(options),
        command=command,
        options=options,
        files=without_repeated_notes(ordered),
        verdicts=_in_order(checked.verdicts) if checked else (),
        failed=tuple(sorted([*failed, *(checked.failures if checked else ())])),
        programs=checked.programs if checked else (),
        rewrites=tuple(rewrites),
    )
    kept = {t.entry.path: (t.kept or b"", t.processed.kept) for t in treated if t.processed.kept is not None}
    return Outcome(run, Both(kept))


def _in_order(verdicts: "Sequence[Verdict]") -> "tuple[Verdict, ...]":
    return tuple(sorted(verdicts, key=lambda v: (v.path, v.line, v.name, v.instantiation or "")))


def _tool(options: Options) -> Tool:
    from musify_ai.rules import load

    return Tool("musify-ai", __version__, load("main", options.sdk, options.overlay, options.rules).version)
