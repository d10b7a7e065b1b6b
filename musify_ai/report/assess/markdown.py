"""An assessment as Markdown, for an issue or a plan."""

from musify_ai.report.assess.figures import Assessment
from musify_ai.report.assess.telling import UNCERTAIN, sentences, share, step_name
from musify_ai.report.markdown import cell, code
from musify_ai.report.placing import readable

_FILES, _A_STEP = 25, 10


def render(found: Assessment) -> str:
    """The sentences, then the tables; long lists are cut and say so."""
    lines = ["## What a migration to MUSA would take", "", *(f"{text}  " for text in sentences(found)), ""]
    if found.libraries:
        lines += [
            "### Names by library", "",
            "| library | names | uses | seen in MUSA code | table only | derived | left, unproven | no counterpart |",
            "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
            *(
                f"| {lib.name} | {lib.names:,} | {lib.uses:,} | {share(lib.seen, lib.uses)} | {lib.table:,} |"
                f" {lib.derived:,} | {lib.unproven:,} | {lib.none:,} |"
                for lib in found.libraries
            ),
            "",
        ]  # fmt: skip
    open_ = [row for row in found.constructs if row.open]
    if open_:
        lines += [
            "### Constructs by effort", "", "| code | what | places | files | effort each | in all |",
            "| --- | --- | ---: | ---: | --- | --- |",
            *(
                f"| {row.code} | {cell(row.title)} | {row.open:,} | {row.files:,} | {row.effort} | {row.hours.text} |"
                for row in open_
            ),
            "",
        ]  # fmt: skip
    if found.work:
        lines += ["### Hard files", "", "| file | work | included by | places |", "| --- | --- | ---: | --- |"]
        lines += [
            f"| {code(readable(w.path))} | {w.hours.text} | {w.waiting:,} |"
            f" {', '.join(f'{name} {number}' for name, number in w.codes[:5])} |"
            for w in found.work[:_FILES]
        ]
        lines.append(_more(len(found.work) - _FILES))
    if found.steps:
        lines += ["### Order of work", ""]
        last = max(number for number, _ in found.steps)
        for number, work in found.steps:
            shown = ", ".join(code(readable(w.path)) for w in work[:_A_STEP])
            rest = f" and {len(work) - _A_STEP:,} more" if len(work) > _A_STEP else ""
            lines.append(f"- {step_name(number, last)}: {shown}{rest}")
        lines.append("")
    return "\n".join([*lines, UNCERTAIN]) + "\n"


def _more(number: int) -> str:
    return f"\n{number:,} more files: see `--format json`.\n" if number > 0 else ""
