"""The findings of the name tier: their codes, and what each says to the person who has to act."""

from musify_ai.records import Edit, Finding, Related, Severity
from musify_ai.rules import Label

NO_COUNTERPART = "MUS101"
TABLE_ONLY = "MUS102"
DERIVED = "MUS103"
PASTED = "MUS104"
STRINGISED = "MUS105"
SPLICED = "MUS106"
OWN_SYMBOL = "MUS107"
NO_HEADER = "MUS108"
NAME_IN_STRING = "MUS109"
UNPROVEN = "MUS110"
DIFFERS = "MUS111"
LIBRARY_VERSION = "MUS112"
MISSPELT = "MUS116"

# A construct rule that speaks of the same name says more than these do.
YIELDING = frozenset((NO_COUNTERPART, UNPROVEN, DIFFERS, LIBRARY_VERSION))


def _also(note: str) -> str:
    return f" ({note})" if note else ""


def table_only(start: int, end: int, name: str, musa: str, note: str, count: int) -> Finding:
    """A rename whose target is in a published table only."""
    more = f", {count} times in this file" if count > 1 else ""
    return Finding(
        TABLE_ONLY,
        "note",
        start,
        end,
        f"{name} became {musa}{more}: the pair is published, but no public MUSA code is known to use {musa}"
        f"{_also(note)}. If it does not build, look the name up in your SDK's headers.",
        name=name,
    )


def derived(edit: Edit, name: str, note: str, *, applied: bool) -> Finding:
    """A target that only the prefix rule gives."""
    musa = edit.new.decode("utf-8", "replace")
    done = "was renamed to" if applied else "was left; it would be"
    return Finding(
        DERIVED,
        "warning",
        edit.start,
        edit.end,
        f"{name} {done} {musa} by the prefix rule: nothing published names it{_also(note)}. Look {musa} up in your "
        "SDK's headers; where it exists, --unsafe-fixes makes the edit.",
        edit=edit,
        settled=applied,
        name=name,
    )


def no_counterpart(start: int, end: int, name: str, label: Label, note: str) -> Finding:
    """A CUDA name for which no MUSA name is known."""
    if label.code == "MUS703":
        text = (
            f"{name} is NVTX, which has no public MUSA counterpart: ports define the calls away. Guard the include "
            "and the calls with a macro of the project's, or take them out."
        )
        return Finding(label.code, "warning", start, end, text + _also(note), settled=False, name=name)
    return Finding(
        label.code or NO_COUNTERPART,
        "warning",
        start,
        end,
        f"no MUSA counterpart of {name} ({label.library}) is known{_also(note)}. Write this place without it, or find "
        "its replacement in your SDK's headers.",
        effort="hours",
        settled=False,
        name=name,
    )


_LIBRARIES = {
    "MUS701": "cuDNN's C functions have no twins: muDNN is a C++ API (musa::dnn::Handle, Tensor, ...). Rewrite the "
    "calls of this file against it",
    "MUS704": "run-time compilation is unproven on MUSA: the only public mtrtc functions report that they are not "
    "supported. Compile the kernel ahead of time, or call mcc yourself",
    "MUS705": "MTML has another object model than NVML (library, system and device handles): the same-looking name "
    "takes other arguments. Rewrite the calls against mtml.h",
}


def differs(start: int, end: int, name: str, musa: str, label: Label, note: str) -> Finding:
    """A name whose MUSA namesake has another shape or meaning."""
    if label.code in _LIBRARIES:
        text = f"{name} was left: {_LIBRARIES[label.code]}{_also(note)}."
        return Finding(label.code, "warning", start, end, text, effort="days", settled=False, name=name)
    return differs_as(start, end, name, musa, note)


def differs_as(start: int, end: int, name: str, musa: str, note: str) -> Finding:
    """A name or namespace that has no twin, for the reason in the note."""
    near = f"; the nearest name is {musa}" if musa else ""
    return Finding(
        DIFFERS,
        "warning",
        start,
        end,
        f"{name} was left: MUSA has no equivalent under a new name{near}{_also(note)}. Rewrite this place by hand.",
        effort="hours",
        settled=False,
        name=name,
    )


def library_version(start: int, end: int, name: str) -> Finding:
    """A library's version number."""
    return Finding(
        LIBRARY_VERSION,
        "warning",
        start,
        end,
        f"{name} was left: MUSA's library counts its versions on another scale, so a renamed comparison would be "
        "silently always true or always false. Undefined, it counts as 0 in #if. Decide by feature instead.",
        name=name,
    )


def unproven(start: int, end: int, name: str) -> Finding:
    """A device name that is the same or missing on MUSA; nobody has shown which."""
    return Finding(
        UNPROVEN,
        "note",
        start,
        end,
        f"{name} was left as it is: no public MUSA source uses it, so it may be missing from the SDK.",
        name=name,
    )


def kept(start: int, end: int, name: str, note: str) -> Finding:
    """A name that the project's own rules keep."""
    return Finding(
        OWN_SYMBOL, "note", start, end, f"{name} was left, as the project's rules say{_also(note)}.", name=name
    )


