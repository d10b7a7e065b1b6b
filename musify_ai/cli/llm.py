"""``musify-ai llm``: what would be sent to a model, and what was answered."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from musify_ai.cli.asking import asked_from, asking
from musify_ai.cli.benching import bench
from musify_ai.cli.choices import ExistingName, options_from, translating
from musify_ai.cli.output import put
from musify_ai.cli.progress import progress
from musify_ai.records import Options
from musify_ai.report.merging import counted

if TYPE_CHECKING:
    from musify_ai.project.rewriting import Surveyed
    from musify_ai.rewrite.planning import Plan

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.group()
def llm() -> None:
    """What a model is asked about what rules leave, and what it answered.

    \b
    Example: musify-ai llm plan my-project
    """


llm.add_command(bench)


@llm.command(short_help="Say what would be sent; send nothing.")
@click.argument("source", metavar="SRC", type=ExistingName(path_type=Path))
@click.option("--show", type=int, metavar="N", help="Print the whole request of the N-th construct.")
@click.option("--arch", metavar="ARCHS", multiple=True, help="Target archs: mp_21, mp_22, mp_31.")
@translating
@asking
def plan(source: Path, show: int | None, **given: Any) -> int:
    """Say what `migrate --llm` would ask about SRC: distinct constructs, tokens, cost. Nothing is sent, built or run.

    Tokens are estimates: three characters each, and answers as long as they may be.

    \b
    Examples: musify-ai llm plan my-project --llm-prices 0.5,1.5
              musify-ai llm plan my-project --redact --show 1
    """
    given["llm"] = given["llm"] or "plan"
    asked = asked_from(given)
    assert asked is not None
    known = _surveyed(source, given)
    from musify_ai.rewrite.opening import store_path
    from musify_ai.rewrite.planning import planned
    from musify_ai.rewrite.store import Store, StoreInvalid

    path = store_path(asked)
    policy, prices = asked.policy, asked.prices
    try:
        if path.exists():
            with Store(path) as store:
                found = planned(known.survey, store, policy, prices, redact=policy.redact)
        else:
            found = planned(known.survey, None, policy, prices, redact=policy.redact)
    except StoreInvalid as problem:
        raise click.UsageError(str(problem)) from None
    if show is not None:
        if not 1 <= show <= len(found.groups):
            raise click.UsageError(f"--show {show}: there is {counted(len(found.groups), 'construct')} to show")
        request = found.groups[show - 1].request
        put("\n".join(f"--- {each.role}\n{each.content}" for each in request.messages).encode("utf-8", "replace"))
        return 0
    put(_plan_text(found, priced=prices != type(prices)()).encode("utf-8", "replace"))
    return 0


def _plan_text(found: "Plan", *, priced: bool) -> str:
    from musify_ai.rewrite.planning import kinds

    if not found.groups:
        left = [f"not asked    {count}: {why}" for why, count in found.left]
        return "\n".join(["nothing to ask a model about", *left]) + "\n"
    lines = [f"{'kind':20}  distinct  places"]
    lines += [f"{kind:20}  {distinct:8}  {places:6}" for kind, distinct, places in kinds(found.groups)]
    lines.append("")
    for number, group in enumerate(found.groups, 1):
        unit = group.unit
        more = f", and {counted(group.places - 1, 'more place')}" if group.places > 1 else ""
        done = " (in the store: costs nothing)" if group.known else ""
        codes = ", ".join(unit.codes)
        lines.append(f"{number:4}  {unit.path}:{unit.findings[0].line} {unit.name}  {codes}{more}{done}")
    lines += [
        "",
        f"to be asked  {found.open} of {counted(len(found.groups), 'distinct construct')};"
        f" {counted(found.most_calls, 'call')} if all need every attempt",
        f"tokens       about {found.tokens_in:,} read and at most {found.tokens_out:,} written for the first answers",
    ]
    lines += [f"cost         at most {found.money:.4f} for the first answers"] if priced else []
    for why, count in found.left:
        lines.append(f"not asked    {count}: {why}")
    return "\n".join(lines) + "\n"


@llm.command(short_help="Write a store's answers as recordings for replay:DIR.")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option("--llm-store", metavar="FILE", type=_FILE, help="The store (default: the one in the user's cache).")
@click.option("--model", metavar="IDENTITY", default="", help="Only answers of this provider, as openai:my-model.")
def record(folder: Path, llm_store: Path | None, model: str) -> int:
    """Write what a model answered into DIR, one file an answer, to be kept and replayed: --llm replay:DIR.

    \b
    Example: musify-ai llm record corpus/llm/recorded --model openai:my-model
    """
    from musify_ai.rewrite.providers.recordings import write

    with _opened(llm_store) as store:
        found = list(store.recordings(model))
    identities = sorted({each.identity for each in found})
    if len(identities) > 1:
        raise click.UsageError(f"the store has answers of {', '.join(identities)}: choose one with --model")
    for each in found:
        write(folder, each)
    put(f"wrote {counted(len(found), 'recording')} to {folder}\n".encode("utf-8", "surrogateescape"))
    return 0


@llm.command(short_help="Write attempts with their rewards as JSON lines.")
@click.argument("file", metavar="FILE", type=_FILE)
@click.option("--llm-store", metavar="FILE", type=_FILE, help="The store (default: the one in the user's cache).")
@click.option("--accepted", is_flag=True, help="Only attempts that were accepted.")
@click.option("--licence", default="unknown", metavar="TEXT", help="The licence of the code that was sent.")
@click.option("--model-licence", default="unknown", metavar="TEXT", help="What the model's answers may be used under.")
@click.option(
    "--rewards", metavar="FAILED,WRONG,SHARE,RIGHT[,SPEED,MOST]", default="-1,-0.5,0.5,1", show_default=True,
    help="What attempts earn; results of which a share q is right earn WRONG + SHARE q.",
)  # fmt: skip
def export(
    file: Path, llm_store: Path | None, accepted: bool, licence: str, model_licence: str, rewards: str
) -> int:  # fmt: skip
    """Write what was tried and how it was judged to FILE, as conversations with a reward, for fine-tuning.

    What says nothing of an answer (no answer, no check possible, a check too weak to tell) is left out. SPEED and MOST
    are the constants for rewrites that are faster; no speed is measured here, so they are kept with each row only.

    \b
    Example: musify-ai llm export attempts.jsonl --licence Apache-2.0 --model-licence Apache-2.0
    """
    from musify_ai.rewrite.exporting import Licences, Rewards, lines

    parts = rewards.split(",")
    try:
        chosen = Rewards(*(float(part) for part in parts))
    except (ValueError, TypeError):
        chosen = None
    if chosen is None or len(parts) not in (4, 6):
        raise click.UsageError(f"--rewards {rewards!r}: give four numbers, or six")
    count = 0
    with _opened(llm_store) as store, file.open("w", encoding="utf-8", newline="\n") as out:
        for line in lines(store, chosen, Licences(licence, model_licence), accepted=accepted):
            out.write(line)
            count += 1
    put(f"wrote {counted(count, 'attempt')} to {file}\n".encode("utf-8", "surrogateescape"))
    return 0


def _opened(path: Path | None) -> Any:
    """A store that is there. `click.UsageError` where none is."""
    from musify_ai.rewrite.opening import Asked, store_path
    from musify_ai.rewrite.store import Store, StoreInvalid

    found = store_path(Asked("none", path))
    if not found.is_file():
        raise click.UsageError(f"{found}: there is no store of answers; `migrate --llm` makes one")
    try:
        return Store(found)
    except StoreInvalid as problem:
        raise click.UsageError(str(problem)) from None


def _surveyed(source: Path, given: dict[str, Any]) -> "Surveyed":
    """The work units of a source, translated in memory."""
    from musify_ai.project.rewriting import surveyed
    from musify_ai.project.running import translated

    given.pop("baseline", None)
    options: Options = options_from(source, **given)
    with progress() as shown:
        return surveyed(source, translated(source, options, progress=shown), options)
