"""Which files of a project a file takes in, from their texts alone."""

import posixpath
from collections.abc import Mapping

from musify_ai.verify.closures import includes


def visible(place: str, texts: Mapping[str, bytes]) -> list[str]:
    """A file and those of the project that it includes, directly or not, itself first."""
    found = [place]
    for file in found:
        for include in includes(texts[file]):
            beside = posixpath.normpath(posixpath.join(posixpath.dirname(file), include.name))
            tail = "/" + include.name.rsplit("../", 1)[-1]
            named = beside if beside in texts else next((p for p in texts if f"/{p}".endswith(tail)), "")
            if named and named not in found:
                found.append(named)
    return found
