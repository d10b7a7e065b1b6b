"""The same once more: with other inputs and in a process of its own, so that nothing was luck."""

from musify_ai.rewrite.gates.protocol import Candidate, Refused, Said
from musify_ai.rewrite.gates.running import said, verdicts

APART = 1_000_003
"""What lies between the draws of two looks at one candidate."""


def check(candidate: Candidate) -> Said:
    """Refused as ``nondeterministic`` where a second look comes to something else than equality."""
    found = said(verdicts(candidate, draw=candidate.draw + APART), candidate)
    if isinstance(found, Refused) and found.failure in ("numeric", "runtime", "timeout"):
        return found._replace(failure="nondeterministic", reason=f"with other inputs {found.reason}")
    return found
