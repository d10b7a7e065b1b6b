"""The command that repeats a check: what was asked for, in the words of the command line."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from musify_ai.records import Options


class Repeat(NamedTuple):
    """What a check was made with. Options that say nothing of a kernel's verdict (formats, gates) are left out."""

    original: Path
    translation: Path
    options: Options

    def command(self, kernel: str, arch: str, further: Sequence[str] = ()) -> str:
        """The command that checks one kernel on one arch again."""
        words = ["musify-ai", "verify", str(self.original), str(self.translation), "--kernel", kernel, "--arch", arch]
        return shlex.join([*words, *self.chosen(), *further])

    def chosen(self) -> list[str]:
        """The options that are not the defaults, of those that change a verdict."""
        given = self.options
        words = ["--seeds", str(given.seeds)]
        # A port in one of the others is told by its names, or by a header in it.
        words += [f"--style={given.style}"] if given.style == "semantic" else []
        words += [f"--include={each}" for each in given.includes] + [f"--define={each}" for each in given.defines]
        words += [f"--inputs={given.inputs}"] if given.inputs else []
        words += [f"--launches={given.launches}"] if given.launches else []
        words += [f"--schedules={','.join(given.schedules)}"] if given.schedules else []
        words += [f"--draw={given.draw}"] if given.draw else []
        words += ["--mutants"] if given.mutants else []
        words += [f"--backend={each}" for each in given.backends] + [f"--remote={each}" for each in given.remotes]
        return words
