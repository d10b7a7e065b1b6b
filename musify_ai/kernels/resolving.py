"""`signatures.resolve` as a program of its own, so that whoever asks can hold it to limits.

libclang reads somebody's repository: a unit can keep it busy for ever (templates that instantiate exponentially) or
bring it down, and in the asking process nothing could stop that. The request comes pickled on standard input, from
our own process; the answer goes back as JSON, for what a foreign file may have upset is not to be unpickled.
"""

import json
import pickle
import sys
from collections.abc import Sequence
from pathlib import Path

from musify_ai.records import Instantiation, Kernel

MISSING = 3
"""The exit status where libclang is not installed."""
UNREADABLE = 4
"""The exit status where the unit cannot be read."""


def request(kernels: Sequence[Kernel], unit: Path, include_dirs: Sequence[Path], arguments: Sequence[str]) -> bytes:
    """What to write to the program's standard input."""
    return pickle.dumps((tuple(kernels), str(unit), [str(each) for each in include_dirs], list(arguments)))


def instantiations(answer: bytes) -> list[tuple[Instantiation, ...]]:
    """The instantiations of each kernel asked about. ``ValueError`` where the answer is none of the program's."""
    try:
        return [
            tuple(
                Instantiation(tuple(str(a) for a in arguments), int(line), str(how)) for arguments, line, how in kernel
            )
            for kernel in json.loads(answer)
        ]
    except (TypeError, ValueError) as error:
        raise ValueError("no answer about instantiations") from error


def main() -> int:
    """Answer one request."""
    from musify_ai.kernels.signatures import resolve
    from musify_ai.syntax.clang import LibclangMissing

    kernels, unit, include_dirs, arguments = pickle.loads(sys.stdin.buffer.read())  # noqa: S301 - our own process's
    try:
        found = resolve(
            kernels, unit=Path(unit), include_dirs=[Path(each) for each in include_dirs], arguments=arguments
        )
    except LibclangMissing:
        return MISSING
    except OSError:
        return UNREADABLE
    json.dump(
        [[[each.arguments, each.line, each.how] for each in kernel.instantiations] for kernel in found], sys.stdout
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
