"""Python as a whole: what names stand for, bytes in every encoding, and programs that still run."""

import sys
import types
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from musify_ai.records import Options
from musify_ai.rules.python_api import python_api, read_python_api
from musify_ai.source.splicing import splice, undo
from musify_ai.translate import translate
from musify_ai.translate.python.view import View
from tests.growth import assert_in_proportion


def migrated(src: bytes | str, **options: Any) -> bytes:
    data = src.encode() if isinstance(src, str) else src
    options.setdefault("ignore", ("MUS832",))  # which has tests of its own
    found = translate(data, "case.py", Options(**options))
    safe = [each for each in found.edits if each.safety == "safe"]
    out = splice(data, safe)
    assert undo(out, safe) == data
    assert not [each for each in translate(out, "case.py", Options(**options)).edits if each.safety == "safe"]
    return out


def text(src: str, **options: Any) -> str:
    return migrated(src, **options).decode()


def codes(src: str, **options: Any) -> list[str]:
    return [each.code for each in translate(src.encode(), "case.py", Options(**options)).findings]


# ---------------------------------------------------------------- what a name stands for


@pytest.mark.parametrize(
    "src",
    [
        "import torch\ndef f(torch):\n    return torch.cuda.device_count()\n",
        "import torch\nf = lambda torch: torch.cuda.device_count()\n",
        "import torch\nx = [torch.cuda.device_count() for torch in made]\n",
        "import torch\ndef f():\n    torch = other()\n    return torch.cuda.device_count()\n",
        "import torch\ndef f():\n    for torch in made:\n        torch.cuda.device_count()\n",
        "import torch\ndef f():\n    with made as torch:\n        torch.cuda.device_count()\n",
        "import torch\ndef f():\n    match x:\n        case [torch]:\n            torch.cuda.device_count()\n",
        "from .own import torch\ntorch.cuda.device_count()\n",
        "try:\n    import torch\nexcept ImportError:\n    import mytorch as torch\ntorch.cuda.device_count()\n",
        "class torch:\n    cuda = 1\nprint(torch.cuda)\n",
        "import nottorch.cuda as torch\ntorch.cuda.x()\n",
    ],
)
def test_a_name_that_something_else_hides_is_left_alone(src: str) -> None:
    assert text(src) == src


@pytest.mark.parametrize(
    "src",
    [
        "try:\n    import torch\nexcept ImportError:\n    torch = None\nx = torch.cuda.device_count()\n",
        "def f():\n    import torch\n    return torch.cuda.device_count()\n",
        "import torch\nclass A:\n    torch = 1\n    def f(self):\n        return torch.cuda.device_count()\n",
        "import torch\ndef f():\n    global torch\n    return torch.cuda.device_count()\n",
        "import torch\ndef f(a=torch.cuda.device_count()):\n    torch = a\n",
        "import torch\n@torch.cuda.amp.custom_fwd\ndef f(torch):\n    pass\n",
        "import torch\ndef f():\n    return (torch\n        .cuda\n        .device_count())\n",
        "import torch\nx = f'{torch.cuda.device_count()}'\n",
    ],
)
def test_a_name_that_is_torch_is_followed(src: str) -> None:
    assert text(src) == src.replace("cuda", "musa")


