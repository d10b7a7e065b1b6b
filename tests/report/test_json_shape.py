"""The JSON object has just the keys and kinds of value that the README promises, for every command."""

import json
from pathlib import Path
from typing import Any

import pytest

from musify_ai.project import check, fix, migrate, verify_port
from musify_ai.records import Options
from musify_ai.report.json_report import render

# A kind is a type, None, a set of allowed strings, a list of one kind, a dict of kinds by key, or a tuple of choices.
_TEXT: Any = (str, {"base64": str})
_GRADES = {"seen", "table", "prefix", "rule", "llm"}
_EDIT = {
    "start": int, "end": int, "line": int, "column": int, "old": _TEXT, "new": _TEXT, "rule": str,
    "evidence": _GRADES, "safety": {"safe", "unsafe", "display"}, "source": str, "applied": bool,
}  # fmt: skip
_HEADLINES = {
    "differs", "build-failed", "not-checkable", "unchecked", "original-schedule-dependent", "arch-dependent",
    "equal-weak", "equal-assumed", "equal-emulated", "equal-on-nvidia", "equal-on-hardware",
}  # fmt: skip
_RELATED = {"path": _TEXT, "start": int, "end": int, "message": str, "line": int, "column": int}
_EVIDENCE = {
    "method": str, "backend": [str], "arch": str, "lanes": int, "seeds": [int], "schedules": [str], "poison": [int],
    "buffers": [{"name": str, "elements": int, "varies": bool, "worst_error": (int, float, str)}],
    "tolerance": (int, float, str), "assumptions": [str], "outcome": _HEADLINES, "detail": str, "repeat": str,
}  # fmt: skip
_COUNTS = {str: int}
_DECIDED = {"state": {"accepted", "waived", "assigned", "baseline"}, "name": str, "on": str, "reason": str, "by": str}
_DOCUMENT = {
    "version": int,
    "tool": {"name": str, "version": str, "rules": str},
    "command": {"check", "fix", "migrate", "verify"},
    "options": {"style": str, "sdk": str, "archs": [str]},
    "summary": {
        "files": int, "changed": int, "failed": int, "pending": int, "residue": int, "residue_pattern": int,
        "build_files": str,
        "edits": {"made": int, "pending": int, "offered": int, "shown": int, "meaning": int,
                  "by_evidence": dict.fromkeys(_GRADES, int), "by_rule": _COUNTS},
        "severities": {"error": int, "warning": int, "note": int},
        "decided": {"accepted": int, "waived": int, "assigned": int, "baseline": int},
        "findings": _COUNTS, "kernels": _COUNTS,
    },
    "files": [
        {
            "path": _TEXT, "output": (*_TEXT, None), "reason": (str, None), "encoding": str,
            "status": {"changed", "unchanged", "copied", "skipped", "failed"},
            "sha256": {"before": str, "after": (str, None)},
        }
    ],
    "edits": [{"id": str, "path": _TEXT, **_EDIT}],
    "findings": [
        {
            "id": str, "fingerprint": str, "code": str, "severity": {"error", "warning", "note"}, "path": _TEXT,
            "start": int, "end": int, "line": int, "column": int, "end_line": int, "end_column": int,
            "name": str, "message": str,
            "effort": {"minutes", "hours", "days"}, "settled": bool, "decided": (_DECIDED, None),
            "edit": (_EDIT, None), "related": [_RELATED],
        }
    ],
    "kernels": [
        {
            "id": str, "path": _TEXT, "name": str, "line": int, "instantiation": (str, None), "headline": _HEADLINES,
            "reason": (str, None), "notes": [str], "by_arch": {str: _HEADLINES}, "evidence": [_EVIDENCE],
        }
    ],
    "residue": [{"path": _TEXT, "start": int, "end": int, "name": str, "known": bool}],
    "failed": [{"path": _TEXT, "stage": {"read", "translate", "write", "merge", "check"}, "error": str, "hint": str}],
}  # fmt: skip


