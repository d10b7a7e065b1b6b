"""MUS811: PyTorch extensions in setup.py."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.build.flagging import Arch, Change, Remark, translate_flags
from musify_ai.translate.build.vocabulary import names as table_of
from musify_ai.translate.build.words import words_in
from musify_ai.translate.cases import Case
from musify_ai.translate.python.strings import strings
from musify_ai.translate.python.view import View, view
from musify_ai.translate.unit import Unit

CODE = "MUS811"
TITLE = "PyTorch extension for CUDA"
WHY = """
`CUDAExtension` and its `BuildExtension` look for nvcc and hand it the flags under `nvcc`. torch_musa has both for mcc,
with `mcc` and `mcc_dlink` as keys; it names the archs itself (`TORCH_MUSA_ARCH_LIST`), and it takes `.mu` sources only:
a `.cu` file is refused as of an unknown type.
"""
EXAMPLE = """
from torch.utils.cpp_extension import BuildExtension, CUDAExtension
setup(ext_modules=[CUDAExtension("m", ["m.cpp", "k.cu"], extra_compile_args={"nvcc": ["-O3", "--use_fast_math"]})],
      cmdclass={"build_ext": BuildExtension})
"""
INSTEAD = """
`from torch_musa.utils.musa_extension import BuildExtension, MUSAExtension`, the key `mcc`, and sources renamed to `.mu`
(`--style rebrand` renames them). A `.cpp` file that uses half precision wants `"cxx": ["force_mcc"]`.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/torch_musa: torch_musa/utils/musa_extension.py",
    "MooreThreads/vllm_musa: setup.py",
)
TRIGGERS = frozenset((b"CUDAExtension", b"cpp_extension", b"nvcc", b"nvcc_dlink", b"CUDA_HOME"))
_TORCH, _MUSA = "torch.utils.cpp_extension", "torch_musa.utils.musa_extension"
VALID = (
    "from setuptools import setup\nsetup(name='cuda_tools')\n",
    "from torch.utils.cpp_extension import CppExtension, BuildExtension\nnvcc = 1\n",
)
INVALID = (
    Case(
        f"from {_TORCH} import BuildExtension, CUDAExtension\n"
        'e = CUDAExtension("m", ["m.cpp", "k.cu"], extra_compile_args={"cxx": [], "nvcc": ["-O3", "-lineinfo"]})\n',
        findings=('"k.cu"',),
        output=f"from {_MUSA} import BuildExtension, MUSAExtension\n"
        'e = MUSAExtension("m", ["m.cpp", "k.cu"], extra_compile_args={"cxx": [], "mcc": ["-O3"]})\n',
        path="setup.py",
    ),
    Case(
        f"from {_TORCH} import CUDA_HOME, CppExtension, CUDAExtension\nx = [CUDA_HOME, CUDAExtension]\n",
        output=f"from {_TORCH} import CppExtension\nfrom {_MUSA} import MUSA_HOME, MUSAExtension\n"
        "x = [MUSA_HOME, MUSAExtension]\n",
        path="setup.py",
    ),
    Case(
        "from torch.utils import cpp_extension\n"
        'f = {"nvcc": ["-gencode", "arch=compute_80,code=sm_80", "-Xcompiler", "-Wall", "--use_fast_math"]}\n'
        'e = cpp_extension.CUDAExtension("m", [], extra_compile_args=f)\n',
        findings=('"--use_fast_math"',),
        output="from torch.utils import cpp_extension\nfrom torch_musa.utils import musa_extension\n"
        'f = {"mcc": ["-Wall", "-ffast-math", "-fmusa-flush-denormals-to-zero"]}\n'
        'e = musa_extension.MUSAExtension("m", [], extra_compile_args=f)\n',
        path="setup.py",
    ),
    Case(
        "import torch.utils.cpp_extension as C\n"
        'e = C.CUDAExtension("m", [], extra_compile_args=dict(nvcc=["-O3"] + x.split()), libraries=["cudart", '
        '"cudnn"])\n'
        'x = "-lineinfo -G"\n',
        findings=('"cudnn"', '"-lineinfo -G"'),
        output="import torch.utils.cpp_extension as C\nfrom torch_musa.utils import musa_extension\n"
        'e = musa_extension.MUSAExtension("m", [], extra_compile_args=dict(mcc=["-O3"] + x.split()), '
        'libraries=["musart", "cudnn"])\nx = "-lineinfo -G"\n',
        path="setup.py",
    ),
    Case(
        f"from {_TORCH} import CUDAExtension\n"
        "f = ['-O3']\nf += ['-gencode', 'arch=compute_80,code=sm_80']\nf = f + ['--threads', N]\n",
        output=f"from {_MUSA} import MUSAExtension\nf = ['-O3']\nf += []\nf = f + []\n",
        path="setup.py",
    ),
)

