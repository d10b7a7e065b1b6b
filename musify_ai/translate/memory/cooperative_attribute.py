"""MUS513: the cooperative launch attribute."""

from __future__ import annotations

from typing import Literal

from musify_ai.records import Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.uses import Says, each_use

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
TRIGGERS = triggers(CODE)
VALID = (
    "// cudaLaunchAttributeCooperative\n",
    "void f() { attr.id = cudaLaunchAttributePriority; }\n",
)
INVALID = (
    Case("void f() { attr.id = cudaLaunchAttributeCooperative; }\n", findings=("cudaLaunchAttributeCooperative",)),
)

find = each_use(
    Says(
        CODE,
        "warning",
        EFFORT,
        "whether a launch takes the cooperative attribute depends on the SDK: a port had to launch without it. A "
        "kernel that waits for all blocks hangs then.",
        types=True,
    ),
    TRIGGERS,
)
