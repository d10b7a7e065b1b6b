"""The verdict logic on fabricated runs: what is missing, empty or ended badly is a named failure, never equal."""

from collections.abc import Callable

import pytest

from musify_ai.verify.judging import ORDER_DEPENDENT, Judgement, judge
from musify_ai.verify.results import Buffered, Case, CaseRun, Noticed, Place, SideRuns

PLACES = (
    Place("in", 64, 4, ((0, 4, "f"),), const=True),
    Place("out", 64, 4, ((0, 4, "f"),)),
)
PLANNED = tuple(
    Case(0, seed, schedule, poison)
    for seed in (1, 2, 3)
    for schedule in ("forward", "reverse", "random:1")
    for poison in (0xFF, 0x00)
)


def good(case: Case) -> CaseRun:
    return CaseRun("ok", "", 64, (Buffered(f"in{case.seed}", 0, 0), Buffered(f"out{case.seed}", 40, 0)))


def side(make: Callable[[Case], CaseRun | None] = good, varies: tuple[bool, ...] = (False, True)) -> SideRuns:
    made = {case: make(case) for case in PLANNED}
    return SideRuns({case: run for case, run in made.items() if run is not None}, varies)


def changed(run: CaseRun, index: int, **fields: object) -> CaseRun:
    buffers = list(run.buffers)
    buffers[index] = buffers[index]._replace(**fields)
    return run._replace(buffers=tuple(buffers))


def verdict(original: SideRuns, translated: SideRuns) -> Judgement:
    return judge(PLANNED, PLACES, original, translated)


def test_equal() -> None:
    got = verdict(side(), side())
    assert (got.outcome, got.notes, got.written, got.varies) == ("equal-emulated", (), (False, True), (False, True))


def test_no_case_planned() -> None:
    got = judge((), PLACES, side(), side())
    assert got.outcome == "not-checkable"
    assert "no case" in got.detail


def test_no_buffer() -> None:
    got = judge(PLANNED, (), side(lambda case: CaseRun("ok", "", 64)), side(lambda case: CaseRun("ok", "", 64)))
    assert got.outcome == "not-checkable"
    assert "no buffer" in got.detail


def test_nothing_ran_at_all() -> None:
    got = verdict(SideRuns({}), SideRuns({}))
    assert got.outcome == "not-checkable"
    assert "missing result" in got.detail


@pytest.mark.parametrize("lost", [PLANNED[0], PLANNED[7], PLANNED[-1]])
def test_missing_case(lost: Case) -> None:
    def lossy(case: Case) -> CaseRun | None:
        return None if case == lost else good(case)

    original = verdict(side(lossy), side())
    assert (original.outcome, "missing result: the original" in original.detail) == ("not-checkable", True)
    translated = verdict(side(), side(lossy))
    assert (translated.outcome, "missing result: the translation" in translated.detail) == ("differs", True)


def test_missing_buffer() -> None:
    def short(case: Case) -> CaseRun:
        return good(case)._replace(buffers=good(case).buffers[:1])

    assert verdict(side(), side(short)).outcome == "differs"
    assert verdict(side(), side(short)).detail == "missing buffer: the translation did not report out"
    assert verdict(side(short), side()).outcome == "not-checkable"
    assert verdict(side(short), side(short)).outcome == "not-checkable"


def test_one_case_differs() -> None:
    def off(case: Case) -> CaseRun:
        run = good(case)
        return changed(run, 1, hash="other") if case == PLANNED[11] else run

    got = verdict(side(), side(off))
    assert got.outcome == "differs"
    assert got.where == (PLANNED[11], 1)
    assert "out differs" in got.detail
    assert "seed 2" in got.detail


def test_const_input_modified() -> None:
    got = verdict(side(), side(lambda case: changed(good(case), 0, hash="x", written=1)))
    assert got.outcome == "differs"
    assert got.detail.startswith("const input modified: in")


