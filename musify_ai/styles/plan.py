"""What a run has settled over all of its files before one of them gets its last shape."""

from collections.abc import Mapping
from typing import NamedTuple


class Plan(NamedTuple):
    """Decisions that hold for every file of a run.

    ``spelled_out`` are names that no alias may stand for, since the project itself defines something of that name:
    they are renamed in place. ``renames`` are the project's own names with what they become, ``paths`` its files,
    relative with ``/``, with their new places, and ``notes`` for a file what was decided against and is to be said
    there: a code, the word it is about, and the message.
    """

    spelled_out: frozenset[bytes] = frozenset()
    renames: Mapping[bytes, bytes] = {}
    paths: Mapping[str, str] = {}
    notes: Mapping[str, tuple[tuple[str, bytes, str], ...]] = {}
