"""Device names that several units of a program define, each for itself.

A CUDA compiler makes device code unit by unit unless it is told to link it (``nvcc -rdc=true``): two units may both
have a ``__constant__ float k[4]`` or a ``__device__ int f(int)``, and each uses its own. A host linker takes such a
name once. So in objects that define a device name which another object defines too, the name is made the object's own.
Names of the host stay as they are: a program that defines those twice links nowhere.
"""

import re
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from musify_ai.backends.limits import Limits, clean_environment, run_limited
from musify_ai.backends.sandbox import Access

_LIMITS = Limits(cpu=30, wall=120, memory=2048)
_DEFINED = "BDGRST"  # as nm says: strong definitions of variables and functions
_SPECIFIER = re.compile(rb"\b__(?:device|constant|global|managed)__\b")
_BASE = re.compile(r"([A-Za-z_]\w*)\s*$")


def separate(objects: Sequence[Path], sources: Iterable[Mapping[str, bytes]], out: Path) -> list[Path]:
    """The objects to link: those given, or copies in ``out`` in which doubled device names are local.

    ``sources`` are the files of the units, where a name's declaration is looked for.
    """
    if len(objects) < 2 or shutil.which("nm") is None or shutil.which("objcopy") is None:
        return list(objects)
    defined = [_defined(path, out) for path in objects]
    counts = Counter(name for names in defined for name in names)
    doubled = {name for name, count in counts.items() if count > 1}
    if not doubled:
        return list(objects)
    texts = {text for files in sources for text in files.values()}
    plain = {name: base for names in defined for name, base in names.items() if name in doubled}
    own = {name for name, base in plain.items() if any(declares(text, base) for text in texts)}
    linked = []
    for index, (path, names) in enumerate(zip(objects, defined, strict=True)):
        mine = sorted(own & names.keys())
        if mine:
            copy = out / f"unit{index}.o"
            words = [f"--localize-symbol={name}" for name in mine]
            done = run_limited(
                ["objcopy", *words, path, copy], cwd=out, limits=_LIMITS, env=clean_environment(out),
                access=Access((path.parent,)),
            )  # fmt: skip
            path = copy if done.ok else path
        linked.append(path)
    return linked


def declares(text: bytes, name: str) -> bool:
    """Whether a source declares a name with a specifier of device code, by a look at its words alone."""
    word = re.compile(rb"\b" + name.encode() + rb"\b")
    for match in _SPECIFIER.finditer(text):
        end = min((at for mark in (b";", b"{", b"=") if (at := text.find(mark, match.end())) >= 0), default=len(text))
        if word.search(text, match.end(), end):
            return True
    return False


def _defined(path: Path, out: Path) -> dict[str, str]:
    """Strong names that an object defines for others, with each one's last part as the source spells it."""
    access = Access((path.parent,))
    mangled, readable = (
        run_limited(
            ["nm", "--extern-only", "--defined-only", "--no-sort", *words, path], cwd=out, limits=_LIMITS,
            env=clean_environment(out), access=access,
        )
        for words in ((), ("--demangle",))
    )  # fmt: skip
    names: dict[str, str] = {}
    if not (mangled.ok and readable.ok):
        return names
    pairs = zip(mangled.stdout.decode().splitlines(), readable.stdout.decode().splitlines(), strict=False)
    for plain, shown in pairs:
        _, kind, name = plain.split(" ", 2)
        base = _BASE.search(shown.split(" ", 2)[2].split("(")[0])
        if kind in _DEFINED and name != "main" and base is not None:
            names[name] = base[1]
    return names
