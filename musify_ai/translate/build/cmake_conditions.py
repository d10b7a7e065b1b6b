"""Whether CUDA is enabled where a CMake command stands: what the branches around it and the enabling command say.

`enable_language(CUDA)` in one branch of an `if` makes a project that builds with CUDA or without. Its targets stand
outside that branch as often as not, and FindMUSA's commands are there only where `find_package(MUSA)` was called.
"""

from __future__ import annotations

import re
from typing import Literal

from musify_ai.source.patterns import late_pattern
from musify_ai.translate.build.cmake_view import CMakeFile, Command

Standing = Literal["on", "off", "open"]
GUARD = late_pattern(r"COMMAND musa_add_\w+")
_REFERENCE = late_pattern(r"\$\{([^${}]+)\}")
_FALSE = frozenset(("", "0", "OFF", "NO", "FALSE", "N", "IGNORE", "NOTFOUND"))
# What FindCUDA, CheckLanguage and FindMUSA say when they found something: one fact by several names.
_FOUND = {"CUDA_FOUND": "MUSA_FOUND", "CMAKE_CUDA_COMPILER": "MUSA_FOUND", "CUDAToolkit_FOUND": "MUSAToolkit_FOUND"}
_LANGUAGE_CALLS = ("enable_language", "project")


def standing(view: CMakeFile, command: Command) -> Standing:
    """Whether CUDA is enabled at a command that adds a target: on every way to it, on none, or on some only.

    Where the file enables nothing itself, a target counts as ``open`` when each of its CUDA sources comes through a
    variable that is set in branches around which the target stands. ``open`` is always safe to assume.
    """
    holds = _facts(view, command.path)
    if any(GUARD.fullmatch(fact.removeprefix("!")) and fact.startswith("!") for fact in holds):
        return "off"
    if "homes" not in view.memo:
        view.memo["homes"] = _homes(view)
    homes = [home for home in view.memo["homes"] if home[0] < command.start]
    if homes:
        wanted = [needs for _, needs in homes]
        told = holds | {fact for name in holds for fact in _implied(view, name, wanted)}
        if any(needs <= told for needs in wanted):
            return "on"
        return "off" if all(any(_negated(fact) in holds for fact in needs) for needs in wanted) else "open"
    if _guarded_sources(view, command, holds):
        return "open"
    return "on"


def is_behind_a_condition(text: str) -> bool:
    """Whether a source stands in a generator expression, which is worked out after FindMUSA has looked at it."""
    return "$<" in text and re.search(r"\.cu>", text) is not None


def _homes(view: CMakeFile) -> list[tuple[int, frozenset[str]]]:
    """The commands that bring CUDA into the project: where each stands, and what holds where it is run."""
    found: list[tuple[int, frozenset[str]]] = []
    pending = [(command, _extra(command)) for command in view.commands if _brings(command)]
    seen: set[str] = set()
    while pending:
        command, extra = pending.pop()
        facts = _facts(view, command.path) | extra
        if not command.function:
            found.append((command.start, frozenset(facts)))
        elif command.function not in seen:  # a function brings it where it is called
            seen.add(command.function)
            pending += [(call, frozenset(facts)) for call in view.named(command.function)]
    return found


def _brings(command: Command) -> bool:
    if command.name in _LANGUAGE_CALLS:
        return "CUDA" in command.texts[0 if command.name == "enable_language" else 1 :]
    return command.name == "find_package" and command.texts[:1] in (["CUDA"], ["MUSA"])


def _extra(command: Command) -> frozenset[str]:
    """A package that is not required may not be there."""
    optional = command.name == "find_package" and "REQUIRED" not in command.texts
    return frozenset(("MUSA_FOUND",)) if optional else frozenset()


def _facts(view: CMakeFile, path: tuple[int, ...]) -> frozenset[str]:
    """What the branches of a path say: conditions joined by AND, each with an exclamation mark where it is false."""
    found: set[str] = set()
    offsets = iter(path)
    for block in offsets:
        chain = view.branches.get(block)
        if chain is None:
            continue  # a loop or a function
        branch = next(offsets, block)
        if branch != chain[-1] or view.by_start[branch].name != "else":
            found |= _conjuncts(view, view.by_start[branch])
        for earlier in chain[: chain.index(branch)]:
            parts = _conjuncts(view, view.by_start[earlier])
            guards = [part for part in parts if GUARD.fullmatch(part)]
            found |= {_negated(part) for part in (guards or (parts if len(parts) == 1 else ()))}
    return frozenset(found)


def _conjuncts(view: CMakeFile, head: Command) -> frozenset[str]:
    texts = head.texts
    if "OR" in texts or view.src.count(b"(", head.name_end, head.end) > 1:  # more than this reads
        return frozenset((" ".join(texts),))
    found, part = set(), list[str]()
    for text in (*texts, "AND"):
        if text == "AND":
            negative = part[:1] == ["NOT"]
            named = " ".join(part[1:] if negative else part)
            named = _FOUND.get(named, named)
            if named:
                found.add(f"!{named}" if negative else named)
            part = []
        else:
            part.append(text)
    return frozenset(found)


def _negated(fact: str) -> str:
    return fact[1:] if fact.startswith("!") else f"!{fact}"


def _implied(view: CMakeFile, name: str, wanted: list[frozenset[str]]) -> frozenset[str]:
    """What holds where a variable is true that is set in the enabling branch and nowhere else."""
    if not re.fullmatch(r"\w+", name):
        return frozenset()
    settings = [c for c in view.commands if c.texts[:1] == [name] and c.name in ("set", "option", "find_package")]
    true = [c for c in settings if c.name == "set" and len(c.texts) > 1 and c.texts[1].upper() not in _FALSE]
    others = [c for c in settings if c not in true and c.name != "set"]
    if not true or others or any("CACHE" in c.texts for c in true):
        return frozenset()
    facts = [_facts(view, c.path) for c in true]
    return next((needs for needs in wanted if all(needs <= each for each in facts)), frozenset())


def _guarded_sources(view: CMakeFile, command: Command, holds: frozenset[str]) -> bool:
    if command.function or (not command.path and command.name.startswith("cuda_")):
        return False
    carrying = [text for text in command.texts[1:] if view.holds_cuda(text, command.function)]
    if not carrying:
        return False
    for text in carrying:
        if is_behind_a_condition(text):
            continue
        names = [name for name in _REFERENCE.findall(text) if name in view.carriers]
        settings = [facts for name in names for at, facts in _settings(view).get(name, ()) if at < command.start]
        if not names or not settings or any(facts <= holds for facts in settings):
            return False
    return True


def _settings(view: CMakeFile) -> dict[str, list[tuple[int, frozenset[str]]]]:
    """By variable, where CUDA sources are put into it, and what holds there."""
    if "settings" not in view.memo:
        found: dict[str, list[tuple[int, frozenset[str]]]] = {}
        for each in view.named("set", "list", "file"):
            if any(view.holds_cuda(value, each.function) for value in each.texts[1:]):
                for name in each.texts[:2]:
                    found.setdefault(name, []).append((each.start, _facts(view, each.path)))
        view.memo["settings"] = found
    settings: dict[str, list[tuple[int, frozenset[str]]]] = view.memo["settings"]
    return settings
