"""The coverage table and the pages of libraries."""

from musify_ai.rules import RENAMED, data_dir
from musify_ai.rules.coverage import page, table
from musify_ai.rules.reading import FOLDERS, Row, read

ROWS = [
    Row("cuA", "muA", "seen", "function", "driver", "somewhere"),
    Row("cuB", "muB", "table", "function", "driver", "a | table", "one note", since="4.3"),
    Row("ncclA", "", "none", "function", "nccl"),
    Row("cuWrong", "", "left-out", "", "driver"),
]


def test_the_table_counts_by_library_and_treatment():
    assert [line.split() for line in table(ROWS).splitlines()] == [
        ["library", "names", "seen", "table", "none"],
        ["driver", "2", "1", "1"],
        ["nccl", "1", "1"],
        ["all", "3", "1", "1", "1"],
    ]


def test_a_page_has_every_name_with_its_evidence():
    text = page("driver", ROWS)
    assert "## seen (1)" in text and "## left-out (1)" in text
    assert "| `cuB` | `muB` | from 4.3 | a \\| table | one note |" in text
    assert "ncclA" not in text


def test_the_sums_are_those_of_the_rules():
    rows = read(data_dir(), (*FOLDERS, "bulk"))
    head, *_, last = (line.split() for line in table(rows).splitlines())
    sums = dict(zip(head[1:], map(int, last[1:]), strict=True))
    assert sums["names"] == sum(row.treatment != "left-out" for row in rows)
    assert sum(sums[treatment] for treatment in RENAMED) == sum(row.treatment in RENAMED for row in rows)
