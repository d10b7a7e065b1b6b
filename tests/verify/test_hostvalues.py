import pytest

from musify_ai.verify.hostvalues import Definitions, Unknown, as_dim, evaluate
from tests.growth import assert_in_proportion

SOURCE = b"""
#define BLOCK 256
#define DIV_UP(a, b) (((a) + (b) - 1) / (b))
constexpr int kTile = 16;
inline int ceil_div(int a, int b) { return (a + b - 1) / b; }

void first(int n) {
    int threads = 64;
    int blocks = ceil_div(n, threads);
    use(threads, blocks);
}

void second(int w, int h, int block_size) {
    const int threads = 128;
    dim3 block(kTile, kTile / 2), grid((w + block.x - 1) / block.x, DIV_UP(h, block.y));
    dim3 other = {8, 4, 2};
    use(threads, grid, other);
}
"""


@pytest.fixture
def definitions() -> Definitions:
    known = Definitions()
    known.read(SOURCE)
    return known


def at(mark: bytes) -> int:
    return SOURCE.index(mark)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 << 10", 1024),
        ("(n + 255) / 256", 4),
        ("7 / 2 * 2 - -1", 7),
        ("n > 10 ? 3 : 4", 3),
        ("BLOCK * sizeof(float)", 1024),
        ("2 * BLOCK * (int)sizeof(double)", 4096),
        ("static_cast<int>(n) % 7", 6),
        ("std::max(n, 2000u)", 2000),
        ("std::min<int>(n, 3)", 3),
        ("DIV_UP(n, BLOCK)", 4),
        ("ceil_div(n, BLOCK)", 4),
        ("my_blocks(n, 100)", 10),
        ("0x10", 16),
        ("1e3", 1000),
        ("dim3(4, 2)", (4, 2, 1)),
        ("dim3(4, 2).y", 2),
        ("true", 1),
    ],
)
def test_expressions(definitions: Definitions, text: str, value: object) -> None:
    assert evaluate(text, {"n": 1000}, definitions, 0) == value


def test_locals_of_the_function_that_holds_the_launch(definitions: Definitions) -> None:
    assert evaluate("blocks", {"n": 1000}, definitions, at(b"use(threads, blocks)")) == 16
    assert evaluate("threads", {}, definitions, at(b"use(threads, grid")) == 128


def test_dimensions(definitions: Definitions) -> None:
    known = {"w": 61, "h": 43}
    place = at(b"use(threads, grid")
    assert evaluate("block", known, definitions, place) == (16, 8, 1)
    assert evaluate("grid", known, definitions, place) == (4, 6, 1)
    assert evaluate("other", known, definitions, place) == (8, 4, 2)
    assert as_dim(7) == (7, 1, 1)


@pytest.mark.parametrize(
    "text", ["block_size", "props.maxGridSize[0]", "vec.size()", "1 / 0", "f(", "", "a b", '"x"', "1 << 99", "0.5"]
)
def test_unknown(definitions: Definitions, text: str) -> None:
    with pytest.raises(Unknown):
        evaluate(text, {}, definitions, 0)


def test_definition_by_itself_ends() -> None:
    known = Definitions()
    known.read(b"int a = b; int b = a; int n = n + 1;")
    for name in ("a", "n"):
        with pytest.raises(Unknown):
            evaluate(name, {}, known, 100)


@pytest.mark.parametrize("body", ["(%s)", "max(%s)"])
def test_names_that_multiply_have_an_end(body: str) -> None:
    known = Definitions()
    sep = " + " if body == "(%s)" else ", "
    known.read("".join(f"#define A{i} {body % sep.join([f'A{i + 1}'] * 12)}\n" for i in range(11)).encode())
    known.read(b"".join(b"#define F%d(x) (F%d(x) + F%d(x) + F%d(x) + F%d(x))\n" % (i, *[i + 1] * 4) for i in range(11)))
    for text in ("A0", "F0(1)"):
        with pytest.raises(Unknown):
            evaluate(text, {}, known, 0)


@pytest.mark.parametrize(
    "piece", [b"int f(int x) { return ", b"enum E { A, ", b"struct S { void f() { ", b"void k(int a "]
)
def test_brackets_that_stay_open_take_time_in_proportion(piece: bytes) -> None:
    assert_in_proportion(lambda times: Definitions().read(piece * times), 600, slack=0.1)
