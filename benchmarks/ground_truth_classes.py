"""Why a line of ours differs from a port's: rules for classes of differences, each with its verdict and reason.

A rule looks at a block of lines that differ and at what is known of the file, never at which file it is. The verdicts:
``better`` (what the port has there does not build or means something else), ``equal`` (either will do), ``worse`` (the
port knows something that we neither do nor report) and ``apart`` (the port changed the program: nothing that a
translation could derive).
"""

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

Verdict = Literal["better", "equal", "worse", "apart"]


class Block(NamedTuple):
    """Lines of ours and of the port's that differ. ``names`` are the rules' renames, ``own`` the words that the file
    defines itself, ``lowered`` whether inline PTX stood in these lines and was lowered."""

    mine: list[bytes]
    port: list[bytes]
    names: dict[bytes, bytes]
    own: frozenset[bytes]
    lowered: bool


class Class(NamedTuple):
    """A class of differences."""

    name: str
    verdict: Verdict
    reason: str
    holds: Callable[[Block], bool]


_WORD = re.compile(rb"[A-Za-z_]\w*")
_NUMBER = re.compile(rb"\b\d+\b")
_STRING = re.compile(rb'"(?:[^"\\\n]|\\.)*+"')
_PATH = re.compile(rb'(#[ \t]*include[ \t]*)[<"]([^>"\n]+)[>"]')
_CALL = re.compile(rb"[ \t]*[A-Za-z_][\w:]*(?:<[\w,:: \t]*>)?\([\w,. \t]*\);")
_NAMED_THE_SAME = (b"C10_MUSA_CHECK", b"AT_MUSA_CHECK")


def _line_by_line(test: Callable[[bytes, bytes, Block], bool]) -> Callable[[Block], bool]:
    """A rule that holds where each pair of lines that differ passes a test."""

    def holds(block: Block) -> bool:
        return len(block.mine) == len(block.port) and all(
            mine == port or test(mine, port, block) for mine, port in zip(block.mine, block.port, strict=True)
        )

    return holds


def _left_names(mine: bytes, port: bytes, block: Block) -> bool:
    if _WORD.sub(lambda match: block.names.get(match[0], match[0]), port) == mine:
        return True
    ours, theirs = _PATH.search(mine), _PATH.search(port)
    return bool(ours and theirs and theirs[2].startswith((b"cuda", b"nccl", b"curand")))


def _kept_threshold(mine: bytes, port: bytes, block: Block) -> bool:
    return b"__MUSA_ARCH__" in mine and mine != port and _NUMBER.sub(b"0", mine) == _NUMBER.sub(b"0", port)


def _own_name(mine: bytes, port: bytes, block: Block) -> bool:
    return _WORD.sub(lambda m: block.names.get(m[0], m[0]) if m[0] in block.own else m[0], mine) == port


def _file_name(mine: bytes, port: bytes, block: Block) -> bool:
    ours, theirs = _PATH.search(mine), _PATH.search(port)
    return bool(ours and theirs and _rebranded(ours[2]) == _rebranded(theirs[2]))


def _rebranded(path: bytes) -> bytes:
    return path.replace(b".cuh", b".muh").replace(b"cuda", b"musa").replace(b"cu_", b"mu_")


def _torch_header(mine: bytes, port: bytes, block: Block) -> bool:
    ours, theirs = _PATH.search(mine), _PATH.search(port)
    return bool(ours and theirs and ours[2].startswith(b"torch_musa/") and theirs[2].startswith(b"torch_musa/"))


def _other_check(mine: bytes, port: bytes, block: Block) -> bool:
    return mine.replace(*_NAMED_THE_SAME[::-1]) == port


def _numbers(mine: bytes, port: bytes, block: Block) -> bool:
    return _NUMBER.sub(b"0", mine) == _NUMBER.sub(b"0", port)


def _inserted(mine: bytes, port: bytes, block: Block) -> bool:
    start = _shared(mine, port)
    end = _shared(mine[start:][::-1], port[start:][::-1])
    return start + end >= len(mine) and b"{" in port[start : len(port) - end]


