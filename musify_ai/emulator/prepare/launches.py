"""Launches: ``K<T><<<grid, block>>>(arguments)`` becomes a call of the device's launcher.

``::emu::Launcher("K<T>", file, line, ::emu::Config(grid, block)).call(body, address)(arguments)``

where ``body`` is ``[&](auto... a) { K<T>(a...); }`` and ``address`` is
``[&](auto emu_k) -> decltype(emu_k(K<T>)) { return emu_k(K<T>); }``: it tells the device which
function is launched, where the text names one (what a kernel may ask for is known by its address).

The text between ``<<<`` and ``>>>`` and the argument list stay where they are, so that they are evaluated once, by
the host, in their own order. The lambda takes its parameters by value: each thread has its own copy, and the call
inside converts it to the kernel's parameter as any call would, whether the kernel is a template, an overload, a
pointer or a member. A literal is the one thing whose meaning is lost when it travels through a parameter (``0`` stops
being a null pointer), so literals are repeated in the call itself.
"""

from collections.abc import Iterator

from musify_ai.emulator.prepare.scan import Replacement, Scan

_KEYWORDS = frozenset((b"return", b"else", b"do", b"case", b"throw", b"co_return", b"if", b"while", b"for", b"switch"))
_CONTROL = frozenset((b"if", b"while", b"for", b"switch"))
_NULLS = frozenset((b"NULL", b"nullptr", b"true", b"false"))


def null_macros(scan: Scan) -> frozenset[bytes]:
    """Macros of this file whose body is a null constant: they are literals by another name."""
    found = set()
    for line in scan.directives:
        if line.keyword == b"define":
            words = scan.src[line.argument_start : line.end].replace(b"(", b" ").replace(b")", b" ").split()
            if len(words) == 2 and words[1] in (b"0", b"NULL", b"nullptr"):
                found.add(words[0])
    return frozenset(found)


def launches(scan: Scan, file: bytes = b"__FILE__") -> Iterator[Replacement]:
    """The replacements for every launch of a file; ``file`` is the expression that names the file."""
    nulls = _NULLS | null_macros(scan)
    toks = scan.toks
    for opening, token in enumerate(toks):
        if token.text != b"<<<" or token.kind != "punct":
            continue
        closing = _configuration_end(scan, opening)
        begin = _callee_start(scan, opening) if closing > 0 else -1
        if begin < 0:
            continue
        callee = scan.flat(begin, opening)
        yield Replacement(
            toks[begin].start,
            token.end,
            b"::emu::Launcher(" + _name(scan, begin, opening) + b", " + file + b", __LINE__, ::emu::Config(",
        )
        arguments = _arguments(scan, closing + 1, nulls)
        parameters, passed = arguments if arguments else (b"auto... emu_a", b"emu_a...")
        yield Replacement(
            toks[closing].start,
            toks[closing].end,
            b")).call([&](%b) { %b(%b); }, [&](auto emu_k) -> decltype(emu_k(%b)) { return emu_k(%b); })"
            % (parameters, callee, passed, callee, callee),
        )
        if arguments:
            yield from _braced(scan, closing + 1)


def _configuration_end(scan: Scan, opening: int) -> int:
    """The index of the ``>>>`` that ends a launch's configuration and is followed by an argument list, else -1."""
    toks, macro = scan.toks, scan.macro[opening]
    index = opening + 1
    stop = macro.stop if macro else len(toks)
    while index < stop:
        text = toks[index].text
        if text in (b"(", b"[", b"{"):
            partner = scan.partner[index]
            if partner < index:
                return -1
            index = partner
        elif text == b">>>":
            after = scan.text(index + 1)
            if after == b"(" or (macro and after in macro.parameters):
                return index
        elif text in (b";", b"}", b")", b"]", b"<<<"):
            return -1
        index += 1
    return -1


def _callee_start(scan: Scan, opening: int) -> int:
    """The index of the first token of the postfix expression that ends before ``<<<``; -1 where there is none."""
    index = opening - 1
    while index >= 0:
        text, kind = scan.text(index), scan.kind(index)
        if text in (b">", b">>", b">>>"):
            index = scan.angle_start(index) - 1
            if index < 0 or scan.kind(index) != "identifier":
                return -1
        elif text in (b")", b"]"):
            partner = scan.partner[index]
            if partner < 0:
                return -1
            before = scan.text(partner - 1)
            callable_before = before in (b")", b"]", b">") or scan.kind(partner - 1) == "identifier"
            if not callable_before or before in _KEYWORDS or _is_control(scan, partner - 1):
                return partner
            index = partner - 1
            continue
        elif kind != "identifier" or text == b"operator" or text in _KEYWORDS:
            return -1
        # An identifier, perhaps with template arguments: see what qualifies it.
        while scan.text(index - 1) in (b"##", b"template") and index >= 1:
            index -= 2 if scan.text(index - 1) == b"##" else 1
        before = scan.text(index - 1)
        if before == b"::":
            qualifier = index - 2
            named = scan.kind(qualifier) == "identifier" and scan.text(qualifier) not in _KEYWORDS
            if not named and scan.text(qualifier) not in (b">", b">>"):
                return index - 1
            index = qualifier
        elif before in (b".", b"->"):
            index -= 2
        else:
            return index
    return -1


