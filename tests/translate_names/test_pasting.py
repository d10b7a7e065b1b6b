"""Names that come into being, or stop to be what they were, inside a macro."""

import pytest

from musify_ai.translate import translate


@pytest.mark.parametrize(
    "source",
    [
        "#define CAT(a, b) a##b\nvoid f() { CAT(cuda, Free)(p); CAT(my, x); }\n",
        "#define CAT_(a, b) a ## b\n#define BOTH(a, b) CAT_(a, b)\nvoid f() { BOTH(cuda, Free)(p); }\n",
        "void f() { MY_CONCAT(cuda, Free)(p); }\n",  # defined in another file
    ],
)
def test_the_beginning_of_a_name_as_an_argument_is_reported(source: str) -> None:
    found = translate(source.encode(), "a.cu").findings
    assert [(f.code, f.severity, f.settled, f.name) for f in found] == [("MUS104", "warning", False, "cuda")]


def test_the_beginning_of_a_name_behind_a_macro_is_reported() -> None:
    source = (
        "#define PRE cuda // ours\n#define CAT_(a, b) a##b\n#define CAT(a, b) CAT_(a, b)\nint e = CAT(PRE, Free)(p);\n"
    )
    found = translate(source.encode(), "a.cu").findings
    assert [(f.code, f.severity, f.name) for f in found] == [("MUS104", "warning", "PRE")]
    mine = source.replace("CAT(PRE, Free)", "CAT(my_, PRE)")
    assert not translate(mine.encode(), "a.cu").findings


def test_a_whole_name_as_an_argument_is_renamed_and_noted() -> None:
    result = translate(b"#define V2(n) n##_v2\nvoid f() { V2(cublasSgemm)(h); }\n", "a.cu")
    assert [edit.new for edit in result.edits] == [b"mublasSgemm"]
    assert [(f.code, f.severity) for f in result.findings] == [("MUS104", "note")]


@pytest.mark.parametrize(
    "source",
    [
        "void f() { g(cuda, 1); torch::cat(cuda, 1); x = StrCat(cuda); }\n",
        "#define F(x) g(x, y##z)\nvoid f() { F(cudaSuccess); }\n",
        "#define CAT(a, b) a##b\nvoid f() { g(cuda); CAT(cudax, y); CAT(x + cuda, y); }\n",
    ],
)
def test_what_is_not_pasted_is_no_matter(source: str) -> None:
    assert not translate(source.encode(), "a.cu").findings
