"""Headers and names in spellings that few people use."""

import pytest

from musify_ai.pipeline.residue import residue
from musify_ai.source import splice
from musify_ai.translate import translate


@pytest.mark.parametrize(
    "line",
    [
        "%:include <{}>",
        "#include /* c */ <{}>",
        "# /* c */ include <{}>",
        "#include \\\n<{}>",
        "#define HEADER <{}>",
        "#if __has_include( <{}> )\n#endif",
    ],
)
def test_an_angled_header_is_renamed_wherever_it_stands(line: str) -> None:
    src = line.format("cuda_runtime.h").encode()
    assert splice(src, translate(src, "a.cu").edits) == line.format("musa_runtime.h").encode()
    assert [name for _, _, name in residue(src).known] == ["cuda_runtime.h"]


@pytest.mark.parametrize("line", ['#define HEADER "cuda.h"', '#include /* c */ "cuda.h"', '%:include "cuda.h"'])
def test_a_quoted_header_in_an_odd_directive_is_reported(line: str) -> None:
    assert [(f.code, f.name) for f in translate(line.encode(), "a.cu").findings] == [("MUS108", "cuda.h")]


@pytest.mark.parametrize("text", ['const char* s = "cuda.h";', "// <cuda.h>", 'f("<cuda.h>");'])
def test_text_that_names_a_header_is_left(text: str) -> None:
    result = translate(text.encode(), "a.cu")
    assert not result.edits
    assert not result.findings


@pytest.mark.parametrize(
    "source", ["#if __CUDA_\\\nARCH__ >= 800\n#endif", 'as\\\r\nm("trap;");', "warp\\\nSize", "CUDA_\\\nVERSION"]
)
def test_a_split_word_that_a_rule_waits_for_is_reported(source: str) -> None:
    assert [f.code for f in translate(source.encode(), "a.cu").findings] == ["MUS106"]


def test_the_count_reads_over_line_ends() -> None:
    assert [name for _, _, name in residue(b'cuda\\\nMalloc(p); // cuda\\\nFree\n"cuda\\\nFree"').known] == [
        "cudaMalloc"
    ]
