"""Progress for a person at a terminal; nothing at all otherwise."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress() -> Iterator[Callable[[str], None] | None]:
    """Where stderr is a terminal, a function that shows one line there while the block runs; else None."""
    if sys.stderr is None or not sys.stderr.isatty():  # None where it is closed
        yield None
        return
    from rich.console import Console
    from rich.markup import escape

    with Console(stderr=True).status("starting") as status:
        yield lambda text: status.update(escape(text))
