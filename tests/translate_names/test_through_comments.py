"""Comments and line splices between a name and what makes it another's: they hide nothing."""

import pytest

from musify_ai.pipeline.residue import residue
from musify_ai.source import splice
from musify_ai.translate import translate
from tests.growth import assert_in_proportion

_BETWEEN = (" /* c */ ", "/* :: . -> */", " // c\n", "\\\n  ", "\\\r\n  ", " /* a */ // b\n /* c */ ")


def _out(src: str) -> str:
    return splice(src.encode(), [e for e in translate(src.encode(), "a.cu").edits if e.safety == "safe"]).decode()


@pytest.mark.parametrize("between", _BETWEEN)
@pytest.mark.parametrize("before", ["a->", "a.", "f().", "ns::", "A<int>::", "a-\\\n>", "ns:\\\n:"])
def test_anothers_name_is_left_and_counts_as_no_residue(before: str, between: str) -> None:
    source = f"void g() {{ {before}{between}cudaFree(p); }}\n"
    assert _out(source) == source
    assert not residue(source.encode()).known


@pytest.mark.parametrize("between", _BETWEEN)
@pytest.mark.parametrize(
    "before", ["", "::", "return ::", "return", "x = a ? b :", 'f("x").g(a),', "x = y -", "...", "if (a > ::"]
)
def test_the_apis_own_is_renamed(before: str, between: str) -> None:
    source = f"void g() {{ {before}{between}cudaFree(p); }}\n"
    assert _out(source) == source.replace("cudaFree", "musaFree")
    assert residue(source.encode()).known


@pytest.mark.parametrize(
    "source",
    [
        "int /* c */ cudaFree(int x) { return 1; }\nint y = cudaFree(1);\n",
        "int cudaFree /* c */ (int x) { return 1; }\n",
        "#define /* c */ cudaFree my\nvoid f() { cudaFree(p); }\n",
        "struct // c\n cudaEvent_t { int x; };\n",
        "struct cudaEvent_t /* c */ { int x; };\n",
        "typedef struct { int x; } /* c */ cudaEvent_t /* d */ ;\n",
        "#define X a ## /* c */ cudaFree\n",
        "#define X cudaFree /* c */ ## a\n",
        "ns /* c */ ::cudaFree(p);\n",
        "ns ::cudaFree(p);\n",
    ],
)
def test_definitions_and_scopes_are_seen_through_them(source: str) -> None:
    assert _out(source) == source
    result = translate(source.encode(), "a.cu")
    assert not residue(source.encode(), [(f.start, f.end) for f in result.findings]).known


@pytest.mark.parametrize(
    "source",
    ["#define f ::cudaFree\n", "int ::cudaFree(void*);\n", "API ::cudaFree(p);\n", "#endif\n::cudaFree(p);\n"],
)
def test_a_global_qualification_behind_a_word_is_the_apis(source: str) -> None:
    assert _out(source) == source.replace("cudaFree", "musaFree")


def test_many_comments_before_a_name_cost_time_in_proportion() -> None:
    assert_in_proportion(
        lambda n: translate(b"/* c */ // d\n" * n + b"cudaFree(p);" + b" /**/ cudaFree" * n, "a.cu"), 2000
    )
