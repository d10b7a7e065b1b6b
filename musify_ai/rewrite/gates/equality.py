"""The same results: every kernel that runs the function gives the original's, bit for bit, on every target arch, with
inputs that were drawn after the answer came."""

from musify_ai.rewrite.gates.protocol import Candidate, Said
from musify_ai.rewrite.gates.running import said, verdicts


def check(candidate: Candidate) -> Said:
    """Refused with what differs, where and how (``compile``, ``runtime``, ``timeout``, ``numeric``)."""
    return said(verdicts(candidate, draw=candidate.draw), candidate)
