"""What a real compiler said that its SDK lacks, as an overlay over the rules: as `sdk scan` would have found it."""

from pathlib import Path

from musify_ai.project.origins import Absent
from musify_ai.project.refusals import Refused


def write_absent(file: Path, absent: Absent | None) -> None:
    """Add the names and headers that are not there to an overlay, or begin one. Only those that the rules speak of
    count: others are a project's own. `Refused` where the file is none of ours or cannot be written."""
    from musify_ai.rules import load
    from musify_ai.rules.compiling import write_atomically
    from musify_ai.rules.overlay import Overlay, OverlayInvalid, as_toml, read_overlay

    known = Overlay("", frozenset(), frozenset(), frozenset(), frozenset())
    if file.exists():
        try:
            known = read_overlay(file)
        except OverlayInvalid as problem:
            raise Refused(str(problem)) from None
    found = absent or Absent(frozenset(), frozenset())
    rules = load()
    names = found.names & set(rules.names.values())
    headers = found.headers & {header.musa for header in rules.headers.values() if header.musa}
    text = as_toml(
        known._replace(
            names=known.names - names,
            missing=known.missing | names,
            headers=known.headers - headers,
            missing_headers=known.missing_headers | headers,
        )
    )
    if not write_atomically(file, text.encode()):
        raise Refused(f"{file}: cannot be written")
