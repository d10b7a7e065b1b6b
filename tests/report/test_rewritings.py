"""The sentence on a model's work."""

from musify_ai.records import Attempt, Edit, Options, Rewrite, Run, Tool
from musify_ai.report.rewritings import told

EDIT = Edit(0, 1, b"a", b"b", "MUS402", "llm", "unsafe", "model m", True)


def run(*rewrites: Rewrite) -> Run:
    return Run(Tool("musify-ai", "0", "0"), "migrate", Options(), (), rewrites=rewrites)


def rewrite(*outcomes: str, accepted: bool = False) -> Rewrite:
    tried = tuple(Attempt("", outcome, f"why {outcome}") for outcome in outcomes)
    return Rewrite("a:1:MUS402", "a", "m", tried, EDIT if accepted else None)


def test_fates_are_counted_by_how_the_last_attempt_ended() -> None:
    done = run(
        rewrite("numeric", "accepted", accepted=True), rewrite("compile"), rewrite("extract", "numeric"),
        rewrite("compile", "infra"), rewrite("budget"), rewrite("infra"), rewrite(),
    )  # fmt: skip
    assert told(done) == "7 constructs: 3 not judged, 2 refused, 1 rewritten, 1 right as translated (why infra)"


def test_a_run_without_a_model_says_nothing() -> None:
    assert told(run()) == ""
