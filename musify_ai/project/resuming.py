"""A directory changed in place, with a ledger in the user's cache by which the next run completes a killed one.

What is to be written stands in the ledger, with what stood there, before the first file is changed. So a run that is
killed while it writes leaves some files changed and some not, and the next one changes the others and reports on all.
Where a part of the ledger was damaged meanwhile, what is left of it is made use of, and each file that it says nothing
of any more is named.
"""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from musify_ai.project.destination import digest_of
from musify_ai.project.discovery import Entry
from musify_ai.project.in_place import TEMPORARY, replace_file
from musify_ai.project.ledger import Ledger, Step, Written, digest_of_bytes
from musify_ai.project.recording import restored, told
from musify_ai.project.treating import Manner, Treated, treat
from musify_ai.records import Failure, Verdict


def folder_for(source: Path) -> Path:
    """Where the ledger of a run in a directory lies: nothing is left in the directory itself."""
    from musify_ai.backends.cache import default_root, digest

    return default_root() / "runs" / digest([os.fsencode(source.resolve())])


class InPlace:
    """A run over a directory that changes it."""

    def __init__(self, source: Path, ledger: Ledger) -> None:
        self.source, self.ledger = source, ledger
        self._written_before = ledger.outputs()
        self._steps = {step.place: step for step in ledger.steps()}
        self.is_unfinished = ledger.noted("stage") == "writing"

    def is_own(self, path: str) -> bool:
        """Whether a file is as a killed run has left it."""
        if not self.is_unfinished:
            return False
        now, written = digest_of(self.source / path), self._written_before.get(path)
        return (written is not None and now == written.digest) or path in self._steps

    def plan(self, treated: Sequence[Treated]) -> None:
        """Write down what is going to be changed."""
        changed = [each for each in treated if each.is_changed and each.processed.result.status != "failed"]
        self.ledger.settled({each.entry.path: told(each) for each in treated if each.kept is not None})
        steps, bodies = [], []
        for each in changed:
            before, after = each.before or b"", each.processed.output or b""
            expected, staged = digest_of_bytes(before), digest_of_bytes(after)
            steps.append(Step(each.entry.path, expected, staged, Written(each.entry.path, staged)))
            bodies += [(staged, after), (expected, before)]
        self.ledger.plan(steps, bodies)
        self._steps = {step.place: step for step in steps}
        self.ledger.note("stage", "writing")

    def resumed(
        self, entries: Sequence[Entry], manner: Manner
    ) -> tuple[list[Treated], tuple[Verdict, ...], tuple[Failure, ...]]:
        """The files of a run that was killed while it wrote, with its verdicts: from the ledger, as they were; and what
        of them cannot be read any more."""
        rows = self.ledger.rows()
        found = []
        for entry in entries:
            row = rows.get(entry.path)
            found.append(self._resumed(entry, "" if row is None else row.final or row.first, manner))
        try:
            return found, self.ledger.verdicts(), ()
        except ValueError:
            error = f"what the ledger ({self.ledger.folder}) has of the checks of the killed run cannot be read"
            hint = "Compare with the original: musify-ai verify ORIGINAL " + str(self.source)
            return found, (), (Failure(".", "check", error, hint),)

    def _resumed(self, entry: Entry, text: str, manner: Manner) -> Treated:
        written = self._written_before.get(entry.path)
        try:
            src = self._before(entry, text, written) if text else None
            if src is not None:
                return restored(entry, src, text)
        except (ValueError, KeyError, TypeError, AttributeError):
            if written is not None and digest_of(self.source / entry.path) == written.digest:
                return self._done(entry, treat(self.source, entry, manner))
        return treat(self.source, entry, manner)

    def _done(self, entry: Entry, now: Treated) -> Treated:
        """A file that the killed run has changed, of whose edits the ledger has no word any more."""
        error = f"the killed run has changed it, and what the ledger ({self.ledger.folder}) had of its edits is damaged"
        hint = "The file is whole. Compare it with the original, as git has it: its edits are in no report."
        result = now.processed.result._replace(status="skipped", reason=error, edits=(), output=None)
        failure = Failure(entry.path, "read", error, hint)
        return now._replace(processed=now.processed._replace(result=result, kept=None, failure=failure))

    def _before(self, entry: Entry, text: str, written: Written | None) -> bytes | None:
        """What stood in a file when it was read; None where it has been changed by somebody else since."""
        digest = "sha256:" + json.loads(text)["result"]["sha256_before"]
        try:
            now = (self.source / entry.path).read_bytes()
        except OSError:
            return None
        if digest_of_bytes(now) == digest:
            return now
        step = self._steps.get(entry.path)
        ours = {each for each in (step.staged if step else "", written.digest if written else "") if each}
        return self.ledger.body(digest) if digest_of_bytes(now) in ours else None

    def write(self, treated: Sequence[Treated]) -> list[Treated]:
        """Make the planned changes, each by a rename that the ledger notes; the files come back with their outputs."""
        failures = {}
        for step in self._steps.values():
            failure = self._written(step)
            if failure is None:
                self.ledger.made(step)
            else:
                failures[step.place] = failure
                self.ledger.given_up(step)
        return [_told(each, failures.get(each.entry.path)) for each in treated]

    def _written(self, step: Step) -> Failure | None:
        place, now = self.source / step.place, digest_of(self.source / step.place)
        if self.is_unfinished:
            _sweep(place)
        if now == step.staged:
            return None
        data = self.ledger.body(step.staged)
        if now == step.expected and data is None:
            error = f"what the ledger ({self.ledger.folder}) has of its new bytes is damaged"
            return Failure(step.place, "write", error, "The file is as it was. Run again: it is translated anew.")
        if now != step.expected or data is None:
            error = "it was changed while the run was going on and is left as it is"
            return Failure(step.place, "write", error, "Run again.")
        try:
            replace_file(place, data)
        except OSError as problem:
            error = problem.strerror or type(problem).__name__
            return Failure(step.place, "write", error, "The file is as it was. Check its folder's permissions.")
        return None


def _sweep(place: Path) -> None:
    """Take away the temporary file that a killed run has left beside a place."""
    begin = f".{place.name[:100]}."
    with suppress(OSError):
        for each in place.parent.iterdir():
            if each.name.startswith(begin) and each.name.endswith(TEMPORARY):
                each.unlink(missing_ok=True)


def _told(treated: Treated, failure: Failure | None) -> Treated:
    result = treated.processed.result
    if failure is not None:
        edits = tuple(edit._replace(applied=False) for edit in result.edits)
        failed = result._replace(status="failed", reason=failure.error, sha256_after=None, edits=edits)
        return treated._replace(processed=treated.processed._replace(result=failed, kept=None, failure=failure))
    if not treated.is_changed or result.status == "failed":
        return treated
    return treated._replace(processed=treated.processed._replace(result=result._replace(output=result.path)))