@pytest.mark.parametrize(
    ("src", "new", "found"),
    [
        ("import torch\nx = [torch := s for s in made]\ntorch.cuda.a()\n", None, ["MUS820"]),
        ("import torch\ndef f():\n    global torch\n    torch = Stub()\ntorch.cuda.a()\n", None, ["MUS820"]),
        ("import torch\nos.path.join('a', 'cuda' if ok else 'cpu')\n", None, ["MUS821"]),
        ("import torch\nlib_device = 'cuda'\ndevice_dir = 'cuda'\n", None, ["MUS821", "MUS821"]),
        ("import torch\nfrom config import DEVICE\nif DEVICE == 'cuda':\n    pass\n", None, ["MUS821"]),
        ("import torch\nx = torch.load(p, map_location={'cuda:1': 'cuda:0'})\n", None, ["MUS821", "MUS821"]),
        ("import torch, xgboost as xgb\nx = xgb.X(device='cuda')\n", None, ["MUS821"]),
        ("import torch\nif d.startswith('cuda:'):\n    pass\n", None, ["MUS821"]),
        ("import torch\nx.to('cuda' ':0')\n", None, ["MUS821"]),
        ("import torch\nclass C:\n    is_cuda: bool = False\nC().is_cuda\n", None, ["MUS822"]),
        ("import torch\nclass C:\n    cuda = lambda self: self\nC().cuda()\n", None, ["MUS822"]),
        ("import torch\nargs.is_cuda\np.add_argument('--is-cuda')\n", None, ["MUS822"]),
        ("import torch\ng = model.cuda if ok else model.cpu\n", None, ["MUS822"]),
        ("import torch\nh = s.cuda_stream\n", None, ["MUS822"]),
        ("import torch\nok = torch.cuda.get_device_capability() >= (8, 0)\n", None, ["MUS826"]),
        ("import os\nos.environ.update(CUDA_VISIBLE_DEVICES='1')\n", None, ["MUS825"]),
        ("import os\nos.system('CUDA_VISIBLE_DEVICES=1 python x.py')\n", None, ["MUS825"]),
        ("# coding: utf-7\nimport torch\nx.cuda()\n", None, ["MUS829"]),
        ("torch = pytest.importorskip('torch')\ntorch.cuda.a_name\n", None, ["MUS820"]),
        ("try:\n    import torch\nexcept ImportError:\n    torch = False\nx = torch and torch.cuda.seed()\n",
         "try:\n    import torch\nexcept ImportError:\n    torch = False\nx = torch and torch.musa.seed()\n", []),
    ],
)  # fmt: skip
def test_what_is_not_sure_is_left_with_a_finding(src: str, new: str | None, found: list[str]) -> None:
    assert text(src) == (new or src)
    assert codes(src) == found


def test_user_names_comments_docstrings_and_files_stay() -> None:
    src = (
        '"""Runs on cuda:0 with torch.cuda."""\nimport torch\nfrom mylib.cuda_utils import cuda_x\n'
        "cuda_x = cuda_x + 1  # torch.cuda.synchronize()\npath = 'kernels/cuda/a.cu'\nlog('cuda is used')\n"
        "def cuda_sync():\n    '''Like torch.cuda.synchronize, \"cuda\".'''\n    my.cuda = 1\n"
    )
    assert text(src) == src


# ---------------------------------------------------------------- bytes


@pytest.mark.parametrize(
    "head", [b"", b"\xef\xbb\xbf", b"# -*- coding: latin-1 -*-\n", b"# coding: gbk\n", b"#!/usr/bin/python\n"]
)
@pytest.mark.parametrize("newline", [b"\n", b"\r\n", b"\r"])
def test_places_are_right_in_each_encoding_and_line_ending(head: bytes, newline: bytes) -> None:
    name = "utf-8" if b"coding" not in head else "latin-1" if b"latin" in head else "gbk"
    word = {"utf-8": "größe 中文 🙂", "latin-1": "größe", "gbk": "中文"}[name]
    line = f"x = '{word}'; y = '{word}', torch.cuda.device_count(), z.to('cuda')\n".encode(name)
    src = (head + b"import torch\n\x0c\n" + line).replace(b"\n", newline)
    assert migrated(src) == src.replace(b"cuda", b"musa")


@pytest.mark.parametrize(
    ("literal", "new"),
    [
        ("'cuda'", "'musa'"),
        ('"""cuda"""', '"""musa"""'),
        ("r'cuda:1'", "r'musa:1'"),
        ("f'cuda:{n}'", "f'musa:{n}'"),
        ("'cu' 'da'", None),
        ("'\\x63uda'", None),
        ("b'cuda'", None),
        ("'cuda' ':0'", None),
        ("f'{x}cuda'", None),
        ("f'cuda'", "f'musa'"),
    ],
)
def test_a_string_is_edited_where_its_bytes_are_its_text(literal: str, new: str | None) -> None:
    src = f"import torch\nx.to({literal})\n"
    assert text(src) == src.replace(literal, new or literal)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_survived(noise: bytes) -> None:
    data = b"import torch\ntorch.cuda.synchronize()\n" + noise
    found = translate(data, "case.py", Options())
    safe = [each for each in found.edits if each.safety == "safe"]
    assert undo(splice(data, safe), safe) == data
    assert "MUS000" not in [each.code for each in found.findings]


