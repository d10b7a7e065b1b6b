"""Build files of systems that are not migrated: what is said of them, and that nothing is edited."""

import pytest

from musify_ai.project.roles import role_of
from musify_ai.records import Finding
from musify_ai.translate import translate
from musify_ai.translate.build.files import not_migrated
from musify_ai.translate.build.kinds import build_system
from musify_ai.translate.build.packages import packages_asked_for
from tests.growth import assert_in_proportion

_WITH = [
    ("pyproject.toml", b'script = "cuda-build"\n', b"cuda"),
    ("BUILD.bazel", b"cuda_library(name = 'a')\n", b"cuda"),
    ("meson.build", b"project('a', 'cuda')\n", b"cuda"),
    ("tools/build.sh", b"#!/bin/sh\nset -e\nnvcc -o a a.cu\n", b"nvcc"),
    ("docker/Dockerfile.gpu", b"FROM nvidia/cuda:12.4.0-devel\n", b"nvidia/cuda"),
    ("app.vcxproj", b"<CudaCompile Include='a.cu' />\n", b"Cuda"),
]
_WITHOUT = [
    ("meson.build", b"# CUDA is not used\nproject('t', 'cpp')\n"),
    ("build.sh", b"# nvcc was here\ng++ barracuda.cpp curl.c cut.c\n"),
    ("run.sh", b"#!/bin/sh\necho cudaFree and CUDA kernels in app.cu\n"),
    ("README.md", b"CUDA\n"),
    ("main.cu", b"CUDA nvcc\n"),
    ("docs/building.txt", b"nvcc\n"),
    ("Dockerfile", b""),
]


@pytest.mark.parametrize(("path", "src", "sign"), _WITH)
def test_a_build_file_that_holds_cuda_is_spoken_of(path: str, src: bytes, sign: bytes) -> None:
    translation = translate(src, path)
    assert translation.edits == ()
    found = translation.findings[0]
    assert (found.code, found.severity, found.settled) == ("MUS801", "warning", True)
    assert src[found.start : found.end] == sign
    assert "not migrated" in found.message


@pytest.mark.parametrize(("path", "src"), _WITHOUT)
def test_other_files_are_not(path: str, src: bytes) -> None:
    assert list(not_migrated(path, src)) == []


def test_places_with_one_counterpart_are_suggested_and_not_made() -> None:
    src = b"ENV CUDA_HOME=/usr/local/cuda-12.4\nRUN nvcc --version && nvidia-smi\n"
    found = list(not_migrated("Dockerfile", src))
    suggested = {(each.edit.old, each.edit.new) for each in found if each.edit is not None}
    assert suggested == {
        (b"CUDA_HOME", b"MUSA_HOME"),
        (b"/usr/local/cuda-12.4", b"/usr/local/musa"),
        (b"nvcc", b"mcc"),
    }
    assert all(each.edit is None or each.edit.safety == "display" for each in found)
    assert [each.severity for each in found].count("warning") == 1


@pytest.mark.parametrize("piece", [b"#[[", b"#[=[ ]]", b"CUDA_", b"cuda", b"#", b"\\#", b"--", b"_"])
def test_time_grows_with_size_and_no_faster(piece: bytes) -> None:
    assert_in_proportion(lambda repeats: list(not_migrated("meson.build", piece * repeats)), 2000)


def test_a_static_runtime_is_named() -> None:
    def message(src: bytes) -> str:
        found = list(not_migrated("build.sh", src))
        assert isinstance(found[0], Finding)
        return found[0].message

    assert "Link the shared musart" in message(b"nvcc -cudart static k.cu\n")
    assert "Link the shared musart" not in message(b"nvcc -cudart shared k.cu\n")


