"""What the headline of a kernel means to a reviewer."""

from collections.abc import Mapping

from musify_ai.records import HEADLINES, Headline

MEANS: Mapping[str, str] = {
    "differs": "the sides give different results",
    "build-failed": "one side does not compile",
    "not-checkable": "could not be run; the reason stands beside each",
    "unchecked": "was not run; the reason stands beside each",
    "original-schedule-dependent": "the original gives no fixed result itself, so none can be compared",
    "arch-dependent": "equal on one arch, different on another: most often 128 lanes where 32 were meant",
    "equal-weak": "no difference was seen, but the runs say little",
    "equal-assumed": "equal, if what nobody has published is as assumed",
    "equal-emulated": "equal bit for bit on the emulator",
    "equal-on-nvidia": "equal on an NVIDIA GPU",
    "equal-on-hardware": "equal on a Moore Threads GPU",
}


def mood(headline: str) -> str:
    """The colour of a headline: only an equality that says something is ``good``."""
    if headline in ("differs", "build-failed", "arch-dependent"):
        return "bad"
    return "good" if headline.startswith("equal-") and headline != "equal-weak" else "open"


_MOODS = ("bad", "open", "good")

GRAVEST_FIRST: tuple[Headline, ...] = tuple(sorted(HEADLINES, key=lambda each: _MOODS.index(mood(each))))
"""Headlines in the order in which somebody who has to decide reads them: what is wrong, what is open, what is equal."""
