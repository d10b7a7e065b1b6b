"""CUDA names in strings that are looked up at run time. Strings are never edited; these are pointed out."""

from collections.abc import Iterator

from musify_ai.records import Edit, Finding
from musify_ai.rules import Rules
from musify_ai.source.lexing import Region
from musify_ai.translate.names import messages

_LOOKUPS = frozenset(
    b"dlsym dlvsym GetProcAddress cuGetProcAddress cuGetProcAddress_v2 cudaGetDriverEntryPoint "
    b"cudaGetDriverEntryPointByVersion QLibrary".split()
)


def names_in_strings(src: bytes, found: list[Region], held: set[bytes], rules: Rules) -> Iterator[Finding]:
    """Whole strings that are known CUDA names, in a file that looks symbols up by name: a note each."""
    if held.isdisjoint(_LOOKUPS):
        return
    for region in found:
        if region.kind != "string":
            continue
        start, end = region.start + 1, region.end - 1
        text = src[start:end]
        new = rules.names.get(text)
        if new is not None:
            suggestion = Edit(start, end, text, new, messages.NAME_IN_STRING, "rule", "display", "a symbol's name")
            yield messages.name_in_string(start, end, text.decode("utf-8", "replace"), suggestion)
