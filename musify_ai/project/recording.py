"""What translating said of a file, as text for the ledger and back."""

import json
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from sys import intern
from typing import Any

from musify_ai.pipeline import Processed
from musify_ai.project.discovery import Entry
from musify_ai.project.treating import Treated
from musify_ai.records import Edit, Failure, FileResult, Finding, Related
from musify_ai.source import splice


def told(treated: Treated) -> str:
    """A file's result as one line of JSON; bytes are Latin-1 in it."""
    result, processed = treated.processed.result, treated.processed
    fields = result._asdict() | {
        "edits": [_plain(edit) for edit in result.edits],
        "findings": [_plain(finding) for finding in result.findings],
    }
    fields.pop("output")  # where it went is the ledger's own to say
    whole: dict[str, Any] = {"result": fields, "unsettled": processed.unsettled, "failure": processed.failure}
    if processed.output is not None and processed.output != _spliced(treated.before or b"", result.edits):
        whole["output"] = processed.output.decode("latin-1")
    elif processed.output is None:
        whole["output"] = None
    return json.dumps(whole, separators=(",", ":"))


def restored(entry: Entry, src: bytes, text: str) -> Treated:
    """The file that `told` made a line of, with its bytes. ``ValueError`` where the line is not as it was written."""
    try:
        return _restored(entry, src, text)
    except (KeyError, TypeError, IndexError) as problem:
        raise ValueError(f"what the ledger has of {entry.path} cannot be read: {problem}") from problem


def _restored(entry: Entry, src: bytes, text: str) -> Treated:
    whole: dict[str, Any] = json.loads(text)
    result = _result(whole["result"])
    output: bytes | None
    if "output" in whole:
        output = None if whole["output"] is None else whole["output"].encode("latin-1")
    else:
        output = _spliced(src, result.edits)
    if output is not None and result.sha256_after not in (None, sha256(output).hexdigest()):
        raise ValueError(f"what the ledger has of {entry.path} is not what was written")
    failure = None if whole["failure"] is None else Failure(*whole["failure"])
    unsettled = tuple((start, end, code) for start, end, code in whole["unsettled"])
    return Treated(entry, src, Processed(result, output, unsettled, failure))


def result_of(text: str) -> FileResult:
    """What was said of a file, without its bytes."""
    return _result(json.loads(text)["result"])


def _result(fields: dict[str, Any]) -> FileResult:
    fields["edits"] = tuple(_edit(row) for row in fields["edits"])
    fields["findings"] = tuple(_finding(row) for row in fields["findings"])
    for name in ("residue", "residue_pattern"):
        fields[name] = tuple((start, end, name_) for start, end, name_ in fields[name])
    return FileResult(output=None, **fields)


def _spliced(src: bytes, edits: Sequence[Edit]) -> bytes:
    made = [edit for edit in edits if edit.applied]
    return splice(src, made) if made else src


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value


def _edit(row: Sequence[Any]) -> Edit:
    # Thousands of edits share a few rules and sources: each text is held once.
    said = [_shared(each) for each in row[4:]]
    return Edit(row[0], row[1], _bytes(row[2]), _bytes(row[3]), *said)


def _finding(row: Sequence[Any]) -> Finding:
    related = tuple(Related(*each) for each in row[7])
    first, rest = [_shared(each) for each in row[:6]], [_shared(each) for each in row[8:]]
    return Finding._make((*first, None if row[6] is None else _edit(row[6]), related, *rest))


def _shared(value: Any) -> Any:
    return intern(value) if type(value) is str else value


@lru_cache(maxsize=10_000)
def _bytes(text: str) -> bytes:
    return text.encode("latin-1")
