"""Inline PTX does not build on the MUSA side, wherever it stands; assembly of the host is let be."""

import pytest

from musify_ai.emulator.prepare import prepare

REFUSAL = b"there_is_no_inline_ptx_on_musa"


@pytest.mark.parametrize(
    "statement",
    [
        b'asm volatile("bar.sync 1, 64;" ::: "memory");',
        b'if (0) asm("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));',
        b'asm("{ .reg .pred p;\\n\\t"\n    "setp.ne.u32 p, %1, 0; }"\n    : "=r"(d) : "r"(a));',
        b'__asm__("trap;");',
    ],
)
def test_ptx_is_refused_where_it_stands(statement: bytes) -> None:
    source = b"void f(unsigned a, unsigned b) {\n  unsigned d;\n  " + statement + b"\n}\n"
    prepared = prepare(source, "musa").text
    assert prepared.count(REFUSAL) == 1
    assert b"asm" not in prepared
    assert prepared.count(b"\n") == source.count(b"\n")
    assert REFUSAL not in prepare(source, "cuda").text


@pytest.mark.parametrize("statement", [b'asm volatile("" ::: "memory");', b'asm("rdtsc" : "=a"(low), "=d"(high));'])
def test_other_assembly_is_let_be(statement: bytes) -> None:
    source = b"void f() {\n  " + statement + b"\n}\n"
    assert prepare(source, "musa").text == source


def test_a_policy_for_the_cache_is_a_number_that_hints_take() -> None:
    source = (
        b"__device__ unsigned long long f() { unsigned long long p;\n"
        b'asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(p)); return p; }\n'
    )
    prepared = prepare(source, "cuda")
    assert prepared.problems == () and b"asm" not in prepared.text
