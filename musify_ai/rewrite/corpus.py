"""The constructs of ``corpus/llm``: originals that rules leave, each with a right answer and what it is checked with.

``corpus/llm/<kind>/<name>/`` holds ``original.cu`` (a program of one file), ``answer.mu`` (the whole file translated,
its functions with the construct rewritten) and ``case.toml``. A project is made of any number of them by `laid_out`:
one file a construct, so that one build serves many.
"""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from musify_ai.kernels import enclosing_functions
from musify_ai.rewrite.units import WorkUnit

_KEYS = {"kind", "code", "kernel", "settled_by_rules", "slower_by_design", "why", "inputs"}


class CaseInvalid(ValueError):
    """A folder of the corpus is no construct; the message says where and why."""


class Case(NamedTuple):
    """A construct. ``kind`` is that of its fact sheet, ``code`` the finding's, ``kernel`` the kernel that runs it,
    ``settled_by_rules`` whether translating alone leaves nothing to ask. ``inputs`` is a table as the file that
    ``verify --init`` writes holds it, empty where inputs are chosen."""

    name: str
    kind: str
    code: str
    kernel: str
    settled_by_rules: bool
    slower_by_design: bool
    why: str
    inputs: Mapping[str, Any]
    folder: Path

    @property
    def path(self) -> str:
        """The construct's file in a project that `laid_out` made."""
        return f"{self.kind}/{self.name}.cu"

    @property
    def original(self) -> bytes:
        """The original's source."""
        return (self.folder / "original.cu").read_bytes()

    @property
    def answer(self) -> bytes:
        """The whole file as it is right on MUSA."""
        return (self.folder / "answer.mu").read_bytes()


def read(root: Path) -> tuple[Case, ...]:
    """All constructs of a corpus, by kind and name. `CaseInvalid` for a folder that is none."""
    return tuple(_case(file) for file in sorted(root.glob("*/*/case.toml")))


def laid_out(cases: Sequence[Case], folder: Path) -> Path:
    """A project of constructs in a folder: one file each, and the inputs of all in ``musify-inputs.toml``, which the
    option ``inputs`` wants to be given. Returns that file."""
    kernels: dict[str, Any] = {}
    for case in cases:
        place = folder / case.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(case.original)
        kernels |= case.inputs.get("kernels", {})
    file = folder / "musify-inputs.toml"
    file.write_text("".join(_toml(("kernels", name), row) for name, row in kernels.items()), "utf-8")
    return file


def functions_of(answer: bytes, unit: WorkUnit) -> tuple[bytes, ...]:
    """A unit's functions as an answer's whole file defines them, in order. `CaseInvalid` where it lacks one."""
    found = []
    for piece in unit.pieces:
        wanted = b"".join(piece.head.split())
        same = [
            answer[each.start : each.end]
            for each in enclosing_functions(answer)
            if b"".join(answer[each.start : each.body_start].split()) == wanted
        ]
        if len(same) != 1:
            raise CaseInvalid(f"{piece.path}: the answer defines `{piece.name}` {len(same)} times, with its head")
        found.append(same[0])
    return tuple(found)


def _case(file: Path) -> Case:
    try:
        value = tomllib.loads(file.read_text("utf-8"))
        unknown = value.keys() - _KEYS
        if unknown:
            raise CaseInvalid(f"{file}: unknown keys: {', '.join(sorted(unknown))}")
        case = Case(
            file.parent.name, str(value["kind"]), str(value["code"]), str(value["kernel"]),
            bool(value["settled_by_rules"]), bool(value["slower_by_design"]), str(value["why"]),
            value.get("inputs", {}), file.parent,
        )  # fmt: skip
    except KeyError as problem:
        raise CaseInvalid(f"{file}: {problem} is missing") from None
    except tomllib.TOMLDecodeError as problem:
        raise CaseInvalid(f"{file}: {problem}") from None
    if case.kind != file.parent.parent.name:
        raise CaseInvalid(f"{file}: its kind is {case.kind}, its folder says {file.parent.parent.name}")
    for name in ("original.cu", "answer.mu"):
        if not (file.parent / name).is_file():
            raise CaseInvalid(f"{file.parent}: there is no {name}")
    return case


def _toml(path: tuple[str, ...], table: Mapping[str, Any]) -> str:
    """A table as TOML: its own values first, then the tables in it."""
    rows = [f"{key} = {_value(value)}" for key, value in table.items() if not isinstance(value, Mapping)]
    inner = "".join(_toml((*path, key), value) for key, value in table.items() if isinstance(value, Mapping))
    return f"[{'.'.join(path)}]\n" + "".join(f"{row}\n" for row in rows) + inner


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return repr(value)