# What musa_extension has under another name, and under the same.
_NAMES = {
    "CUDAExtension": "MUSAExtension",
    "CUDA_HOME": "MUSA_HOME",
    "BuildExtension": "BuildExtension",
    "include_paths": "include_paths",
    "library_paths": "library_paths",
    "load": "load",
    "load_inline": "load_inline",
}
_RENAMED = frozenset(("CUDAExtension", "CUDA_HOME"))
_KEYS = {"nvcc": "mcc", "nvcc_dlink": "mcc_dlink"}
_CERTAIN = late_pattern(
    r"-gencode|--generate-code|-Xcompiler|-Xptxas|--ptxas-options|--?expt-|use_fast_math|-lineinfo|--?maxrregcount"
    r"|--extended-lambda|--threads\b|-arch=|-ccbin|--diag-suppress|-Xcudafe|-rdc=|-Xfatbin"
)
# What a string says of nvcc, of its flags, or of where CUDA lies.
_SIGNS = late_pattern(
    _CERTAIN.pattern + r"|\bnvcc\b|\b(?:sm|compute)_\d\d\d?[a-z]?\b|(?:\A|\s)(?:-G|-dc|-lcuda\w*)(?=\s|\Z)"
)
_SOURCE = "MooreThreads/torch_musa: torch_musa/utils/musa_extension.py"


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """The edits and findings of a ``setup.py``. One that cannot be parsed, or is not UTF-8, has none."""
    if unit.path.rpartition("/")[2].lower() != "setup.py":
        return
    seen = view(unit)
    if seen.problem or not _is_utf8(unit.src):
        return  # MUS829 says so
    setup = _Setup(unit, seen)
    found = list(setup.found())
    yield from found
    yield from setup.left_over(found)


def _is_utf8(src: bytes) -> bool:
    try:
        src.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


