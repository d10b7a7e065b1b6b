"""The function still does its work: it writes where it wrote, and returns what depends on its inputs."""

from musify_ai.rewrite.gates.protocol import Candidate, Passed, Refused, Said
from musify_ai.rewrite.gates.reading import closing, identifiers, read
from musify_ai.source import Token

_STORES = frozenset((b"=", b"+=", b"-=", b"*=", b"/=", b"%=", b"&=", b"|=", b"^=", b"<<=", b">>=", b"++", b"--"))


def check(candidate: Candidate) -> Said:
    """Refused (``cheating``) for an empty body, for parameters that are used no more although they were, and where
    everything that was written or called is gone."""
    unit = candidate.unit
    before, after = _body(unit.region), _body(candidate.code)
    if unit.may_vanish and not _outcome(before):
        return Passed()
    if not after:
        return Refused("cheating", "the body is empty")
    lost = [name for name in _parameters(unit.head) if name in _words(before) and name not in _words(after)]
    if lost:
        return Refused("cheating", f"it uses its parameter `{lost[0].decode('utf-8', 'replace')}` no more")
    if _acts(before) and not _acts(after) and not _outcome(after):
        return Refused("cheating", "it writes nothing and calls nothing")
    returns = [i for i, token in enumerate(after) if token.text == b"return"]
    if any(token.text == b"return" and _value(before, i) for i, token in enumerate(before)):
        values = [_value(after, i) for i in returns]
        if not any(values):
            return Refused("cheating", "it returns nothing")
        if all(all(t.kind in ("number", "char") or t.text in (b"(", b")", b"-", b"f") for t in v) for v in values):
            return Refused("cheating", "it returns a constant")
    return Passed()


def _outcome(found: tuple[Token, ...]) -> bool:
    """Whether a function gives something back."""
    return any(token.text == b"return" and _value(found, index) for index, token in enumerate(found))


def _body(code: bytes) -> tuple[Token, ...]:
    found = read(code)
    opening = next((i for i, token in enumerate(found) if token.text == b"{"), -1)
    return found[opening + 1 : closing(found, opening)] if opening >= 0 else ()


def _words(found: tuple[Token, ...]) -> set[bytes]:
    return {token.text for token in found if token.kind == "identifier"}


def _parameters(head: bytes) -> list[bytes]:
    """The parameters' names: the last identifier of each, before a default."""
    found = read(head)
    close = max((i for i, token in enumerate(found) if token.text == b")"), default=-1)
    names: list[bytes] = []
    depth, name = 0, b""
    for token in reversed(found[:close]):
        if token.text in (b")", b"]", b">"):
            depth += 1
        elif token.text in (b"(", b"[", b"<"):
            depth -= 1
            if depth < 0:
                break
        elif token.text == b"," and not depth:
            names.append(name)
            name = b""
        elif token.kind == "identifier" and not name and not depth:
            name = token.text
    names.append(name)
    return [each for each in names if each and identifiers(head)[each] == 1]


def _acts(found: tuple[Token, ...]) -> bool:
    """Whether anything is stored or called."""
    for token, after in zip(found, (*found[1:], Token("punct", 0, 0, b";")), strict=True):
        if token.text in _STORES or (token.kind == "identifier" and after.text == b"("):
            return True
    return False


def _value(found: tuple[Token, ...], index: int) -> tuple[Token, ...]:
    end = next((i for i in range(index, len(found)) if found[i].text == b";"), len(found))
    return found[index + 1 : end]
