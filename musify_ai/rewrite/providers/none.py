"""No model at all, the default: every construct stays a finding."""

from collections.abc import Sequence

from musify_ai.rewrite.providers.protocol import NoAnswer, Outcome, Request


class Nobody:
    """Answers nothing."""

    identity = "none"
    batch = 1
    leaves_machine = False

    def complete(self, requests: Sequence[Request]) -> list[Outcome]:
        """`NoAnswer` of kind ``missing`` for each request."""
        return [NoAnswer("missing", "no model was asked for (--llm)") for _ in requests]