def _wrong(value: Any, kind: Any, at: str = "$") -> list[str]:
    """What in a value is not of a kind, by path."""
    if isinstance(kind, tuple):
        tries = [_wrong(value, each, at) for each in kind]
        return [] if any(not each for each in tries) else min(tries, key=len)
    if kind is None:
        return [] if value is None else [f"{at}: {value!r} is not null"]
    if isinstance(kind, set):
        return [] if value in kind else [f"{at}: {value!r} is none of {sorted(kind)}"]
    if isinstance(kind, list):
        if not isinstance(value, list):
            return [f"{at}: no list"]
        return [wrong for i, each in enumerate(value) for wrong in _wrong(each, kind[0], f"{at}[{i}]")]
    if isinstance(kind, dict):
        if not isinstance(value, dict):
            return [f"{at}: no object"]
        if str in kind:
            return [wrong for key, each in value.items() for wrong in _wrong(each, kind[str], f"{at}.{key}")]
        keys = [f"{at}: keys {sorted(set(value) ^ set(kind))}"] if set(value) != set(kind) else []
        return keys + [
            wrong for key in set(value) & set(kind) for wrong in _wrong(value[key], kind[key], f"{at}.{key}")
        ]
    fits = isinstance(value, kind) and not (kind in (int, float) and isinstance(value, bool))
    return [] if fits else [f"{at}: {value!r} is no {kind.__name__}"]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "source"
    root.mkdir()
    (root / "a.cu").write_bytes(
        b"#include <cuda_runtime.h>\n// caf\xe9\n#define S(x) #x\nint n = cudaSuccess; const char* s = S(cudaFree);\n"
        b"__global__ void k(int* a) { a[threadIdx.x] = 1; }\n#if __CUDA_ARCH__ == 800\n#endif\n"
        b'__device__ void f(float x) { asm("ex2.approx.f32 %0, %1;" : "=f"(x) : "f"(x)); }\n'
    )
    (root / "\udce9.cu").write_bytes(b"int n = warpSize + cudaSuccess;\n")
    (root / "wide.cu").write_bytes("int n;".encode("utf-16"))
    (root / "Makefile").write_text("NVCC = nvcc\nall:\n\tnvcc -arch=sm_80 a.cu\n")
    (root / "notes.txt").write_text("cudaMalloc")
    return root


@pytest.mark.parametrize("command", ["check", "fix", "migrate", "diff", "in-place", "verify"])
def test_the_shape(tree: Path, tmp_path: Path, command: str) -> None:
    options = Options(verify=False)
    match command:
        case "check":
            outcome = check([tree], options)
        case "fix":
            outcome = fix([tree], options)
        case "verify":
            outcome = verify_port(tree / "a.cu", tree / "a.cu", Options(seeds=2))
        case "migrate":
            outcome = migrate(tree, tmp_path / "out", options)
        case _:
            outcome = migrate(tree, None, options, way="diff" if command == "diff" else "in-place")
    document = json.loads(render(outcome.run, outcome.texts))
    kinds = {key: _DOCUMENT[key] for key in _DOCUMENT} | ({"programs": [dict]} if "programs" in document else {})
    assert _wrong(document, kinds) == []
    if command != "verify":
        summary = document["summary"]
        assert summary["files"] == len(document["files"]) >= 3
        assert summary["failed"] == len(document["failed"]) == 1
        assert sum(summary["edits"]["by_rule"].values()) == len(document["edits"]) > 0
        assert sum(summary["findings"].values()) == len(document["findings"]) > 0
        for name, first, second in (("edits", "start", "rule"), ("findings", "start", "code")):
            keys = [(str(each["path"]), each[first], each[second]) for each in document[name]]
            assert len({each["id"] for each in document[name]}) == len(keys)
            assert keys == sorted(keys) or any("base64" in str(key) for key in keys)
    if command == "check":
        assert not any(edit["applied"] for edit in document["edits"])
        assert all(file["output"] is None for file in document["files"])


def test_the_check_of_the_shape_sees_what_is_wrong() -> None:
    assert _wrong({"name": 1, "version": "", "rules": "", "more": 0}, _DOCUMENT["tool"])
    assert _wrong(True, int)
    assert _wrong("maybe", _GRADES)
    assert not _wrong(None, (str, None))
