"""What becomes of nvcc's flags for mcc, word by word; nothing here knows which build system the words come from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from musify_ai.source.patterns import late_pattern
from musify_ai.translate.build.vocabulary import Flags, flags
from musify_ai.translate.build.words import Word, is_reference, removal

_ARCH_FLAGS = frozenset(("-gencode", "--generate-code", "-arch", "--gpu-architecture", "-code", "--gpu-code"))
_ARCH = late_pattern(r"(?:sm|compute|lto)_?\d+[a-z]?|\b(?:native|all|all-major)\b")
_OF_VARIABLE = late_pattern(r"(?:sm_|compute_)?(\$\([\w.-]+\)|\$\{[\w.-]+\}|\$\w)")
_HOST_ARCH = late_pattern(r"x86|i[3-6]86|arm|ppc|native")
_TAKES_VALUE = frozenset((*_ARCH_FLAGS, "-x", "--x", "-std", "-rdc"))
_UNKNOWN_WITH_VALUE = frozenset((
    "--maxrregcount", "-maxrregcount", "--default-stream", "-default-stream", "--cudart", "-cudart", "-odir",
    "--output-directory",
))  # fmt: skip
_AFTER = late_pattern(rb"[\"']?(?:[ \t;]|\\\r?\n|\r?\n)+")
_MCC_IS_CLANG = "write it for the compiler itself: mcc is clang and takes a host compiler's flags as they are"


class Change(NamedTuple):
    """New text for bytes ``[start, end)``; empty text takes them out."""

    start: int
    end: int
    new: str
    topic: Literal["flag", "arch"] = "flag"


class Remark(NamedTuple):
    """What a person is to hear of a flag. ``left`` says that it stands where it stood, and mcc will refuse it."""

    start: int
    end: int
    flag: str
    message: str
    topic: Literal["flag", "arch"]
    left: bool


class Arch(NamedTuple):
    """An arch flag that speaks through a variable: its reference, whether that holds a bare number (``80``), and
    whether the flag asks for PTX alone, for devices yet to come."""

    start: int
    end: int
    reference: str
    bare: bool
    only_ptx: bool = False


Said = Change | Remark | Arch


def translate_flags(src: bytes, words: Sequence[Word], archs: Sequence[str]) -> Iterator[Said]:
    """The changes to a run of words, and what is to be said of them, in order of place.

    All arch flags of a run become one ``--offload-arch`` for each of ``archs``, at the place of the first. One whose
    value is a variable comes out as an `Arch`, since what becomes of it depends on what the variable holds.
    """
    table = flags()
    index = covered = 0
    named = False
    while index < len(words):
        word = words[index]
        name, value, used = _split(word, words[index + 1] if index + 1 < len(words) else None, table)
        end = words[index + used - 1].end
        index += used
        if word.start < covered or not name.startswith("-"):
            continue
        if name in _ARCH_FLAGS:
            found = list(_arch(src, word.start, end, value, archs, named))
            named = named or any(isinstance(said, Arch) or (isinstance(said, Change) and said.new) for said in found)
        elif name in table.passed_on:
            found = list(_passed_on(src, word, name))
        else:
            found = list(_one(src, word, name, value, end, table))
        for said in found:
            covered = max(covered, said.end)
            yield said


def _split(word: Word, following: Word | None, table: Flags) -> tuple[str, str, int]:
    """A flag's name, its value, and how many words the two take."""
    text = word.text
    name, equals, value = text.partition("=")
    if not text.startswith("-") or (text in table.renamed and text != "-rdc"):
        return text, "", 1
    if equals:
        known = name in _TAKES_VALUE or name in table.dropped_valued or name in table.passed_on
        return (name, value, 1) if known or name in table.respelled or name in table.unknown else (text, "", 1)
    takes = text in _TAKES_VALUE or text in table.dropped_valued or text in table.respelled
    if following is not None and (takes or text in _UNKNOWN_WITH_VALUE):
        return text, following.text, 2
    return text, "", 1


