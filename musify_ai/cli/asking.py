"""The options that say whom to ask about what rules leave, and how much that may cost."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from musify_ai.rewrite.opening import Asked

F = TypeVar("F", bound=Callable[..., Any])

_LIMITS = ("llm_calls", "llm_tokens", "llm_money", "llm_seconds")


def asking(command: F) -> F:
    """The options of everything that may ask a model."""
    for option in reversed(
        (
            click.option(
                "--llm", metavar="SPEC",
                help="Who rewrites what rules leave: none (default), replay:DIR, openai:URL#MODEL, transformers:PATH.",
            ),
            click.option(
                "--llm-store", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
                help="Where answers and rewrites are kept (default: in the user's cache).",
            ),
            click.option("--llm-calls", type=click.IntRange(0), metavar="N", help="The most calls of this run."),
            click.option("--llm-tokens", type=click.IntRange(0), metavar="N", help="The most tokens, in and out."),
            click.option("--llm-money", type=click.FloatRange(0), metavar="X", help="The most money, by --llm-prices."),
            click.option("--llm-seconds", type=click.FloatRange(0), metavar="S", help="When to stop asking."),
            click.option(
                "--llm-prices", metavar="IN,OUT", help="What a million tokens cost, read and written: 0.5,1.5."
            ),
            click.option(
                "--llm-repairs", type=click.IntRange(0, 10), default=3, show_default=True, metavar="N",
                help="Repairs after a refused answer.",
            ),
            click.option(
                "--llm-samples", type=click.IntRange(0, 20), default=3, show_default=True, metavar="N",
                help="Samples after the repairs.",
            ),
            click.option(
                "--llm-answer", type=click.IntRange(64), default=2048, show_default=True, metavar="N",
                help="The longest answer, in tokens.",
            ),
            click.option(
                "--llm-timeout", type=click.FloatRange(1), default=300, show_default=True, metavar="S",
                help="How long one attempt at an answer may take.",
            ),
            click.option("--redact", is_flag=True, help="Send slots in the place of the project's own names."),
        )
    ):  # fmt: skip
        command = option(command)
    return command


def asked_from(given: dict[str, Any]) -> "Asked | None":
    """Whom to ask, with the options of `asking` taken out of ``given``; None for nobody.

    `click.UsageError` for a spec that is none, and for options that say nothing without one.
    """
    spec = given.pop("llm")
    store, prices = given.pop("llm_store"), given.pop("llm_prices")
    limits = [given.pop(name) for name in _LIMITS]
    numbers = {name: given.pop(f"llm_{name}") for name in ("repairs", "samples", "answer", "timeout")}
    redact = given.pop("redact")
    if spec is None or spec == "none":
        if spec is None and (redact or prices or store or any(each is not None for each in limits)):
            raise click.UsageError("the options --llm-... and --redact say how a model is asked; give --llm SPEC")
        return None
    from musify_ai.rewrite.budget import Limits
    from musify_ai.rewrite.loop import Policy
    from musify_ai.rewrite.opening import Asked

    policy = Policy(numbers["repairs"], numbers["samples"], max_tokens=numbers["answer"], redact=redact)
    return Asked(spec, store, Limits(*limits), _prices(prices), policy, numbers["timeout"])


def _prices(text: str | None) -> Any:
    from musify_ai.rewrite.budget import Prices

    if text is None:
        return Prices()
    try:
        first, second = (float(part) for part in text.split(","))
    except ValueError:
        raise click.UsageError(f"--llm-prices {text!r}: give two numbers, as 0.5,1.5") from None
    return Prices(first, second)
