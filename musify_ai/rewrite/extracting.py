"""From an answer to the code in it: one definition of the one function, however it is wrapped.

Models put code in fences, in tags, in JSON, between sentences, with their thinking before it. All of that is
presentation. What is refused is what leaves open which code is meant: no definition, two that differ, or one with more
around it that would have to go elsewhere in the file.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from musify_ai.rewrite.gates.protocol import Refused
from musify_ai.source import Token, tokens

MOST = 200_000
"""The longest answer that is looked at, in characters."""

_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.S | re.I)
_THINKING = re.compile(r"<(?:think|thinking|reasoning)>", re.I)
_END_OF_THOUGHT = re.compile(r"^.*</(?:think|thinking|reasoning)>", re.S | re.I)
_TAGGED = re.compile(r"<(rewrite|code|answer)>(.*?)(?:</\1>|\Z)", re.S | re.I)
_FENCE = re.compile(
    r"^[ \t]*(?P<fence>`{3,}|~{3,})[^\n]*\n(?P<code>.*?)(?:^[ \t]*(?P=fence)[`~]*[ \t]*$|\Z)", re.S | re.M
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069]")
_OPEN = {b"(": b")", b"{": b"}", b"[": b"]"}


class Wanted(NamedTuple):
    """What is looked for: the function's name without scopes, its head and whole text as they were sent, and the text
    of the file and its surroundings, which an answer may repeat. An ``optional`` function may stay as it is."""

    name: str
    head: str
    region: str
    around: str = ""
    optional: bool = False


class Code(NamedTuple):
    """The function's definition as the answer has it."""

    text: str


def extract(answer: str, wanted: Wanted) -> Code | Refused:
    """The code of an answer; `Refused` of class ``extract``, or ``forbidden`` for code that belongs elsewhere."""
    found = extract_all(answer, (wanted,))
    if isinstance(found, Refused):
        return found
    return found[0] or Refused("extract", f"the answer has no definition of {wanted.name}")


def extract_all(answer: str, wanted: Sequence[Wanted]) -> tuple[Code | None, ...] | Refused:
    """The code of each of some functions, None for an optional one that the answer leaves out; or a refusal."""
    if len(answer) > MOST:
        return Refused("extract", f"the answer has {len(answer)} characters; {MOST} are the most that is looked at")
    text = _spoken(answer)
    if text is None:
        return Refused("extract", "the answer is all thinking: it ends before any code")
    refusal: Refused | None = None
    for blocks in _readings(text):
        found: list[dict[tuple[bytes, ...], str]] = [{} for _ in wanted]
        for block, fenced in blocks:
            codes = _functions(block, wanted, fenced)
            if isinstance(codes, Refused):
                refusal = refusal or codes
                continue
            for each, code in zip(found, codes, strict=True):
                if code is not None:
                    each.setdefault(_shape(code), code)
        for one, each in zip(wanted, found, strict=True):
            if len(each) > 1:
                each.pop(_shape(one.region), None)  # the question said once more
            if len(each) > 1:
                return Refused("extract", f"the answer has {len(each)} different versions of {one.name}")
        if any(found):
            missing = [one.name for one, each in zip(wanted, found, strict=True) if not each and not one.optional]
            if missing:
                return Refused("extract", f"the answer has no definition of {', '.join(missing)}")
            return _all_checked([next(iter(each.values()), None) for each in found])
        if refusal is not None:
            return refusal
    names = ", ".join(one.name for one in wanted if not one.optional)
    return Refused("extract", f"the answer has no definition of {names}")


def _all_checked(codes: Sequence[str | None]) -> tuple[Code | None, ...] | Refused:
    out: list[Code | None] = []
    for code in codes:
        checked = None if code is None else _checked(code)
        if isinstance(checked, Refused):
            return checked
        out.append(checked)
    return tuple(out)


def _spoken(answer: str) -> str | None:
    """The answer after its thinking, with plain newlines and blanks."""
    text = answer.replace("\r\n", "\n").replace("\u00a0", " ").removeprefix("\ufeff")
    text = _THOUGHT.sub("", text)
    # Some servers leave the opening tag to the prompt.
    text = _END_OF_THOUGHT.sub("", text)
    return None if _THINKING.search(text) else text


def _readings(text: str) -> list[list[tuple[str, bool]]]:
    """Ways to read an answer, the plainest first: tags, fences, JSON, the text as it is; each as blocks, with whether
    a block is all code."""
    readings = []
    tagged = [match[2] for match in _TAGGED.finditer(text)]
    inside = [match["code"] for each in tagged for match in _FENCE.finditer(each)]
    if inside or tagged:
        readings.append([(block, True) for block in inside or tagged])
    fenced = [match["code"] for match in _FENCE.finditer(text)]
    readings.append([(block, True) for block in fenced])
    readings.append([(block, True) for block in _of_json(text)])
    readings.append([(text, False)])
    return [each for each in readings if each]


