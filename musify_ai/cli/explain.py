"""``musify-ai explain``: the page of a code."""

import click

from musify_ai.cli.completing import codes, offering
from musify_ai.cli.output import put


@click.command()
@click.argument("code", required=False, shell_complete=offering(codes))
def explain(code: str | None) -> int:
    """Print the page of CODE: what it is, why it matters, what to write instead. Without CODE, list the codes.

    \b
    Example: musify-ai explain MUS301
    """
    from musify_ai.translate import registry

    known = registry.codes()
    if code is None:
        put("".join(f"{each}  {registry.title(each)}\n" for each in known).encode())
        return 0
    wanted = code.strip().upper()
    wanted = f"MUS{wanted}" if wanted.isdigit() else wanted
    if wanted not in known:
        family = [c for c in known if c.startswith(wanted[:4])] if wanted.startswith("MUS") else []
        advice = f"its family has {', '.join(family)}; " if family else ""
        raise click.UsageError(f"no code {code!r}; {advice}`musify-ai explain` lists the codes")
    put(registry.page(wanted).encode())
    return 0
