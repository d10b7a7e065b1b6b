"""What a shell offers for an argument: found when it is asked for, so that no other run pays for it."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Offered = Callable[[click.Context, click.Parameter, str], "list[CompletionItem]"]


def offering(words: Callable[[], Iterable[str | tuple[str, str]]], *, listed: bool = False) -> Offered:
    """A completion from words, each alone or with a line of help. ``listed`` is for options that take several with
    commas between: the last one is completed, and those before it stay."""

    def offered(ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        from click.shell_completion import CompletionItem

        head, comma, last = incomplete.rpartition(",") if listed else ("", "", incomplete)
        pairs = ((word, None) if isinstance(word, str) else word for word in words())
        return [
            CompletionItem(head + comma + word, help=text)
            for word, text in pairs
            if word.lower().startswith(last.lower())
        ]

    return offered


def codes() -> Iterable[tuple[str, str]]:
    """The codes of findings, with what each is called."""
    from musify_ai.translate import registry

    return ((code, registry.title(code)) for code in registry.codes())


def names_from(incomplete: str) -> list[str]:
    """The CUDA and MUSA names and headers that begin with some letters, at most a screenful."""
    from musify_ai.rules.lookup import names

    return sorted(name for name in names() if name.startswith(incomplete))[:200] if incomplete else []


def offer_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
    """The completion of ``query NAME``."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(name) for name in names_from(incomplete)]
