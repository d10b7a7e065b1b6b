"""What an occurrence of a name is, judged by the bytes around it alone."""

from collections.abc import Sequence
from enum import Enum

from musify_ai.source.lexing import WORD_BYTES, Occurrence, Region, region_before
from musify_ai.source.patterns import late_pattern


class Role(Enum):
    """What stands at an occurrence."""

    USE = "use"
    OTHER = "other"  # a word that is the API's only in another place
    MEMBER = "member"  # x.name, x->name: another type's own
    QUALIFIED = "qualified"  # ns::name: not the API's, which is global
    DEFINITION = "definition"  # the file defines a function or type of this name itself
    MACRO = "macro"  # it defines a macro of this name
    PROTOTYPE = "prototype"  # what may declare a function: another's in a class or namespace, else the API's
    ENUMERATOR = "enumerator"  # what stands as an enumerator does: only in an enum it is one
    DECLARATOR = "declarator"  # a variable or a struct's member of this name is declared
    PASTED = "pasted"  # beside ##: a part of another name
    SPLICED = "spliced"  # goes on behind a backslash and a newline


_BLANKS = frozenset(b" \t\r\n\f\v")
_STARTS = frozenset(byte for byte in WORD_BYTES if not 48 <= byte < 58)
_TYPE_KEYWORDS = frozenset((b"struct", b"class", b"union", b"enum"))
# A word of these before a name does not make the name a declarator: `return cudaSuccess;` declares nothing.
_NO_TYPES = frozenset(
    b"return case else goto throw new delete sizeof typename const volatile static extern inline register mutable "
    b"constexpr consteval constinit typedef using public private protected operator co_return co_yield co_await do "
    b"friend thread_local and or not xor bitand bitor compl alignof decltype noexcept explicit virtual template "
    b"concept requires export defined if elif ifdef ifndef undef pragma __device__ __host__ __global__ __constant__ "
    b"__shared__ __restrict__ __restrict __forceinline__ __noinline__ __inline__ __inline restrict".split()
)
# Before `::` these name no scope either: `int ::cudaFree();` declares the global one.
_NO_SCOPES = _NO_TYPES | frozenset(b"void bool char short int long float double unsigned signed auto".split())
_AFTER_DECLARATOR = frozenset(b";=[,){")
_BODY = late_pattern(rb"(?:\s++|(?:const|noexcept|override|final|try)\b|->[\w\s:<>*&]*+)*+[{:]")
_PIECE = late_pattern(
    rb"[();{}]|//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/)?"
    rb'|"(?:[^"\\\n]|\\[\s\S])*+"?'
    rb"|'(?:[^'\\\n]|\\[\s\S])*+'?"
)
# What is longer than this between parentheses is not looked at: no parameter list of an API is.
_FAR = 4096
_HEAD = 300
# A function's name that is a library's prefix too: renamed only where it is called (`curand(&state)`).
_CALLED_ONLY = frozenset((b"curand",))


def role(src: bytes, found: Occurrence, known: Sequence[Region] = (), *, pasting: bool = True) -> Role:
    """What an occurrence is. Comments and line splices around it are looked through, for which ``known`` are the
    file's regions. ``pasting`` is false where the file holds no ``##``, which saves looking."""
    start, end, _, floor = found
    if src[end : end + 1] == b"\\" and _goes_on(src, end):
        return Role.SPLICED
    if start and src[start - 1] == 0x0A and _began_before(src, start):
        return Role.SPLICED
    before, floor = _code_before(src, start, floor, known)
    previous = src[before] if before >= floor else 0
    after = _code_after(src, end)
    following = src[after] if after < len(src) else 0
    if found.name in _CALLED_ONLY and following != 0x28:
        return Role.OTHER
    if previous == 0x2E and src[before - 1 : before] != b".":
        return Role.MEMBER
    if previous == 0x3E and _joined_to(src, before, 0x2D) >= 0:
        return Role.MEMBER
    if previous == 0x3A:
        colon = _joined_to(src, before, 0x3A)
        if colon >= 0 and _qualifier(src, colon, floor, known):
            return Role.QUALIFIED
    if pasting and (
        src[after : after + 2] == b"##" or (previous == 0x23 and before > floor and src[before - 1] == 0x23)
    ):
        return Role.PASTED
    if previous in WORD_BYTES:
        return _after_word(src, before, following, after, end)
    if following == 0x28 and previous in (0x2A, 0x26, 0x3E):
        if _has_body(src, after):
            return Role.DEFINITION
        if not _assigned(src, before):
            return Role.PROTOTYPE
    if previous == 0x7D and _ends_declarator(src, after, following):
        return Role.DEFINITION  # typedef struct { ... } name;
    if previous in b"{," and (following in b",}" or (following == 0x3D and src[after : after + 2] != b"==")):
        return Role.ENUMERATOR
    return Role.USE


def _assigned(src: bytes, before: int) -> bool:
    """Whether a value begins in the statement before an offset: what follows is no declaration then."""
    head = src[max(before - _HEAD, 0) : before]
    head = head[max(head.rfind(b";"), head.rfind(b"{"), head.rfind(b"}")) + 1 :]
    return b"=" in head or b"(" in head or b"return" in head


def _ends_declarator(src: bytes, after: int, following: int) -> bool:
    return following in _AFTER_DECLARATOR and src[after : after + 2] != b"=="


def is_global(src: bytes, found: Occurrence, known: Sequence[Region] = ()) -> bool:
    """Whether a name that is used is the global one by its qualification (``::cudaFree``)."""
    before, floor = _code_before(src, found.start, found.floor, known)
    return before > floor and src[before] == 0x3A and _joined_to(src, before, 0x3A) >= 0