def test_new_nan_is_named() -> None:
    got = verdict(side(), side(lambda case: changed(good(case), 1, hash="x", nan=3)))
    assert got.outcome == "differs"
    assert got.detail.startswith("NaN in out where the original has none")


@pytest.mark.parametrize("state", ["trap", "assert", "fault", "deadlock", "config", "shared-limit", "died", "new-word"])
def test_ends_badly(state: str) -> None:
    bad = side(lambda case: CaseRun(state, "here", 64))
    translated = verdict(side(), bad)
    assert translated.outcome == "differs"
    assert "the original ends well" in translated.detail
    original = verdict(bad, side())
    assert original.outcome == "not-checkable"
    assert original.detail.startswith("inputs: the original ends with")
    assert verdict(bad, bad).outcome == "not-checkable"


def test_timeout_is_named_on_either_side() -> None:
    slow = side(lambda case: CaseRun("time-limit", "5 s", 64))
    assert verdict(side(), slow).outcome == "differs"
    assert verdict(side(), slow).detail.startswith("timeout: the translation")
    assert verdict(slow, side()).outcome == "not-checkable"
    assert verdict(slow, side()).detail.startswith("timeout: the original")
    assert verdict(slow, slow).outcome == "not-checkable"


def test_run_that_stopped_early_says_why_it_stopped() -> None:
    def stopped(case: Case) -> CaseRun | None:
        if case == PLANNED[0]:
            return CaseRun("time-limit", "5 s", 64)
        return None

    assert verdict(side(), side(stopped)).detail.startswith("timeout: the translation")


def test_unsupported_instruction() -> None:
    got = verdict(side(lambda case: CaseRun("unsupported", "wgmma.mma_async", 64)), side())
    assert got.outcome == "not-checkable"
    assert "wgmma.mma_async" in got.detail
    assert verdict(side(), side(lambda case: CaseRun("unsupported", "bar.sync", 64))).outcome == "build-failed"


def test_stub() -> None:
    got = verdict(side(), side(lambda case: CaseRun("stub", "MUS401", 64)))
    assert (got.outcome, got.detail) == ("unchecked", "MUS401")
    one = side(lambda case: CaseRun("stub", "MUS401", 64) if case == PLANNED[-1] else good(case))
    assert verdict(side(), one).outcome == "unchecked"
    assert verdict(one, side()).outcome == "not-checkable"


def test_nothing_written() -> None:
    idle = side(lambda case: changed(good(case), 1, written=0), varies=(False, False))
    got = verdict(idle, idle)
    assert got.outcome == "not-checkable"
    assert "wrote nothing" in got.detail


def test_written_but_always_the_same() -> None:
    constant = side(varies=(False, False))
    got = verdict(constant, constant)
    assert got.outcome == "equal-weak"
    assert "depends on the contents of its inputs" in got.detail


def test_only_an_unwritten_buffer_varies() -> None:
    odd = side(varies=(True, False))
    assert verdict(odd, odd).outcome == "equal-weak"


def test_summary_missing_is_not_equal() -> None:
    assert verdict(side(varies=()), side()).outcome == "not-checkable"


def test_no_thread_ran() -> None:
    idle = side(lambda case: good(case)._replace(threads=0))
    for pair in ((idle, idle), (side(), idle), (idle, side())):
        got = verdict(*pair)
        assert got.outcome == "not-checkable"
        assert "no thread ran" in got.detail


def test_poison_in_output() -> None:
    leaky = side(lambda case: changed(good(case), 1, hash=f"{case.seed}-{case.poison}"))
    got = verdict(leaky, leaky)
    assert got.outcome == "not-checkable"
    assert "poison in an output" in got.detail


def test_poison_does_not_excuse_a_difference() -> None:
    leaky = side(lambda case: changed(good(case), 1, hash=f"{case.seed}-{case.poison}"))
    assert verdict(leaky, side()).outcome == "differs"


def by_schedule(case: Case) -> CaseRun:
    return changed(good(case), 1, hash=f"{case.seed}-{case.schedule}")


