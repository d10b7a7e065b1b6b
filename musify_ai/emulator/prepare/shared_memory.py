"""Shared memory: each declaration becomes a reference to a slot of the running block's memory.

``__shared__ float v[N];`` becomes
``typedef float v__emu[N]; struct v__tag {}; v__emu& v = ::emu::shared<v__emu, v__tag>();``

The local class makes the slot distinct for each place and for each instantiation of a template around it; attributes
that align the variable are put on it, where the device reads them. ``extern __shared__ float s[];`` becomes a pointer
to the launch's dynamic buffer, which several declarations with different types share, as on the device.
"""

from collections.abc import Iterator

from musify_ai.emulator.prepare.captures import SharedName
from musify_ai.emulator.prepare.declarations import SHARED, Declaration, Declarator, read, statement_start
from musify_ai.emulator.prepare.scan import Replacement, Scan

_SPECIFIERS = frozenset((SHARED, b"extern", b"static", b"volatile"))
_NO_CALLS = frozenset(
    (b"sizeof", b"alignof", b"decltype", b"typeof", b"__typeof__", b"if", b"while", b"for", b"switch")
)
_FARTHEST = 256  # tokens back to the parenthesis around an argument
# What no compiler takes: stands where a declaration was not understood, so that it never becomes a thread's own.
NOT_UNDERSTOOD = b"emu_shared_declaration_not_understood"

Aliases = dict[bytes, tuple[bytes, ...]]


def specifier_aliases(src: bytes) -> Aliases:
    """Macros that a file defines as ``__shared__``, alone or with ``extern``, ``static``, ``volatile``."""
    found: Aliases = {}
    position = src.find(SHARED)
    while position >= 0:
        start = src.rfind(b"\n", 0, position) + 1
        end = src.find(b"\n", position)
        end = len(src) if end < 0 else end
        words = src[start:end].split(b"//")[0].replace(b"#", b"# ").split()
        if len(words) >= 4 and words[:2] == [b"#", b"define"] and all(word in _SPECIFIERS for word in words[3:]):
            found[words[2]] = tuple(words[3:])
        position = src.find(SHARED, end)
    return found


def shared_memory(scan: Scan, aliases: Aliases, declared: list[SharedName]) -> Iterator[Replacement | tuple[int, str]]:
    """A replacement for each shared declaration; a token's index and a message for each that is not understood.

    The variables of blocks are added to ``declared``.
    """
    done = 0
    for index, token in enumerate(scan.toks):
        if index < done or token.kind != "identifier" or (token.text != SHARED and token.text not in aliases):
            continue
        if scan.directive[index] and scan.macro[index] is None:
            continue
        if _is_alias_body(scan, index):
            # Each use is prepared in its place; one in a file that does not know of this macro must not compile.
            yield Replacement(token.start, token.end, NOT_UNDERSTOOD)
            continue
        start, parameter = statement_start(scan, index)
        if parameter and _is_macro_argument(scan, index):
            yield Replacement(token.start, token.end, NOT_UNDERSTOOD)
            yield index, "__shared__ as an argument of a macro is not followed into the macro"
            continue
        if parameter:
            # A qualifier of a parameter or of a type says where a pointer leads: nothing to do here.
            yield Replacement(token.start, token.end, b"")
            continue
        declaration = read(scan, index, start, aliases)
        if declaration is None or declaration.stop <= index:
            yield Replacement(token.start, token.end, NOT_UNDERSTOOD)
            yield index, "this shared-memory declaration is not understood"
            continue
        done = declaration.stop
        brace = scan.brace[index]
        if brace >= 0 and scan.partner[brace] > 0 and scan.scope[index] == "block":
            end = scan.partner[brace]
            declared += [SharedName(scan.text(item.name), done, end) for item in declaration.declarators]
        yield Replacement(
            scan.toks[start].start, scan.toks[declaration.stop - 1].end, _text(scan, declaration, scan.scope[index])
        )


def _is_macro_argument(scan: Scan, index: int) -> bool:
    """Whether the specifier stands in a call within a block: only a macro takes it there, and may declare with it."""
    if scan.directive[index] or scan.scope[index] != "block":
        return False
    for position in range(index - 1, max(-1, index - _FARTHEST), -1):
        text, partner = scan.text(position), scan.partner[position]
        if text == b"(" and (partner < 0 or partner > index):
            return scan.kind(position - 1) == "identifier" and scan.text(position - 1) not in _NO_CALLS
        if text in (b";", b"{", b"}"):
            break
    return False


def _is_alias_body(scan: Scan, index: int) -> bool:
    macro = scan.macro[index]
    if macro is None or macro.stop - macro.start > len(_SPECIFIERS):
        return False
    return all(scan.text(i) in _SPECIFIERS for i in range(macro.start, macro.stop))


def _derived(scan: Scan, declarator: Declarator, suffix: bytes) -> bytes:
    """The declared name with a suffix; pasted where a macro's parameter stands for the name."""
    name = scan.text(declarator.name)
    end = declarator.name + 1
    pasted = False
    while scan.text(end) == b"##":
        name += b"##" + scan.text(end + 1)
        end += 2
        pasted = True
    macro = scan.macro[declarator.name]
    if macro and (pasted or name in macro.parameters):
        return name + b"##" + suffix
    return name + suffix


def _after_name(scan: Scan, declarator: Declarator) -> int:
    end = declarator.name + 1
    while scan.text(end) == b"##":
        end += 2
    return end


def _text(scan: Scan, declaration: Declaration, scope: str) -> bytes:
    types, variables = [], []
    for item in declaration.declarators:
        after = _after_name(scan, item)
        name = scan.flat(item.name, after)
        alias, tag = _derived(scan, item, b"__emu"), _derived(scan, item, b"__tag")
        # The launch's buffer is a pointer to elements: its first extent, if it has one, is dropped.
        extent = scan.partner[after] + 1 if after < item.stop and scan.text(after) == b"[" else after
        array = extent > after
        suffix = extent if declaration.dynamic and array else after
        types.append(scan.flat(item.start, item.name) + b" " + alias + scan.flat(suffix, item.stop))
        if declaration.dynamic and scope != "block":
            variables.append(b"static ::emu::DynamicArray<%b> %b" % (alias, name))
        elif declaration.dynamic:
            # Its name is for reports; one that a macro pastes together has none.
            call = (
                b'::emu::dynamic_shared("%b")' % name
                if name.decode("utf-8", "replace").isidentifier()
                else b"::emu::dynamic_shared()"
            )
            form = b"%b* const %b = (%b*)%b" if array else b"%b& %b = *(%b*)%b"
            variables.append(form % (alias, name, alias, call))
        else:
            attributes = declaration.alignment + b" " if declaration.alignment else b""
            variables.append(b"struct %b%b {}" % (attributes, tag))
            if scope == "block":
                variables.append(b"%b& %b = ::emu::shared<%b, %b>()" % (alias, name, alias, tag))
            else:
                variables.append(b"static ::emu::SharedVariable<%b, %b> %b" % (alias, tag, name))
    return b"typedef %b %b; %b" % (declaration.type_text, b", ".join(types), b"; ".join(variables))
