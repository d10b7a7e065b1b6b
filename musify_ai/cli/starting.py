"""How the command's process begins: what has to be set before anything else is imported."""

import gc
from typing import NoReturn


def run() -> NoReturn:
    """Run the command line of this process, as `musify_ai.cli.main.run` does."""
    # What importing and a run make is small records and functions without cycles; collecting as often as by default
    # takes a twentieth of a hook's time and a tenth of a tree's.
    gc.set_threshold(50_000, 20, 20)
    from musify_ai.cli.main import run as run_command

    run_command()