def test_a_file_that_nests_deeply_is_survived() -> None:
    deep = "import torch\nx = " + "(" * 150 + "torch.cuda.device_count()" + ")" * 150 + "\n"
    assert "musa" in text(deep)
    translate(("import torch.cuda\nx = " + "-" * 50_000 + "1\n").encode(), "case.py", Options())


def test_work_grows_with_the_file() -> None:
    line = "x = torch.cuda.device_count() if y.to('cuda') else \"cuda\"\n"
    assert_in_proportion(lambda size: translate(("import torch\n" + line * size).encode(), "case.py"), 200)


def test_a_file_that_is_no_python_says_so_and_stays() -> None:
    src = "import torch\nprint 'x', torch.cuda.device_count()\n"
    assert text(src) == src
    assert codes(src) == ["MUS829"]
    assert codes("print 'no GPU here'\n") == []


def test_offsets_of_the_view_are_those_of_the_file() -> None:
    src = "ä = 1; import torch; ü = torch.cuda\n".encode("latin-1")
    seen = View(b"# coding: latin-1\n" + src)
    node = next(each for each in seen.nodes if type(each).__name__ == "Attribute")
    start, end = seen.span(node)  # type: ignore[arg-type]
    assert seen.src[start:end] == b"torch.cuda"


# ---------------------------------------------------------------- programs that run


class _Recorder(types.ModuleType):
    """A module that has whatever is asked of it below ``musa``, and nothing of CUDA's."""

    def __init__(self, name: str, calls: list[str]) -> None:
        super().__init__(name)
        self.__path__ = []
        self._calls = calls

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "cuda" in name.lower() or "cudnn" in name or "nccl" in name:
            raise AttributeError(name)
        return _Recorder(f"{self.__name__}.{name}", self._calls)

    def __call__(self, *given: Any, **named: Any) -> Any:
        values = [each for each in (*given, *named.values()) if isinstance(each, str)]
        self._calls.append(f"{self.__name__}({', '.join(values)})")
        return _Recorder("made", self._calls)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *problem: Any) -> None:
        return None

    def __bool__(self) -> bool:
        return True


PROGRAM = """
import os
import torch
import torch.cuda
import torch.distributed as dist
from torch.cuda.amp import GradScaler
from torch.cuda import device_count, CUDAGraph as G
from torch.profiler import ProfilerActivity as A

def step(model, device="cuda"):
    x = torch.zeros(4, device=device).to("cuda:0").cuda()
    with torch.cuda.stream(torch.cuda.Stream()):
        g = G()
    torch.backends.cudnn.allow_tf32 = False
    return x

if __name__ == "__main__":
    dist.init_process_group("nccl")
    os.environ["CUDA_VISIBLE_DEVICES"] = "0"
    kind = "cuda" if torch.cuda.is_available() else "cpu"
    step(torch.device(kind), device=f"cuda:{1}")
    GradScaler()
    activities = [A.CUDA]
"""


