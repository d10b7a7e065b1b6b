"""Roles of parameters, choices of values, launch shapes."""

from math import prod

import pytest

from musify_ai.kernels import find_kernels, find_launches
from musify_ai.verify.described import DescribedKernel, Slot, Symbol
from musify_ai.verify.hostvalues import Definitions
from musify_ai.verify.launch_shapes import launched_as
from musify_ai.verify.roles import ELEMENTS, fill_of, float_range, roles_of, values_of
from musify_ai.verify.shapes import Shape, Unfillable, places_of, shapes, slot_names, threads_of


@pytest.mark.parametrize(
    "name", ["n", "N", "size", "num_rows", "width", "imageHeight", "numElements", "dim2", "B", "NH"]
)
def test_sizes(name: str) -> None:
    assert roles_of([name, "k2"])[0].role == "size"


@pytest.mark.parametrize(
    ("name", "role"), [("lda", "stride"), ("stride", "stride"), ("start", "start"), ("radius", "other")]
)
def test_other_roles(name: str, role: str) -> None:
    assert roles_of([name, "n"])[0].role == role


def test_k_is_a_size_only_beside_m_and_n() -> None:
    assert [each.role for each in roles_of(["m", "n", "k"])] == ["size"] * 3
    assert roles_of(["n", "k"])[1].role == "other"


def test_the_only_integer_is_a_size() -> None:
    assert roles_of(["blah"])[0].role == "size"


@pytest.mark.parametrize("names", [["n"], ["w", "h"], ["M", "N", "K"], ["B", "T", "C", "NH"], list("BTCHWNK")])
def test_values_fit_their_buffers_and_differ(names: list[str]) -> None:
    choices = values_of(roles_of(names), {})
    first = choices[0]
    assert prod(first.values()) <= ELEMENTS
    if len(names) <= 4:
        assert len(set(first.values())) == len(names)
    assert all(value % 32 for value in first.values())
    assert all(prod(each.values()) <= ELEMENTS for each in choices)


def test_heads_divide_channels() -> None:
    for values in values_of(roles_of(["B", "T", "C", "NH"]), {}):
        assert values["C"] % values["NH"] == 0


def test_learnt_values_serve_for_what_is_no_size() -> None:
    values = values_of(roles_of(["n", "threshold", "shift"]), {"threshold": 10, "n": 1 << 20})[0]
    assert values["threshold"] == 10
    assert values["n"] < 1 << 20
    assert values["shift"] != values["threshold"]


def test_what_is_no_size_is_even_at_last() -> None:
    found = values_of(roles_of(["n", "cp_rank", "shift"]), {})
    assert found[0]["shift"] % 2 and not any(each["shift"] % 2 or each["cp_rank"] % 2 for each in found[-2:])
    assert found[-1]["shift"] != found[-1]["cp_rank"]


def test_fills() -> None:
    assert fill_of("mutex", "i", const=False) == "zero"
    assert fill_of("row_ptr", "i", const=True) == "monotone"
    assert fill_of("x", "f", const=True) == "random"
    assert fill_of("count", "f", const=False) == "random"


SOURCE = b"""
constexpr int kBlock = 128;
__global__ void k(const float* x, float* y, int rows, int cols, int flag) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i];
}
void f(int rows, int cols) {
    k<<<dim3((cols + kBlock - 1) / kBlock, rows), kBlock, kBlock * sizeof(float)>>>(x, y, rows, cols, 7);
}
"""


def slot(parameter: int, kind: str, *, pointer: bool = False, const: bool = False) -> Slot:
    return Slot(parameter, 0, pointer, const, "t", 4, ((0, 4, kind),))


DESCRIBED = DescribedKernel(
    ("const float*", "float*", "int", "int", "int"),
    (slot(0, "f", pointer=True, const=True), slot(1, "f", pointer=True), slot(2, "i"), slot(3, "i"), slot(4, "i")),
)


