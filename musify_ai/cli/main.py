"""The ``musify-ai`` command."""


def run() -> None:
    """Run the command line."""
    raise SystemExit("musify-ai: no command is built yet")
