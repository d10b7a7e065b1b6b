"""The count of CUDA names that a migrated build file still holds: by its own list, with its own reading."""

import pytest

from musify_ai.pipeline.build_residue import build_residue


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (b"target_link_libraries(a CUDA::cudart)\n", ["CUDA::cudart"]),
        (b"project(a LANGUAGES CXX CUDA)\n", ["LANGUAGES CXX CUDA"]),
        (b"F = -gencode arch=compute_80,code=sm_80 -lcublas\n", ["-gencode", "compute_80", "sm_80", "-lcublas"]),
        (b"all:\n\tnvcc a.cu\n", ["nvcc"]),
        (b"set(CMAKE_CUDA_STANDARD 17)\n", ["CMAKE_CUDA_STANDARD"]),
        (b"X = /usr/local/cuda/lib\n", ["/usr/local/cuda"]),
        (b'set(MY_CUDA_LIST a) # nvcc\n#[[ CUDA::cudart ]]\nmessage(STATUS "nvcc ${x}")\n', []),
        (b"all:\n\t@echo nvcc\n\tmcc -x musa a.cu # sm_80\n$(info nvcc)\n", []),
        (b'set(X "a#nvcc")\n', ["nvcc"]),
        (b"NVCC = mcc\nset(nvcc_flags a)\n", []),
    ],
)
def test_names_are_counted(text: bytes, names: list[str]) -> None:
    found = build_residue(text, [])
    assert [name for _, _, name in found.known] == names
    assert found.pattern == ()
    assert all(text[start:end].decode() == name for start, end, name in found.known)


def test_what_a_finding_covers_is_explained() -> None:
    text = b"a: nvcc sm_70 nvcc\n"
    assert [start for start, _, _ in build_residue(text, [(3, 7)]).known] == [8, 14]
    assert build_residue(text, [(0, len(text))]).known == ()
