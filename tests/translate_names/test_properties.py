"""For any bytes: nothing crashes, undoing gives the input back, a second run finds nothing, time grows with size."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from musify_ai.source.splicing import splice, undo
from tests.growth import assert_in_proportion
from tests.translate_names.view import run

WORDS = b"cudaFree cudaMalloc(&p,4); cudaStream_t cudaArrayGetInfo cudaLaunchKernelExC(a) cudnnCreate __nv_half".split()
PIECES = st.sampled_from(
    [
        *WORDS,
        b"x.", b"->", b"::", b"ns::", b"//", b"/*", b"*/", b'"', b"'", b'R"x(', b')x"', b"\\\n", b"\\\r\n", b"\n",
        b"##", b"#", b"#define ", b"#include <cuda_runtime.h>", b'#include "cuda.h"', b"__has_include(<cuda_fp16.h>)",
        b"struct ", b"{",
        b"}", b"(", b")", b";", b"=", b"int ", b"1'", b"\xe9", b"\0", b"\xef\xbb\xbf", b"dlsym", b" ", b"<<<",
    ]
)  # fmt: skip
SOURCES = st.one_of(st.lists(PIECES, max_size=40).map(b"".join), st.binary(max_size=200))


@given(SOURCES)
@settings(max_examples=300, deadline=None)
def test_any_bytes(source):
    edits, findings = run(source)
    assert all(source[edit.start : edit.end] == edit.old for edit in edits)
    assert all(0 <= each.start <= each.end <= len(source) for each in findings)
    output = splice(source, edits)
    assert undo(output, edits) == source
    assert run(output)[0] == []


@pytest.mark.parametrize(
    "piece",
    [
        b'"\\"', b"/*", b"//\\\n", b'R"(', b"cudaFree ", b"int cudaFree;", b"int cudaFree(", b"cuda##n ",
        b"cudaMem\\\ncpy ", b"#include <cuda", b"__has_include(<", b"__has_include(<cuda.h", b"#define cudaFree",
        b"#define F(x) #x\nF(cudaFree ",
        b"cudaFree\\\n", b"a::cudaFree->", b"struct { int cudaFree; ", b"} cudaFree;", b'dlsym("cudaFree" ', b"##",
    ],
)  # fmt: skip
def test_time_grows_with_size(piece):
    assert_in_proportion(lambda times: run(b"#include <cuda.h>\n" + piece * times), 1500, slack=0.1)
