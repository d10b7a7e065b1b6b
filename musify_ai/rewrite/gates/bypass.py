"""No way around: no code that never runs in the place of code that did, and no branch for the checker."""

from musify_ai.rewrite.gates.protocol import Candidate, Passed, Refused, Said
from musify_ai.rewrite.gates.reading import added, closing, identifiers, read
from musify_ai.source import Token

_ARCH = (b"__MUSA_ARCH__", b"__CUDA_ARCH__", b"__MUSA__", b"__MUSACC__", b"__CUDACC__", b"MUSIFY_EMU_ARCH")
_CONSTANT = frozenset((b"0", b"1", b"false", b"true", b"nullptr", b"NULL"))
_VALUE = frozenset(
    (b"(", b")", b"!", b"&&", b"||", b"==", b"!=", b"<", b">", b"<=", b">=", b"&", b"|", b"^", b"+", b"-")
)


def check(candidate: Candidate) -> Said:
    """Refused (``cheating``) for a branch or loop that a constant decides and that the function did not have, for a
    return before anything was done, for code after a return, and for questions about the platform."""
    before = _constants(candidate.unit.region)
    for text in _constants(candidate.code):
        if text not in before:
            return Refused("cheating", f"a constant decides a branch: `{text}`")
    new = added(candidate)
    asked = [word for word in _ARCH if word in new]
    if asked:
        return Refused("cheating", f"it asks which platform it is on: {asked[0].decode()}")
    found = read(candidate.code)
    opening = next((i for i, token in enumerate(found) if token.text == b"{"), 0)
    if _leaves_at_once(found, opening) and not _leaves_at_once(read(candidate.unit.region), None):
        return Refused("cheating", "it returns before it has done anything")
    if _dead(found) and not _dead(read(candidate.unit.region)):
        return Refused("cheating", "there is code after a return")
    if identifiers(candidate.code)[b"volatile"] > identifiers(candidate.unit.region)[b"volatile"] + 8:
        return Refused("cheating", "volatile is everywhere")
    return Passed()


def _constants(code: bytes) -> list[str]:
    """The conditions of ``if``, ``while``, ``for`` and ``?:`` that are constants, as text."""
    found = read(code)
    out = []
    for index, token in enumerate(found[:-1]):
        if token.text in (b"if", b"while") and token.kind == "identifier":
            at = index + 1
            if found[at].text == b"constexpr":
                at += 1
            if found[at].text != b"(":
                continue
            end = closing(found, at)
            ends_do = (
                bool(index) and found[index - 1].text == b"}" and end + 1 < len(found) and found[end + 1].text == b";"
            )
            if token.text == b"while" and ends_do:
                continue  # do { ... } while (0);
            inside = found[at + 1 : end]
        elif token.text == b"?":
            inside = _condition_before(found, index)
        else:
            continue
        if inside and _is_constant(inside) and not _endless(token, inside):
            out.append(b" ".join((token.text, *(each.text for each in inside))).decode("utf-8", "replace"))
    return out


def _endless(token: Token, inside: tuple[Token, ...]) -> bool:
    """``while (true)`` is a loop that something inside it ends."""
    return token.text == b"while" and tuple(each.text for each in inside) in ((b"true",), (b"1",))


def _is_constant(inside: tuple[Token, ...]) -> bool:
    return all(
        each.kind in ("number", "char", "string") or each.text in _CONSTANT or each.text in _VALUE for each in inside
    )


def _condition_before(found: tuple[Token, ...], index: int) -> tuple[Token, ...]:
    first = index
    while first and found[first - 1].text not in (b"=", b"return", b";", b"{", b"}", b",", b"(", b"?", b":"):
        first -= 1
    return found[first:index]


def _leaves_at_once(found: tuple[Token, ...], opening: int | None) -> bool:
    """Whether a function's first statement is a bare return."""
    at = next((i for i, token in enumerate(found) if token.text == b"{"), 0) if opening is None else opening
    following = [token.text for token in found[at + 1 : at + 3]]
    return following == [b"return", b";"]


def _dead(found: tuple[Token, ...]) -> bool:
    """Whether a statement follows a return in the same block, which no label or branch leads to."""
    for index, token in enumerate(found):
        if token.text != b"return" or token.kind != "identifier":
            continue
        if not index or found[index - 1].text not in (b";", b"{", b"}"):
            continue  # the branch of an if without braces
        end = next((i for i in range(index, len(found)) if found[i].text == b";"), len(found))
        if found[end + 1 : end + 2] and found[end + 1].text not in (b"}", b"case", b"default"):
            return True
    return False
