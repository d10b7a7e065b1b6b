"""``--format junit``: kernels and whole programs as test cases, for the test pages of CI systems.

A kernel that differs or does not build fails, one that nothing ran is skipped; what else its verdict says stands in
its output. Never "passed" for what did not run.
"""

import re
from collections.abc import Mapping
from xml.etree import ElementTree

from musify_ai.records import Run
from musify_ai.report import Texts
from musify_ai.report.placing import readable

_FAILED = ("differs", "build-failed")
_SKIPPED = ("unchecked", "not-checkable")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(run: Run, texts: Texts, titles: Mapping[str, tuple[str, str]] | None = None) -> str:
    """The verdicts as one test suite; failed files are errors."""
    cases: list[tuple[str, str, str, str, str]] = []
    for verdict in run.verdicts:
        name = verdict.name + (f"<{verdict.instantiation}>" if verdict.instantiation else "")
        lines = [f"{arch}: {outcome}" for arch, outcome in sorted(verdict.by_arch.items())]
        lines += dict.fromkeys([*verdict.notes, *([verdict.reason] if verdict.reason else [])])
        cases.append((readable(verdict.path), name, verdict.headline, verdict.reason or "", "\n".join(lines)))
    for program in run.programs:
        for row in program.evidence:
            cases.append((readable(program.path), f"program on {row.arch}", row.outcome, row.detail, row.detail))
    failed = sum(case[2] in _FAILED for case in cases)
    skipped = sum(case[2] in _SKIPPED for case in cases)
    counts = {
        "tests": str(len(cases) + len(run.failed)), "failures": str(failed), "skipped": str(skipped),
        "errors": str(len(run.failed)),
    }  # fmt: skip
    suites = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(suites, "testsuite", {"name": "musify-ai", **counts})
    for path, name, headline, reason, detail in cases:
        case = ElementTree.SubElement(suite, "testcase", {"classname": _text(path), "name": _text(name)})
        if headline in _FAILED:
            found = ElementTree.SubElement(case, "failure", {"type": headline, "message": _text(reason or headline)})
            found.text = _text(detail)
        elif headline in _SKIPPED:
            ElementTree.SubElement(case, "skipped", {"message": _text(f"{headline}: {reason}".rstrip(": "))})
        else:
            ElementTree.SubElement(case, "system-out").text = _text(f"{headline}\n{detail}")
    for failure in run.failed:
        case = ElementTree.SubElement(
            suite, "testcase", {"classname": _text(readable(failure.path)), "name": failure.stage}
        )
        found = ElementTree.SubElement(case, "error", {"type": failure.stage, "message": _text(failure.error)})
        found.text = _text(failure.hint)
    ElementTree.indent(suites, " ")
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(suites, "unicode") + "\n"


def _text(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
