"""``musify-ai explain``: the page of a code."""

import click

from musify_ai.cli.output import put


@click.command()
@click.argument("code", required=False)
def explain(code: str | None) -> int:
    """Print the page of CODE: what it is, why it matters, what to write instead. Without CODE, list the codes.

    \b
    Example: musify-ai explain MUS301
    """
    from musify_ai.translate import registry

    codes = registry.codes()
    if code is None:
        put("".join(f"{each}  {registry.title(each)}\n" for each in codes).encode())
        return 0
    wanted = code.strip().upper()
    if wanted not in codes:
        family = [c for c in codes if c.startswith(wanted[:4])] if wanted.startswith("MUS") else []
        advice = f"its family has {', '.join(family)}" if family else "`musify-ai explain` lists the codes"
        raise click.UsageError(f"no code {code!r}; {advice}")
    put(registry.page(wanted).encode())
    return 0
