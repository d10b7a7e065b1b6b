"""What Moore Threads changed for Megatron-LM against what this tool makes and reports of the same places.

    python -m benchmarks.megatron MT-MegatronLM Megatron-LM [--rev core_r0.9.0] [--list]

Needs repositories of MooreThreads/MT-MegatronLM and of NVIDIA/Megatron-LM (bare ones do), which are only read; the
revision is the one that MT-MegatronLM's README asks for. Three tables: names of PyTorch's that its `musa_patch`
replaces when a program starts, by the uses of them in Megatron-LM that we edited, reported or left; functions of
Megatron's that it replaces, by the lines in them that speak of a GPU; and its launch scripts for CUDA beside those for
MUSA, by the lines that differ. A use, or a line, that we neither changed nor reported is a miss and is listed.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import io
import re
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from musify_ai.project.discovery import walk
from musify_ai.project.treating import Manner, treat
from musify_ai.records import Options

_GPU = re.compile(r"cuda|nccl|musa|mccl|nvtx|NVTE|jit_fuser|torch\.compile", re.IGNORECASE)
_OWN = re.compile(r"\b(?:\w+_cuda\w*|cuda_\w+)\b")  # names of Megatron's own
_RUNTIME = re.compile(r"CUDA_|NCCL_|MUSA_|MCCL_|[\"']cuda[\"']|[\"']musa[\"']|cuda|nccl", re.IGNORECASE)
Spans = dict[str, list[tuple[int, int, str]]]  # by file: first line, last line, "edited" or "reported"


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("theirs", type=Path)
    parser.add_argument("original", type=Path)
    parser.add_argument("--rev", default="core_r0.9.0")
    parser.add_argument("--list", action="store_true", help="every miss, not the first ten of a table")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        patch, tree = Path(folder) / "patch", Path(folder) / "tree"
        _export(options.theirs, "HEAD", patch)
        _export(options.original, options.rev, tree)
        said = _said(tree)
        shown = 1000 if options.list else 10
        _names(patch, tree, said, shown)
        _functions(patch, tree, said, shown)
        _scripts(patch, shown)
    return 0


def _export(repository: Path, rev: str, to: Path) -> None:
    made = subprocess.run(["git", "-C", str(repository), "archive", rev], capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(made.stdout)) as archive:
        archive.extractall(to, filter="data")


def _said(root: Path) -> Spans:
    """What this tool does to each file of a tree."""
    found: Spans = {}
    for entry in walk(root):
        if entry.kind != "file" or entry.role not in ("python", "build", "source"):
            continue
        result = treat(root, entry, Manner("out", Options())).processed.result
        spans = [(edit.line, edit.line + edit.old.count(b"\n"), "edited") for edit in result.edits if edit.applied]
        spans += [(each.line, each.end_line or each.line, "reported") for each in result.findings]
        found[entry.path] = spans
    return found


def _on(spans: list[tuple[int, int, str]], first: int, last: int) -> str:
    """What was done to the lines of a place: the strongest of it."""
    there = {what for begin, end, what in spans if begin <= last and end >= first}
    return "edited" if "edited" in there else "reported" if "reported" in there else "left"


# Names of PyTorch's that are replaced


def _names(patch: Path, tree: Path, said: Spans, shown: int) -> None:
    replaced: list[str] = []
    for node in ast.walk(ast.parse((patch / "musa_patch/__init__.py").read_bytes())):
        if isinstance(node, ast.Assign):
            target = ast.unparse(node.targets[0])
            if target.startswith("torch.") and target not in replaced:
                replaced.append(target)
    uses: dict[str, Counter[str]] = {name: Counter() for name in replaced}
    missed: list[str] = []
    for path in sorted(tree.rglob("*.py")):
        relative = path.relative_to(tree).as_posix()
        try:
            nodes = list(ast.walk(ast.parse(path.read_bytes())))
        except (SyntaxError, ValueError):
            continue
        for node in nodes:
            for name in replaced:
                if _uses(node, name):
                    assert isinstance(node, ast.expr)
                    what = _on(said.get(relative, []), node.lineno, node.end_lineno or node.lineno)
                    uses[name][what] += 1
                    if what == "left":
                        missed.append(f"{relative}:{node.lineno} {name}")
    totals = sum(uses.values(), Counter[str]())
    print(f"PyTorch's names that musa_patch replaces: {len(replaced)}; uses {dict(totals)}")
    for name, counts in uses.items():
        if counts:
            print(f"  {name:40} edited {counts['edited']:4} reported {counts['reported']:4} left {counts['left']:4}")
    _misses(missed, shown)


def _uses(node: ast.AST, name: str) -> bool:
    last = name.rpartition(".")[2]
    if name in ("torch.tensor", "torch.zeros", "torch.empty"):
        return (
            isinstance(node, ast.Call)
            and ast.unparse(node.func) == name
            and any(each.arg == "device" and "cuda" in ast.unparse(each.value) for each in node.keywords)
        )
    if name == "torch.distributed.init_process_group":
        return isinstance(node, ast.Constant) and node.value == "nccl"  # what the replacement looks for
    if name == "torch.Tensor.cuda":
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "cuda"
    if name == "torch.Tensor.is_cuda":
        return isinstance(node, ast.Attribute) and node.attr == last
    if name == "torch.Tensor.type":  # which answers "torch.cuda.FloatTensor" and its kin
        return (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and re.fullmatch(r"torch\.cuda\.\w+Tensor", node.value)
        )
    return isinstance(node, ast.Attribute) and node.attr == last and ast.unparse(node) == name


# Functions of Megatron's that are replaced


def _functions(patch: Path, tree: Path, said: Spans, shown: int) -> None:
    counts: Counter[str] = Counter()
    missed: list[str] = []
    for file in sorted((patch / "musa_patch").rglob("*.py")):
        source = file.read_text(encoding="utf-8")
        try:
            top = ast.parse(source)
        except SyntaxError:
            continue
        for node in ast.walk(top):
            if not isinstance(node, ast.Assign):
                continue
            target = ast.unparse(node.targets[0])
            if not target.startswith("megatron."):
                continue
            place = _definition(tree, target)
            own = _named(top, ast.unparse(node.value))
            if place is None:
                counts["not found at this revision"] += 1
                continue
            counts["functions and classes"] += 1
            relative, first, old = place
            new = [] if own is None else source.splitlines()[own.lineno - 1 : own.end_lineno]
            for number in _changed(old, new) if new else range(len(old)):
                line = old[number]
                if _GPU.search(_OWN.sub("", line.split("#")[0])) and not line.lstrip().startswith(("#", '"""')):
                    what = _on(said.get(relative, []), first + number, first + number)
                    counts[f"lines of a GPU: {what}"] += 1
                    if what == "left":
                        missed.append(f"{relative}:{first + number} {line.strip()[:90]}")
    print(f"\nMegatron's functions that musa_patch replaces: {dict(counts)}")
    _misses(missed, shown)