def test_order_dependent() -> None:
    got = verdict(side(by_schedule), side(by_schedule))
    assert (got.outcome, got.notes, got.original_varies) == ("equal-emulated", (ORDER_DEPENDENT,), True)


def test_sides_disagree_while_the_original_varies() -> None:
    got = verdict(side(by_schedule), side())
    assert got.outcome == "original-schedule-dependent"
    assert got.original_varies


def test_difference_in_a_buffer_that_does_not_vary_is_not_excused() -> None:
    def make(first: str) -> SideRuns:
        def both(case: Case) -> CaseRun:
            return changed(by_schedule(case), 0, hash=f"{first}{case.seed}", written=3)

        return side(both)

    got = verdict(make("a"), make("b"))
    assert (got.outcome, got.original_varies) == ("differs", True)


def test_other_elements_where_the_original_only_reorders() -> None:
    def reordering(case: Case) -> CaseRun:
        return changed(by_schedule(case), 1, bag=f"bag{case.seed}")

    def reversing(case: Case) -> CaseRun:
        return changed(by_schedule(case), 1, hash=f"{case.seed}-{case.schedule}x", bag=f"bag{case.seed}")

    def losing(case: Case) -> CaseRun:
        return changed(reversing(case), 1, bag="fewer")

    assert verdict(side(reordering), side(reversing)).outcome == "original-schedule-dependent"
    assert verdict(side(reordering), side(losing)).outcome == "differs"


def test_only_the_translation_varies_is_a_difference() -> None:
    got = verdict(side(), side(by_schedule))
    assert (got.outcome, got.original_varies) == ("differs", False)


def test_bad_end_of_the_translation_is_not_excused_by_a_varying_original() -> None:
    got = verdict(side(by_schedule), side(lambda case: CaseRun("deadlock", "", 64)))
    assert got.outcome == "differs"
    assert got.original_varies


def test_assumptions() -> None:
    def assuming(case: Case) -> CaseRun:
        noticed = (Noticed("assumption", "", "warp128-ballot-segment"), Noticed("assumption", "", "a"))
        return good(case)._replace(noticed=noticed if case == PLANNED[3] else ())

    got = verdict(side(), side(assuming))
    assert (got.outcome, got.assumptions) == ("equal-assumed", ("a", "warp128-ballot-segment"))
    assert verdict(side(assuming), side()).outcome == "equal-emulated"


def test_what_only_the_original_can_rest_on_counts() -> None:
    """The tensor cores are CUDA's alone: a translation that agrees agrees with what was assumed of them."""

    def assuming(case: Case) -> CaseRun:
        return good(case)._replace(noticed=(Noticed("assumption", "", "mma-accumulation"),))

    got = verdict(side(assuming), side())
    assert (got.outcome, got.assumptions) == ("equal-assumed", ("mma-accumulation",))


def test_other_prints_are_not_plainly_equal() -> None:
    mine, same = (side(lambda case: good(case)._replace(printed=f"{case.seed}")) for _ in range(2))
    other = side(lambda case: good(case)._replace(printed=f"{case.seed}" if case.seed < 3 else "other"))
    assert verdict(mine, same).outcome == "equal-emulated"
    got = verdict(mine, other)
    assert got.outcome == "equal-weak"
    assert "prints-differ" in got.detail
    assert "seed 3" in got.detail


def test_what_one_side_alone_noticed_is_a_note() -> None:
    def noticing(case: Case) -> CaseRun:
        return good(case)._replace(noticed=(Noticed("shuffle-inactive", "lane 16 reads lane 32"),))

    got = verdict(side(), side(noticing))
    assert got.notes == ("only the translation: shuffle-inactive: lane 16 reads lane 32",)
    assert verdict(side(noticing), side(noticing)).notes == ()
    assert verdict(side(noticing), side()).notes == ("only the original: shuffle-inactive: lane 16 reads lane 32",)