def _of_json(text: str) -> list[str]:
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or '"' not in text[start : start + 40]:
        return []
    try:
        value = json.loads(text[start : end + 1])
    except ValueError:
        return []
    strings = [each for each in value.values() if isinstance(each, str)] if isinstance(value, dict) else []
    return [match["code"] for each in strings for match in _FENCE.finditer(each)] or strings


def _functions(block: str, wanted: Sequence[Wanted], fenced: bool) -> list[str | None] | Refused:
    """The functions' definitions in a block; None where there is none. In code, what stands around them has to stand
    in the file already; around prose nothing is asked."""
    src = block.encode("utf-8", "replace")
    found = tokens(src)
    spans: list[tuple[int, int] | None] = []
    for one in wanted:
        head = [token.text for token in tokens(one.head.encode())]
        spans.append(_by_head(found, head) or (_by_name(src, found, one.name.encode()) if fenced else None))
    if not any(spans):
        body = block.strip()
        alone = len(wanted) == 1 and fenced and found and found[0].text == b"{"
        if alone and _closing(found, 0) == len(found) - 1:
            return [f"{wanted[0].head.rstrip()} {body}"]
        return list[str | None]([None] * len(wanted))
    if fenced:
        at = 0
        for first, last in (*sorted(span for span in spans if span is not None), (len(found), len(found))):
            extra = _extra(src, found[at:first], wanted)
            if extra:
                names = ", ".join(one.name for one in wanted)
                return Refused("forbidden", f"the answer has more than {names}: `{extra}` would go elsewhere")
            at = last + 1
    return [
        None if span is None else src[found[span[0]].start : found[span[1]].end].decode("utf-8", "replace")
        for span in spans
    ]


def _by_head(found: list[Token], head: list[bytes]) -> tuple[int, int] | None:
    """First and last token of the definition whose head is as it was."""
    texts = [token.text for token in found]
    for first in range(len(texts) - len(head)):
        at = first + len(head)
        if texts[at] == b"{" and texts[first] == head[0] and texts[first:at] == head:
            last = _closing(found, at)
            return (first, last) if last >= 0 else None
    return None


def _by_name(src: bytes, found: list[Token], name: bytes) -> tuple[int, int] | None:
    """First and last token of a definition of that name, whatever its head is."""
    for index, token in enumerate(found[:-1]):
        if token.text != name or token.kind != "identifier" or found[index + 1].text != b"(":
            continue
        at = _closing(found, index + 1) + 1
        while 0 < at < len(found) and found[at].text not in (b"{", b";", b"}", b"="):
            at += 1
        if not 0 < at < len(found) or found[at].text != b"{":
            continue
        last = _closing(found, at)
        if last < 0:
            return None
        first = index
        while first and found[first - 1].text not in (b";", b"}", b"{") and not _follows_directive(src, found, first):
            first -= 1
        return first, last
    return None


def _follows_directive(src: bytes, found: list[Token], index: int) -> bool:
    """Whether a token is the first after a preprocessor line."""
    if b"\n" not in src[found[index - 1].end : found[index].start]:
        return False
    line = src.rfind(b"\n", 0, found[index - 1].start) + 1
    return src[line:].lstrip(b" \t").startswith(b"#")


def _closing(found: list[Token], opening: int) -> int:
    """The index of the bracket that closes one; -1 where none does."""
    depth = 0
    wanted = (found[opening].text, _OPEN[found[opening].text])
    for index in range(opening, len(found)):
        if found[index].text == wanted[0]:
            depth += 1
        elif found[index].text == wanted[1]:
            depth -= 1
            if not depth:
                return index
    return -1


def _extra(src: bytes, found: list[Token], wanted: Sequence[Wanted]) -> str:
    """The first piece of code among some tokens that is not in the file or its surroundings; empty for none."""
    known = _joined(tokens("\n".join(f"{one.around}\n{one.region}" for one in wanted).encode()))
    for piece in _pieces(src, found):
        whole = piece if piece[-1].text not in (b";", b"{", b"}") else piece[:-1]
        if whole and _joined(whole) not in known:
            return _joined(piece)[:80].strip()
    return ""


def _pieces(src: bytes, found: list[Token]) -> Iterator[list[Token]]:
    """Tokens by statement and by preprocessor line."""
    piece: list[Token] = []
    for index, token in enumerate(found):
        begins = token.kind == "directive-start" or (index and _follows_directive(src, found, index))
        if begins and piece:
            yield piece
            piece = []
        piece.append(token)
        if token.text in (b";", b"{", b"}"):
            yield piece
            piece = []
    if piece:
        yield piece


def _joined(found: list[Token]) -> str:
    return " " + b" ".join(token.text for token in found).decode("utf-8", "replace") + " "


def _shape(code: str) -> tuple[bytes, ...]:
    return tuple(token.text for token in tokens(code.encode("utf-8", "replace")))


def _checked(code: str) -> Code | Refused:
    control = _CONTROL.search(code)
    if control is not None:
        return Refused("extract", f"the code holds a control character (U+{ord(control[0]):04X})")
    return Code(code)
