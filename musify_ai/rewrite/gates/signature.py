"""The function is called as before: its head is, token for token, what it was."""

from musify_ai.rewrite.gates.protocol import Candidate, Passed, Refused, Said
from musify_ai.rewrite.gates.reading import read, texts


def check(candidate: Candidate) -> Said:
    """Refused (``signature``) where anything before the body differs."""
    wanted = texts(candidate.unit.head)
    found = read(candidate.code)
    got = tuple(token.text for token in found[: len(wanted)])
    if got != wanted or len(found) <= len(wanted) or found[len(wanted)].text != b"{":
        opening = next((token.start for token in found if token.text == b"{"), 200)
        mine = " ".join(candidate.code[:opening].decode("utf-8", "replace").split())
        theirs = " ".join(candidate.unit.head.decode("utf-8", "replace").split())
        return Refused("signature", f"the head was `{theirs[:300]}` and is `{mine[:300]}`")
    return Passed()
