"""The check would have noticed: wrong versions of the new code come out different."""

from musify_ai.rewrite.gates.protocol import Candidate, Refused, Said
from musify_ai.rewrite.gates.running import said, verdicts


def check(candidate: Candidate) -> Said:
    """Refused (``numeric``) where a mutant of the kernels that run the function survives, for then their equality says
    little."""
    found = verdicts(candidate, draw=candidate.draw, mutants=True)
    answer = said(found)
    if isinstance(answer, Refused) and answer.failure == "numeric":
        return answer._replace(reason=f"the check would not notice a wrong version of it: {answer.reason}")
    return answer
