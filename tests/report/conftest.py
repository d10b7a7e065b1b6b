"""A run with one of everything, for every format."""

import pytest

from musify_ai.records import (
    Buffer,
    Edit,
    Evidence,
    Failure,
    FileResult,
    Finding,
    Options,
    Related,
    Run,
    Tool,
    Verdict,
)

SRC = b"int a; // <b>&\ncudaFree(p); \xff\nwarpSize\ncudaNew();\n"
OUT = SRC.replace(b"cudaFree", b"musaFree")


@pytest.fixture
def run() -> Run:
    at = SRC.index
    free = Edit(at(b"cudaFree"), at(b"cudaFree") + 8, b"cudaFree", b"musaFree", "names.runtime", "seen", "safe",
                "seen <somewhere>", True, 2, 1)  # fmt: skip
    new = Edit(at(b"cudaNew"), at(b"cudaNew") + 7, b"cudaNew", b"musaNew", "names.runtime", "prefix", "unsafe",
               "derived", False, 4, 1)  # fmt: skip
    odd = Edit(at(b"\xff"), at(b"\xff") + 1, b"\xff", b"", "MUS601", "rule", "display", "", False, 2, 14)
    findings = (
        Finding("MUS301", "warning", at(b"warpSize"), at(b"warpSize") + 8, "a warp is <wider>", "hours",
                related=(Related("", 0, 3, "here", 1, 1), Related("b.cu", 0, 1, "there", 7, 2)),
                line=3, column=1, end_line=3, end_column=9, fingerprint="f1"),
        Finding("MUS103", "warning", new.start, new.end, "derived", edit=new,
                line=4, column=1, end_line=4, end_column=8, fingerprint="f2"),
    )  # fmt: skip
    evidence = Evidence("emulated", ("cuda", "musa"), "mp_22", 128, (1, 2, 3), ("forward",), (0, 165),
                        (Buffer("y", 1000, True, 0.0), Buffer("z", 3, False, float("nan"))), 0.0,
                        ("warp128-ballot-segment",), "equal-assumed", "fine", "musify-ai verify a b")  # fmt: skip
    verdict = Verdict("a.cu", "k", 3, "float, 4", "equal-assumed", None, ("order-dependent",),
                      {"mp_31": "equal-emulated", "mp_22": "equal-assumed"}, (evidence,))  # fmt: skip
    other = Verdict("a.cu", "<k>", 9, None, "differs", "y[0]: 1 and 2", (), {"mp_22": "differs"}, ())
    return Run(
        Tool("musify-ai", "0.1.0", "abc"),
        "migrate",
        Options(),
        (
            FileResult("a.cu", "a.cu", "changed", None, "unknown-8bit", "s1", "s2", (free, odd, new), findings,
                       ((5, 6, "cudaLeft"),), ((7, 8, "cuOdd"), (9, 10, "cuOdder"))),
            FileResult("b.txt", "b.txt", "copied", None, "", "s3", "s3"),
            FileResult("c\udcff.cu", None, "failed", "broken"),
        ),
        (verdict, other),
        (Failure("c\udcff.cu", "read", "broken", "mend it"),),
    )  # fmt: skip


@pytest.fixture
def texts() -> dict[str, tuple[bytes, bytes]]:
    return {"a.cu": (SRC, OUT)}
