"""setup.py: extensions for PyTorch."""

import ast

import pytest

from musify_ai.records import Options
from musify_ai.source import splice, undo
from musify_ai.translate import translate

_HEAD = "from torch.utils.cpp_extension import CUDAExtension\n"


def migrated(src: str) -> str:
    """A file after its safe edits, which still parses, is undone exactly and leaves nothing to a second run."""
    data = src.encode()
    edits = [edit for edit in translate(data, "setup.py", Options()).edits if edit.safety == "safe"]
    output = splice(data, edits)
    assert undo(output, edits) == data
    ast.parse(output)
    again = translate(output, "setup.py", Options())
    assert [edit for edit in again.edits if edit.safety == "safe"] == []
    return output.decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('f = ["-lineinfo"]\n', "f = []\n"),
        ('f = ["-lineinfo",]\n', "f = []\n"),
        ('f = ["-O3", "-lineinfo"]\n', 'f = ["-O3"]\n'),
        ('f = ["-lineinfo", "-O3"]\n', 'f = ["-O3"]\n'),
        ('f = [\n    "-O3",\n    "-lineinfo",\n    "-g",\n]\n', 'f = [\n    "-O3",\n    "-g",\n]\n'),
        ('f = [\n    "-lineinfo",  # why\n    "-g",\n]\n', 'f = [\n    # why\n    "-g",\n]\n'),
        ('f = ["-gencode=arch=compute_80,code=sm_80", "-O3"]\n', 'f = ["-O3"]\n'),
        ("f = [x, '-Xcompiler', '-fPIC', *y]\n", "f = [x, '-fPIC', *y]\n"),
        ("f = ['-Xcompiler=-Wall,-O2']\n", "f = ['-Wall', '-O2']\n"),
        ('f = ["--threads", n, "-O3"]\n', 'f = ["-O3"]\n'),
        ('f["nvcc"] = g["nvcc_dlink"]\n', 'f["mcc"] = g["mcc_dlink"]\n'),
        ('f = ["--maxrregcount=9"]\n', 'f = ["--maxrregcount=9"]\n'),
        ("name = 'nvcc'  # CUDAExtension\n", "name = 'nvcc'  # CUDAExtension\n"),
    ],
)
def test_flags_and_keys(before: str, after: str) -> None:
    assert migrated(_HEAD + before).split("\n", 1)[1] == after


def test_a_file_that_builds_no_cuda_stays() -> None:
    src = "from torch.utils.cpp_extension import CppExtension\nf = {'nvcc': ['-lineinfo']}\n"
    assert migrated(src) == src


def test_names_under_another_name_stay_so() -> None:
    src = (
        "if True:\n    from torch.utils.cpp_extension import CUDAExtension as Ext, CppExtension\n"
        "x = Ext\nCUDA_HOME = 1\nprint(CUDA_HOME)\n"
    )
    assert migrated(src) == (
        "if True:\n    from torch.utils.cpp_extension import CppExtension\n"
        "    from torch_musa.utils.musa_extension import MUSAExtension as Ext\nx = Ext\nCUDA_HOME = 1\n"
        "print(CUDA_HOME)\n"
    )


@pytest.mark.parametrize("src", [b"from x import (", b"\xff CUDAExtension", b"CUDAExtension = [" * 200])
def test_what_python_cannot_read_is_left(src: bytes) -> None:
    assert [edit for edit in translate(src, "setup.py", Options()).edits if edit.rule == "MUS811"] == []
