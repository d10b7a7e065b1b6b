"""The construct is really gone: the detector that found it finds nothing in the new code."""

from musify_ai.rewrite.gates.protocol import Candidate, Passed, Refused, Said
from musify_ai.rewrite.gates.reading import texts
from musify_ai.translate import translate


def check(candidate: Candidate) -> Said:
    """Refused (``forbidden``) where the answer is the code as it was, or translating the file with it finds a construct
    of the unit's codes, anything else that cannot be built, or a CUDA name, inside the function."""
    unit = candidate.unit
    if unit.optional and candidate.code == unit.region:
        return Passed()
    if texts(candidate.code) in (texts(unit.region), texts(unit.original_region)):
        return Refused("forbidden", "the answer is the code as it was")
    found = translate(candidate.text, unit.place, candidate.site.options)
    start, end = unit.start, unit.start + len(candidate.code)
    before = translate(unit.text, unit.place, candidate.site.options)
    known = {f.code for f in before.findings if f.settled}
    left = {edit.old for edit in (*before.edits, *before.withheld)}
    for finding in found.findings:
        if not (start <= finding.start < end) or finding.severity == "note":
            continue
        if finding.code in unit.codes or not finding.settled:
            return Refused("forbidden", f"it still holds what was to go: {finding.code}", finding.message)
        if finding.code not in known:
            return Refused("forbidden", f"it brings a new finding: {finding.code}", finding.message)
    for edit in (*found.edits, *found.withheld):  # a file that is MUSA already gets none, and says which it would
        if start <= edit.start < end and edit.old not in left:
            name = edit.old.decode("utf-8", "replace")
            return Refused("forbidden", f"it uses `{name}`, which MUSA does not have under that name")
    return Passed()
