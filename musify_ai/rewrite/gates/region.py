"""Nothing outside the function changed: the new code is one whole definition, the rest reads as before."""

from musify_ai.kernels import enclosing_functions
from musify_ai.rewrite.gates.protocol import Candidate, Passed, Refused, Said
from musify_ai.rewrite.gates.reading import OPENERS, closing, read, texts
from musify_ai.source import blank, directives


def check(candidate: Candidate) -> Said:
    """Refused (``forbidden``) for preprocessor lines that were not there, for code that does not end where it seems to,
    or where the file's other functions would no longer be found where they were."""
    unit, code = candidate.unit, candidate.code
    before = [texts(unit.region[d.start : d.end]) for d in directives(unit.region)]
    for line in directives(code):
        text = texts(code[line.start : line.end])
        if text not in before:
            shown = code[line.start : line.end].decode("utf-8", "replace")[:80]
            return Refused("forbidden", f"it holds a preprocessor line of its own: `{shown}`")
        before.remove(text)
    keywords = [line.keyword for line in directives(code)]
    if sum(word.startswith(b"if") for word in keywords) != keywords.count(b"endif"):
        return Refused("forbidden", "it takes a part of the preprocessor's conditions out")
    found = read(code)
    if not _is_whole(code):
        return Refused("forbidden", "its brackets do not fit together")
    opening = next((i for i, token in enumerate(found) if token.text == b"{"), -1)
    if opening < 0 or closing(found, opening) != len(found) - 1:
        return Refused("forbidden", "it is not one function definition")
    if blank(candidate.text)[unit.start + len(code) :] != blank(unit.text)[unit.end :]:
        return Refused("forbidden", "what follows the function would read otherwise (an open comment or string)")
    grown = len(code) - (unit.end - unit.start)
    old = [(f.name, f.start) for f in enclosing_functions(unit.text) if not unit.start <= f.start < unit.end]
    new = [
        (f.name, f.start if f.start < unit.start else f.start - grown)
        for f in enclosing_functions(candidate.text)
        if not unit.start <= f.start < unit.start + len(code)
    ]
    if old != new:
        return Refused("forbidden", "other functions of the file would change with it")
    return Passed()


def _is_whole(code: bytes) -> bool:
    waiting: list[bytes] = []
    for token in read(code):
        if token.kind != "punct":
            continue
        if token.text in OPENERS:
            waiting.append(OPENERS[token.text])
        elif token.text in OPENERS.values() and (not waiting or waiting.pop() != token.text):
            return False
    return not waiting