@pytest.mark.parametrize(
    ("path", "system"),
    [
        ("CMakeLists.txt", "cmake"),
        ("cmake/a.cmake.in", "cmake"),
        ("src/GNUmakefile", "make"),
        ("Makefile.nvc", "make"),
        ("gpu.mk", "make"),
        ("setup.py", "python"),
        ("a/BUILD", "bazel"),
        ("b/x.bzl", "bazel"),
        ("Dockerfile", "docker"),
        ("ci/test.dockerfile", "docker"),
        ("run.sh", "shell"),
        ("makefile_notes.md", None),
        ("setup.pyx", None),
    ],
)
def test_the_system_is_told_by_the_name(path: str, system: str | None) -> None:
    assert build_system(path) == system


@pytest.mark.parametrize(
    ("path", "src", "names"),
    [
        ("pyproject.toml", 'name = "apex"\ndependencies = [\n  "cupy-cuda12x>=12",\n  "numpy"]\n', ["cupy-cuda12x"]),
        ("pyproject.toml", '[tool.poetry.dependencies]\nxformers = "0.0.2"\ncupyx = "1"\n', ["xformers"]),
        ("requirements/dev.in", "# cupy\nTorch_Scatter\nnvidia_cublas_cu12==1 ; x == 'y'\n"
                                "-r apex.txt\n", ["Torch_Scatter", "nvidia_cublas_cu12"]),
        ("environment-gpu.yaml", "dependencies:\n  - nvidia::cuda-nvcc\n  - python\n", ["cuda-nvcc"]),
        ("setup.cfg", "[options]\ninstall_requires =\n    triton\n    tritonclient\n", ["triton"]),
        ("requirements.txt", "torch==2.4.0+cu121 # +cu118\n", ["+cu121"]),
        ("notes.txt", "cupy\n", []),
        ("Dockerfile", "RUN pip3 install numpy \\\n  xformers==1 && echo apex\n# pip install apex\n", ["xformers"]),
    ],
)  # fmt: skip
def test_packages_for_cuda_are_told_by_their_names(path: str, src: str, names: list[str]) -> None:
    found = list(packages_asked_for(path, src.encode()))
    assert [src[each.start : each.end] for each in found] == names == [each.name for each in found]
    assert list(not_migrated(path, src.encode())) == []


def test_settings_of_scripts_are_noted_with_musas_names() -> None:
    src = (
        b"#!/bin/bash\n# export NCCL_ALGO=Ring\nexport NCCL_ALGO=Ring CUDA_DEVICE_MAX_CONNECTIONS=1\n"
        b'export NCCL_DEBUG=INFO ACCELERATOR_BACKEND="cuda" MY_NCCL_X=1\n'
        b"python a.py --device cuda --backend=nccl --cuda 1\n"
    )
    found = [
        (src[e.start : e.end], e.edit.new if e.edit else None)
        for e in not_migrated("run.sh", src)
        if e.severity == "note"
    ]
    assert found == [
        (b"NCCL_ALGO", b"MCCL_ALGOS"), (b"CUDA_DEVICE_MAX_CONNECTIONS", None), (b"NCCL_DEBUG", b"MCCL_DEBUG"),
        (b"cuda", b"musa"), (b"cuda", b"musa"), (b"nccl", b"mccl"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "src", "sign"),
    [
        (".github/workflows/ci.yml", b"- uses: Jimver/cuda-toolkit@v0\n", b"cuda-toolkit"),
        ("docker-compose.yml", b"  runtime: nvidia\n", b"runtime: nvidia"),
        ("run.sh", b"cmake -DCMAKE_CUDA_ARCHITECTURES=80 ..\n", b"CMAKE_CUDA_ARCHITECTURES"),
        ("Dockerfile", b"RUN apt-get install -y libnccl2\n", b"libnccl2"),
        ("build.ninja", b"  command = nvcc -c $in\n", b"nvcc"),
        ("CMakePresets.json", b'{"CMAKE_CUDA_ARCHITECTURES": "80"}\n', b"CUDA"),
    ],
)
def test_what_a_service_runs_and_generators_make_is_spoken_of(path: str, src: bytes, sign: bytes) -> None:
    found = [each for each in not_migrated(path, src) if each.severity == "warning"]
    assert [src[each.start : each.end] for each in found] == [sign]
    assert role_of(path) == "build"
