"""``musify-ai query``: everything known of a name."""

import re

import click

from musify_ai.cli.completing import offer_names
from musify_ai.cli.output import put


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("name", type=click.UNPROCESSED, shell_complete=offer_names)
@click.option("--sdk", metavar="VERSION", help="Only what holds for this MUSA SDK.")
def query(name: str, sdk: str | None) -> int:
    """Print what the rules know of NAME: a CUDA name, a MUSA name, a header such as cuda_fp16.h, a name of PyTorch's
    such as torch.cuda.Stream, an environment variable, a tool such as nvidia-smi, a library or target to link, or a
    flag of nvcc's (after -- where it begins with one dash).

    \b
    Exit status: 1 when nothing is known of it.

    \b
    Example: musify-ai query cudaMallocAsync
    """
    from difflib import get_close_matches

    from musify_ai.rules.lookup import MEANING, lookup, names
    from musify_ai.rules.sdks import SDKS

    if sdk is not None and sdk not in SDKS:
        raise click.UsageError(f"unknown SDK {sdk!r}; known: {', '.join(SDKS)}")
    known = lookup(name, sdk or "")
    if not known and (said := _elsewhere(name)):
        put(f"{said}\n".encode())
        return 0
    if not known and re.fullmatch(r"(?i)MUS\d{3}", name):
        click.echo(f"musify-ai: {name} is the code of a finding: musify-ai explain {name.upper()}", err=True)
        return 1
    if not known:
        where = f" for SDK {sdk}" if sdk else ""
        near = [] if where else get_close_matches(name, [*names(), *_of_pytorch()], cutoff=0.8)
        advice = f"; did you mean {' or '.join(near)}?" if near else ""
        click.echo(f"musify-ai: nothing is known of {name!r}{where}{advice}", err=True)
        return 1
    lines: list[str] = []
    for row in known.rows:
        lines.append(f"{row.name}: {row.kind or 'name'} of {row.library}")
        if row.musa and row.musa != row.name:
            lines.append(f"  MUSA      {row.musa}")
        lines.append(f"  treatment {MEANING[row.treatment]}")
        lines += [
            f"  {label:<9} {value}"
            for label, value in (
                ("source", row.source),
                ("note", row.note),
                ("finding", row.code),
                ("since", row.since),
                ("until", row.until),
                ("file", row.file),
            )
            if value
        ]
    for row in known.stands_for:
        lines.append(f"{name}: stands for {row.name} ({row.kind or 'name'} of {row.library})")
        lines.append(f"  treatment {MEANING[row.treatment]}")
    put("".join(line + "\n" for line in lines).encode())
    return 0


_GROUPS = (
    ("tools", "tool"),
    ("environment", "environment variable"),
    ("variables", "variable of CMake's"),
    ("targets", "target of CMake's"),
    ("functions", "function of CMake's"),
    ("libraries", "library to link"),
)
_GRADES = {
    "seen": "renamed; public MUSA builds use it",
    "prefix": "derived by the prefix rule, and seen nowhere: renamed with --unsafe-fixes, a finding either way",
}


def _of_pytorch() -> list[str]:
    from musify_ai.rules.python_api import python_api

    return [f"torch.cuda.{name}" for name in python_api().names]


def _elsewhere(name: str) -> str:
    """What is known of a name that is none of a library's: PyTorch's, the environment's, a build's or a tool's."""
    from musify_ai.rules.python_api import python_api
    from musify_ai.translate.build.vocabulary import names, sources

    api = python_api()
    if name.startswith("torch.cuda."):
        below = name.removeprefix("torch.cuda.")
        if below in api.names:
            return f"{name}: name of PyTorch\n  MUSA      torch.musa.{api.names[below]}\n  source    {api.source}"
        if below in api.differs:
            return f"{name}: name of PyTorch\n  MUSA      torch.musa.{below}\n  note      it answers on another scale"
        if below in api.missing:
            return f"{name}: name of PyTorch\n  treatment a finding: {api.missing[below]}\n  source    {api.source}"
    if name in api.environment:
        musa, source = api.environment[name]
        return f"{name}: environment variable\n  MUSA      {musa}\n  source    {source}"
    if name in api.environment_open:
        return f"{name}: environment variable\n  treatment a finding: {api.environment_open[name]}"
    for group, kind in _GROUPS:
        row = names(group).get(name)
        if row is None:
            continue
        said = f"{name}: {kind}" + (f"\n  MUSA      {row.musa}" if row.musa else "")
        if group != "tools":
            said += f"\n  treatment {_GRADES.get(row.grade, 'a finding')}"
        if row.note in sources():
            return f"{said}\n  source    {sources()[row.note]}"
        return said + (f"\n  note      {row.note}" if row.note else "")
    return _flag(name)


def _flag(name: str) -> str:
    """What becomes of a flag of nvcc's; empty for a word that is none of those."""
    from musify_ai.translate.build.vocabulary import flags

    table, said = flags(), f"{name}: flag of nvcc's"
    bare = name.partition("=")[0]
    for each in dict.fromkeys((name, bare)):
        if each in table.renamed:
            return f"{said}\n  mcc       {table.renamed[each]}"
        if each in table.respelled:
            return f"{said}\n  mcc       {table.respelled[each].format('VALUE')}"
        if each in table.unknown:
            return f"{said}\n  treatment a finding, and left as it is: {table.unknown[each]}"
        if each in table.passed_on:
            return f"{said}\n  treatment the flag goes, its value stays: it is the compiler's own"
        if each in table.dropped | table.dropped_valued:
            note = table.noted.get(each, "")
            return f"{said}\n  treatment left out" + (f", with a note: {note}" if note else "")
    return ""
