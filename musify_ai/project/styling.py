"""A run in a style: what has to be settled over all files first, and what is put beside them afterwards."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from musify_ai.project.discovery import Entry
from musify_ai.project.refusals import Refused
from musify_ai.project.scheduling import Progress, treat_all
from musify_ai.project.treating import Manner, Treated
from musify_ai.styles import LEAVING_NAMES, refusal

if TYPE_CHECKING:
    from musify_ai.project.keeping import Keeping


def treat_in_style(
    root: Path,
    entries: Sequence[Entry],
    manner: Manner,
    home: str = "",
    progress: Progress | None = None,
    keeping: "Keeping | None" = None,
) -> list[Treated]:
    """Every entry treated in the style of the run, with the files that the style adds.

    ``home`` is the folder, relative to ``root``, that they are added in; ``keeping`` is as in `treat_all`. `Refused`
    for a style that does not go with the other options, or where something is in the way.
    """
    why = refusal(manner.options)
    if why:
        raise Refused(why)
    if manner.options.style == "rebrand":
        from musify_ai.project.rebranding import treat_rebranded

        return treat_rebranded(root, entries, manner, progress)
    treated = treat_all(root, entries, manner, progress, keeping)
    if manner.options.style not in LEAVING_NAMES:
        return treated
    from musify_ai.project.companions import clashing, with_companions

    names = clashing(treated)
    if names:
        treated = treat_all(root, entries, manner._replace(plan=manner.plan._replace(spelled_out=names)), progress)
    return with_companions(treated, root, home, manner)
