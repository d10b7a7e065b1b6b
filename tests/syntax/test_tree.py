import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from musify_ai.syntax import tree as syntax
from musify_ai.syntax.masking import decorator_macros, mask


def test_candidates_are_found_by_offset_and_climbed_from() -> None:
    src = b"int main() { k<float><<<g, b>>>(p); }"
    tree = syntax.parse(src)
    call = syntax.climb(syntax.node_at(tree, src.index(b"<<<"), src.index(b"<<<") + 3), {"call_expression"})
    assert call is not None
    assert src[call.start_byte : call.end_byte] == b"k<float><<<g, b>>>(p)"
    assert syntax.sound(call)
    assert syntax.climb(call, {"template_declaration"}) is None


def test_an_error_node_is_not_sound() -> None:
    tree = syntax.parse(b"void f( { int 3x; }}}")
    assert not syntax.sound(syntax.node_at(tree, 0, 4))


@pytest.mark.parametrize(
    ("src", "masked"),
    [
        (b"#define HD __host__ __device__\nHD int f();", b"#define HD __host__ __device__\n   int f();"),
        (
            b"#define A inline\n#define B A __device__\nB int f();",
            b"#define A inline\n#define B A __device__\n  int f();",
        ),
        (b"CUTLASS_DEVICE void f();", b"               void f();"),
        (b"C10_LAUNCH_BOUNDS_1(512)\n__global__ void k();", b"                        \n__global__ void k();"),
        # Both definitions of a macro must be decorators, or a use may stand for something else.
        (b"#ifdef X\n#define E\n#else\n#define E int x\n#endif\nE;", None),
        (b"#define N 3\nint a[N];", None),
        (b"#define F(x) inline\nF(1) int f();", None),
        (b'const char *s = "CUTLASS_DEVICE"; // CUTLASS_DEVICE', None),
        (b"#define EMPTY\nEMPTY int f();", b"#define EMPTY\n      int f();"),
        (b'#define API extern "C" __attribute__((visibility("default")))\nAPI int f();', None),
    ],
)
def test_masking_keeps_every_offset(src: bytes, masked: bytes | None) -> None:
    out = mask(src)
    assert len(out) == len(src)
    if masked is not None:
        assert out == masked
    elif b"API" not in src:
        assert out == src
    else:
        assert out.endswith(b"\n    int f();")


def test_decorator_macros_say_what_they_expand_to() -> None:
    src = b"#define G __global__\n#define K static G\n#define X K int\n"
    assert decorator_macros(src) == {b"G": frozenset({b"__global__"}), b"K": frozenset({b"static", b"__global__"})}


def test_masking_makes_a_decorated_file_parse() -> None:
    src = b"#define HD __host__ __device__\nstruct A { HD A() : x(0) {} int x; };\nHD int f(A a) { return a.x; }\n"
    assert syntax.parse(src, masked=False).root_node.has_error
    assert not syntax.parse(src).root_node.has_error


def test_deep_nesting_parses_and_climbs() -> None:
    src = b"int x = " + b"(" * 20_000 + b"1" + b")" * 20_000 + b";"
    tree = syntax.parse(src)
    node = syntax.node_at(tree, 20_008, 20_009)
    assert syntax.climb(node, {"translation_unit"}) is not None


@given(st.binary(max_size=300))
def test_any_bytes_parse_and_keep_their_length(src: bytes) -> None:
    assert len(mask(src)) == len(src)
    tree = syntax.parse(src)
    node = syntax.node_at(tree, 0, len(src))
    assert 0 <= node.start_byte <= node.end_byte <= len(src)


def test_importing_opens_no_parser() -> None:
    code = (
        "import sys, musify_ai.syntax.tree, musify_ai.syntax.masking; "
        "assert not {'tree_sitter', 'tree_sitter_cuda', 'clang'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_missing_grammar_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    syntax.language.cache_clear()
    monkeypatch.setitem(sys.modules, "tree_sitter_cuda", None)
    try:
        with pytest.raises(syntax.GrammarMissing, match="install tree-sitter"):
            syntax.language()
    finally:
        syntax.language.cache_clear()
