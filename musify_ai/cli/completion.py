"""``musify-ai completion``: the script that has a shell complete our commands, options, codes and names."""

import click

from musify_ai.cli.output import put

_SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(_SHELLS))
def completion(shell: str) -> int:
    """Print the script that has SHELL complete musify-ai's commands, options, codes and names.

    \b
    Examples: musify-ai completion bash > ~/.local/share/bash-completion/completions/musify-ai
              musify-ai completion zsh > ~/.zfunc/_musify-ai
              musify-ai completion fish > ~/.config/fish/completions/musify-ai.fish
    """
    from click.shell_completion import get_completion_class

    from musify_ai.cli.main import cli

    made = get_completion_class(shell)
    assert made is not None
    put(made(cli, {}, "musify-ai", "_MUSIFY_AI_COMPLETE").source().encode())
    return 0
