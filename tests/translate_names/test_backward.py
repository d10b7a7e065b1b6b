"""``--direction m2c``: the names' way back, and what has none."""

import pytest

from musify_ai.records import Options
from musify_ai.rules import load
from musify_ai.source import splice
from musify_ai.translate import translate
from musify_ai.translate.names.backward import back

BACK = Options(direction="m2c")


def applied(src, options=BACK, path="a.mu"):
    data = src.encode()
    edits = [edit for edit in translate(data, path, options).edits if edit.safety == "safe"]
    return splice(data, edits).decode()


@pytest.mark.parametrize(
    "source",
    [
        "#include <cuda_runtime.h>\n#include <cuda_fp16.h>\nvoid f() { cudaMalloc(&p, 4); cudaFree(p); }\n",
        "CUresult r = cuInit(0);\ncublasHandle_t h;\nncclComm_t c;\ncufftPlan1d(&p, n, CUFFT_C2C, 1);\n",
        "k<<<grid, block, 0, stream>>>(p);\n#define CHECK(x) if ((x) != cudaSuccess) abort()\n",
        '#include <cublas_v2.h>\n// cudaMalloc\nconst char* s = "cudaMalloc";\n__half h; nv_bfloat16 b;\n',
    ],
)
def test_there_and_back_is_where_it_began(source):
    there = applied(source, Options(), "a.cu")
    assert there != source
    assert applied(there) == source


def test_every_pair_of_the_rules_has_its_way_back_but_for_those_that_became_one():
    rules, known = load(), back("5.2", "", ())
    lost = [
        name
        for name, musa in rules.names.items()
        if rules.label(name).library != "torch" and musa not in (b"__half", b"__half2") and known.names[musa] != name
    ]
    assert len(lost) == 3
    assert known.headers[b"mublas.h"] == b"cublas_v2.h"


@pytest.mark.parametrize(
    "kept",
    [
        "s.musaFree(p);",
        "my::musaFree(p);",
        "// musaFree\n",
        'x("musaFree");',
        "void musaFree(int* p) { }\n",
        "int mute;",
    ],
)
def test_what_stays_there_stays_on_the_way_back(kept):
    assert applied(kept) == kept


@pytest.mark.parametrize("name", ["__MUSA_ARCH__", "__musa_exit", "MUSA_VERSION", "musaInventedHere", "muInventedHere"])
def test_a_name_without_a_way_back_is_reported_once(name):
    found = translate(f"int x = {name} + {name}; musaFree(p);".encode(), "a.mu", BACK).findings
    assert [(each.code, each.name) for each in found] == [("MUS113", name)]


def test_a_second_run_changes_nothing_and_cuda_is_left():
    source = "#include <cuda_runtime.h>\ncudaFree(p);\n"
    assert applied(source, path="a.cu") == source
    assert translate(source.encode(), "a.cu", BACK).findings == ()


@pytest.mark.parametrize("unsafe", [False, True])
def test_a_derived_name_is_a_finding_on_the_way_back_too(unsafe):
    src = b"float f = MUSART_INF_FP16;\n"
    found = translate(src, "a.mu", BACK._replace(unsafe_fixes=unsafe))
    assert [(e.new, e.evidence, e.safety) for e in found.edits] == [(b"CUDART_INF_FP16", "prefix", "unsafe")]
    assert [(f.code, f.name, f.settled) for f in found.findings] == [("MUS103", "MUSART_INF_FP16", unsafe)]
