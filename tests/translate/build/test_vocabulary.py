"""The tables of what build files call things: consistent, and of one mind with the names of the API."""

import re

import pytest

from musify_ai.translate.build.vocabulary import flags, names

GROUPS = ("targets", "libraries", "variables", "functions", "environment", "headers")


@pytest.mark.parametrize("group", GROUPS)
def test_rows_are_of_one_shape(group: str) -> None:
    rows = names(group)
    assert rows
    for name, row in rows.items():
        assert row.grade in ("seen", "prefix", "none", "version")
        assert bool(row.musa) == (row.grade in ("seen", "prefix")), name
        assert row.musa or row.note, name
        assert not re.search(r"cuda|nvcc", row.musa, re.IGNORECASE), name
        assert row.musa not in rows, name  # a second run would take it for CUDA's again


def test_targets_and_libraries_agree() -> None:
    libraries = names("libraries")
    for name, row in names("targets").items():
        library = libraries.get(name.removeprefix("CUDA::"))
        if library is not None and library.musa and row.musa:
            assert row.musa == f"MUSA::{library.musa}", name


def test_a_flag_has_one_fate() -> None:
    table = flags()
    fates = [
        table.dropped | table.dropped_valued,
        frozenset(table.renamed),
        table.passed_on,
        frozenset(table.respelled),
        frozenset(table.unknown),
    ]
    for index, fate in enumerate(fates):
        for other in fates[index + 1 :]:
            assert not fate & other
    assert all(flag.startswith("-") for fate in fates for flag in fate)
    assert all(not word.startswith("--") for new in table.renamed.values() for word in new.split())
