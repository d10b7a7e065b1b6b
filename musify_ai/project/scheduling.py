"""Going through many files: one after the other, or over processes where that pays."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from musify_ai.pipeline import Processed
from musify_ai.project.discovery import Entry
from musify_ai.project.treating import Manner, Treated, treat, treat_again
from musify_ai.records import Failure, FileResult

Progress = Callable[[str], None]

# Below this many bytes of source, starting processes costs more than it gives (about 40 MB/s in one).
PARALLEL_FROM = 8_000_000


def treat_all(root: Path, entries: Sequence[Entry], manner: Manner, progress: Progress | None = None) -> list[Treated]:
    """Every entry treated, in the order given. A file that takes its process down is one failure of its own."""
    jobs = manner.options.jobs or os.cpu_count() or 1
    weight = sum(entry.size for entry in entries if entry.role == "source")
    done: list[Treated] = []
    results = (
        _over_processes(root, entries, manner, jobs)
        if jobs > 1 and weight >= PARALLEL_FROM
        else (treat(root, entry, manner) for entry in entries)
    )
    for treated in results:
        done.append(treated)
        if progress is not None:
            progress(f"translating {len(done)}/{len(entries)} {treated.entry.path}")
    if sum(entry.role == "source" for entry in entries) < 2:
        return done
    from musify_ai.project.index import with_surroundings

    return with_surroundings(done, manner.options, lambda each, around: treat_again(each, manner, around))


def _over_processes(root: Path, entries: Sequence[Entry], manner: Manner, jobs: int) -> Iterator[Treated]:
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from functools import partial

    done = 0
    try:
        with ProcessPoolExecutor(jobs) as pool:
            for treated in pool.map(partial(treat, root, manner=manner), entries, chunksize=16):
                done += 1
                yield treated
    except BrokenProcessPool:
        # Which file it was is not known: each of the rest gets a process to itself.
        for entry in entries[done:]:
            yield _alone(root, entry, manner)


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