def _one(src: bytes, word: Word, name: str, value: str, end: int, table: Flags) -> Iterator[Said]:
    if name == "-rdc":
        if word.text == name and value:
            yield Change(word.start, end, f"-rdc={value}")
    elif name in table.renamed:
        yield Change(word.start, end, table.renamed[name])
        if "use_fast_math" in name:
            yield _remark(
                word, end, name,
                "nvcc's fast math is for device code alone; mcc's -ffast-math holds for the host's half of a file too. "
                "Where the host's results must stay as they are, move that code to a .cpp file",
            )  # fmt: skip
    elif name in table.respelled and value:
        yield Change(word.start, end, table.respelled[name].format(value))
    elif name == "-std":
        if word.text == name and value:
            yield Change(word.start, end, f"-std={value}")
    elif name in ("-x", "--x"):
        if value == "cu" or name == "--x":
            yield Change(word.start, end, f"-x {'musa' if value == 'cu' else value}")
    elif name in table.dropped or name in table.dropped_valued:
        yield Change(*removal(src, word.start, end), "")
        if name in table.noted:
            yield _remark(word, end, name, table.noted[name])
        elif name in ("-ccbin", "--compiler-bindir"):
            yield _remark(word, end, name, "mcc compiles the host's half itself and takes no other compiler for it")
        elif any(part.startswith(each) for part in re.split(r"[,\s]", value) for each in table.telling):
            yield _remark(
                word, end, name,
                f"{value} changed what NVIDIA's assembler made. It was left out, since no counterpart is public",
            )  # fmt: skip
    else:
        reason = table.unknown.get(name) or table.unknown.get(name.partition("=")[0])
        if reason is not None:
            yield _remark(word, end, name, reason, left=True)


def _remark(word: Word, end: int, flag: str, message: str, *, left: bool = False) -> Remark:
    return Remark(word.start, end, flag, message, "flag", left)


def _passed_on(src: bytes, word: Word, flag: str) -> Iterator[Said]:
    """``-Xcompiler -Wall``, ``-Xcompiler=-Wall,-O3``, ``-Xcompiler "-Wall -O3"``: the values alone."""
    begin, start = word.start, word.start + len(flag)
    if src[start : start + 1] == b"=":
        start += 1
    else:
        after = _AFTER.match(src, start)
        if after is None:
            yield _remark(word, word.end, flag, _MCC_IS_CLANG, left=True)
            return
        start = after.end()
        quoted = src[begin - 1 : begin]
        if quoted in (b'"', b"'") and src[word.end : word.end + 1] == quoted:
            # The flag and its value stand in quotes of their own: the flag's go with it.
            yield Change(begin - 1, start, "")
            return
    quote = src[start : start + 1]
    if quote in (b'"', b"'") and quote != src[begin - 1 : begin]:
        close = src.find(quote, start + 1)
        inner = src[start + 1 : close].decode("utf-8", "surrogateescape")
        if close < 0 or "\\" in inner or "\n" in inner or re.search(r"-W[lap],", inner):
            yield _remark(word, word.end, flag, _MCC_IS_CLANG, left=True)
        else:
            yield Change(begin, close + 1, inner.replace(",", " "))
        return
    match = re.compile(rb"[^\s;\"']+").match(src, start)
    value = match[0].decode("utf-8", "surrogateescape") if match else ""
    if match is None or "\\" in value or re.match(r"-W[lap],", value):
        yield _remark(word, word.end, flag, _MCC_IS_CLANG, left=True)
    elif "," in value and not is_reference(value):
        yield Change(begin, match.end(), value.replace(",", " "))
    else:
        yield Change(begin, start, "")


def _arch(src: bytes, start: int, end: int, value: str, archs: Sequence[str], named: bool) -> Iterator[Said]:
    variable = _OF_VARIABLE.search(value)
    codes = re.findall(r"code=\\?[\"'\[]*([^\s,\]\"'\\]+)", value)
    if variable is not None:
        only_ptx = bool(codes) and all(code.startswith("compute_") for code in codes)
        yield Arch(start, end, variable[1], "sm_" in value or "compute_" in value, only_ptx)
    elif not _ARCH.search(value):
        if not _HOST_ARCH.search(value):
            text = src[start:end].decode("utf-8", "replace")
            yield Remark(start, end, text, "write the arch as --offload-arch=mp_NN", "arch", left=True)
    elif named:
        yield Change(*removal(src, start, end), "", "arch")
    else:
        yield Change(start, end, " ".join(f"--offload-arch={arch}" for arch in archs), "arch")
