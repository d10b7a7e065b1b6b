"""``musify-ai llm bench``: how well a model does over our own constructs."""

from pathlib import Path
from typing import Any

import click

from musify_ai.cli.asking import asked_from, asking
from musify_ai.cli.choices import ExistingName, options_from
from musify_ai.cli.output import put
from musify_ai.cli.progress import progress

_OUT = "llm-bench"


@click.command(short_help="Put a model to our own constructs, and count what it settles.")
@click.option(
    "--corpus", metavar="DIR", type=ExistingName(path_type=Path),
    help="The constructs (default: corpus/llm, in a checkout of musify-ai).",
)  # fmt: skip
@click.option("--kinds", metavar="KINDS", multiple=True, help="Only these kinds: async-copies,textures.")
@click.option(
    "--units", type=click.IntRange(0), default=0, metavar="N", help="At most so many, from the kinds in turn."
)
@click.option(
    "--out", metavar="DIR", type=ExistingName(path_type=Path), default=Path(_OUT), show_default=True,
    help="Where answers, bench.json and bench.txt are kept; the same one goes on where a run was ended.",
)  # fmt: skip
@click.option("--at-once", type=click.IntRange(1), default=8, show_default=True, metavar="N", help="Requests at once.")
@click.option("--jobs", type=click.IntRange(1), default=2, show_default=True, metavar="N", help="Checks at once.")
@click.option("--arch", metavar="ARCHS", multiple=True, help="Target archs: mp_21, mp_22, mp_31.")
@click.option("--format", "format_", type=click.Choice(("text", "json")), default="text", help="What is printed.")
@asking
def bench(
    corpus: Path | None,
    kinds: tuple[str, ...],
    units: int,
    out: Path,
    at_once: int,
    jobs: int,
    format_: str,
    **given: Any,
) -> int:
    """Put a model to constructs that are known to be settleable, and count what it settles: with its first answer, with
    repairs, with samples; by kind, with tokens and times. Every answer goes through all gates of `migrate --llm`.

    SPEC is as for `migrate`, or one of two that need no model: answers (the corpus's own right answers: everything has
    to be settled) and echo (the code as it was: nothing may be).

    \b
    Examples: musify-ai llm bench --llm openai:http://localhost:8000/v1#my-model --out bench/my-model
              musify-ai llm bench --llm answers --kinds textures
    """
    import json

    from musify_ai import __version__
    from musify_ai.project.benching import Wanted
    from musify_ai.project.benching import bench as run
    from musify_ai.project.refusals import Refused
    from musify_ai.rewrite.gates.sequence import GATES
    from musify_ai.rewrite.scoring import table, to_json

    asked = asked_from(given)
    if asked is None:
        raise click.UsageError(
            "--llm SPEC says who is asked: openai:URL#MODEL, transformers:PATH, replay:DIR, answers, echo"
        )
    named = tuple(dict.fromkeys(kind for group in kinds for kind in group.split(",") if kind))
    place = corpus or Path(__file__).parents[2] / "corpus" / "llm"
    if not place.is_dir():
        raise click.UsageError(f"{place}: there is no corpus; give one with --corpus (a checkout has it in corpus/llm)")
    options = options_from(place, **given)
    wanted = Wanted(place, asked, out, named, units, at_once, jobs)
    try:
        with progress() as shown:
            done = run(wanted, options, GATES, shown)
    except Refused as problem:
        raise click.UsageError(str(problem)) from None
    policy = asked.policy
    value = to_json(
        done.rows,
        model=done.identity,
        policy=policy._asdict(),
        archs=list(options.archs),
        tool=f"musify-ai {__version__}",
    )
    from musify_ai.report.merging import counted

    text = table(done.rows, repairs=policy.repairs, samples=policy.samples)
    calls, taken = counted(done.calls, "call"), counted(done.taken, "unit")
    text += f"model {done.identity}; in this run {calls}, {taken} there already\n"
    out.joinpath("bench.json").write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
    out.joinpath("bench.txt").write_text(text, encoding="utf-8")
    put((json.dumps(value, indent=1) + "\n" if format_ == "json" else text).encode("utf-8", "replace"))
    return 0