def own_symbol(start: int, end: int, name: str) -> Finding:
    """A name of the API that the file defines itself."""
    return Finding(
        OWN_SYMBOL,
        "note",
        start,
        end,
        f"{name} is defined in this file, so it was taken as the project's own and not renamed anywhere in it. If it "
        "stands in for the CUDA name, rename it by hand together with its users.",
        name=name,
    )


def own_elsewhere(start: int, end: int, name: str, path: str) -> Finding:
    """A name of the API that a file included here defines itself."""
    shown = path.encode("utf-8", "replace").decode("utf-8")
    text = (
        f"{name} is defined in {shown}, which this file includes, so it was taken as the project's own and not "
        "renamed. If it stands in for the CUDA name, rename it by hand together with its users."
    )
    return Finding(OWN_SYMBOL, "note", start, end, text, name=name)


def own_header(start: int, end: int, name: str, path: str) -> Finding:
    """A quoted include that finds a file of the project's first."""
    shown = path.encode("utf-8", "replace").decode("utf-8")
    text = (
        f"{name} is the project's own {shown} here, which stands beside this file and is found before CUDA's header of "
        "that name. It was left; if it is a copy of CUDA's, take it out and include MUSA's header."
    )
    return Finding(OWN_SYMBOL, "note", start, end, text, name=name)


def own_member(start: int, end: int, name: str) -> Finding:
    """A name of the API that a class's function or a scoped enumerator has."""
    text = f"{name} is a member of a class or of a scoped enum here, so it is the project's own and was not renamed."
    return Finding(OWN_SYMBOL, "note", start, end, text, name=name)


def taken_as_member(start: int, end: int, name: str) -> Finding:
    """A name of the API inside a class, where a class of the file has a member of that name."""
    return Finding(
        OWN_SYMBOL,
        "warning",
        start,
        end,
        f"a class has a member {name}, so inside classes the unqualified name was taken as that member and not "
        f"renamed. If CUDA's is meant, write ::{name} and run again.",
        name=name,
    )


def pasted(start: int, end: int, name: str, suggestion: Edit | None) -> Finding:
    """A CUDA name, or the beginning of one, beside ``##``."""
    return Finding(
        PASTED,
        "warning",
        start,
        end,
        f"{name} is pasted with ## into a name that exists only after preprocessing, so it was not renamed. Rename "
        "the fixed part by hand once you have seen which names the macro makes.",
        edit=suggestion,
        settled=False,
        name=name,
    )


def pasted_by(start: int, end: int, name: str, macro: str) -> Finding:
    """The beginning of a CUDA name that a macro pastes to something."""
    text = (
        f"{name} is pasted by {macro} into a name that exists only after preprocessing, so it was not renamed. Write "
        "the name out, or rename this part by hand."
    )
    return Finding(PASTED, "warning", start, end, text, settled=False, name=name)


def pasted_by_another_name(start: int, end: int, name: str, stands_for: str, macro: str) -> Finding:
    """A macro that is the beginning of a CUDA name, and that a macro pastes to something."""
    text = (
        f"{name} is {stands_for}, which {macro} pastes into a name that exists only after preprocessing: it was not "
        f"renamed. Write the name out, or give {name} MUSA's beginning once you have seen which names come of it."
    )
    return Finding(PASTED, "warning", start, end, text, settled=False, name=name)


def pasted_whole(start: int, end: int, name: str, macro: str) -> Finding:
    """A CUDA name that a macro pastes into a longer one, as far as can be seen."""
    text = (
        f"{name} is renamed here and pasted by {macro}, perhaps into a longer name: see that MUSA or the project has "
        "the name that comes out."
    )
    return Finding(PASTED, "note", start, end, text, name=name)


def stringised(start: int, end: int, macro: str, related: tuple[Related, ...]) -> Finding:
    """A macro that turns its argument into text, called with a renamed name."""
    return Finding(
        STRINGISED,
        "note",
        start,
        end,
        f"{macro} makes text of its argument, and renamed names stand in it: what it prints now shows MUSA names. "
        "Look whether anything compares or parses that text.",
        related=related,
        name=macro,
    )


def spliced(start: int, end: int, name: str) -> Finding:
    """A name with a line splice in its middle."""
    return Finding(
        SPLICED,
        "warning",
        start,
        end,
        f"{name} goes over a line end by a backslash in the middle of the name, so it was not renamed. Put it on one "
        "line and run again.",
        settled=False,
        name=name,
    )


def no_header(start: int, end: int, token: str, musa: str, note: str) -> Finding:
    """An include of a CUDA header without a usable counterpart."""
    near = f"; the nearest is {musa}" if musa else ""
    return Finding(
        NO_HEADER,
        "warning",
        start,
        end,
        f"{token} has no MUSA counterpart that can simply stand in its place{near}{_also(note)}. Take the include "
        "out together with what the file uses of it.",
        effort="hours",
        settled=False,
        name=token,
    )


