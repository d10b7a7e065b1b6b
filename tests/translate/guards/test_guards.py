"""Guards: what is edited asks the same question on MUSA as it did on CUDA; version numbers are never carried over."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from musify_ai.source.splicing import splice
from musify_ai.translate import Unit, translate
from musify_ai.translate.guards.conditions import directive_tokens
from musify_ai.translate.guards.evaluation import condition_value

_PASSES = [(800, 220), (900, 310), (None, None)]


def _after(expression: str) -> str:
    src = f"#if {expression}\nint a;\n#endif\n".encode()
    edits = [e for e in translate(src, "a.cu").edits if e.safety == "safe"]
    return splice(src, edits).decode().split("\n")[0].removeprefix("#if ")


def _value(expression: str, macro: str, value: int | None) -> bool:
    """The condition in Python's terms: an own reading, independent of the translator's."""
    text = expression
    for form in (f"defined({macro})", f"defined {macro}"):
        text = text.replace(form, str(value is not None))
    for other in ("__CUDA_ARCH__", "__MUSA_ARCH__"):
        text = text.replace(f"defined({other})", "False").replace(f"defined {other}", "False")
    text = text.replace(macro, str(value or 0)).replace("__CUDA_ARCH__", "0").replace("__MUSA_ARCH__", "0")
    text = text.replace("&&", " and ").replace("||", " or ").replace("!=", "<>").replace("!", " not ")
    return bool(eval(text.replace("<>", "!=")))


_ATOMS = st.one_of(
    st.builds(
        lambda sign, number, flipped: f"{number} {sign} __CUDA_ARCH__" if flipped else f"__CUDA_ARCH__ {sign} {number}",
        st.sampled_from([">=", "<", ">", "<=", "==", "!="]),
        st.sampled_from([800, 799, 900, 899, 0, 1, 801, 700, 750, 1000]),
        st.booleans(),
    ),
    st.sampled_from(["defined(__CUDA_ARCH__)", "defined __CUDA_ARCH__", "__CUDA_ARCH__", "(__CUDA_ARCH__) >= 800"]),
)
_CONDITIONS = st.recursive(
    _ATOMS.map(lambda atom: f"({atom})"),
    lambda inner: st.one_of(
        st.builds("({} && {})".format, inner, inner),
        st.builds("({} || {})".format, inner, inner),
        st.builds("!{}".format, inner),
    ),
    max_leaves=4,
)


@given(_CONDITIONS)
@settings(max_examples=400, deadline=None)
def test_an_edited_guard_asks_the_same_question(condition: str) -> None:
    after = _after(condition)
    if after == condition:
        return
    assert "__CUDA_ARCH__" not in after, "half a condition was carried over"
    for cuda, musa in _PASSES:
        assert _value(condition, "__CUDA_ARCH__", cuda) == _value(after, "__MUSA_ARCH__", musa), after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("__CUDA_ARCH__ >= 800", "__MUSA_ARCH__ >= 220"),
        ("__CUDA_ARCH__>=800", "__MUSA_ARCH__>=220"),
        ("__CUDA_ARCH__ < 0x320", "__MUSA_ARCH__ < 220"),
        ("__CUDA_ARCH__ >= 800L", "__MUSA_ARCH__ >= 220"),
        ("((__CUDA_ARCH__) < (900))", "((__CUDA_ARCH__) < (900))"),
        ("-__CUDA_ARCH__ < 800", "-__CUDA_ARCH__ < 800"),
        ("__CUDA_ARCH__ >= 800 == 1", "__CUDA_ARCH__ >= 800 == 1"),
        ("X && __CUDA_ARCH__ >= 800 || Y", "X && __MUSA_ARCH__ >= 220 || Y"),
        ("X ? __CUDA_ARCH__ >= 800 : Y", "X ? __MUSA_ARCH__ >= 220 : Y"),
        ("__CUDA_ARCH__ * 1 >= 800", "__CUDA_ARCH__ * 1 >= 800"),
        ("AT_LEAST(__CUDA_ARCH__, 800)", "AT_LEAST(__CUDA_ARCH__, 800)"),
        ("800 < 900 <= __CUDA_ARCH__", "800 < 900 <= __CUDA_ARCH__"),
    ],
)
def test_spellings(before: str, after: str) -> None:
    assert _after(before) == after


_VERSIONS = ["CUDA_VERSION", "CUDART_VERSION", "CUDNN_VERSION", "NCCL_VERSION_CODE", "CUSPARSE_VERSION"]
_TRAPS = [
    "#if {} >= 12080\nint a;\n#endif\n",
    "#if ({} < 11000)\nint a;\n#endif\n",
    "#if 12000 <= {}\nint a;\n#endif\n",
    "#if defined({0}) && {0} >= 11000\nint a;\n#endif\n",
    "#if !defined({0}) || ({0} / 1000) < 12\nint a;\n#endif\n",
    "#ifdef {}\nint a;\n#endif\n",
    "#ifndef {}\nint a;\n#endif\n",
    "#if X\nint a;\n#elif {} == 12020\nint b;\n#endif\n",
    "#if defined(__CUDACC__) && {} >= 11080\nint a;\n#endif\n",
    "#if (defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800) && {} >= 11000\nint a;\n#endif\n",
    "#define NEW ({} >= 12000)\n",
    "#define NEW \\\n  {} >= 12000\n",
    "static_assert({} >= 11000, \"too old\");\n",
    "int v = {};\n",
    "#if {} >= \\\n  12000\nint a;\n#endif\n",
]  # fmt: skip


@pytest.mark.parametrize("macro", _VERSIONS)
@pytest.mark.parametrize("trap", _TRAPS)
def test_a_version_is_kept_and_reported(trap: str, macro: str) -> None:
    src = trap.format(macro).encode()
    found = translate(src, "a.cu")
    out = splice(src, [e for e in found.edits if e.safety == "safe"])
    assert out.count(macro.encode()) == src.count(macro.encode())
    assert b"_VERSION" not in out.replace(macro.encode(), b"")
    spans = [(f.start, f.end) for f in found.findings if f.code == "MUS204"]
    assert spans
    place = src.index(macro.encode())
    assert any(start <= place < end for start, end in spans)


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        ("if A >= 3", False),
        ("if A < 3", True),
        ("if !A", True),
        ("if !defined(A) && defined A", False),
        ("if A || B", None),
        ("if A && B", False),
        ("if B && A", False),
        ("if B || !A", True),
        ("if A ? B : 1", True),
        ("if B ? 1 : 1", True),
        ("if (A + 2) * 3 == 6", True),
        ("if A / 2", None),
        ("if A <", None),
        ("if F(A)", None),
        ("if " + "(" * 5000, None),
        ("if " + "!" * 5000 + "A", None),
        ("ifdef A", False),
        ("ifndef A", True),
        ("ifdef B", None),
        ("if", None),
    ],
)
def test_the_value_of_a_condition(condition: str, value: bool | None) -> None:
    unit = Unit("a.cu", f"#{condition}\n#endif\n".encode())
    assert condition_value(unit, unit.directives[0], {b"A"}) is value
    assert isinstance(directive_tokens(unit, unit.directives[0]), list)
