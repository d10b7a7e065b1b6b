"""Lines and columns for records made from byte offsets, and the fingerprint of a finding."""

from collections import Counter
from collections.abc import Iterable

from musify_ai.records import Edit, Finding, Related
from musify_ai.source import Lines
from musify_ai.source.digest import sha256


def placed_edit(edit: Edit, lines: Lines, *, applied: bool = False) -> Edit:
    """The edit with its line and column, and whether it was made."""
    line, column = lines.at(edit.start)
    return Edit(*edit[:8], applied, line, column)


def placed_findings(findings: Iterable[Finding], src: bytes, lines: Lines) -> tuple[Finding, ...]:
    """Findings in order of place, with positions and fingerprints.

    A fingerprint is made from the code, the text of the lines that it speaks of with blanks folded, and a count of
    equal ones before it: lines put in above, or a new indentation, leave it as it is. The path is not part of it.
    """
    seen: Counter[bytes] = Counter()
    out = []
    for finding in sorted(findings, key=lambda f: (f.start, f.code, f.end)):
        line, column = lines.at(finding.start)
        end_line, end_column = lines.at(finding.end)
        start, _ = lines.span(line)
        _, end = lines.span(end_line if end_column > 1 or end_line == line else end_line - 1)
        key = finding.code.encode() + b"\0" + b" ".join(src[start:end].split())
        seen[key] += 1
        out.append(
            finding._replace(
                line=line,
                column=column,
                end_line=end_line,
                end_column=end_column,
                edit=None if finding.edit is None else placed_edit(finding.edit, lines),
                related=tuple(_placed_related(r, lines) for r in finding.related),
                fingerprint=sha256(key + b"\0%d" % seen[key])[:20],
            )
        )
    return tuple(out)


def _placed_related(related: Related, lines: Lines) -> Related:
    """A place in the finding's own file gets its line; one elsewhere keeps what it came with."""
    if related.path:
        return related
    line, column = lines.at(related.start)
    return related._replace(line=line, column=column)
