"""The backends by name, and which pair of them a user asked for: ``ORIGINAL:TRANSLATION``."""

from collections.abc import Iterable
from typing import NamedTuple

from musify_ai.backends.device_programs import Builder
from musify_ai.backends.machines import BackendError, Here, Machine
from musify_ai.backends.mcc import MccGpu
from musify_ai.backends.musa_on_nvidia import MusaOnNvidia
from musify_ai.backends.nvcc import NvccGpu
from musify_ai.backends.remote import Remote

EMULATED = "emulated"
BUILDERS: dict[str, Builder] = {each.key: each for each in (NvccGpu(), MccGpu(), MusaOnNvidia())}

# What a single name stands for.
_SHORT = {"nvcc": ("nvcc", EMULATED), "mcc": (EMULATED, "mcc"), "musa-on-nvidia": ("nvcc", "musa-on-nvidia")}


class DevicePair(NamedTuple):
    """Which backend builds and runs each side; ``emulated`` is the CPU device."""

    original: str
    translation: str

    @property
    def name(self) -> str:
        """As a user gives it, shortest first."""
        return next((short for short, pair in _SHORT.items() if pair == tuple(self)), f"{self[0]}:{self[1]}")


def pair_of(text: str) -> DevicePair:
    """The pair that a name stands for. Raises `BackendError`."""
    if text in _SHORT:
        return DevicePair(*_SHORT[text])
    original, colon, translation = text.partition(":")
    sides = {key: builder.side for key, builder in BUILDERS.items()}
    fits = original == EMULATED or sides.get(original) == "cuda"
    if colon and fits and (translation == EMULATED or sides.get(translation) == "musa"):
        if original == translation:
            raise BackendError("both sides are emulated in any case; name a backend for one of them")
        return DevicePair(original, translation)
    raise BackendError(
        f"unknown backend {text!r}; there is {', '.join(_SHORT)}, or a pair such as nvcc:mcc (the original by nvcc, the"
        " translation by mcc) and emulated:musa-on-nvidia"
    )


def machines_of(remotes: Iterable[str]) -> dict[str, Machine]:
    """The machine of each backend, by key: ``user@host`` for all, ``mcc=user@host`` for one. Raises `BackendError`."""
    found: dict[str, Machine] = dict.fromkeys(BUILDERS, Here())
    for text in sorted(remotes, key=lambda each: "=" in each):
        key, equals, host = text.partition("=")
        if not equals:
            found = dict.fromkeys(BUILDERS, Remote.named(text))
        elif key in BUILDERS:
            found[key] = Remote.named(host)
        else:
            raise BackendError(f"--remote {text}: {key!r} is no backend; there is {', '.join(BUILDERS)}")
    return found
