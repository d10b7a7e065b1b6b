"""The cheap question whether a file would be edited once more misses nothing that translating it would do."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from musify_ai.pipeline.selection import is_applied
from musify_ai.records import Edit, Options
from musify_ai.source import splice
from musify_ai.translate import translate
from musify_ai.translate.registry import NAME_RULES, RULES, load
from musify_ai.translate.repetition import may_change
from musify_ai.translate.translation import run_rule
from musify_ai.translate.unit import Unit

MODULES = [load(entry) for entry in RULES]
CASES = [(source, "case.cu") for module in MODULES for source in module.VALID]
CASES += [(case.source, case.path) for module in MODULES for case in module.INVALID]
CASES += [(case.source, case.path) for entry in NAME_RULES for case in load(entry).INVALID]
GALLERY = Path(__file__).parents[2] / "corpus" / "gallery"
MANNERS = (Options(), Options(unsafe_fixes=True), Options(select=("MUS2",)), Options(ignore=("MUS3",)))

PARTS = [
    *("cudaMalloc(&p, 4);", "musaMalloc(&p, 4);", "#include <cuda_runtime.h>\n", "#include <musa_runtime.h>\n"),
    *("#include <cub/cub.cuh>\n", "// cudaMalloc\n", '"cudaFree"', "thrust::cuda::par", "cuda::std::pair<int, int> q;"),
    *("#if __CUDA_ARCH__ >= 800\n", "#if __MUSA_ARCH__ >= 220\n", "#endif\n", "#ifdef __CUDACC__\n", "#else\n"),
    *("__global__ void k() {", "}", "__shfl_sync(m, v, 0);", "x = warpSize;", 'asm("bar.sync 0;");', "half2 h;"),
    *("struct S {", "int cudaMalloc;", "};", "#define cudaFree mine\n", "/* MUSIFY_EXCL_START */", "cudaErrorUnknown"),
    *("cublasCreate(&h);", "cuda##n", "S.cudaFree()", "if (__CUDA_ARCH__ < 900)", "CUDART_VERSION", "\\\n", "\n"),
]


def would_change(src: bytes, path: str, options: Options) -> bool:
    """What `process` asks of the second translation."""
    again = translate(src, path, options)
    return any(is_applied(e, options) for e in again.edits) or any(f.code == "MUS001" for f in again.findings)


def assert_nothing_is_missed(src: bytes, path: str, options: Options) -> None:
    first = [e for e in translate(src, path, options).edits if is_applied(e, options)]
    half = splice(src, first[::2])  # as a translator would leave it that forgets every other edit
    for text in (src, half, splice(src, first)):
        for name in (path, "a.mu"):
            if would_change(text, name, options):
                assert may_change(text, name, options), text


@pytest.mark.parametrize("options", MANNERS, ids=["safe", "unsafe", "select", "ignore"])
def test_of_every_rules_cases_none_is_missed(options: Options) -> None:
    for source, path in CASES:
        assert_nothing_is_missed(source.encode(), path, options)


def test_of_the_gallery_nothing_is_missed_and_its_translations_are_let_pass() -> None:
    passed = total = 0
    for path in sorted(GALLERY.rglob("*.cu*")):
        src = path.read_bytes()
        assert_nothing_is_missed(src, path.name, Options())
        edits = [e for e in translate(src, path.name).edits if e.safety == "safe"]
        total += bool(edits)
        passed += bool(edits) and not may_change(splice(src, edits), path.name, Options())
    assert passed >= 0.8 * total > 0


@settings(max_examples=300, deadline=None)
@given(parts=st.lists(st.sampled_from(PARTS), max_size=12), manner=st.sampled_from(MANNERS))
def test_of_any_mixture_nothing_is_missed(parts: list[str], manner: Options) -> None:
    assert_nothing_is_missed(" ".join(parts).encode(), "a.cu", manner)


def test_a_name_that_is_forgotten_is_seen() -> None:
    assert may_change(b"int f() { return musaFree(0) + cudaFree(0); }\n", "a.cu", Options())
    assert not may_change(b"int f() { return musaFree(0); } // cudaFree\n", "a.cu", Options())


def test_display_rules_make_no_edits() -> None:
    """The question leaves them out, so what they suggest must never be applied."""
    display = [entry for entry in RULES if load(entry).SAFETY == "display"]
    assert display
    for source, path in CASES:
        for entry in display:
            for each in run_rule(entry, Unit(path, source.encode(), Options(unsafe_fixes=True))):
                edit = each if isinstance(each, Edit) else each.edit
                assert edit is None or edit.safety == "display", (entry.code, source)
