"""PTX identity: NVIDIA's compiler over the original, and over the translation with MUSA's names as aliases.

The same PTX proves that nothing but names changed in device code, whatever the inputs. It says nothing of MUSA's
compiler or hardware, nothing of host code, and differs by design where meaning had to change; so it is an evidence row
and a note, and no verdict.
"""

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple

from musify_ai.backends.nvidia import Module, Nvcc, Refused
from musify_ai.emulator.aliases import alias_headers
from musify_ai.records import Arch, Evidence, Verdict
from musify_ai.verify.closures import Sources
from musify_ai.verify.pairing import UnitPlan
from musify_ai.verify.patches import base_name

IDENTICAL = "ptx-identical"
"""The note of a kernel whose PTX is the same on both sides."""

_CALLED = re.compile(r"[A-Za-z_$][\w$]*")


class Identity(NamedTuple):
    """What came of a kernel: whether its PTX is the same, and if not why not, in a phrase."""

    same: bool
    detail: str


def with_identity(verdict: Verdict, identity: Identity, nvcc: Nvcc, arch: Arch, repeat: str) -> Verdict:
    """A verdict with a row for its kernel's identity, and the note where it holds."""
    row = Evidence(
        method="ptx-identity",
        backend=(f"{nvcc.name} {arch.cuda}", f"{nvcc.name} {arch.cuda}, names as aliases"),
        arch=arch.name,
        lanes=32,
        seeds=(),
        schedules=(),
        poison=(),
        buffers=(),
        tolerance=0,
        assumptions=(),
        outcome="unchecked",
        detail=identity.detail,
        repeat=f"{repeat} --ptx-identity",
    )
    notes = (*verdict.notes, IDENTICAL) if identity.same else verdict.notes
    return verdict._replace(evidence=(*verdict.evidence, row), notes=notes)


def identities(
    nvcc: Nvcc, plan: UnitPlan, originals: Sources, translations: Sources, arch: Arch
) -> dict[str, Identity]:
    """By pair, for the CUDA arch that stands for a MUSA one (`ARCHS`)."""
    cuda, macro = arch.cuda, arch.macro
    mine = nvcc.ptx(
        _texts(originals, plan.closures[0].files),
        plan.original,
        plan.closures[0].include_dirs,
        cuda,
        defines=plan.closures[0].defines,
    )
    if isinstance(mine, Refused):
        return {
            pair.id: Identity(False, f"the original does not compile with {nvcc.name}: {mine.message}")
            for pair in plan.pairs
        }
    texts = _texts(translations, plan.closures[1].files)
    aliases = {f"musify_aliases/{name}": text.encode() for name, text in alias_headers(macro).items()}
    folders = (*plan.closures[1].include_dirs, "musify_aliases")
    theirs = nvcc.ptx(
        {**texts, **aliases},
        plan.translated,
        folders,
        cuda,
        first=("musa_runtime.h",),
        defines=plan.closures[1].defines,
    )
    if isinstance(theirs, Refused):
        why = f"the translation does not compile with {nvcc.name} through aliases: {theirs.message}"
        return {pair.id: Identity(False, why) for pair in plan.pairs}
    found = {}
    for pair in plan.pairs:
        name = base_name(pair.original.name).decode("utf-8", "replace")
        other = base_name(pair.translated.name).decode("utf-8", "replace") if pair.translated else name
        found[pair.id] = compare(mine, theirs, name, other)
    return found


def compare(mine: Module, theirs: Module, name: str, other: str) -> Identity:
    """Whether a kernel of this base name, in every instantiation, is the same in both modules, with all that it calls
    and the variables it uses."""
    left, right = _instances(mine, name), _instances(theirs, other)
    if not left:
        return Identity(False, "the compiler makes no PTX of it: nothing instantiates it here")
    if left.keys() != right.keys() and name == other:
        return Identity(False, "other instantiations")
    for instance, entry in left.items():
        twin = right.get(instance) or next(iter(right.values()), "")
        if entry != twin:
            return Identity(False, f"the PTX differs: {_first_difference(entry, twin)}")
    return Identity(True, f"the PTX is the same ({len(left)} {'entry' if len(left) == 1 else 'entries'})")


def _texts(sources: Sources, files: Collection[str]) -> dict[str, bytes]:
    return {path: sources.read(path) or b"" for path in files}


def _instances(module: Module, name: str) -> dict[str, str]:
    """The entries of a kernel by mangled name, each with what it reaches."""
    mark = f"{len(name)}{name}"
    return {
        mangled: _whole(module, mangled)
        for mangled, text in module.functions.items()
        if ".entry" in text.split("\n", 1)[0] and (mangled == name or _names(mangled, mark))
    }


def _names(mangled: str, mark: str) -> bool:
    """Whether a mangled name holds this length and name (Itanium C++ ABI, 5.1.2), and not as a longer number's end."""
    at = mangled.find(mark)
    return at > 0 and not mangled[at - 1].isdigit()


def _whole(module: Module, mangled: str) -> str:
    """An entry's text, with the functions it calls and the lines that declare what it uses."""
    waiting, seen, texts = [mangled], {mangled}, []
    lines: Mapping[str, str] = {
        word: line
        for line in module.rest.splitlines()
        if line.lstrip().startswith(".")
        for word in _CALLED.findall(line)
    }
    while waiting:
        text = module.functions[waiting.pop()]
        texts.append(text)
        for word in dict.fromkeys(_CALLED.findall(text)):
            if word in seen:
                continue
            if word in module.functions:
                seen.add(word)
                waiting.append(word)
            elif word in lines and len(word) > 3:
                seen.add(word)
                texts.append(lines[word])
    return "\n".join(texts)


def _first_difference(left: str, right: str) -> str:
    for mine, theirs in zip(left.splitlines(), right.splitlines(), strict=False):
        if mine != theirs:
            return f"{mine.strip()[:80]!r} became {theirs.strip()[:80]!r}"
    return "one goes on where the other ends"
