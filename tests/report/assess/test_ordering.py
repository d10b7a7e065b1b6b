"""The order of work: after what a file includes, whatever lies between, and files in a circle together."""

from musify_ai.report.assess.ordering import levels, waiting

CHAIN = {"a.cu": ["b.h"], "b.h": ["c.h"], "c.h": ["d.h"], "d.h": [], "e.cu": []}


def test_a_file_comes_after_what_it_includes_at_any_remove() -> None:
    assert levels({"a.cu", "b.h", "d.h", "e.cu"}, CHAIN) == {"d.h": 1, "b.h": 2, "a.cu": 3, "e.cu": 1}


def test_a_file_without_work_is_no_step_and_does_not_break_the_chain() -> None:
    assert levels({"a.cu", "d.h"}, CHAIN) == {"d.h": 1, "a.cu": 2}


def test_files_that_include_each_other_are_one_step() -> None:
    circle = {"a.cu": ["x.h"], "x.h": ["y.h"], "y.h": ["x.h", "z.h"], "z.h": []}
    assert levels({"a.cu", "x.h", "y.h", "z.h"}, circle) == {"z.h": 1, "x.h": 2, "y.h": 2, "a.cu": 3}
    assert levels({"me.h"}, {"me.h": ["me.h"]}) == {"me.h": 1}


def test_a_long_chain_needs_no_stack() -> None:
    chain = {f"{i}.h": [f"{i + 1}.h"] if i < 5000 else [] for i in range(5001)}
    assert levels(chain.keys(), chain)["0.h"] == 5001


def test_what_waits_is_counted_at_any_remove_and_once() -> None:
    diamond = {"a.cu": ["l.h", "r.h"], "l.h": ["base.h"], "r.h": ["base.h"], "base.h": []}
    assert waiting(diamond) == {"l.h": 1, "r.h": 1, "base.h": 3}
    assert waiting({"x.h": ["y.h"], "y.h": ["x.h"]}) == {"x.h": 1, "y.h": 1}
