"""Reads a declaration with ``__shared__`` in it: its specifiers, its declarators, where it begins and ends."""

from typing import NamedTuple

from musify_ai.emulator.prepare.scan import Scan

SHARED = b"__shared__"
_STORAGE = frozenset((b"extern", b"static", b"inline", b"register", b"__device__", b"constexpr", b"thread_local"))
_CV = frozenset((b"const", b"volatile", b"typename"))
_FUNDAMENTAL = frozenset(
    b"void bool char short int long signed unsigned float double wchar_t char16_t char32_t __int128 auto".split()
)
_RECORDS = frozenset((b"struct", b"class", b"union", b"enum"))
_ALIGNMENT = frozenset((b"alignas", b"__align__", b"__attribute__", b"__attribute", b"__declspec", b"_Alignas"))
_TYPE_CALLS = frozenset((b"decltype", b"typeof", b"__typeof__"))
_POINTER = frozenset((b"*", b"&", b"&&", b"const", b"volatile", b"__restrict__", b"__restrict", b"restrict", b"("))
# No real declaration has more tokens before its __shared__, or in all (a bracket group counts as one); the bounds keep
# hostile input linear.
_LONGEST = 64
_LONGEST_IN_ALL = 256


class Declarator(NamedTuple):
    """Token indices ``[start, stop)`` without the alignment attributes that trail; ``name`` is one of them."""

    start: int
    name: int
    stop: int


class Declaration(NamedTuple):
    """A declaration of shared variables: token indices ``[start, stop)``, ``stop`` at the ``;`` or past the macro.

    ``type_text``: the specifiers that make the type, on one line. ``alignment``: the alignment attributes.
    """

    start: int
    stop: int
    dynamic: bool
    type_text: bytes
    alignment: bytes
    declarators: tuple[Declarator, ...]


def statement_start(scan: Scan, index: int) -> tuple[int, bool]:
    """The first token of the declaration around ``index``, and whether it is a parameter or a type argument."""
    macro = scan.macro[index]
    floor = macro.start if macro else max(0, index - _LONGEST)
    position = index
    while position > floor:
        before = scan.text(position - 1)
        if scan.directive[position - 1] != scan.directive[index]:
            break
        if before in (b";", b"{", b"}", b":", b"else", b"do"):
            break
        if before in (b"(", b",", b"<"):
            return position, True
        if before == b")":
            partner = scan.partner[position - 1]
            if partner < 1 or scan.text(partner - 1) not in _ALIGNMENT:
                break
            position = partner - 1
            continue
        if before in (b">", b">>"):
            partner = scan.angle_start(position - 1, _LONGEST)
            if partner < 0 or scan.text(partner - 1) == b"template":
                break
            position = partner
            continue
        if before == b"]":
            partner = scan.partner[position - 1]
            if partner < 1 or scan.text(partner - 1) != b"[":
                break
            position = partner
            continue
        position -= 1
    return position, False


def read(scan: Scan, index: int, start: int, aliases: dict[bytes, tuple[bytes, ...]]) -> Declaration | None:
    """The declaration that begins at ``start`` and holds the specifier at ``index``; ``None`` where it is none."""
    macro = scan.macro[index]
    end = macro.stop if macro else len(scan.toks)
    stop, steps = start, 0
    while stop < end and scan.text(stop) != b";":
        if scan.directive[stop] != scan.directive[index] or scan.text(stop) in (b")", b"]", b"}"):
            return None
        partner = scan.partner[stop]
        stop, steps = (partner + 1 if partner > stop else stop + 1), steps + 1
        if steps > _LONGEST_IN_ALL:
            return None
    if stop >= end and macro is None:
        return None
    reader = _Specifiers(scan, start, stop, aliases)
    if not reader.run():
        return None
    declarators = []
    trailing: list[bytes] = []
    for begin, end in _split(scan, reader.position, stop):
        declarator = _declarator(scan, begin, end, trailing)
        if declarator is None:
            return None
        declarators.append(declarator)
    if not declarators or any(word in reader.type_words for word in (b"typedef", b"using")):
        return None
    alignment = b" ".join([*reader.alignment, *trailing])
    return Declaration(start, stop, reader.dynamic, b" ".join(reader.type_words), alignment, tuple(declarators))