def _shared(one: bytes, other: bytes) -> int:
    """How many bytes two lines begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _only_blanks(block: Block) -> bool:
    mine, port = (b"".join(b"".join(lines).split()) for lines in (block.mine, block.port))
    return mine == port


def _two_phase(block: Block) -> bool:
    mine, port = (b"".join(b"".join(lines).split()) for lines in (block.mine, block.port))
    return port.replace(b"this->", b"") == mine.replace(b"this->", b"") and port != mine


def _narrow_words(block: Block) -> bool:
    mine = b" ".join(block.mine)
    if b"SINGLE_WORD" in mine and any(b"sizeof" in line for line in block.port):
        return True
    return any(wide in mine for wide in (b"ulonglong2", b"longlong2")) and b"longlong2" not in b" ".join(block.port)


def _calls_only(block: Block) -> bool:
    return all(_CALL.fullmatch(line.split(b"//")[0].rstrip()) for line in (*block.mine, *block.port))


def _capturing(mine: bytes, port: bytes, block: Block) -> bool:
    return port.replace(b"at::musa::", b"") == mine


CLASSES: tuple[Class, ...] = (
    Class(
        "port left a CUDA name that MUSA lacks",
        "better",
        "the file includes MUSA's headers, and they have the name that ours writes",
        _line_by_line(_left_names),
    ),
    Class(
        "port kept an NVIDIA threshold beside __MUSA_ARCH__",
        "better",
        "MUSA counts 210, 220 and 310, so the branch that the port takes is always the same",
        _line_by_line(_kept_threshold),
    ),
    Class(
        "we lower PTX which the port left",
        "better",
        "MUSA has no PTX; each lowered form agrees with the instruction library (benchmarks/ptx_oracle.py)",
        lambda block: block.lowered and any(b"asm" in line for line in block.port),
    ),
    Class(
        "PTX lowered by both, in other words",
        "equal",
        "ours agrees with the instruction library on every form (benchmarks/ptx_oracle.py)",
        lambda block: block.lowered,
    ),
    Class("blanks and line breaks", "equal", "the same tokens", _only_blanks),
    Class(
        "text in a string",
        "equal",
        "text for people is left as it is",
        _line_by_line(lambda mine, port, block: _STRING.sub(b"", mine) == _STRING.sub(b"", port)),
    ),
    Class(
        "a file's name in an include",
        "equal",
        "the style tokens keeps the names of files, and the includes fit them; rebrand renames both",
        _line_by_line(_file_name),
    ),
    Class(
        "a name that the file defines itself",
        "equal",
        "left throughout the file, so definition and uses agree",
        _line_by_line(_own_name),
    ),
    Class(
        "another header of torch_musa for the same",
        "equal",
        "torch_musa has had both over its releases",
        _line_by_line(_torch_header),
    ),
    Class("AT_MUSA_CHECK for C10_MUSA_CHECK", "equal", "torch_musa has both", _line_by_line(_other_check)),
    Class(
        "a stream query through PyTorch",
        "equal",
        "torch_musa has a wrapper of the name, and the runtime has the function",
        _line_by_line(_capturing),
    ),
    Class(
        "this-> before a member of a dependent base",
        "worse",
        "clang's two-phase lookup wants it, nvcc did not; we neither write nor report it",
        _two_phase,
    ),
    Class(
        "words of 16 bytes made narrower",
        "worse",
        "the port avoids accesses of 16 bytes in one piece; we leave them unreported here",
        _narrow_words,
    ),
    Class(
        "code of the port's own inside a line",
        "apart",
        "a member that the original has not",
        _line_by_line(_inserted),
    ),
    Class(
        "a test called with other sizes, or not at all",
        "apart",
        "the port makes its tests smaller",
        lambda block: bool(block.mine) and (_line_by_line(_numbers)(block) or _calls_only(block)),
    ),
    Class(
        "code of the port's own",
        "apart",
        "a policy, a switch or a function that the original has not: tuning and tests",
        lambda block: not block.mine or len(block.port) >= 3 * len(block.mine) + 2,
    ),
    Class(
        "code that the port leaves out",
        "apart",
        "functions that the port does not offer",
        lambda block: not block.port,
    ),
)


def class_of(block: Block) -> Class | None:
    """The first class whose rule holds for a block; None where none does."""
    return next((each for each in CLASSES if each.holds(block)), None)
