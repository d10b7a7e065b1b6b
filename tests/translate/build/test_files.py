"""Build files: one finding where CUDA is spoken of outside comments, none elsewhere."""


import pytest
from musify_ai.translate.build import build_file_finding
from tests.growth import assert_in_proportion

_WITH = [
    ("CMakeLists.txt", b"cmake_minimum_required(VERSION 3.18)\nproject(t LANGUAGES CXX CUDA)\n", b"CUDA"),
    ("a/CMakeLists.txt", b"#[[ CUDA\n ]]\nset(CMAKE_CUDA_STANDARD 17)\n", b"CUDA"),
    ("cmake/x.cmake", b"target_link_libraries(a cudart)\n", b"cuda"),
    ("Makefile", b"CC = g++\nk.o: k.cu\n\t$(CC) $<\n", b".cu"),
    ("Makefile.nvc", b"NVFLAGS = -gencode arch=compute_80,code=sm_80\n", b"-gencode"),
    ("gpu.mk", b"ARCH ?= sm_70\n", b"sm_70"),
    ("setup.py", b"ext = CUDAExtension('a', ['a.cu'])\n", b"CUDA"),
    ("pyproject.toml", b'requires = ["nvidia-cuda-runtime-cu12"]\n', b"cuda"),
    ("BUILD.bazel", b"cuda_library(name = 'a')\n", b"cuda"),
    ("meson.build", b"project('a', 'cuda')\n", b"cuda"),
]
_WITHOUT = [
    ("CMakeLists.txt", b"# CUDA is not used\nproject(t LANGUAGES CXX)\n"),
    ("Makefile", b"all: # nvcc was here\n\tg++ barracuda.cpp curl.c cut.c\n"),
    ("setup.py", b"# CUDAExtension\nname = 'barracuda'\n"),
    ("README.md", b"CUDA\n"),
    ("main.cu", b"CUDA nvcc\n"),
    ("docs/building.txt", b"nvcc\n"),
    ("CMakeLists.txt", b""),
]


@pytest.mark.parametrize(("path", "src", "sign"), _WITH)
def test_a_build_file_that_holds_cuda_is_one_finding(path: str, src: bytes, sign: bytes) -> None:
    found = build_file_finding(path, src)
    assert found is not None
    assert (found.code, found.severity, found.settled) == ("MUS801", "warning", True)
    assert src[found.start : found.end] == sign
    assert "not migrated" in found.message


@pytest.mark.parametrize(("path", "src"), _WITHOUT)
def test_other_files_are_none(path: str, src: bytes) -> None:
    assert build_file_finding(path, src) is None


@pytest.mark.parametrize("piece", [b"#[[", b"#[=[ ]]", b"CUDA_", b"cuda", b"#", b"\\#", b"--", b"_"])
def test_time_grows_with_size_and_no_faster(piece: bytes) -> None:
    def look(repeats: int) -> None:
        build_file_finding("CMakeLists.txt", piece * repeats)
        build_file_finding("Makefile", piece * repeats)

    assert_in_proportion(look, 2000)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("CMakeLists.txt", b"target_link_libraries(a CUDA::cudart_static)\n"),
        ("CMakeLists.txt", b"set_target_properties(a PROPERTIES CUDA_RUNTIME_LIBRARY Static)\n"),
        ("Makefile", b"k: k.cu\n\tnvcc -cudart static k.cu\n"),
    ],
)
def test_a_static_runtime_is_named(path: str, line: bytes) -> None:
    found = build_file_finding(path, line)
    assert found is not None and "Link the shared musart" in found.message
    found = build_file_finding(path, line.replace(b"static", b"shared").replace(b"Static", b"Shared"))
    assert found is None or "musart for the static" not in found.message
