"""libclang is asked in a process of its own: what a unit does to it stays there."""

from pathlib import Path

import pytest

from musify_ai.kernels import find_kernels, resolving
from musify_ai.records import Instantiation
from musify_ai.verify.closures import Closure, Sources
from musify_ai.verify.instantiating import Instantiator

KERNEL = b"""
template <typename T> __global__ void k(T* x) { x[0] = T(1); }
template <typename T> void run(T* x) { k<<<1, 1>>>(x); }
void all(float* x) { run(x); }
"""
# Each level makes two types of the next: 2^24 instantiations.
BOMB = b"""
template <typename A> struct L {};
template <typename A> struct R {};
template <int D, typename A> struct B {
    typename B<D - 1, L<A>>::type a;
    typename B<D - 1, R<A>>::type b;
    using type = A;
};
template <typename A> struct B<0, A> { using type = int; };
B<24, int> bomb;
"""


def resolved(tmp_path: Path, text: bytes, seconds: int = 30) -> tuple[Instantiation, ...]:
    (tmp_path / "a.cu").write_bytes(text)
    kernels = find_kernels(text, "a.cu")
    asked = Instantiator(tmp_path / "headers", seconds)
    (found,) = asked.resolve(kernels, Sources(tmp_path, ["a.cu"]), Closure(("a.cu",), ()), "cuda")
    assert not asked.missing
    return found.instantiations


def test_deduced_arguments_come_back(tmp_path: Path) -> None:
    assert [each.arguments for each in resolved(tmp_path, KERNEL)] == [("float",)]


def test_a_unit_that_never_ends_is_given_up(tmp_path: Path) -> None:
    assert resolved(tmp_path, KERNEL + BOMB, seconds=1) == find_kernels(KERNEL + BOMB, "a.cu")[0].instantiations


@pytest.mark.parametrize("answer", [b"", b"[", b"{}x", b"[[1]]", b'[[["a", 1]]]'])
def test_an_answer_that_is_none_is_refused(answer: bytes) -> None:
    with pytest.raises(ValueError, match="no answer"):
        resolving.instantiations(answer)
