"""Every object of a SARIF log has the properties that the standard gives it, of its types, and no others.

The table is written from sections 3.13 to 3.58 of SARIF 2.1.0
(docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html), for the objects that we write. The whole schema is
published; `benchmarks/formats.py` validates logs of real projects against a copy of it.
"""

import json
import re
from typing import Any

import pytest

from musify_ai.records import Edit, Failure, FileResult, Finding, Options, Related, Run, Tool
from musify_ai.report import sarif

# Object: property -> (required, what it holds). A name is an object, [name] a list of them.
SHAPES: dict[str, dict[str, tuple[bool, Any]]] = {
    "log": {"$schema": (False, str), "version": (True, str), "runs": (True, ["run"])},
    "run": {
        "tool": (True, "tool"),
        "columnKind": (False, str),
        "invocations": (False, ["invocation"]),
        "results": (False, ["result"]),
    },
    "tool": {"driver": (True, "driver")},
    "driver": {
        "name": (True, str),
        "semanticVersion": (False, str),
        "properties": (False, dict),
        "rules": (False, ["rule"]),
    },
    "rule": {
        "id": (True, str),
        "shortDescription": (False, "message"),
        "fullDescription": (False, "message"),
        "help": (False, "message"),
    },
    "invocation": {"executionSuccessful": (True, bool), "toolExecutionNotifications": (False, ["notification"])},
    "notification": {"level": (False, str), "message": (True, "message"), "locations": (False, ["location"])},
    "message": {"text": (True, str)},
    "result": {
        "ruleId": (False, str),
        "ruleIndex": (False, int),
        "level": (False, str),
        "message": (True, "message"),
        "locations": (False, ["location"]),
        "relatedLocations": (False, ["location"]),
        "partialFingerprints": (False, dict),
        "properties": (False, dict),
        "fixes": (False, ["fix"]),
    },
    "location": {"id": (False, int), "message": (False, "message"), "physicalLocation": (False, "place")},
    "place": {"artifactLocation": (False, "artifact"), "region": (False, "region")},
    "artifact": {"uri": (False, str), "uriBaseId": (False, str)},
    "region": dict.fromkeys(("startLine", "startColumn", "endLine", "endColumn"), (False, int)),
    "bytes": dict.fromkeys(("byteOffset", "byteLength"), (True, int)),
    "fix": {"description": (False, "message"), "artifactChanges": (True, ["change"])},
    "change": {"artifactLocation": (True, "artifact"), "replacements": (True, ["replacement"])},
    "replacement": {"deletedRegion": (True, "bytes"), "insertedContent": (False, "message")},
}


def faults(shape: str, value: Any, where: str) -> list[str]:
    """What of a value is not as its shape says."""
    found = [
        f"{where}: {name} is missing" for name, (wanted, _) in SHAPES[shape].items() if wanted and name not in value
    ]
    for name, held in value.items():
        inside = f"{where}.{name}"
        if name not in SHAPES[shape]:
            found.append(f"{inside}: no property of {shape}")
            continue
        kind = SHAPES[shape][name][1]
        if isinstance(kind, str):
            found += faults(kind, held, inside)
        elif isinstance(kind, list):
            found += [fault for at, each in enumerate(held) for fault in faults(kind[0], each, f"{inside}[{at}]")]
        elif not isinstance(held, kind) or (kind is int and isinstance(held, bool)):
            found.append(f"{inside}: {held!r} is no {kind.__name__}")
    return found


def everything() -> Run:
    """A run with all that a log can hold."""
    edit = Edit(2, 4, b"ab", b"xy", "MUS301", "rule", line=1, column=3)
    related = tuple(Related("b.cu" if at else "", at, at + 1, "here", at, at) for at in range(3))
    findings = (
        Finding("MUS301", "warning", 2, 4, "one", "hours", edit=edit, related=related, line=1, column=3, end_line=1,
                end_column=5, fingerprint="f00d"),
        Finding("MUS404", "error", 0, 0, "at no place", "days"),
        Finding("MUS102", "note", 5, 6, "a note", "minutes", line=2, column=1, end_line=3, end_column=1),
    )  # fmt: skip
    failed = (Failure("c.cu", "read", "gone", "Bring it back."), Failure("", "check", "no compiler", ""))
    files = (FileResult("dir/ä b.cu", None, "unchanged", findings=findings), FileResult("/abs.cu", None, "unchanged"))
    return Run(Tool("musify-ai", "1.2.3", "abc"), "check", Options(), files, (), failed)


def a_log() -> Any:
    return json.loads(sarif.render(everything(), {}, {"MUS301": ("Title", "Why")}))


def test_a_log_with_everything_in_it_has_the_standard_s_shape() -> None:
    assert faults("log", a_log(), "log") == []


def test_values_are_those_that_the_standard_lists() -> None:
    (run,) = a_log()["runs"]
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    for row in [*run["results"], *run["invocations"][0]["toolExecutionNotifications"]]:
        assert row["level"] in ("none", "note", "warning", "error")
        for place in row.get("locations", ()):
            uri = place["physicalLocation"]["artifactLocation"]["uri"]
            assert re.fullmatch(r"[A-Za-z0-9/._~%-]+", uri), "a URI reference, percent-encoded"
            region = place["physicalLocation"].get("region", {"startLine": 1})
            assert min(region.values()) >= 1
    assert [run["tool"]["driver"]["rules"][row["ruleIndex"]]["id"] for row in run["results"]] == [
        row["ruleId"] for row in run["results"]
    ]
    assert run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"] == "read: gone. Bring it back."


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("runs", 0, "results", 0, "locations", 0, "physicalLocation", "file"), "a.cu"),
        (("runs", 0, "results", 0, "message"), {}),
        (("runs", 0, "results", 0, "ruleIndex"), "0"),
        (("runs", 0, "invocations", 0, "executionSuccessful"), 1),
    ],
)
def test_the_check_itself_sees_a_wrong_log(path: tuple[Any, ...], value: Any) -> None:
    log = a_log()
    place = log
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert len(faults("log", log, "log")) == 1
