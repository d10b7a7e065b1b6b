"""MUS513: the cooperative launch attribute."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.mentions import mentions
from musify_ai.translate.unit import Unit

CODE = "MUS513"
TITLE = "Cooperative launch by attribute"
WHY = """
A port of DeepEP builds the attribute and then launches with none, because the launch failed with it: whether
`musaLaunchKernelExC` takes a cooperative attribute depends on the SDK. Without it the blocks are not all resident,
and a kernel that waits for all of them hangs.
"""
EXAMPLE = """
attrs[0].id = cudaLaunchAttributeCooperative;
"""
INSTEAD = """
Ask the device for cooperative launch, try it on the target SDK, or split the kernel where it synchronises.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = ("MooreThreads/MT-DeepEP: csrc/kernels/launch.muh",)
TRIGGERS = frozenset((b"cudaLaunchAttributeCooperative", b"CU_LAUNCH_ATTRIBUTE_COOPERATIVE"))
VALID = (
    "// cudaLaunchAttributeCooperative\n",
    "void f() { attr.id = cudaLaunchAttributePriority; }\n",
)
INVALID = (
    Case("void f() { attr.id = cudaLaunchAttributeCooperative; }\n", findings=("cudaLaunchAttributeCooperative",)),
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each use."""
    for index in mentions(unit, TRIGGERS):
        token = unit.tokens[index]
        yield Finding(
            CODE,
            "warning",
            token.start,
            token.end,
            "whether a launch takes the cooperative attribute depends on the SDK: a port had to launch without it. A "
            "kernel that waits for all blocks hangs then.",
            effort=EFFORT,
            name=token.text.decode("ascii"),
        )
