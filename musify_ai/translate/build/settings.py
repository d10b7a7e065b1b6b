"""What scripts set for a run on GPUs: environment variables of CUDA and NCCL, and options that name a device."""

from __future__ import annotations

from collections.abc import Iterator

from musify_ai.records import Edit, Finding
from musify_ai.rules.python_api import python_api
from musify_ai.source.patterns import late_pattern

_VARIABLE = late_pattern(
    rb"(?<![\w-])(?:(?:TORCH_)?NCCL_[A-Z][A-Z0-9_]*|(?:PYTORCH_)?CUDA_[A-Z][A-Z_]*|CUBLAS_[A-Z_]+)(?![\w-])"
)
_CHOICE = late_pattern(
    rb"(?i:--?[\w-]*(?:device|backend|accelerator)[\w-]*(?:[= \t]+)|(?<![\w$-])\w*(?:device|backend|accelerator)\w*=)"
    rb"[\"']?(cuda|nccl)(?=[\"':\s]|\Z)"
)
_VALUES = {b"cuda": b"musa", b"nccl": b"mccl"}
_MOST = 40  # of a file


def settings_of_script(code: str, src: bytes, *, said: frozenset[int]) -> Iterator[Finding]:
    """A note over each such setting in ``src``, under a rule's code, with the name or value for MUSA where one is
    known. What begins at a place in ``said`` has been spoken of. Comments are expected to be blanked."""
    api = python_api()
    found = 0
    for match in _VARIABLE.finditer(src):
        name = match[0].decode()
        if match.start() in said or found >= _MOST:
            continue
        edit = None
        if name in api.environment:
            new, _ = api.environment[name]
            text = f"{name} is {new} for MUSA."
            edit = Edit(match.start(), match.end(), match[0], new.encode(), code, "rule", "display", "rules/python")
        elif name in api.environment_open:
            text = f"{name}: {api.environment_open[name]}."
        elif "NCCL_" in name:
            new = name.replace("NCCL_", "MCCL_")
            text = f"{name}: MCCL's variables begin with MCCL_, and this one was seen nowhere. {new} would be its name."
            edit = Edit(match.start(), match.end(), match[0], new.encode(), code, "rule", "display", "derived: prefix")
        else:
            continue
        found += 1
        yield Finding(code, "note", match.start(), match.end(), text, effort="minutes", name=name, edit=edit)
    for match in list(_CHOICE.finditer(src))[:_MOST]:
        start, end = match.span(1)
        new_value = _VALUES[match[1]]
        what = f"{match[1].decode()} as a device or backend"
        text = f"{what}: PyTorch's for MUSA is {new_value.decode()}. Look at who reads it."
        edit = Edit(start, end, match[1], new_value, code, "rule", "display", "torch_musa registers its device as musa")
        yield Finding(code, "note", start, end, text, effort="minutes", name=match[1].decode(), edit=edit)
