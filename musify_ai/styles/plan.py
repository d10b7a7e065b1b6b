"""What a run has settled over all of its files before one of them gets its last shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from musify_ai.styles.places import Includes


class Plan(NamedTuple):
    """Decisions that hold for every file of a run.

    ``spelled_out`` are names that no alias may stand for, since the project itself defines something of that name:
    they are renamed in place. ``renames`` are the project's own names with what they become, ``members`` those among
    them that are members of classes, and ``scopes`` the names of its namespaces, classes and types, which may qualify
    them. ``paths`` are its files and folders, relative with ``/``, with their new places, and ``includes`` knows the
    way to them. ``notes`` are for a file what was decided against and is to be said there: a code, the word it is
    about, and the message. ``file_names`` are the names of files that get another one, with that.
    """

    spelled_out: frozenset[bytes] = frozenset()
    renames: Mapping[bytes, bytes] = {}
    members: frozenset[bytes] = frozenset()
    scopes: frozenset[bytes] = frozenset()
    paths: Mapping[str, str] = {}
    includes: Includes | None = None
    notes: Mapping[str, tuple[tuple[str, bytes, str], ...]] = {}
    file_names: Mapping[bytes, str] = {}
