"""The check would have noticed: wrong versions of the new code come out different."""

import re

from musify_ai.records import Verdict
from musify_ai.rewrite.gates.meaning import without_equal
from musify_ai.rewrite.gates.protocol import Candidate, Passed, Refused, Said
from musify_ai.rewrite.gates.running import said, verdicts

_PLACE = re.compile(r"(.+?):(\d+): ")
# A barrier on the other side of its neighbour often means the same; that one is left out is another mutant.
_MOVED = re.compile(r": moved (?:up|down) \(")


def check(candidate: Candidate) -> Said:
    """Refused (``numeric``) where a mutant of the new code survives, or none could be made of the kernels that run it:
    their equality then says little. What survives in lines that the function had before survived there too."""
    found = verdicts(candidate, draw=candidate.draw, mutants=True)
    known = [row.mutants for verdict in found for row in verdict.evidence if row.mutants is not None]
    if not known:
        answer = said(found, candidate)
        why = "no wrong version of it could be made, so the check is not known to notice one"
        return answer if isinstance(answer, Refused) else Refused("numeric", why)
    left = [text for each in known for text in (*each.survivors, *each.unreached)]
    places = [candidate.new_lines(number) for number in range(len(candidate.codes))]
    left = [text for text in left if not _MOVED.search(text)]
    inside = [text for text in left if any(_line(text, place) in lines for place, lines in places)]
    inside = without_equal(candidate, inside) if inside else inside
    if inside:
        why = f"the check would not notice wrong versions of it: {'; '.join(inside[:4])}"
        return Refused("numeric", why, "\n".join(inside))
    answer = said([_without_mutants(verdict) for verdict in found], candidate)
    if isinstance(answer, Refused):
        return answer
    return Passed((f"{sum(each.made for each in known)} wrong versions refused or accounted for",))


def _line(text: str, place: str) -> int:
    """The line that a mutant is described with, where it is one of the candidate's file; else 0."""
    match = _PLACE.match(text)
    return int(match[2]) if match and match[1] == place else 0


def _without_mutants(verdict: Verdict) -> Verdict:
    """A verdict as it would be but for mutants that survive."""
    if verdict.headline != "equal-weak" or "mutants" not in (verdict.reason or ""):
        return verdict
    return verdict._replace(headline="equal-emulated")