def made(described: DescribedKernel = DESCRIBED, symbols: tuple[Symbol, ...] = (), threads: int = 0) -> list[Shape]:
    (kernel,) = find_kernels(SOURCE, "a.cu")
    known = Definitions()
    known.read(SOURCE)
    launches = find_launches(SOURCE, "a.cu")
    return shapes(kernel, described, symbols, SOURCE[kernel.start : kernel.end], launches, {"a.cu": known}, threads)


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [("min_value", -1.0, -0.75), ("lo", -1.0, -0.75), ("maxval", 0.75, 1.0), ("x_max", 0.75, 1.0),
     ("eps", 1e-5, 2e-5), ("minority", 0.25, 1.25), ("alpha", 0.25, 1.25)],
)  # fmt: skip
def test_ranges_of_floats(name: str, low: float, high: float) -> None:
    assert float_range(name) == (low, high)


def test_the_program_s_own_launch_comes_first() -> None:
    first = made()[0]
    assert (first.grid, first.block, first.shared) == ((1, 75, 1), (128, 1, 1), 512)
    assert first.slots[2:] == ("int 75", "int 53", "int 7")
    assert first.slots[0].startswith("buffer 65536 ")


def test_shapes_are_distinct_and_sane() -> None:
    all_of_them = made()
    assert len(set(all_of_them)) == len(all_of_them) > 4
    for shape in all_of_them:
        assert 1 <= prod(shape.block) <= 1024
        assert min(*shape.grid) >= 1


@pytest.mark.parametrize(("size", "block"), [("4 * 32", 128), ("limit", 256)])
def test_a_block_size_is_guessed_only_where_the_text_tells_none(size: str, block: int) -> None:
    source = b"""__global__ void k(float* y) { y[blockIdx.x] = 0; }
void f(float* y, int limit) { const int block_size = %b; k<<<num_blocks, block_size>>>(y); }""" % size.encode()
    known = Definitions()
    known.read(source)
    (kernel,), (launch,) = find_kernels(source, "a.cu"), find_launches(source, "a.cu")
    found = launched_as(kernel, {}, launch, {"a.cu": known})
    assert found is not None
    assert found[1] == (block, 1, 1)


def test_a_block_size_among_the_template_arguments_is_taken() -> None:
    template = ("typename T", "unsigned int blockSize", "bool nIsPow2 = true")
    assert threads_of(template, ("float", "512U", "true")) == 512
    assert threads_of(template, ("float", "n", "true")) == 0
    assert threads_of(("int TILE",), ("32",)) == 0
    assert made(threads=512)[0].block == (512, 1, 1)
    assert made(threads=128)[0] == made()[0]


def test_pointer_to_pointers_is_refused_by_name() -> None:
    slots = (slot(0, "p"), *DESCRIBED.slots[1:])
    with pytest.raises(Unfillable, match="parameter x is a pointer to pointers"):
        made(DESCRIBED._replace(slots=slots))


def test_members_are_numbered() -> None:
    (kernel,) = find_kernels(SOURCE, "a.cu")
    slots = (slot(0, "f"), slot(0, "i"), *DESCRIBED.slots[1:])
    assert slot_names(kernel, DESCRIBED._replace(slots=slots))[:3] == ["x.0", "x.1", "y"]


def test_device_variables() -> None:
    def symbol(name: str, kind: str, size: int, *, constant: bool = False, initialized: bool = False) -> Symbol:
        return Symbol(name, size, constant, initialized, slot(-1, kind, pointer=True))

    symbols = (
        symbol("taps", "f", 36, constant=True),
        symbol("given", "f", 36, constant=True, initialized=True),
        symbol("counter", "u", 4),
    )
    first = made(symbols=symbols)[0]
    assert [line.split()[1::2] for line in first.symbols] == [
        ["taps", "random"],
        ["given", "keep"],
        ["counter", "zero"],
    ]
    names = [place.name for place in places_of(["x", "y", "rows", "cols", "flag"], DESCRIBED, symbols, first)]
    assert names == ["x", "y", "taps", "given", "counter"]