def _code_before(src: bytes, start: int, floor: int, known: Sequence[Region]) -> tuple[int, int]:
    """The last byte of code before an offset, blanks, splices and comments looked through, and the end of the region
    before it."""
    before = start - 1
    while True:
        while before >= floor and (src[before] in _BLANKS or (src[before] == 0x5C and src[before + 1] in b"\r\n")):
            before -= 1
        if before >= floor or not known:
            return before, floor
        index = region_before(known, floor)
        if index < 0 or known[index].kind != "comment":
            return before, floor
        before = known[index].start - 1
        floor = known[index - 1].end if index else 0


def _code_after(src: bytes, end: int) -> int:
    """The next byte of code from an offset, blanks, splices and comments looked through."""
    found = _BETWEEN.match(src, end)
    return end if found is None else found.end()


_BETWEEN = late_pattern(rb"(?:\s|\\\r?\n|/\*[\s\S]*?\*/|//(?:[^\\\n]|\\(?:\r\n|[\s\S]))*+)*+")


def _joined_to(src: bytes, at: int, byte: int) -> int:
    """The offset of a byte that makes one operator with the byte at an offset (``-`` and ``>``); splices may stand
    between. -1 where it is another byte."""
    before = at - 1
    while before > 0 and src[before] == 0x0A:
        before -= 1
        before -= src[before] == 0x0D
        if src[before] != 0x5C:
            return -1
        before -= 1
    return before if before >= 0 and src[before] == byte else -1


def _qualifier(src: bytes, colon: int, floor: int, known: Sequence[Region]) -> bool:
    """Whether a scope's name or a template's end stands before ``::``. With a blank or a comment between, it is the
    global one after ``return`` and its like, a word in capitals (a macro), a macro's name and at a line's start."""
    if colon and (src[colon - 1] == 0x3E or (src[colon - 1] in WORD_BYTES and colon > floor)):
        return True
    before, _ = _code_before(src, colon, floor, known)
    if before < 0 or src[before] not in WORD_BYTES:
        return False
    begin = before
    while begin and src[begin - 1] in WORD_BYTES:
        begin -= 1
    word = src[begin : before + 1]
    if word in _NO_SCOPES or word.isupper() or src[begin] not in _STARTS:
        return False
    return b"\n" not in src[before:colon] and not src[max(begin - 32, 0) : begin].rstrip(b" \t").endswith(b"define")


def _goes_on(src: bytes, end: int) -> bool:
    rest = src[end : end + 4]
    cut = 3 if rest.startswith(b"\\\r\n") else 2 if rest.startswith(b"\\\n") else 0
    return bool(cut) and end + cut < len(src) and src[end + cut] in WORD_BYTES


def _began_before(src: bytes, start: int) -> bool:
    """Whether a word before a spliced newline continues at ``start``."""
    head = src[max(start - 4, 0) : start]
    cut = 3 if head.endswith(b"\\\r\n") else 2 if head.endswith(b"\\\n") else 0
    return bool(cut) and start > cut and src[start - cut - 1] in WORD_BYTES


def _after_word(src: bytes, before: int, following: int, after: int, end: int) -> Role:
    begin = before
    while begin and src[begin - 1] in WORD_BYTES:
        begin -= 1
    word = src[begin : before + 1]
    if word == b"define" and _is_directive(src, begin):
        return Role.USE if _is_switch(src, end) else Role.MACRO
    if word == b"namespace":
        return Role.DEFINITION if following == 0x7B else Role.USE
    if word in _TYPE_KEYWORDS:
        return Role.DEFINITION if following in b"{:" and src[after : after + 2] != b"::" else Role.USE
    if word == b"using":
        return Role.DEFINITION if following == 0x3D else Role.USE
    if word in _NO_TYPES or src[begin] not in _STARTS:
        return Role.USE
    if following == 0x28:
        return Role.DEFINITION if _has_body(src, after) else Role.PROTOTYPE
    return Role.DECLARATOR if _ends_declarator(src, after, following) else Role.USE


def _is_directive(src: bytes, begin: int) -> bool:
    return src[max(begin - 32, 0) : begin].rstrip(b" \t").endswith(b"#")


def _is_switch(src: bytes, end: int) -> bool:
    """Whether a ``#define`` has no body: a switch that the API's own header reads
    (``#define CUDA_API_PER_THREAD_DEFAULT_STREAM``), to be renamed like any use."""
    stop = src.find(b"\n", end)
    rest = (src[end:] if stop < 0 else src[end:stop]).strip()
    return not rest or rest.startswith((b"//", b"/*"))


def closing_parenthesis(src: bytes, opener: int, *, parameters: bool = False) -> int:
    """Where the parenthesis that opens at an offset closes; -1 where it does not, or not near. With ``parameters``
    also -1 where what stands between is no parameter list."""
    depth = 0
    for match in _PIECE.finditer(src, opener, min(opener + _FAR, len(src))):
        piece = src[match.start()]
        if piece == 0x28:
            depth += 1
        elif piece == 0x29:
            depth -= 1
            if depth == 0:
                return match.start()
        elif parameters and piece in b";{}":
            return -1
    return -1


def _has_body(src: bytes, opener: int) -> bool:
    """Whether the parameter list that opens here is followed by a function's body."""
    end = closing_parenthesis(src, opener, parameters=True)
    return end > 0 and _BODY.match(src, end + 1) is not None