def test_a_migrated_program_runs_without_a_name_of_cuda(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    root = _Recorder("torch", calls)
    for name in ("torch", "torch.distributed", "torch.profiler"):
        monkeypatch.setitem(sys.modules, name, root if name == "torch" else _Recorder(name, calls))
    adapter = _Recorder("torch.musa", calls)
    for name in ("torch_musa", "torch_musa.core", "torch_musa.core.amp"):
        monkeypatch.setitem(sys.modules, name, adapter)
    out = text(PROGRAM)
    assert "cuda" not in out.replace("# ", "").lower()
    environ: dict[str, str] = {}
    monkeypatch.setattr("os.environ", environ)
    exec(compile(out, "program.py", "exec"), {"__name__": "__main__"})
    assert environ == {"MUSA_VISIBLE_DEVICES": "0"}
    assert "torch.distributed.init_process_group(mccl)" in calls
    assert "torch.device(musa)" in calls
    assert "made.to(musa:0)" in calls
    assert not any("cuda" in each for each in calls)


# ---------------------------------------------------------------- the two ways


def test_the_shim_changes_one_line_and_says_what_it_cannot_do() -> None:
    src = "import os\nimport torch\nif __name__ == '__main__':\n    x.cuda(); torch.cuda.is_available()\n"
    assert text(src, pytorch="shim", ignore=()) == src.replace("import torch\n", "import torchada\nimport torch\n")
    assert codes(src, pytorch="shim") == ["MUS833"]
    assert codes(src) == []


def test_what_the_shim_does_not_settle_is_found_in_both_ways() -> None:
    src = "import torch, cupy\nok = torch.cuda.get_device_capability() >= (8, 0)\n"
    assert codes(src, pytorch="shim") == codes(src) == ["MUS827", "MUS826"]


def test_codes_can_be_left_out_and_comments_keep_the_tool_out() -> None:
    src = "import torch\ntorch.cuda.synchronize()\n"
    assert text(src, ignore=("MUS820",)) == src
    kept = "import torch\ntorch.cuda.synchronize()  # MUSIFY_EXCL_LINE\nx.to('cuda')  # musify: ignore[MUS821]\n"
    assert text(kept) == kept


# ---------------------------------------------------------------- the table


def test_a_table_with_two_treatments_of_a_name_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    rest = "[renamed]\n[none]\na = 'x'\n[environment]\n[environment_open]\n"
    file.write_text("source = 's'\nsame = ['a']\n" + rest)
    with pytest.raises(ValueError, match="a has two treatments"):
        read_python_api(file)
    file.write_text("source = 's'\nsame = ['c', 'b']\n" + rest)
    with pytest.raises(ValueError, match="not sorted"):
        read_python_api(file)


def test_no_target_of_the_table_is_a_name_of_cuda() -> None:
    api = python_api()
    for name in api.names.values():
        assert "cuda" not in name.lower() and "nccl" not in name, name
    assert all(name.startswith(("MUSA", "MCCL", "MUBLAS", "PYTORCH_MUSA")) for name, _ in api.environment.values())
    assert len(api.names) > 100


# ---------------------------------------------------------------- programs, and what they load


@pytest.mark.parametrize(
    ("src", "loads"),
    [
        ("import torch\nprint(torch.ones(3, device='cuda'))\n", True),
        ("import torch\ndef main():\n    torch.cuda.synchronize()\n", True),
        ("#!/usr/bin/env python\nimport torch\nfrom run import go\nx = go('cuda')\n", True),
        ("import torch\nfor step in range(3):\n    step_once(torch.device('cuda'))\n", True),
        ("import torch\nregister_op('x', lambda y: y.cuda())\ntorch.manual_seed(0)\n", False),
        ("import torch\ndef f(x):\n    return x.cuda()\n", False),
        ("import torch\ndef main():\n    # cuda\n    return cuda_x\n", False),
    ],
)
def test_a_program_loads_the_backend_whether_or_not_it_has_a_guard(src: str, loads: bool) -> None:
    assert (b"import torch_musa\n" in migrated(src, ignore=())) is loads
    assert (b"import torchada\nimport torch\n" in migrated(src, pytorch="shim", ignore=())) is loads


def test_a_star_import_brings_torch_where_nothing_else_does() -> None:
    src = "from common import *\ntorch.cuda.synchronize()\nm.cuda()\ndist.new_group(backend='nccl')\n"
    assert text(src) == src.replace("cuda", "musa").replace("nccl", "mccl")
    kept = "from common import *\ndef f(torch):\n    torch.cuda.synchronize()\n"
    assert text(kept) == kept
    assert codes("from common import *\nm.cuda()\nbackend = 'nccl'\n", ignore=("MUS832",)) == ["MUS822", "MUS824"]


def test_names_inside_torch_are_said_also_in_strings() -> None:
    src = "import torch\ntorch._C._cuda_init()\ngetattr(torch._C, '_cuda_setDevice')(0)\nb = torch._C._jit_pass\n"
    found = translate(src.encode(), "case.py", Options()).findings
    assert [each.code for each in found] == ["MUS820", "MUS820"]
    assert "torch_musa._MUSAC._musa_setDevice" in found[1].message
