"""What was found in the files of a run as they stood in a git revision, so that only later findings count.

A baseline kept in a file has to be written anew now and then; a revision is one that never goes stale. The files are
read from git's own store: nothing is checked out, and the tree and the index are left alone.
"""

import os
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from musify_ai.project.baseline import Known
from musify_ai.project.refusals import Refused
from musify_ai.records import Options, Run

if TYPE_CHECKING:
    import subprocess

_GIT = ("git", "-c", "core.fsmonitor=false", "--literal-pathspecs")
_ON_A_COMMAND_LINE = 500  # paths; with more, the whole revision is listed instead


def known_since(run: Run, revision: str, options: Options) -> Known:
    """The findings that the run's files had in a revision, by the paths and fingerprints that they have now.

    A file that git has seen renamed since is known by its old name. A file that the revision does not have is all new,
    as is everything in a repository without any commit. `Refused` where there is no git, no repository, or no such
    revision.
    """
    paths = [file.path for file in run.files if file.status != "failed"]
    if not any(file.findings for file in run.files):
        return Counter()
    top = _top(paths)
    commit = _commit(top, revision)
    if commit is None:
        return Counter()
    now = {_inside(top, path): path for path in paths}
    now.pop(None, None)
    before = {renamed: now[name] for renamed, name in _renames(top, commit).items() if name in now}
    wanted = {**{name: path for name, path in now.items() if name is not None}, **before}
    blobs = _blobs(top, commit, wanted)
    return _findings(top, {wanted[name]: blob for name, blob in blobs.items()}, options)


def _findings(top: Path, blobs: Mapping[str, str], options: Options) -> Known:
    """The findings in blobs, each read as the file of a path."""
    from musify_ai.project.running import check

    if not blobs:
        return Counter()
    known: Known = Counter()
    with tempfile.TemporaryDirectory(prefix="musify-ai-") as folder:
        places: dict[str, str] = {}
        base = Path.cwd()
        for path, data in zip(blobs, _contents(top, list(blobs.values())), strict=True):
            # Where files lie to each other decides what they know of each other, so the tree keeps its shape.
            place = Path(folder, os.path.relpath(base / path, top))
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
            places[place.as_posix()] = path
        found = check([Path(place) for place in places], options)
    for file in found.run.files:
        for finding in file.findings:
            known[places[file.path], finding.code, finding.fingerprint] += 1
    return known


def _top(paths: Iterable[str]) -> Path:
    """The root of the repository that the first of some files is in. `Refused` where it is in none."""
    first = next(iter(paths), ".")
    done = _git(Path(first).absolute().parent, "rev-parse", "--show-toplevel")
    if done.returncode != 0:
        raise Refused(f"--since: {first} is in no git repository, so there is no revision to look at")
    return Path(os.fsdecode(done.stdout.removesuffix(b"\n")))


def _commit(top: Path, revision: str) -> str | None:
    """The commit that a revision names; None for HEAD before the first commit. `Refused` for one that is not."""
    done = _git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if done.returncode == 0:
        return done.stdout.decode("ascii").strip()
    if revision == "HEAD" and _git(top, "rev-parse", "--verify", "--quiet", "HEAD").returncode != 0:
        return None
    raise Refused(f"--since: git knows no revision {revision!r} here (a shallow clone may lack it; fetch it first)")


def _inside(top: Path, path: str) -> str | None:
    """A path as git names it, or None outside the repository. Links in the folders above are followed, as git does."""
    place = Path(path).absolute()
    name = os.path.relpath(place.parent.resolve() / place.name, top.resolve())
    return None if name.startswith("..") else Path(name).as_posix()


def _renames(top: Path, commit: str) -> dict[str, str]:
    """Old name to new name of what git sees as renamed between a commit and the tree, what is staged included."""
    found: dict[str, str] = {}
    for staged in ((), ("--cached",)):
        done = _git(top, "diff", *staged, "--no-ext-diff", "-M", "--diff-filter=R", "--name-status", "-z", commit)
        words = os.fsdecode(done.stdout).split("\0")
        found.update(zip(words[1::3], words[2::3], strict=False))
    return found


def _blobs(top: Path, commit: str, names: Mapping[str, str]) -> dict[str, str]:
    """The blob of each name that a commit has as a file."""
    asked = sorted(names) if len(names) <= _ON_A_COMMAND_LINE else []
    done = _git(top, "ls-tree", "-r", "-z", "--full-tree", commit, "--", *asked)
    found = {}
    for row in done.stdout.split(b"\0"):
        head, _, name = row.partition(b"\t")
        mode, kind, blob = head.split() if head else (b"", b"", b"")
        if kind == b"blob" and mode != b"120000" and os.fsdecode(name) in names:
            found[os.fsdecode(name)] = blob.decode("ascii")
    return found


def _contents(top: Path, blobs: Sequence[str]) -> Iterable[bytes]:
    """The bytes of each blob, in order. `Refused` where git cannot read one, as in a partial clone without network."""
    asked = "".join(f"{blob}\n" for blob in blobs).encode("ascii")
    done = _git(top, "cat-file", "--batch", given=asked)
    at = 0
    for blob in blobs:
        end = done.stdout.find(b"\n", at)
        words = done.stdout[at:end].split()
        if end < 0 or len(words) != 3:
            raise Refused(f"--since: git cannot read {blob} of the revision; fetch it, or give --baseline FILE instead")
        size = int(words[2])
        yield done.stdout[end + 1 : end + 1 + size]
        at = end + 1 + size + 1


def _git(folder: Path, *arguments: str, given: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    import subprocess

    try:
        return subprocess.run([*_GIT, *arguments], cwd=folder, input=given, capture_output=True, check=False)
    except OSError as problem:
        raise Refused(f"--since needs git: {problem.strerror}") from None
