"""Going through many files: one after the other, or over processes where that pays."""

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from musify_ai.pipeline import Processed
from musify_ai.project.discovery import Entry
from musify_ai.project.treating import Manner, Treated, quotes_cuda_header, treat, treat_again
from musify_ai.records import Failure, FileResult

if TYPE_CHECKING:
    from musify_ai.project.keeping import Keeping
    from musify_ai.translate.surroundings import Surroundings

Progress = Callable[[str], None]

# Below this many bytes of source, starting processes costs more than it gives: they take 60 ms to start and to answer,
# and one process reads 5 to 10 MB/s.
PARALLEL_FROM = 2_000_000
# From so many files on their bytes are put aside on disk while the run goes on.
ASIDE_FROM = 100
# A task is so many bytes of source: enough to make the way to a process and back cheap, few enough to share out.
_TASK_BYTES = 400_000
_TASK_FILES = 100


def treat_all(
    root: Path,
    entries: Sequence[Entry],
    manner: Manner,
    progress: Progress | None = None,
    keeping: "Keeping | None" = None,
) -> list[Treated]:
    """Every entry treated, in the order given. A file that takes its process down is one failure of its own.

    With ``keeping`` each result is written to the run's ledger as it comes, and those that are there are not made
    again.
    """
    was_on = gc.isenabled()
    gc.disable()  # every file makes and drops a hundred thousand tokens, none of them in a cycle
    try:
        return _treat_all(root, entries, manner, progress, keeping)
    finally:
        if was_on:
            gc.enable()


def _treat_all(
    root: Path, entries: Sequence[Entry], manner: Manner, progress: Progress | None, keeping: "Keeping | None"
) -> list[Treated]:
    jobs = manner.options.jobs or os.cpu_count() or 1
    aside = _aside_from(entries, keeping)
    found = {} if keeping is None else keeping.known(root, entries, aside)
    left = [entry for entry in entries if entry.path not in found]
    weight = sum(entry.size for entry in left if entry.role == "source")
    results: Iterator[Treated]
    if manner.options.executor == "ray":
        results = _over_ray(root, left, manner, jobs)
    elif jobs > 1 and weight >= PARALLEL_FROM:
        results = _over_processes(root, left, manner, jobs)
    else:
        results = (treat(root, entry, manner) for entry in left)
    for treated in results:
        if keeping is not None:
            keeping.record(treated)
        found[treated.entry.path] = aside(treated)
        if progress is not None:
            progress(f"translating {len(found)}/{len(entries)} {treated.entry.path}")
    done = [found[entry.path] for entry in entries]
    if keeping is not None and (kept := keeping.settled(done, aside)) is not None:
        return kept
    together = done
    if sum(entry.role == "source" for entry in entries) > 1 or any(quotes_cuda_header(each) for each in done):
        from musify_ai.project.index import with_surroundings

        def again(each: Treated, around: "Surroundings") -> Treated:
            return aside(treat_again(each, manner, around))

        together = with_surroundings(root, done, manner.options, again)
    if keeping is not None:
        keeping.settle(done, together)
    return together


def _aside_from(entries: Sequence[Entry], keeping: "Keeping | None") -> Callable[[Treated], Treated]:
    """What puts the bytes of a file aside, where a run has so many files that it should not hold them all."""
    if len(entries) < ASIDE_FROM:
        return lambda treated: treated
    from functools import partial

    from musify_ai.project.texts import put_aside
    from musify_ai.source.aside import Spool

    return partial(put_aside, spool=Spool(keeping.ledger.folder if keeping is not None else None))


def _over_processes(root: Path, entries: Sequence[Entry], manner: Manner, jobs: int) -> Iterator[Treated]:
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from functools import partial

    done = 0
    _prepare(manner)
    try:
        with ProcessPoolExecutor(jobs, initializer=gc.disable) as pool:
            for treated in pool.map(partial(_treat_each, root, manner=manner), _tasks(entries)):
                done += len(treated)
                yield from treated
    except BrokenProcessPool:
        # Which file it was is not known: each of the rest gets a process to itself.
        for entry in entries[done:]:
            yield _alone(root, entry, manner)


def _over_ray(root: Path, entries: Sequence[Entry], manner: Manner, jobs: int) -> Iterator[Treated]:
    """The entries in the order in which they are done."""
    from functools import partial

    from musify_ai.project.ray_cluster import Died, each_done

    for task, done in each_done(partial(_treat_each, root.resolve(), manner=manner), list(_tasks(entries)), jobs):
        if isinstance(done, Died):
            for entry in task:
                yield _alone(root, entry, manner)
        else:
            yield from done


def _prepare(manner: Manner) -> None:
    """Load what every process needs before there are any: where they begin as copies of this one, they have it."""
    from musify_ai import translate as translate
    from musify_ai.pipeline.residue import known_names
    from musify_ai.rules import load

    load("main", manner.options.sdk, manner.options.overlay, manner.options.rules)
    known_names()


def _tasks(entries: Sequence[Entry]) -> Iterator[Sequence[Entry]]:
    """The entries in their order, in runs of about as many bytes of source."""
    begin = weight = 0
    for index, entry in enumerate(entries):
        weight += entry.size if entry.role == "source" else 0
        if weight >= _TASK_BYTES or index - begin >= _TASK_FILES:
            yield entries[begin : index + 1]
            begin, weight = index + 1, 0
    if begin < len(entries):
        yield entries[begin:]


def _treat_each(root: Path, entries: Sequence[Entry], manner: Manner) -> list[Treated]:
    return [treat(root, entry, manner) for entry in entries]


def _alone(root: Path, entry: Entry, manner: Manner) -> Treated:
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    with ProcessPoolExecutor(1) as pool:
        try:
            return pool.submit(treat, root, entry, manner).result()
        except BrokenProcessPool:
            error = "internal error: the process that translated this file died"
            hint = "This is a fault of musify-ai: the file is left as it is. Please report it with the file."
            result = FileResult(entry.path, None, "failed", error)
            return Treated(entry, None, Processed(result, None, (), Failure(entry.path, "translate", error, hint)))
