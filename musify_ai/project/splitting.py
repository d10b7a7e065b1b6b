"""A migration in place as git commits, one a kind of change, so that each can be read, reverted and blamed alone.

The commits are made in git's store, beside the tree: the tree and the branch change once everything stands, the branch
by one update of its reference. What the commits are is noted before that, so that a run which was killed around it is
completed by the next, and nothing is committed twice. What git does not keep in this repository (files that it ignores,
submodules) is in no commit, and that is said of each such file.
"""

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from musify_ai.project.git_listing import GIT
from musify_ai.project.ledger import Ledger
from musify_ai.project.refusals import Refused
from musify_ai.project.treating import Treated
from musify_ai.records import Edit
from musify_ai.source import splice

# Kinds in the order of their commits: what is mechanical first, what wants to be read last.
_KINDS = {
    "includes": "Include MUSA's headers",
    "names": "Use MUSA's names",
    "MUS2": "Ask for MUSA's archs and versions in guards",
    "MUS3": "Count lanes as MUSA's warps have them",
    "MUS4": "Do without inline PTX",
    "MUS5": "Adapt memory, barriers, atomics and launches",
    "MUS6": "Adapt types and numerics",
    "MUS7": "Call MUSA's libraries",
    "rules": "Make further changes for MUSA",
    "MUS9": "Take rewrites by a model",
    "build": "Build with MUSA",
    "python": "Run Python on MUSA",
}
COMMITS = "commits"
"""The ledger's note of commits that are about to be put on the branch."""
_RULES = tuple(kind for kind in _KINDS if kind.startswith("MUS"))


class Commit(NamedTuple):
    """A commit that was made: its hash, its subject, and how many edits in how many files it has."""

    hash: str
    subject: str
    edits: int
    files: int


def kind_of(edit: Edit, role: str) -> str:
    """The kind of change that an edit in a file of a role is."""
    if role in ("build", "python"):
        return role
    if edit.evidence == "llm":
        return "MUS9"
    if edit.rule.startswith("headers."):
        return "includes"
    if edit.rule.startswith("names."):
        return "names"
    return edit.rule[:4] if edit.rule[:4] in _RULES else "rules"


class Split(NamedTuple):
    """What came of it: the commits, and the changed files that are in none, each with why."""

    commits: tuple[Commit, ...]
    left: Mapping[str, str]