def _is_control(scan: Scan, index: int) -> bool:
    """Whether the ``)`` at ``index`` ends the head of an ``if`` or a loop, after which a statement begins."""
    partner = scan.partner[index] if scan.text(index) == b")" else -1
    if partner < 1:
        return False
    head = scan.text(partner - 1)
    return head in _CONTROL or (head == b"constexpr" and scan.text(partner - 2) == b"if")


def _name(scan: Scan, begin: int, stop: int) -> bytes:
    """A string literal with the callee's text; a macro's parameters in it are spelled out by the preprocessor."""
    macro = scan.macro[begin]
    parts: list[bytes] = [b""]
    for index in range(begin, stop):
        token = scan.toks[index]
        if macro and token.text in macro.parameters and b"##" not in (scan.text(index - 1), scan.text(index + 1)):
            parts += [b"#" + token.text, b""]
            continue
        gap = b" " if index > begin and _wordy(scan.text(index - 1)[-1:]) and _wordy(token.text[:1]) else b""
        parts[-1] += gap + token.text.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b" ")
    quoted = [part if position % 2 else b'"' + part + b'"' for position, part in enumerate(parts)]
    return b" ".join(part for part in quoted if part != b'""') or b'""'


def _wordy(byte: bytes) -> bool:
    return byte.isalnum() or byte == b"_"


def _pieces(scan: Scan, opening: int) -> list[tuple[int, int]]:
    """The arguments of the list at ``opening``, template angle brackets respected."""
    if scan.text(opening) != b"(" or scan.partner[opening] < 0:
        return []
    stop = scan.partner[opening]
    found: list[tuple[int, int]] = []
    begin = index = opening + 1
    while index < stop:
        text = scan.toks[index].text
        if text in (b"(", b"[", b"{") and index < scan.partner[index] < stop:
            index = scan.partner[index]
        elif text == b"<" and scan.kind(index - 1) == "identifier":
            # `a < b, c > (d)` is read as a template, as C++ does where `a` is one.
            end = scan.angle_end(index, min(stop, index + 256))
            if end > 0 and scan.text(end) in (b"(", b"{", b"::"):
                index = end - 1
        elif text == b",":
            found.append((begin, index))
            begin = index + 1
        index += 1
    if begin < stop or found:
        found.append((begin, stop))
    return found


def _is_literal(scan: Scan, begin: int, stop: int, nulls: frozenset[bytes]) -> bool:
    if stop - begin == 2 and scan.text(begin) in (b"-", b"+"):
        return scan.kind(begin + 1) == "number"
    if stop - begin != 1:
        return False
    token = scan.toks[begin]
    return (token.kind in ("number", "string", "char") or token.text in nulls) and b"\n" not in token.text


def _arguments(scan: Scan, opening: int, nulls: frozenset[bytes]) -> tuple[bytes, bytes] | None:
    """The lambda's parameters and the call's arguments where some argument is a literal; ``None`` where none is."""
    pieces = _pieces(scan, opening)
    if not pieces or any(scan.directive[index] != scan.directive[opening] for index in range(*_span(pieces))):
        return None
    literal = [_is_literal(scan, *piece, nulls) or scan.text(piece[0]) == b"{" for piece in pieces]
    if not any(literal) or any(scan.text(index) == b"..." for index in range(*_span(pieces))):
        return None
    macro = scan.macro[opening]
    if (
        macro
        and b"__VA_ARGS__" in macro.parameters
        and any(scan.text(index) == b"__VA_ARGS__" for index in range(*_span(pieces)))
    ):
        return _variadic(scan, pieces, literal)
    parameters, passed = [], []
    for number, (piece, plain) in enumerate(zip(pieces, literal, strict=True)):
        name = b"emu_a%d" % number
        parameters.append(b"auto" if plain else b"auto " + name)
        passed.append(scan.flat(*piece) if plain else name)
    return b", ".join(parameters), b", ".join(passed)


def _variadic(scan: Scan, pieces: list[tuple[int, int]], literal: list[bool]) -> tuple[bytes, bytes] | None:
    """As `_arguments` where a macro's ``__VA_ARGS__`` ends the list: literals before it, a pack for the rest."""
    if scan.flat(*pieces[-1]) != b"__VA_ARGS__" or any(
        scan.text(index) == b"__VA_ARGS__" for index in range(pieces[0][0], pieces[-1][0])
    ):
        return None
    parameters, passed = [], []
    for number, (piece, plain) in enumerate(zip(pieces[:-1], literal[:-1], strict=True)):
        name = b"emu_a%d" % number
        parameters.append(b"auto" if plain else b"auto " + name)
        passed.append(scan.flat(*piece) if plain else name)
    return b", ".join([*parameters, b"auto... emu_a"]), b", ".join([*passed, b"emu_a..."])


def _span(pieces: list[tuple[int, int]]) -> tuple[int, int]:
    return pieces[0][0], pieces[-1][1]


def _braced(scan: Scan, opening: int) -> Iterator[Replacement]:
    """A braced argument has no type of its own: the call holds it, and a 0 stands for it in the argument list."""
    for begin, stop in _pieces(scan, opening):
        if scan.text(begin) == b"{":
            yield Replacement(scan.toks[begin].start, scan.toks[stop - 1].end, b"0")
