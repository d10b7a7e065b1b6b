"""``musify-ai explain``: the page of a code."""

import click

from musify_ai.cli.output import put


@click.command()
@click.argument("code")
def explain(code: str) -> int:
    """Print the page of CODE: what it is, why it matters, what to write instead.

    \b
    Example: musify-ai explain MUS301
    """
    from musify_ai.cli.config import near
    from musify_ai.translate import registry

    codes = registry.codes()
    wanted = code.strip().upper()
    if wanted not in codes:
        family = [c for c in codes if c.startswith(wanted[:4])] if wanted.startswith("MUS") else []
        advice = f"; its family has {', '.join(family)}" if family else near(wanted, codes)
        raise click.UsageError(f"no code {code!r}{advice}")
    put(registry.page(wanted).encode())
    return 0
