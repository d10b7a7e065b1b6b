"""Operands of lowered PTX: their order, their side effects, the places that results go to, and who writes the asm."""

import pytest

from musify_ai.translate import translate


def _translated(body: str) -> tuple[str, list[str]]:
    src = f"__device__ void f() {{\n{body}\n}}\n".encode()
    result = translate(src, "a.cu")
    edits = [edit for edit in result.edits if edit.rule == "MUS401"]
    return " ".join(edit.new.decode() for edit in edits), [finding.code for finding in result.findings]


@pytest.mark.parametrize(
    "outputs",
    [
        '"=r"(i), "=r"(a[i])',  # the place of the second was settled before the first was written
        '"=r"(a[0]), "=r"(a[a[0]])',
        '"=r"(s.i), "=r"(a[s.i])',
        '"=r"(p), "=r"(*p)',
    ],
)
def test_a_place_that_depends_on_another_result_is_not_lowered(outputs: str) -> None:
    text, codes = _translated(f'asm("mov.u32 %0, %2; mov.u32 %1, %3;" : {outputs} : "r"(x), "r"(y));')
    assert not text
    assert codes == ["MUS402"]


@pytest.mark.parametrize("outputs", ['"=r"(i), "=r"(j)', '"=r"(v.x), "=r"(v.y)', '"=r"(a[0]), "=r"(a[1])'])
def test_places_apart_are_lowered(outputs: str) -> None:
    text, codes = _translated(f'asm("mov.u32 %0, %2; mov.u32 %1, %3;" : {outputs} : "r"(x), "r"(y));')
    assert text
    assert not codes


def test_operands_with_effects_are_evaluated_in_their_order() -> None:
    text, _ = _translated('asm("sub.u32 %0, %2, %1;" : "=r"(d) : "r"(next()), "r"(next()));')
    assert text == (
        "{ const unsigned int ptx_1 = (unsigned int)(next()); const unsigned int ptx_2 = (unsigned int)(next()); "
        "d = ptx_2 - ptx_1; }"
    )
    text, _ = _translated('asm("shl.b32 %0, %1, %2;" : "=r"(d) : "r"(b), "r"(b++));')
    assert text.index("ptx_1 = (unsigned int)(b);") < text.index("ptx_2 = (unsigned int)(b++);")


def test_operands_need_no_comma_between_them() -> None:
    text, codes = _translated('asm("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a[f(1)]) "r"(b));')
    assert text == "d = (unsigned int)(a[f(1)]) + (unsigned int)(b);"
    assert not codes


def test_casts_and_intrinsics_need_no_order() -> None:
    text, _ = _translated('asm("add.u32 %0, %1, %2;" : "=r"(d) : "r"((int)a), "r"(__float_as_uint(b)));')
    assert text == "d = (unsigned int)((int)a) + (unsigned int)(__float_as_uint(b));"


def test_a_pointer_that_moves_is_read_once() -> None:
    text, _ = _translated(
        'asm("ld.global.nc.u32 %0, [%2]; ld.global.nc.u32 %1, [%2+4];" : "=r"(a), "=r"(b) : "l"(p++));'
    )
    assert text.count("p++") == 1


def test_a_result_beside_an_operand_that_changes_a_variable_is_not_lowered() -> None:
    assert _translated('asm("mov.u32 %0, %1;" : "=r"(a[i]) : "r"(i++));') == ("", ["MUS402"])


def test_the_place_in_a_macro_is_bracketed() -> None:
    src = b'#define SET(d, a) asm("mov.u32 %0, %1;" : "=r"(d) : "r"(a))\n'
    assert translate(src, "a.cu").edits[0].new == b"(d) = (unsigned int)(a)"


@pytest.mark.parametrize(
    "source",
    [
        '#define A asm\n__device__ void f() { A("mov.u32 %0, 1;" : "=r"(d)); }\n',
        '#define A asm volatile\n__device__ void f() { A("mov.u32 %0, 1;" : "=r"(d)); }\n',
        '#define Q volatile\n__device__ void f() { asm Q ("mov.u32 %0, 1;" : "=r"(d)); }\n',
        '#define A(...) asm volatile(__VA_ARGS__)\n__device__ void f() { A("mov.u32 %0, 1;" : "=r"(d)); }\n',
        'DEVICE void f() { asm("exit;"); }\n',
    ],
)
def test_ptx_that_a_macro_makes_a_statement_of_is_reported(source: str) -> None:
    result = translate(source.encode(), "a.cu")
    assert [finding.code for finding in result.findings] == ["MUS402"]


@pytest.mark.parametrize(
    "source",
    [
        '#define asm __asm__\nint f() { asm("nop"); }\n',
        "#ifdef _MSC_VER\n#define ASM __asm\n#endif\n",
        'int x asm("y");\nvoid g() __asm__("z");\n',
        '#define PAUSE() __asm__ volatile("pause")\n',
    ],
)
def test_host_assembly_is_left_in_peace(source: str) -> None:
    assert not translate(source.encode(), "a.h").findings


@pytest.mark.parametrize(
    ("before", "intrinsic"),
    [
        ("// __half and half2, in a comment\n", False),
        ("int half = 3;\n", False),
        ("#include <cuda_fp16.h>\n", True),
        ("struct __half2;\n", True),
    ],
)
def test_a_half_type_is_known_by_the_code_of_the_file(before: str, intrinsic: bool) -> None:
    source = before + '__device__ void f() { asm("add.f16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)); }\n'
    (edit,) = [each for each in translate(source.encode(), "a.cu").edits if each.rule == "MUS401"]
    assert (b"__hadd2" in edit.new) == intrinsic
