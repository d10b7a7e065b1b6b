"""Words that are nearly CUDA names: what is a slip of the pen, and who may declare such a word."""

from pathlib import Path

import pytest

from musify_ai.project import check
from musify_ai.records import Options
from musify_ai.rules import load
from musify_ai.translate import translate
from musify_ai.translate.names.misspelt import nearest


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("cudaMemcpyAsinc", "cudaMemcpyAsync"),
        ("cudaMemcpyAsycn", "cudaMemcpyAsync"),
        ("cudaMemcppyAsync", "cudaMemcpyAsync"),
        ("cudaMemcyAsync", "cudaMemcpyAsync"),
        ("cudamemcpyasync", "cudaMemcpyAsync"),
        ("CUDA_SUCESS", "CUDA_SUCCESS"),
        ("cuMemAllocc_v2", "cuMemAlloc_v2"),
    ],
)
def test_one_slip_is_seen(word: str, name: str) -> None:
    assert nearest(word.encode(), load()).decode() == name


@pytest.mark.parametrize(
    "word",
    [
        "cudaMemcpyAsync2",  # a project's own, by its ending
        "cudaMemcpyAsyncs",
        "cudaMemcpyAsyncT",
        "cudaMemcpyXAsync",
        "my_cudaMemcpyAsync",
        "cudaMalloc3DArray",  # a name of the API itself
        "cublasCheck",  # as near to cublasCherk as any slip
        "cudaMemcpyAcync2D",  # two things differ
        "cudaFre",  # short
    ],
)
def test_what_may_be_meant_is_no_slip(word: str) -> None:
    assert nearest(word.encode(), load()) == b""


@pytest.mark.parametrize(
    "source",
    [
        "auto [cudaMaloc, b] = q; use(cudaMaloc);",
        "int a, cudaMaloc; use(cudaMaloc);",
        "std::vector<int> cudaMemSet; use(cudaMemSet);",
        "int* cudaMaloc = 0; use(cudaMaloc);",
        "int &cudaMaloc{a}; use(cudaMaloc);",
        "auto f = [cudaMaloc = 1] { use(cudaMaloc); };",
        "template <typename cudaStrem_t> struct Q { cudaStrem_t a; };",
        "void f(std::unique_ptr<int> cudaEvebt_t) { use(cudaEvebt_t); }",
        "for (auto& cudaMaloc : v) use(cudaMaloc);",
        "struct cudaEvant_t; cudaEvant_t* p;",
        "using ns::cudaMaloc; use(cudaMaloc);",
        "{ goto cudaMaloc; cudaMaloc: return; }",
    ],
)
def test_a_word_that_is_declared_in_whatever_way_is_no_slip(source: str) -> None:
    assert translate(source.encode(), "a.cu").findings == ()


@pytest.mark.parametrize(
    "source",
    [
        "f(a, cudaMemcpyHostToDevise, s);",
        "f(a, &cudaMaloc);",
        "x = cudaMemcpyHostToDevise;",
        "a[cudaMemcpyHostToDevise] = 1;",
        "cudaStrem_t s;",
    ],
)
def test_a_use_is_a_slip_also_in_a_file_without_another_name(source: str) -> None:
    assert [f.code for f in translate(source.encode(), "a.cu").findings] == ["MUS116"]


def test_the_suggestion_is_shown_and_never_made() -> None:
    (finding,) = translate(b"cudaFree(p); cudaMemcpyAsinc(a);", "a.cu").findings
    assert finding.edit is not None
    assert (finding.edit.new, finding.edit.safety) == (b"musaMemcpyAsync", "display")
    assert len(translate(b"cudaFree(p); cudaMemcpyAsinc(a);", "a.cu").edits) == 1


def test_a_word_that_another_file_declares_is_the_projects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.cu").write_text("void f() { cudaFree(p); cudaFreeHots(p); cudaMallco(p); }\n")
    (tmp_path / "b.cu").write_text("void g() { cudaFree(p); cudaFreeHots(p); cudaMallco(p); }\n")
    (tmp_path / "c.h").write_text("void cudaFreeHots(int* p);\n")
    run = check([Path("a.cu"), Path("b.cu"), Path("c.h")], Options()).run
    assert [f.name for file in run.files for f in file.findings] == ["cudaMallco", "cudaMallco"]
