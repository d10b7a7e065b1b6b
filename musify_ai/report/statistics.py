"""``--statistics``: how often each code was found, the most frequent first."""

from collections import Counter
from collections.abc import Callable

from musify_ai.records import Run


def render(run: Run, title: Callable[[str], str]) -> str:
    """A line a code: count, code, how many of them carry a fix, what the code is about; a last line with the sum."""
    found = [finding for file in run.files for finding in file.findings]
    counts = Counter(finding.code for finding in found)
    fixes = Counter(finding.code for finding in found if finding.edit is not None and finding.edit.safety != "display")
    width = max((len(str(count)) for count in counts.values()), default=1)
    lines = [
        f"{count:>{width}}  {code}  {f'{fixes[code]} with a fix' if fixes[code] else '':<14}  {title(code)}".rstrip()
        for code, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]
    files = sum(bool(file.findings) for file in run.files)
    lines.append(f"{len(found)} findings in {files} of {len(run.files)} files")
    return "\n".join(lines) + "\n"
