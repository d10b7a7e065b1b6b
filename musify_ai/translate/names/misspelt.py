"""Words that are no CUDA name and differ from one by a slip of the pen: ``cudaMemcpyAsinc``, ``cudaMemCpy``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from musify_ai.records import Edit, Finding
from musify_ai.rules import Rules
from musify_ai.source.lexing import Region, occurrences
from musify_ai.source.patterns import late_pattern
from musify_ai.source.tokens import tokens
from musify_ai.translate.names import messages
from musify_ai.translate.names.context import Role, role

# What begins so and is no name of the API is looked at. Projects' own names begin so too, so a slip has to be small.
ALIKE = late_pattern(
    rb"(?:cuda[A-Z_]|cu[A-Z][a-z]|(?:cublas|cufft|curand|cusparse|cusolver|nccl)[A-Z_]|CUDA_[A-Z]|CU_[A-Z]|"
    rb"(?:CUBLAS|CUFFT|CURAND|CUSPARSE|CUSOLVER)_[A-Z])\w{4,}\Z"
)
BEGINNINGS = (b"cu", b"CU", b"nccl")
_SHORTEST = 9
# Macros and functions that projects put around calls end so, and no name of the API is meant by them.
_WRAPPER = late_pattern(rb"(?:Check|Checked|Call|Safe|Assert|Err|Error|Errors)\Z")
_OWN = frozenset((Role.DECLARATOR, Role.DEFINITION, Role.MACRO, Role.PROTOTYPE, Role.PASTED))
_USED = frozenset((Role.USE, Role.QUALIFIED, Role.ENUMERATOR))  # an argument between others looks like an enumerator


def misspelt(src: bytes, known: list[Region], held: Iterable[bytes], rules: Rules) -> Iterator[Finding]:
    """A finding for the first use of each word of a file that is near a CUDA name and that the file does not declare.

    What another file of the project declares is for the project's index to take out again.
    """
    # What begins a header's name (cuda_runtime) is meant as that.
    no_slips = rules.header_words
    alike = {word for word in held if ALIKE.match(word) and word not in rules.classes and word not in no_slips}
    near = {word: name for word in alike if (name := nearest(word, rules))}
    if not near:
        return
    first: dict[bytes, tuple[int, int]] = {}
    for found in occurrences(src, near, known_regions=known):
        kind = role(src, found, known)
        if kind in _OWN or (kind in _USED and _declares(src, found.start, found.end)):
            near.pop(found.name, None)
        elif kind in (Role.USE, Role.ENUMERATOR):
            first.setdefault(found.name, (found.start, found.end))
    for word, (start, end) in first.items():
        if word in near:
            name = near[word]
            new = rules.names.get(name, name)
            suggestion = Edit(start, end, word, new, messages.MISSPELT, "rule", "display", "a slip of the pen")
            yield messages.misspelt(start, end, _text(word), _text(name), suggestion)


def _declares(src: bytes, start: int, end: int) -> bool:
    """Whether a word may be declared where it stands, by its neighbours. More is taken for a declaration than is one:
    a word that the file declares is nobody's slip."""
    head = [token.text for token in tokens(src, max(start - _BEFORE, 0), start)]
    tail = [token.text for token in tokens(src, end, end + _AFTER)]
    before, after = (head[-1] if head else b";"), (tail[0] if tail else b";")
    begun = max((index for index, text in enumerate(head) if text in (b";", b"{", b"}")), default=-1) + 1
    if before in _INTRODUCING or b"using" in head[begun : begun + 1]:
        return True
    if before in _DECLARING and after in _ENDING:
        named = head[-2] if len(head) > 1 else b""
        return named in _DECLARING or named[:1].isalpha() or named[:1] == b"_"  # `int* a`, not `f(&a)`
    if after == b":" and before in (b";", b"{", b"}", b":"):
        return True  # a label
    if before in (b",", b"[", b"{") and after in (b",", b"]", b"=", b";", b"}"):
        opener = _opener(head)
        if opener < 0:
            return before == b","  # `int a, b;`
        if head[opener] == b"[":
            # `auto [a, b]`, `[a = 1]`, not an index.
            return (head[opener - 1] if opener else b"") in _BINDING or after == b"="
        return head[opener] == b"{"  # an enumerator, or a declarator in a body
    return False


def _opener(head: list[bytes]) -> int:
    """The index of the innermost bracket that is open at the end of some tokens; -1 where none is."""
    depth = 0
    for index in range(len(head) - 1, -1, -1):
        if head[index] in (b")", b"]", b"}"):
            depth += 1
        elif head[index] in (b"(", b"[", b"{"):
            if not depth:
                return index
            depth -= 1
    return -1


_DECLARING = frozenset((b"*", b"&", b"&&", b">", b">>", b"..."))
_BEFORE, _AFTER = 300, 60
_INTRODUCING = frozenset(b"class struct union enum typename concept using namespace goto".split())
_BINDING = frozenset((b"auto", b"&", b"&&", b"const"))
_ENDING = frozenset((b";", b"=", b",", b")", b"[", b"{", b":"))


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")


@lru_cache(maxsize=4096)
def nearest(word: bytes, rules: Rules) -> bytes:
    """The name of the table that a word is a slip of; empty where none is, or where the word is a name after all.

    A slip is another case of the same letters, or one letter left out, added, changed or swapped with the next one,
    within the word: a name with a digit, an underscore or an ending of its own is a name of the project's.
    """
    if len(word) < _SHORTEST or word in rules.own:
        return b""
    by_length, by_case = _table(rules)
    found = by_case.get(word.lower(), b"")
    if not found:
        # One slip leaves the first half or the last one as it is.
        head, tail = word[: len(word) // 2], word[len(word) // 2 + 1 :]
        found = next(
            (
                name
                for length in range(len(word) - 1, len(word) + 2)
                for name in by_length.get(length, ())
                if (name.startswith(head) or name.endswith(tail)) and _is_slip(word, name)
            ),
            b"",
        )
    return b"" if found and (_WRAPPER.search(word) or _is_known(word)) else found


def _is_slip(word: bytes, name: bytes) -> bool:
    """Whether two words differ in one letter inside both, or in two that changed places."""
    left = 0
    while left < min(len(word), len(name)) and word[left] == name[left]:
        left += 1
    right = 0
    while right < min(len(word), len(name)) - left and word[-1 - right] == name[-1 - right]:
        right += 1
    mine, other = word[left : len(word) - right], name[left : len(name) - right]
    swapped = len(mine) == 2 and mine == other[::-1]
    if left < _FIRST or len(mine + other) > 2 + 2 * swapped or not (mine + other).isalpha():
        return False
    # A letter more or less at the end is a plural or a variant, and a capital begins another word.
    return (right > 0 or len(word) == len(name)) and (mine.islower() or not mine or word.isupper())


_FIRST = 4


@lru_cache(maxsize=2)
def _table(rules: Rules) -> tuple[dict[int, list[bytes]], dict[bytes, bytes]]:
    """The table's names by length, and each by its letters in lower case."""
    by_length: dict[int, list[bytes]] = {}
    by_case: dict[bytes, bytes] = {}
    for name in rules.classes:
        if name.startswith(BEGINNINGS):
            by_length.setdefault(len(name), []).append(name)
            by_case.setdefault(name.lower(), name)
    return by_length, by_case


def _is_known(word: bytes) -> bool:
    """Whether the rules hold the word outside the table: as unchanged, as a guard, in the bulk part."""
    from musify_ai.rules.lookup import lookup

    return bool(lookup(word.decode("utf-8", "replace")))
