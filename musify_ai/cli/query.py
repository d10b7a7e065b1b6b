"""``musify-ai query``: everything known of a name."""

import click

from musify_ai.cli.completing import offer_names
from musify_ai.cli.output import put


@click.command()
@click.argument("name", shell_complete=offer_names)
@click.option("--sdk", metavar="VERSION", help="Only what holds for this MUSA SDK.")
def query(name: str, sdk: str | None) -> int:
    """Print what the rules know of NAME: a CUDA name, a MUSA name, or a header such as cuda_fp16.h.

    \b
    Exit status: 1 when nothing is known of it.

    \b
    Example: musify-ai query cudaMallocAsync
    """
    from difflib import get_close_matches

    from musify_ai.rules import lookup
    from musify_ai.rules.lookup import MEANING, names
    from musify_ai.rules.sdks import SDKS

    if sdk is not None and sdk not in SDKS:
        raise click.UsageError(f"unknown SDK {sdk!r}; known: {', '.join(SDKS)}")
    known = lookup(name, sdk or "")
    if not known:
        where = f" for SDK {sdk}" if sdk else ""
        near = [] if where else get_close_matches(name, names(), cutoff=0.8)
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
