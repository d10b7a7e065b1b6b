"""CUDA names and libraries in strings that are looked up at run time: ``dlsym(h, "cuInit")``, ``dlopen("libcuda.so")``.

Text for people is never touched. A string is a symbol's name where it is the argument of a call that looks symbols up,
and it is edited only where the library is known to be CUDA's: by the call (``cuGetProcAddress``), or by a library that
the file opens by name. All else is pointed out.
"""

from collections.abc import Iterator

from musify_ai.records import Edit, Finding, Grade, Safety
from musify_ai.rules import Rules
from musify_ai.source.lexing import Region
from musify_ai.source.literals import texts
from musify_ai.source.patterns import late_pattern
from musify_ai.source.tokens import tokens
from musify_ai.translate.calls import call_around, tokens_before
from musify_ai.translate.names import messages

# Calls that ask the driver or the runtime itself for its functions, and those that ask any library.
_OF_CUDA = frozenset(
    b"cuGetProcAddress cuGetProcAddress_v2 cudaGetDriverEntryPoint cudaGetDriverEntryPointByVersion".split()
)
_OF_ANY = frozenset(b"dlsym dlvsym GetProcAddress".split())
LOOKUPS = _OF_CUDA | _OF_ANY | frozenset((b"QLibrary",))
OPENERS = frozenset(b"dlopen dlmopen LoadLibrary LoadLibraryA LoadLibraryEx LoadLibraryExA".split())
# The shared libraries that public MUSA code opens or links by these names.
_LIBRARIES: dict[bytes, tuple[bytes, str]] = {
    b"libcuda": (b"libmusa.so", "torch_musa:torch_musa/csrc/core/driver_api.cpp"),
    b"libcudart": (b"libmusart.so", "tutorial_on_musa:musa_quick_start/0_example_mul"),
    b"libcublas": (b"libmublas.so", "ggml:src/ggml-musa/CMakeLists.txt"),
    b"libcublasLt": (b"libmublasLt.so", "sglang:sgl-kernel/setup_musa.py"),
    b"libcufft": (b"libmufft.so", "tutorial_on_musa:musa_quick_start/3_example_fft"),
    b"libcurand": (b"libmurand.so", "paddle_musa: opened by this name"),
    b"libcusparse": (b"libmusparse.so", "paddle_musa: opened by this name"),
    b"libcusolver": (b"libmusolver.so", "torch_musa:CMakeLists.txt"),
    b"libcupti": (b"libmupti.so", "kineto of Moore Threads"),
    b"libnccl": (b"libmccl.so", "paddle_musa: opened by this name"),
}
_GRADES: dict[str, Grade] = {"seen": "seen", "table": "table", "prefix": "prefix", "own": "rule"}
# A library by whatever path, on whatever system; the whole name of one on Linux by the name alone is edited.
_OF_A_PATH = late_pattern(
    rb"([^\0]*[/\\])?(?:lib(?:cuda|nccl|nv|cu[a-zA-Z]+)[\w-]*\.so(?:\.\d+)*|"
    rb"(?P<windows>nvcuda|nvml|nvrtc|(?:cudart|cublas|cublasLt|cufft|curand|cusparse|cusolver|cudnn|nvrtc)64_\w+)\.dll)\Z"
)
_AFTER = 60


def names_in_strings(src: bytes, found: list[Region], held: set[bytes], rules: Rules) -> Iterator[Edit | Finding]:
    """Edits and findings of the strings that are CUDA names or libraries, in a file that looks such up by name."""
    if held.isdisjoint(LOOKUPS) and held.isdisjoint(OPENERS):
        return
    opened: list[tuple[int, int, bytes]] = []
    symbols: list[tuple[int, int, bytes]] = []
    left_out = False  # whether a library of CUDA's is opened here that keeps its name
    for text in texts(src, found):
        start, end = text.span(0, len(text.data))
        is_plain = text.is_plain(0, len(text.data))
        if (named := _OF_A_PATH.match(text.data)) is not None:
            if is_plain and not named[1] and not named["windows"] and not _goes_on(src, text.end):
                opened.append((start, end, text.data))
            else:
                left_out = True
                yield messages.library_in_part(start, end, text.data.decode("utf-8", "replace"))
        elif text.data in rules.classes:
            if is_plain and not _goes_on(src, text.end):
                symbols.append((start, end, text.data))
            elif call_around(tokens_before(src, text.start)) in LOOKUPS:
                yield messages.lookup_in_part(start, end, text.data.decode("utf-8", "replace"))
    for start, end, data in opened:
        yield from _library(start, end, data)
    if held.isdisjoint(LOOKUPS):
        return
    for start, end, data in symbols:
        call = call_around(tokens_before(src, start - 1))
        is_cudas = call in _OF_CUDA or (call in _OF_ANY and bool(opened) and not left_out)
        # A name in a table, not in a call: what looks it up asks the library that has MUSA's names now.
        listed = not call and bool(opened)
        yield from _symbol(start, end, data, rules, is_cudas=is_cudas, call=call, listed=listed)


def _goes_on(src: bytes, end: int) -> bool:
    """Whether what a macro holds is joined to a literal that ends here (``"libcublas.so" VERSION``)."""
    following = tokens(src, end, end + _AFTER)
    return bool(following) and following[0].kind == "identifier"


def _library(start: int, end: int, text: bytes) -> Iterator[Edit | Finding]:
    name = text.decode("ascii")
    musa, source = _LIBRARIES.get(text.split(b".so")[0], (b"", ""))
    if not musa:
        yield messages.library_in_string(start, end, name)
        return
    yield Edit(start, end, text, musa, messages.NAME_IN_STRING, "seen", "safe", f"a library's name: {source}")
    yield messages.library_became(start, end, name, musa.decode("ascii"))


def _symbol(
    start: int, end: int, text: bytes, rules: Rules, *, is_cudas: bool, call: bytes, listed: bool
) -> Iterator[Edit | Finding]:
    name, new = text.decode("utf-8", "replace"), rules.names.get(text)
    is_argument = call in LOOKUPS
    if new is None:
        if is_argument and rules.label(text).treatment != "unproven":
            yield messages.lookup_without(start, end, name, rules.note(text))
        return
    treatment = rules.label(text).treatment
    grade = _GRADES["own" if text in rules.own else treatment]
    safety: Safety = "display" if not is_argument else "safe" if is_cudas and grade != "prefix" else "unsafe"
    edit = Edit(start, end, text, new, messages.NAME_IN_STRING, grade, safety, "a symbol's name")
    if safety == "safe":
        yield edit
        yield messages.lookup_became(start, end, name, new.decode("utf-8", "replace"))
    elif is_cudas:
        yield messages.lookup_derived(start, end, name, edit)
    elif listed and not is_argument:
        yield messages.name_listed(start, end, name, edit)
    else:
        yield messages.name_in_string(start, end, name, edit, is_argument=is_argument)
