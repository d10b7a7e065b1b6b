"""``python -m musify_ai``: the same as the ``musify-ai`` command."""

from musify_ai.cli.starting import run

if __name__ == "__main__":
    run()