class Splitter:
    """The repository that a run in place is committed to."""

    def __init__(self, source: Path) -> None:
        """`Refused` where there is none, where nobody is set to commit, and where nothing was committed yet."""
        self._source = source
        top = self._git("rev-parse", "--show-toplevel", why=f"{source} is in no git repository, and --split commits")
        self._top = Path(os.fsdecode(top.rstrip(b"\n")))
        self._inside = source.resolve().relative_to(self._top.resolve()).as_posix()
        for person in ("GIT_COMMITTER_IDENT", "GIT_AUTHOR_IDENT"):
            self._git("var", person, why="git does not know who commits: set user.name and user.email")
        head = self._git("rev-parse", "--verify", "HEAD", why=f"{self._top} has no commit yet: commit the original")
        self._head = head.decode("ascii").strip()

    def commit(self, treated: Sequence[Treated], ledger: Ledger, *, resumed: bool = False) -> Split:
        """Commit what was changed, a commit a kind, and move the branch there; the tree has to be written already.
        ``resumed`` says that a run before may have done so, whose ledger this is. `Refused` where git fails, a
        signature's program for one."""
        try:
            return self._committed(treated, ledger, resumed)
        except Refused as problem:
            advice = "the files are changed and not committed: run again once that is mended"
            raise Refused(f"{problem}; {advice}") from None

    def _committed(self, treated: Sequence[Treated], ledger: Ledger, resumed: bool) -> Split:
        changed = [each for each in treated if each.is_changed and each.processed.result.output is not None]
        heads = self._heads(frozenset(map(self._name, changed)))
        left = self._why_left([each for each in changed if self._name(each) not in heads])
        changed = [each for each in changed if self._name(each) in heads]
        last: dict[str, bytes] = {}  # what the index is to say; of other files it keeps what it says
        if resumed:
            pending = []
            for each in changed:
                mode, blob = heads[name := self._name(each)]
                if blob == self._blob(name, each.processed.output or b"", keep=False):
                    last[name] = _row(mode, blob, name)  # the run before got as far as the branch
                elif blob == self._blob(name, each.before or b"", keep=False):
                    pending.append(each)
                else:
                    left[each.entry.path] = "it was committed otherwise since it was migrated"
            changed = pending
        done = self._noted(ledger) if resumed and not changed else ()
        made = self._made(changed, heads, last)
        if made:
            ledger.note(COMMITS, json.dumps(made))
            self._git("update-ref", "-m", "musify-ai migrate --split", "HEAD", made[-1].hash, self._head)
        if last:
            self._git("update-index", "-z", "--index-info", given=b"".join(last.values()))
            self._git("update-index", "-q", "--refresh", "--really-refresh", check=False)
        return Split((*done, *made), left)

    def _noted(self, ledger: Ledger) -> tuple[Commit, ...]:
        """The commits that a killed run noted, where the branch has them."""
        try:
            noted = tuple(Commit(*row) for row in json.loads(ledger.noted(COMMITS) or "[]"))
        except (ValueError, TypeError):
            return ()
        return noted if noted and self._is_in_branch(str(noted[-1].hash)) else ()

    def _is_in_branch(self, commit: str) -> bool:
        command = [*GIT, "merge-base", "--is-ancestor", commit, self._head]
        return subprocess.run(command, cwd=self._top, capture_output=True, timeout=120, check=False).returncode == 0

    def _made(
        self, changed: Sequence[Treated], heads: Mapping[str, tuple[str, bytes]], last: dict[str, bytes]
    ) -> list[Commit]:
        made: list[Commit] = []
        parent = self._head
        with tempfile.TemporaryDirectory(prefix="musify-ai-") as folder:
            index = {"GIT_INDEX_FILE": str(Path(folder, "index"))}
            self._git("read-tree", parent, environment=index)
            for kind, subject in _KINDS.items():
                rows, count = [], 0
                for each in changed:
                    text, edits = self._until(each, kind)
                    if edits:
                        name = self._name(each)
                        last[name] = _row(heads[name][0], self._blob(name, text, keep=True), name)
                        rows.append(last[name])
                        count += edits
                if not rows:
                    continue
                self._git("update-index", "-z", "--index-info", given=b"".join(rows), environment=index)
                tree = self._git("write-tree", environment=index).decode("ascii").strip()
                files = f"{count} edit{'s' * (count > 1)} in {len(rows)} file{'s' * (len(rows) > 1)}"
                message = f"{subject}\n\n{files}, made by musify-ai migrate --split.\n"
                new = self._git("commit-tree", *self._signing(), "-p", parent, tree, given=message.encode("ascii"))
                parent = new.decode("ascii").strip()
                made.append(Commit(parent, subject, count, len(rows)))
        return made

    def _blob(self, name: str, text: bytes, *, keep: bool) -> bytes:
        """The name that git gives bytes in a file of this name, as its filters leave them."""
        return self._git("hash-object", *(["-w"] if keep else []), "--stdin", f"--path={name}", given=text).strip()

    def _until(self, treated: Treated, kind: str) -> tuple[bytes, int]:
        """A file with the edits of a kind and of those before it, and how many are of the kind."""
        order = list(_KINDS)
        kinds = [(order.index(kind_of(e, treated.entry.role)), e) for e in treated.processed.result.edits if e.applied]
        here = order.index(kind)
        count = sum(number == here for number, _ in kinds)
        if not count:
            return b"", 0
        if all(number <= here for number, _ in kinds):
            return treated.processed.output or b"", count
        return splice(treated.before or b"", [edit for number, edit in kinds if number <= here]), count

    def _name(self, treated: Treated) -> str:
        path = treated.entry.path
        return path if self._inside == "." else f"{self._inside}/{path}"

    def _heads(self, names: frozenset[str]) -> dict[str, tuple[str, bytes]]:
        """Mode and blob of each file that the last commit has, links aside."""
        found = {}
        for row in self._git("ls-tree", "-r", "-z", "--full-tree", self._head).split(b"\0"):
            head, _, name = row.partition(b"\t")
            if os.fsdecode(name) in names and head[:6] != b"120000":
                mode, _, blob = head.split(b" ")
                found[os.fsdecode(name)] = (mode.decode("ascii"), blob.strip())
        return found

    def _why_left(self, treated: Sequence[Treated]) -> dict[str, str]:
        """Why files are in no commit of this repository, by path."""
        if not treated:
            return {}
        names = b"\0".join(os.fsencode(self._name(each)) for each in treated) + b"\0"
        ignored = set(self._git("check-ignore", "-z", "--stdin", given=names, check=False).split(b"\0"))
        return {each.entry.path: self._why(self._name(each), ignored) for each in treated}

    def _why(self, name: str, ignored: set[bytes]) -> str:
        for folder in Path(name).parents:
            if folder != Path() and (self._top / folder / ".git").exists():
                return f"it is another repository's ({folder.as_posix()}): commit it there"
        return "git ignores it" if os.fsencode(name) in ignored else "git does not have it"

    def _signing(self) -> list[str]:
        wanted = self._git("config", "--type=bool", "--get", "commit.gpgsign", check=False)
        return ["-S"] if wanted.strip() == b"true" else []

    def _git(
        self,
        *words: str,
        given: bytes = b"",
        environment: Mapping[str, str] | None = None,
        check: bool = True,
        why: str = "",
    ) -> bytes:
        """What git answers. `Refused` where it fails, with why, or its own words."""
        folder = getattr(self, "_top", self._source)
        surroundings = {**os.environ, **(environment or {})}
        try:
            done = subprocess.run(
                [*GIT, *words], cwd=folder, input=given, capture_output=True, env=surroundings, check=False
            )
        except OSError as problem:
            raise Refused(f"--split needs git: {problem.strerror}") from None
        if check and done.returncode != 0:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise Refused(f"--split: {why or (said[-1] if said else f'git {words[0]} failed')}")
        return done.stdout


def _row(mode: str, blob: bytes, name: str) -> bytes:
    """A file as ``git update-index --index-info`` takes it."""
    return b"%b %b\t%b\0" % (mode.encode("ascii"), blob, os.fsencode(name))