def _definition(tree: Path, target: str) -> tuple[str, int, list[str]] | None:
    """The file, first line and text of what a dotted name of Megatron's is, at the revision."""
    parts = target.split(".")
    for count in range(len(parts) - 1, 0, -1):
        for path in ("/".join(parts[:count]) + ".py", "/".join(parts[:count]) + "/__init__.py"):
            if (tree / path).is_file():
                text = (tree / path).read_text(encoding="utf-8")
                node = _named(ast.parse(text), parts[count])
                if node is None:
                    return None
                for name in parts[count + 1 :]:
                    inner = [e for e in ast.iter_child_nodes(node) if getattr(e, "name", "") == name]
                    node = inner[0] if inner else node
                assert isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef)
                lines = text.splitlines()[node.lineno - 1 : node.end_lineno]
                return path, node.lineno, lines
    return None


def _named(top: ast.Module, name: str) -> ast.FunctionDef | ast.ClassDef | None:
    return next((e for e in ast.walk(top) if isinstance(e, ast.FunctionDef | ast.ClassDef) and e.name == name), None)


def _changed(old: list[str], new: list[str]) -> Iterator[int]:
    """The lines of a text that another has changed or taken out."""
    matcher = difflib.SequenceMatcher(
        a=[line.strip() for line in old], b=[line.strip() for line in new], autojunk=False
    )
    for kind, start, end, _, _ in matcher.get_opcodes():
        if kind in ("replace", "delete"):
            yield from range(start, end)


# Launch scripts


def _scripts(patch: Path, shown: int) -> None:
    counts: Counter[str] = Counter()
    missed: list[str] = []
    options: Counter[str] = Counter()
    settings: Counter[str] = Counter()
    said = _said(patch)
    for cuda in sorted(patch.rglob("*_cuda.sh")):
        musa = cuda.with_name(cuda.name.replace("_cuda.sh", "_musa.sh"))
        if not musa.is_file() or "logs" in cuda.parts:
            continue
        counts["pairs"] += 1
        relative = cuda.relative_to(patch).as_posix()
        old, new = cuda.read_text().splitlines(), musa.read_text().splitlines()
        for number in _changed(old, new):
            line = old[number].strip()
            if not line or line.startswith("#"):
                continue
            if not _RUNTIME.search(line.split(" #")[0]):
                options[line.split()[0].partition("=")[0]] += 1
                continue
            what = _on(said.get(relative, []), number + 1, number + 1)
            counts[f"lines of a GPU: {what}"] += 1
            if what == "left":
                missed.append(f"{relative}:{number + 1} {line[:90]}")
        added = [line.strip() for line in new if line.strip().startswith("export M") and line.strip() not in old]
        settings.update(line.removeprefix("export ").partition("=")[0] for line in added)
    print(f"\nlaunch scripts: {dict(counts)}")
    print(
        "  settings that MUSA's scripts add: " + ", ".join(f"{name} {count}" for name, count in settings.most_common())
    )
    print(f"  other lines that differ (the run's own size, paths and options): {options.total()}")
    _misses(missed, shown)


def _misses(missed: list[str], shown: int) -> None:
    print(f"  neither changed nor reported: {len(missed)}")
    for each in missed[:shown]:
        print(f"    {each}")


if __name__ == "__main__":
    sys.exit(main())