class _Setup:
    def __init__(self, unit: Unit, seen: View) -> None:
        self.src, self.archs, self.seen = unit.src, unit.options.archs, seen
        self.nodes = list(ast.walk(seen.tree))

    def found(self) -> Iterator[Edit | Finding]:
        """Edits where the file builds extensions for CUDA; nothing in one that builds others."""
        imported = [node for node in self.nodes if isinstance(node, ast.ImportFrom) and node.module == _TORCH]
        names = {alias.name for node in imported for alias in node.names}
        through = [n for n in self.nodes if isinstance(n, ast.Attribute) and n.attr in _NAMES
                   and self.seen.dotted(n) == f"{_TORCH}.{n.attr}"]  # fmt: skip
        if not (names & _RENAMED or any(node.attr in _RENAMED for node in through)):
            if b"nvcc" in self.src:  # it hands setuptools a compiler of its own
                yield from self._libraries()
            return
        for node in imported:
            yield from self._import(node)
        if through:
            where = self._module_import()
            if where is not None:
                _, end = self.span(where)
                indent = "\n" + " " * where.col_offset
                yield self.edit(end, end, f"{indent}from torch_musa.utils import musa_extension")
            for attribute in through if where is not None else ():
                start, end = self.span(attribute)
                yield self.edit(start, end, f"musa_extension.{_NAMES[attribute.attr]}")
        taken = {alias.name for node in imported for alias in node.names if alias.asname is None}
        for name in self.nodes:
            if isinstance(name, ast.Name) and name.id in _RENAMED & taken and isinstance(name.ctx, ast.Load):
                yield self.edit(*self.span(name), _NAMES[name.id])
        yield from self._keys()
        yield from self._libraries()
        yield from self._sources()
        yield from self._flags()

    def _module_import(self) -> ast.stmt | None:
        """The first import by which the file has torch.utils.cpp_extension as a module, on a line of its own."""
        for node in sorted(
            (n for n in self.nodes if isinstance(n, ast.Import | ast.ImportFrom)), key=lambda n: n.lineno
        ):
            module = node.module if isinstance(node, ast.ImportFrom) and not node.level else ""
            names = [f"{module}.{alias.name}" if module else alias.name for alias in node.names]
            start, end = self.span(node)
            alone = (
                not self.src[self.src.rfind(b"\n", 0, start) + 1 : start].strip() and self.src[end : end + 1] != b";"
            )
            if alone and any(name in (_TORCH, "torch", "torch.utils") for name in names):
                return node
        return None

    def _libraries(self) -> Iterator[Edit | Finding]:
        """Libraries by their names: ``libraries=["cudart"]``."""
        for keyword in self.nodes:
            if isinstance(keyword, ast.keyword) and keyword.arg == "libraries" and isinstance(keyword.value, ast.List):
                for element in keyword.value.elts:
                    text = element.value if isinstance(element, ast.Constant) else None
                    row = table_of("libraries").get(text) if isinstance(text, str) else None
                    if row is None or not isinstance(text, str):
                        continue
                    start, end = self.span(element)
                    if row.musa:
                        yield self.edit(start + 1, end - 1, row.musa)
                    else:
                        message = f"{text} has no counterpart for MUSA: {row.note}."
                        yield Finding(CODE, "warning", start, end, message, effort=EFFORT, name=text)

    def left_over(self, found: Sequence[Edit | Finding]) -> Iterator[Finding]:
        """Strings that say something of nvcc's, its flags or CUDA's place, and that nothing speaks of."""
        spans = [(each.start, max(each.end, each.start + 1)) for each in found]
        pieces = {id(value) for n in self.nodes if isinstance(n, ast.JoinedStr) for value in n.values}
        for place in strings(self.seen):
            node = place.node
            if id(node) in pieces or any(_is_spoken(each) for each in place.above):
                continue
            values = node.values if isinstance(node, ast.JoinedStr) else [node]
            said = [v.value for v in values if isinstance(v, ast.Constant) and isinstance(v.value, str)]
            sign = next((match for text in said if (match := _SIGNS.search(text))), None)
            start, end = self.span(node)
            if sign is not None and not any(begin < end and stop > start for begin, stop in spans):
                yield Finding(
                    CODE, "warning", start, end,
                    f"{sign[0].strip()} stands in a string that is put together or used elsewhere, so it was left as "
                    "it is. Write it for mcc: --offload-arch=mp_22 for an arch, clang's flags, /usr/local/musa.",
                    effort=EFFORT, name=sign[0].strip(),
                )  # fmt: skip

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """The bytes of a node."""
        return self.seen.span(node)

    def edit(self, start: int, end: int, new: str) -> Edit:
        """A safe edit."""
        return Edit(start, end, self.src[start:end], new.encode(), CODE, "rule", "safe", _SOURCE)

    def _import(self, node: ast.ImportFrom) -> Iterator[Edit]:
        ours = [alias for alias in node.names if alias.name in _NAMES]
        if not any(alias.name in _RENAMED for alias in ours) and not ours:
            return
        others = [alias for alias in node.names if alias.name not in _NAMES]
        start, end = self.span(node)

        def line(module: str, aliases: Sequence[ast.alias]) -> str:
            parts = [_NAMES.get(a.name, a.name) if module == _MUSA else a.name for a in aliases]
            shown = [p + (f" as {a.asname}" if a.asname else "") for p, a in zip(parts, aliases, strict=True)]
            return f"from {module} import {', '.join(shown)}"

        lines = ([line(_TORCH, others)] if others else []) + ([line(_MUSA, ours)] if ours else [])
        yield self.edit(start, end, ("\n" + " " * node.col_offset).join(lines))

    def _keys(self) -> Iterator[Edit]:
        keys = [key for n in self.nodes if isinstance(n, ast.Dict) for key in n.keys if isinstance(key, ast.Constant)]
        keys += [n.slice for n in self.nodes if isinstance(n, ast.Subscript) and isinstance(n.slice, ast.Constant)]
        for key in keys:
            if isinstance(key.value, str) and key.value in _KEYS:
                start, end = self.span(key)
                text = self.src[start:end].decode()
                if text[1:-1] == key.value:
                    yield self.edit(start + 1, end - 1, _KEYS[key.value])
        for call in self.nodes:  # dict(cxx=[...], nvcc=[...])
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "dict":
                for each in call.keywords:
                    if each.arg in _KEYS:
                        start, _ = self.seen.span(each)
                        yield self.edit(start, start + len(each.arg), _KEYS[each.arg])

    def _sources(self) -> Iterator[Finding]:
        sources = [n for n in self.nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)
                   and re.fullmatch(r"[^\s*]+\.cu", n.value)]  # fmt: skip
        for node in sources[:1]:
            start, end = self.span(node)
            shown = self.src[start + 1 : end - 1].decode()
            more = f" (and {len(sources) - 1} more)" if len(sources) > 1 else ""
            yield Finding(
                CODE, "warning", start, end,
                f"MUSAExtension compiles .mu files; {shown}{more} would be refused as of an unknown type. Rename the "
                "sources, here and on disk.",
                effort=EFFORT, name=shown,
            )  # fmt: skip

    def _flags(self) -> Iterator[Edit | Finding]:
        """Lists of flags that are nvcc's; in a list each element is a word of a command line."""
        for node in self.nodes:
            if not isinstance(node, ast.List) or not node.elts:
                continue
            texts = [e.value if isinstance(e, ast.Constant) and isinstance(e.value, str) else None for e in node.elts]
            if any(text is not None and _CERTAIN.search(text) for text in texts):
                yield from self._list(node, texts)

    def _list(self, node: ast.List, texts: list[str | None]) -> Iterator[Edit | Finding]:
        elements, lines, offsets, length = node.elts, [], [], 0
        for text in texts:
            line = (text if text is not None and "\n" not in text else "?").encode()
            offsets.append(length)
            lines.append(line)
            length += len(line) + 1
        source = b"\n".join(lines) + b"\n"
        said = list(translate_flags(source, words_in(source, 0, len(source)), self.archs))
        news: dict[int, str] = {}
        for each in said:
            first, last = _element(offsets, each.start), _element(offsets, max(each.end - 1, each.start))
            is_arch = isinstance(each, Arch) or each.topic == "arch"
            if isinstance(each, Remark) and not is_arch:
                yield Finding(
                    CODE, "warning" if each.left else "note", *self.span(elements[first]), f"{each.flag}: "
                        f"{each.message}.",
                    effort=EFFORT, name=each.flag,
                )  # fmt: skip
                continue
            new = "" if is_arch or not isinstance(each, Change) else each.new  # torch_musa names the archs by itself
            if new and any(texts[index] is None for index in range(first, last + 1)):
                continue  # what the flag's value is cannot be read here
            kept = (
                lines[last][max(each.end - offsets[last], 0) :].decode()
                if each.end < offsets[last] + len(lines[last])
                else ""
            )
            news[first] = new + kept if first == last or not kept else new
            for index in range(first + 1, last + 1):
                news[index] = kept if index == last else ""
        yield from self._written(elements, news)

    def _written(self, elements: Sequence[ast.expr], news: dict[int, str]) -> Iterator[Edit]:
        """The edits for new texts of elements; runs of those that go are taken out together."""
        for index, new in news.items():
            start, end = self.span(elements[index])
            if new:
                quote = self.src[start : start + 1].decode()
                yield self.edit(start, end, ", ".join(f"{quote}{word}{quote}" for word in new.split()))
        index = 0
        while index < len(elements):
            if news.get(index) != "":
                index += 1
                continue
            last = index
            while news.get(last + 1) == "" and self._adjacent(elements[last], elements[last + 1]):
                last += 1
            yield self._without(elements, index, last)
            index = last + 1

    def _adjacent(self, one: ast.expr, two: ast.expr) -> bool:
        """Whether nothing but a comma stands between two elements: no comment."""
        return self.src[self.span(one)[1] : self.span(two)[0]].strip() == b","

    def _without(self, elements: Sequence[ast.expr], first: int, last: int) -> Edit:
        start, end = self.span(elements[first])[0], self.span(elements[last])[1]
        comma = re.compile(rb"[ \t]*,[ \t]*").match(self.src, end)
        if comma is not None:
            line = self.src.rfind(b"\n", 0, start) + 1
            if not self.src[line:start].strip() and self.src[comma.end() : comma.end() + 1] == b"\n":
                return self.edit(line, comma.end() + 1, "")
            return self.edit(start, comma.end(), "")
        before = self.span(elements[first - 1])[1] if first else start
        return self.edit(before if self.src[before:start].strip() == b"," else start, end, "")


def _is_spoken(node: ast.AST) -> bool:
    """Whether a node prints, raises or asserts something."""
    if isinstance(node, ast.Raise | ast.Assert):
        return True
    name = node.func if isinstance(node, ast.Call) else None
    return (
        isinstance(name, ast.Name) and (name.id == "print" or name.id.endswith(("Error", "Exception", "Warning")))
    ) or (isinstance(name, ast.Attribute) and name.attr in ("warn", "warning", "info", "error", "debug", "write"))


def _element(offsets: Sequence[int], place: int) -> int:
    index = 0
    while index + 1 < len(offsets) and offsets[index + 1] <= place:
        index += 1
    return index
