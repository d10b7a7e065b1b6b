"""MUS825: environment variables of CUDA and NCCL."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.rules.python_api import python_api
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.cases import Case
from musify_ai.translate.python.strings import said, strings
from musify_ai.translate.python.view import view
from musify_ai.translate.unit import Unit

CODE = "MUS825"
TITLE = "Environment variable of CUDA or NCCL"
WHY = """
MUSA's run time, its compiler and MCCL read variables of their own. One that is set by CUDA's name is read by nobody:
the program runs on all GPUs instead of one, or without the setting that somebody needed, and says nothing.
"""
EXAMPLE = """
os.environ["CUDA_VISIBLE_DEVICES"] = "0"
"""
INSTEAD = """
`MUSA_VISIBLE_DEVICES`, `MUSA_LAUNCH_BLOCKING`, `PYTORCH_MUSA_ALLOC_CONF`, `MUSA_HOME`; for MCCL `MCCL_ALGOS` and
`MCCL_PROTOS` (plural) and names beginning with `MCCL_`. Set MUSA_VISIBLE_DEVICES before torch_musa is imported.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/torch_musa: README.md, torch_musa/__init__.py",
    "MooreThreads/MT-MegatronLM: examples (launch scripts for both)",
)
TRIGGERS = frozenset(
    (
        b"CUDA_HOME", b"CUDA_LAUNCH_BLOCKING", b"CUDA_VISIBLE_DEVICES", b"CUBLAS_WORKSPACE_CONFIG", b"NCCL_ALGO",
        b"NCCL_BUFFSIZE", b"NCCL_CHECK_POINTERS", b"NCCL_IB_GID_INDEX", b"NCCL_PROTO", b"PYTORCH_CUDA_ALLOC_CONF",
        b"CUDA_CACHE_PATH", b"CUDA_DEVICE_MAX_CONNECTIONS", b"CUDA_DEVICE_ORDER", b"CUDA_MODULE_LOADING", b"CUDA_PATH",
        b"TORCH_CUDA_ARCH_LIST", b"NCCL_DEBUG", b"NCCL_SOCKET_IFNAME", b"NCCL_IB_DISABLE", b"NCCL_P2P_DISABLE",
        b"NCCL_ASYNC_ERROR_HANDLING", b"TORCH_NCCL_ASYNC_ERROR_HANDLING", b"NCCL_BLOCKING_WAIT", b"NCCL_NET",
        b"NCCL_AVOID_RECORD_STREAMS", b"TORCH_NCCL_AVOID_RECORD_STREAMS", b"NCCL_IB_HCA", b"NCCL_IB_TIMEOUT",
        b"NCCL_DEBUG_SUBSYS", b"NCCL_MIN_NCHANNELS", b"NCCL_MAX_NCHANNELS", b"NCCL_NVLS_ENABLE", b"NCCL_SHM_DISABLE",
        b"NCCL_CUMEM_ENABLE", b"TORCH_NCCL_BLOCKING_WAIT", b"NCCL_NTHREADS", b"NCCL_IB_SL", b"NCCL_TIMEOUT",
        b"NCCL_GRAPH_REGISTER", b"NCCL_LAUNCH_MODE", b"NCCL_TOPO_FILE", b"NCCL_TOPO_DUMP_FILE",
    )
)  # fmt: skip
VALID = (
    'import os\nos.environ["PATH"]\nCUDA_HOME = 1\n# CUDA_VISIBLE_DEVICES\n',
    'print("set CUDA_VISIBLE_DEVICES first")\n',
)
INVALID = (
    Case(
        'import os\nos.environ["CUDA_VISIBLE_DEVICES"] = "0"\n',
        output='import os\nos.environ["MUSA_VISIBLE_DEVICES"] = "0"\n',
        path="case.py",
    ),
    Case(
        "import os\nx = os.getenv('NCCL_ALGO', 'Ring')\n",
        output="import os\nx = os.getenv('MCCL_ALGOS', 'Ring')\n",
        path="case.py",
    ),
    Case(
        'import os\nos.environ["NCCL_DEBUG"] = "INFO"\n',
        findings=('"NCCL_DEBUG"',),
        fixed='import os\nos.environ["MCCL_DEBUG"] = "INFO"\n',
        path="case.py",
    ),
    Case('ENV = {"TORCH_CUDA_ARCH_LIST": "8.0"}\n', findings=('"TORCH_CUDA_ARCH_LIST"',), path="case.py"),
)
_IN_COMMAND = late_pattern(r"\b(CUDA_(?:VISIBLE_DEVICES|LAUNCH_BLOCKING|HOME)|NCCL_[A-Z_]+)=")
_OF_NCCL = late_pattern(r"(?:TORCH_)?NCCL_[A-Z0-9_]+\Z")


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """Strings that are the name of a variable and nothing else."""
    seen, api = view(unit), python_api()
    for place in strings(seen):
        found = said(seen, place.node)
        if found is not None and (named := _IN_COMMAND.search(found.text)):
            text = f"{named[1]} is set for a command here: what is run on MUSA reads another name."
            yield Finding(CODE, "warning", *seen.span(place.node), text, effort="minutes", name=named[1])
            continue
        if found is None or not found.whole or not found.text.isupper():
            continue
        old = found.text
        if old in api.environment:
            musa, source = api.environment[old]
            yield Edit(found.start, found.end, old.encode(), musa.encode(), CODE, "rule", "safe", source)
        elif old in api.environment_open:
            text = f"{old}: {api.environment_open[old]}."
            yield Finding(CODE, "warning", *seen.span(place.node), text, effort="minutes", name=old)
        elif _OF_NCCL.match(old):
            new = old.replace("NCCL_", "MCCL_")
            edit = Edit(found.start, found.end, old.encode(), new.encode(), CODE, "rule", "unsafe", "derived: prefix")
            text = f"{old}: MCCL's variables begin with MCCL_, and this one was seen nowhere. {new} would be its name."
            yield Finding(CODE, "warning", *seen.span(place.node), text, edit=edit, effort="minutes", name=old)
    for node in seen.nodes:
        if isinstance(node, ast.keyword) and node.arg in api.environment:
            text = f"{node.arg} as a keyword: MUSA reads {api.environment[node.arg][0]}. It is left as it is."
            yield Finding(CODE, "warning", *seen.span(node), text, effort="minutes", name=node.arg)
