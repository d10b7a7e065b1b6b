"""``musify-ai sdk``: what an installed MUSA SDK's headers say of the rules."""

from pathlib import Path

import click

from musify_ai.cli.output import put


@click.group()
def sdk() -> None:
    """Read an installed MUSA SDK, so that names it has are proven and names it lacks are reported.

    \b
    Example: musify-ai sdk scan /usr/local/musa
    """


@sdk.command(short_help="Note which names the headers hold and lack.")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), default=Path("musa-sdk.toml"), show_default=True
)
def scan(folder: Path, out: Path) -> int:
    """Read the headers under FOLDER and write which of the rules' MUSA names they hold and lack.

    Use the file with --overlay, or as `overlay` in the settings. It holds names only.

    \b
    Example: musify-ai sdk scan /usr/local/musa --out musa-sdk.toml
    """
    from musify_ai.rules import load
    from musify_ai.rules.compiling import write_atomically
    from musify_ai.rules.overlay import OverlayInvalid, as_toml
    from musify_ai.rules.overlay import scan as read_headers

    rules = load()
    try:
        found = read_headers(folder, rules)
    except OverlayInvalid as problem:
        raise click.UsageError(str(problem)) from None
    if not write_atomically(out, as_toml(found).encode()):
        raise click.UsageError(f"{out}: cannot be written")
    table = sum(musa in found.names and rules.label(name).treatment == "table" for name, musa in rules.names.items())
    derived = sum(musa in found.names and rules.label(name).treatment == "prefix" for name, musa in rules.names.items())
    put(
        (
            f"SDK {found.sdk or 'of unknown version'}: {len(found.names)} of the rules' MUSA names are in its headers\n"
            f"  {table} were in a published table only and {derived} were derived: these are proven now\n"
            f"  {len(found.missing)} names of the libraries installed are missing: places that need them are reported\n"
            f"wrote {out}; use it with --overlay {out}\n"
        ).encode()
    )
    return 0
