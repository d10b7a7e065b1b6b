"""``--statistics``: how often each code was found, the most frequent first."""

from collections import Counter
from collections.abc import Callable

from musify_ai.records import Run
from musify_ai.report.counts import counts, decisions, open_findings
from musify_ai.report.merging import counted


def render(run: Run, title: Callable[[str], str]) -> str:
    """A line a code: count, code, how many of them `--unsafe-fixes` edits, what it is about; then the sum."""
    found = [finding for file in run.files for finding in open_findings(file)]
    figures = counts(run)
    codes = figures.codes
    fixes = Counter(finding.code for finding in found if finding.edit is not None and finding.edit.safety == "unsafe")
    width = max((len(str(count)) for count in codes.values()), default=1)
    column = max((len(f"{count} by --unsafe-fixes") for count in fixes.values()), default=0)
    edited = {code: f"{fixes[code]} by --unsafe-fixes" if fixes[code] else "" for code in codes}
    lines = [
        f"{count:>{width}}  {code}  {edited[code]:<{column}}  {title(code)}".rstrip()
        for code, count in sorted(codes.items(), key=lambda item: (-item[1], item[0]))
    ]
    files = sum(bool(open_findings(file)) for file in run.files)
    decided = f"; {text}" if (text := decisions(figures)) else ""
    lines.append(f"{counted(len(found), 'finding')} in {files} of {counted(figures.files, 'file')}{decided}")
    return "\n".join(lines) + "\n"