class _Specifiers:
    """Reads the specifiers from ``start`` on; afterwards ``position`` is at the first declarator."""

    def __init__(self, scan: Scan, start: int, stop: int, aliases: dict[bytes, tuple[bytes, ...]]) -> None:
        self.scan, self.position, self.stop, self.aliases = scan, start, stop, aliases
        self.dynamic = False
        self.typed = False
        self.type_words: list[bytes] = []
        self.alignment: list[bytes] = []

    def run(self) -> bool:
        """Whether a type was found and something is left to declare."""
        while self.position < self.stop and self._step():
            pass
        return self.typed and self.position < self.stop

    def _take(self, stop: int) -> None:
        self.type_words.append(self.scan.flat(self.position, stop))
        self.position = stop

    def _past_group(self, index: int) -> int:
        """Past the bracket group at ``index``, or past the one token where it has no partner."""
        partner = self.scan.partner[index] if index < self.stop else -1
        return partner + 1 if partner > index else index + 1

    def _step(self) -> bool:
        scan, index = self.scan, self.position
        text = scan.text(index)
        if text == b"[" and scan.text(index + 1) == b"[":
            self.position = self._past_group(index)
        elif text == b"::":
            self._take(self._nested(index + 1))
            self.typed = True
        elif scan.kind(index) != "identifier":
            return False
        elif text in _STORAGE or text == SHARED or text in self.aliases:
            words = self.aliases.get(text, (text,))
            self.dynamic = self.dynamic or b"extern" in words
            if b"volatile" in words:
                self.type_words.append(b"volatile")
            self.position += 1
        elif text in _ALIGNMENT and scan.text(index + 1) == b"(":
            end = self._past_group(index + 1)
            self.alignment.append(scan.flat(index, end))
            self.position = end
        elif text in _CV:
            self._take(index + 1)
        elif text in _FUNDAMENTAL:
            self._take(index + 1)
            self.typed = True
        elif text in _RECORDS:
            self._record(index)
        elif text in _TYPE_CALLS and scan.text(index + 1) == b"(":
            self._take(self._past_group(index + 1))
            self.typed = True
        elif self.typed and not self._continues(index):
            return False
        else:
            self._take(self._nested(index))
            self.typed = True
        return True

    def _continues(self, index: int) -> bool:
        """Whether a name after a type is more of the type (the word before it was a macro), not the declared name."""
        after = self.position_after_name(index)
        return self.scan.kind(after) == "identifier" or self.scan.text(after) in (b"::", b"<", b"*", b"&")

    def position_after_name(self, index: int) -> int:
        """The token after a name, the names pasted to it included."""
        after = index + 1
        while self.scan.text(after) == b"##":
            after += 2
        return min(after, self.stop)

    def _record(self, index: int) -> None:
        scan = self.scan
        end = index + 1
        while end < self.stop and scan.text(end) in _ALIGNMENT | {b"class"}:
            end = self._past_group(end + 1) if scan.text(end + 1) == b"(" else end + 1
        if scan.kind(end) == "identifier" or scan.text(end) == b"::":
            end = self._nested(end)
        if scan.text(end) == b"{":
            end = self._past_group(end)
        self._take(min(end, self.stop))
        self.typed = True

    def _nested(self, index: int) -> int:
        """Past a possibly qualified name with template arguments, or a macro call that stands for a type."""
        scan = self.scan
        while index < self.stop:
            if scan.text(index) == b"template":
                index += 1
            index = self.position_after_name(index)
            if scan.text(index) == b"<":
                end = scan.angle_end(index, self.stop)
                if end < 0:
                    return index
                index = end
            elif scan.text(index) == b"(" and scan.kind(self._past_group(index)) == "identifier":
                index = self._past_group(index)
            if scan.text(index) != b"::":
                break
            index += 1
        return min(index, self.stop)


def _split(scan: Scan, start: int, stop: int) -> list[tuple[int, int]]:
    pieces, begin, index = [], start, start
    while index < stop:
        if scan.text(index) == b",":
            pieces.append((begin, index))
            begin = index + 1
        partner = scan.partner[index]
        index = partner + 1 if index < partner < stop else index + 1
    pieces.append((begin, stop))
    return pieces


def _declarator(scan: Scan, start: int, stop: int, trailing: list[bytes]) -> Declarator | None:
    """One declarator: pointers, a name, array extents. An initialiser makes it none: shared memory has no such."""
    name = start
    while name < stop and (scan.text(name) in _POINTER):
        name += 1
    if name >= stop or scan.kind(name) != "identifier":
        return None
    index = name + 1
    while scan.text(index) == b"##":
        index += 2
    end = index
    while index < stop:
        text = scan.text(index)
        if text in _ALIGNMENT and scan.text(index + 1) == b"(" and scan.partner[index + 1] > 0:
            past = scan.partner[index + 1] + 1
            trailing.append(scan.flat(index, past))
            index = past
            continue
        if text not in (b"[", b"(", b")") or end != index:
            return None
        if text == b"(" and scan.text(index - 1) != b")":
            return None
        index = scan.partner[index] + 1 if scan.partner[index] > index else index + 1
        end = index
    return Declarator(start, name, end)
