"""Single words that the compiler has to see differently."""

from collections.abc import Iterator

from musify_ai.emulator.prepare.scan import Replacement, Scan


def noinline(scan: Scan) -> Iterator[Replacement]:
    """The bare word ``__noinline__``, which as a macro would break ``__attribute__((__noinline__))``."""
    for index, token in enumerate(scan.toks):
        if token.text != b"__noinline__" or token.kind != "identifier" or scan.text(index - 1) in (b"(", b","):
            continue
        if not scan.directive[index] or scan.macro[index] is not None:
            yield Replacement(token.start, token.end, b"__attribute__((noinline))")


def file_names(scan: Scan, file: bytes) -> Iterator[Replacement]:
    """``__FILE__`` in plain code. A macro's body keeps it: there it names the file that uses the macro."""
    for index, token in enumerate(scan.toks):
        if token.text == b"__FILE__" and not scan.directive[index]:
            yield Replacement(token.start, token.end, file)


def waiting_loops(scan: Scan) -> Iterator[Replacement]:
    """Loops with nothing in them wait for another thread: they call the scheduler, or that thread would never run."""
    for index, token in enumerate(scan.toks):
        if token.text != b"while" or token.kind != "identifier" or scan.text(index + 1) != b"(":
            continue
        close = scan.partner[index + 1]
        if close <= index + 2 or scan.scope[index] != "block":
            continue
        empty = scan.text(close + 1) == b";" or (scan.text(close + 1), scan.text(close + 2)) == (b"{", b"}")
        after_block = scan.text(index - 1) == b"}" and scan.text(index - 2) != b"{"
        if empty and not (after_block and scan.partner[index - 1] >= 0 and _is_do(scan, index - 1)):
            yield Replacement(scan.toks[index + 1].end, scan.toks[index + 1].end, b"::emu::spin(), ")


def _is_do(scan: Scan, closing: int) -> bool:
    return scan.text(scan.partner[closing] - 1) == b"do"