def header_in_directive(start: int, end: int, token: str, musa: bytes) -> Finding:
    """A CUDA header in quotes in a directive that is no plain include."""
    name = musa.decode("utf-8", "replace")
    instead = f"write {name} there by hand" if name else "MUSA has no header that can simply stand in its place"
    return Finding(
        NO_HEADER,
        "warning",
        start,
        end,
        f"{token} is named in a directive that is no plain include, so it was left: {instead}.",
        settled=False,
        name=token,
    )


def name_in_string(start: int, end: int, name: str, suggestion: Edit, *, is_argument: bool) -> Finding:
    """A CUDA name as a whole string in a file that looks symbols up by name; perhaps the argument of such a call."""
    text = (
        f'"{name}" is looked up by name in a library that this file does not say: it was left. If that is a MUSA '
        f"library, it has {suggestion.new.decode('utf-8', 'replace')} instead (--unsafe-fixes makes the edit)."
        if is_argument
        else f"the string {name} names a CUDA symbol in a file that looks symbols up by name. It was left: change it "
        "by hand if it is looked up in a MUSA library."
    )
    severity: Severity = "warning" if is_argument else "note"
    return Finding(NAME_IN_STRING, severity, start, end, text, edit=suggestion, name=name)


def lookup_derived(start: int, end: int, name: str, suggestion: Edit) -> Finding:
    """A symbol looked up in a library of CUDA's whose MUSA name is only derived."""
    text = (
        f'"{name}" is looked up by name: by the prefix rule it would be {suggestion.new.decode("utf-8", "replace")}, '
        "and nothing public shows that MUSA has that. It was left (--unsafe-fixes makes the edit)."
    )
    return Finding(NAME_IN_STRING, "warning", start, end, text, edit=suggestion, name=name)


def name_listed(start: int, end: int, name: str, suggestion: Edit) -> Finding:
    """A CUDA name as a string outside any call, in a file that now opens a MUSA library."""
    text = (
        f'the string "{name}" stands in no call, and this file looks symbols up in a library that is MUSA\'s now. '
        f"Where it is looked up there, the lookup fails: write {suggestion.new.decode('utf-8', 'replace')}."
    )
    return Finding(NAME_IN_STRING, "warning", start, end, text, edit=suggestion, name=name)


def lookup_in_part(start: int, end: int, name: str) -> Finding:
    """A symbol's name that is put together from several pieces."""
    text = f'"{name}" is looked up by a name put together from pieces, so it was left. Write MUSA\'s name in one piece.'
    return Finding(NAME_IN_STRING, "warning", start, end, text, name=name)


def library_in_part(start: int, end: int, name: str) -> Finding:
    """The file name of a library by a path, in pieces, or on another system."""
    text = (
        f'"{name}" names a library of CUDA\'s by a path, in pieces or for another system, so it and the symbols that '
        "this file looks up were left. Write MUSA's library there, and run again with --unsafe-fixes for the symbols."
    )
    return Finding(NAME_IN_STRING, "warning", start, end, text, effort="hours", name=name)


def lookup_became(start: int, end: int, name: str, musa: str) -> Finding:
    """The name of a symbol that is looked up in a library of CUDA's, edited."""
    text = f'"{name}", which is looked up by name, became "{musa}": nothing but the run shows whether it is there.'
    return Finding(NAME_IN_STRING, "note", start, end, text, name=name)


def lookup_without(start: int, end: int, name: str, note: str) -> Finding:
    """The name of a symbol that is looked up and that MUSA has not, as far as is known."""
    text = (
        f'"{name}" is looked up by name, and no MUSA symbol is known that can take its place{_also(note)}: on MUSA the '
        "lookup fails at run time. Write this place for MUSA by hand."
    )
    return Finding(NAME_IN_STRING, "warning", start, end, text, effort="hours", name=name)


def library_became(start: int, end: int, name: str, musa: str) -> Finding:
    """The file name of a CUDA library, edited."""
    text = f"{name}, which is opened by name, became {musa}; the symbols looked up in it have to be MUSA's too."
    return Finding(NAME_IN_STRING, "note", start, end, text, name=name)


def library_in_string(start: int, end: int, name: str) -> Finding:
    """The file name of a library that MUSA has not, as far as is known."""
    text = (
        f"{name} is opened by name, and no MUSA library that can simply take its place is known: on MUSA the call "
        "fails at run time. Write this place for MUSA by hand, or leave it out."
    )
    return Finding(NAME_IN_STRING, "warning", start, end, text, effort="hours", name=name)


def misspelt(start: int, end: int, word: str, name: str, suggestion: Edit) -> Finding:
    """A word that is no CUDA name and nearly one."""
    return Finding(
        MISSPELT,
        "warning",
        start,
        end,
        f"{word} is no CUDA name that is known, and this file does not declare it: it may be {name} misspelt, which "
        f"would become {suggestion.new.decode('utf-8', 'replace')}. It was left. If it is the project's own, give the "
        "tree that declares it.",
        edit=suggestion,
        name=word,
    )
