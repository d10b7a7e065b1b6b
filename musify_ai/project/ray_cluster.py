"""Treating files on a Ray cluster: the one at ``RAY_ADDRESS``, else one of this machine's own for the run.

The tasks are those of the local processes, pure functions of a root and the entries below it, so the workers have to
see the tree at the same path and have musify-ai installed. Ray starts a task anew whose worker has died.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from musify_ai.project.refusals import Refused

Task = TypeVar("Task")
Done = TypeVar("Done")

RETRIES = 3
"""How often a task is started anew whose worker died; then the files of the task are taken one by one, here."""
_AT_ONCE = 4  # tasks handed over for each worker: enough that none waits, few enough to keep memory flat


class Died:
    """What comes back for a task whose worker died each time."""


def each_done(function: Callable[[Task], Done], tasks: Sequence[Task], jobs: int) -> Iterator[tuple[Task, Done | Died]]:
    """The tasks with their results, as they are done. `Refused` where there is no Ray, or no cluster can be had."""
    ray = _ray()
    own = not ray.is_initialized()
    if own:
        _start(ray, jobs)
    try:

        def treat_task(task: Task) -> Done:  # Ray takes functions only, and workers are named for them
            return function(task)

        remote = ray.remote(max_retries=RETRIES, num_cpus=1)(treat_task)
        waiting: dict[Any, Task] = {}
        pending = iter(tasks)
        most = _AT_ONCE * max(1, jobs)
        while True:
            for task in pending:
                waiting[remote.remote(task)] = task
                if len(waiting) >= most:
                    break
            if not waiting:
                return
            ready, _ = ray.wait(list(waiting), num_returns=1)
            for reference in ready:
                task = waiting.pop(reference)
                try:
                    yield task, ray.get(reference)
                except (ray.exceptions.WorkerCrashedError, ray.exceptions.OutOfMemoryError):
                    yield task, Died()
    finally:
        if own:
            ray.shutdown()


def _ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing of a run is told to anybody
    try:
        import ray
        import ray.exceptions
    except ImportError:
        raise Refused("--executor ray needs Ray: pip install ray, or musify-ai with its extra [ray]") from None
    return ray


def _start(ray: Any, jobs: int) -> None:
    address = os.environ.get("RAY_ADDRESS")
    package = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH"))))
    quiet = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}
    try:
        if address:
            ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        else:
            ray.init(num_cpus=jobs, runtime_env={"env_vars": {"PYTHONPATH": path}}, **quiet)
    except Exception as problem:  # Ray says that nothing came up by `Exception` itself, among others
        where = f"at {address}" if address else "on this machine"
        raise Refused(f"no Ray cluster {where}: {problem}") from problem
