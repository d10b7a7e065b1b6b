"""The sentences of an assessment: what somebody who plans wants to know first, in words."""

from musify_ai.report.assess.figures import UNREAD, Assessment
from musify_ai.report.assess.hours import HOW
from musify_ai.report.counts import decisions
from musify_ai.report.merging import counted

UNCERTAIN = (
    f"How the hours come about: {HOW}. They are an estimate from the rules, not measured on migrations, and hold no "
    "time for building with MUSA's compiler, running on its hardware, tuning, or reviewing."
)
NOT_RUN = "Nothing was compiled or run: `musify-ai migrate` checks each kernel against its original."


def sentences(found: Assessment) -> list[str]:
    """A few sentences for whoever decides: what maps, what is left, how long that may take, what is not known."""
    if not found.uses and not found.work:
        read = counted(found.counts.files, "file")
        nothing = f"Nothing of CUDA was found that needs work ({read} read)."
        if not found.counts.files:
            nothing = "There is no file here; is it the right folder?"
        return [nothing, *_decided(found), *_failed(found), NOT_RUN]
    return [_left(found), _maps(found), *_decided(found), *_failed(found), NOT_RUN]


def _maps(found: Assessment) -> str:
    if not found.uses:
        return "No name of CUDA's libraries is in use."
    seen, table = (sum(getattr(each, key) for each in found.libraries) for key in ("seen", "table"))
    parts = [
        f"{share(seen, found.uses)} of {counted(found.uses, 'use')} of CUDA names get a name that real MUSA code shows"
    ]
    if table:
        parts.append(f"{share(table, found.uses)} one that only a published table gives")
    text = ", ".join(parts)
    none = sum(library.none for library in found.libraries)
    if none:
        worst = sorted((lib for lib in found.libraries if lib.none), key=lambda lib: -lib.none)
        names = ", ".join(each.name for each in worst[:3])
        verb = "has" if none == 1 else "have"
        text += f"; {counted(none, 'use')} {verb} no plain counterpart ({names})"
    return text + "."


def _left(found: Assessment) -> str:
    places = found.counts.findings["error"] + found.counts.findings["warning"]
    if not places:
        return "No place needs a person's decision; every edit is made by rules."
    verb = "needs" if places == 1 else "need"
    text = (
        f"{counted(places, 'place')} in {counted(len(found.work), 'file')} {verb} a person: {found.hours.text} of work"
    )
    biggest = max(found.constructs, key=lambda row: row.hours.high)
    if found.hours.high and len([row for row in found.constructs if row.open]) > 1:
        name = f"{biggest.code}: {biggest.title}" if biggest.title else biggest.code
        part = share(biggest.hours.high, found.hours.high)
        text += f", the largest part of it {name} ({part} at the high end)"
    days = next(number for effort, number, _ in found.efforts if effort == "days")
    return text + (f"; {counted(days, 'place')} may take days each" if days else "") + "."


def _decided(found: Assessment) -> list[str]:
    text = decisions(found.counts)
    if not text:
        return []
    rest = "; what was accepted or waived counts as nothing here" if found.counts.closed else ""
    return [f"Of the findings persons have decided: {text}{rest}."]


def _failed(found: Assessment) -> list[str]:
    if not found.counts.failed:
        return []
    return [f"{counted(found.counts.failed, 'file')} could not be read or translated and count as nothing here."]


def share(part: float, whole: float) -> str:
    """A share in per cent, never rounded up to all nor down to nothing."""
    if not whole or not part:
        return "0 %"
    value = 100 * part / whole
    if part < whole and value > 99.9:
        return "over 99.9 %"
    return f"{value:.1f} %" if value < 10 or (value > 90 and part < whole) else f"{value:.0f} %"


def step_name(number: int, last: int) -> str:
    """What a step of the order of work is."""
    if number == UNREAD:
        return "Before all else: files that could not be read or translated, so that their work is not known"
    if number == 0:
        return "Beside them, in any order: build files and what no include leads to"
    if number == 1:
        return "First: what includes nothing that needs work" if last > 1 else "In any order: none includes another"
    return f"Step {number}: what builds on the steps before"
