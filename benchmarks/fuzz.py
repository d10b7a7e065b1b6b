"""Mutations of real source through the whole way of a file: ``python -m benchmarks.fuzz FOLDER [--style STYLE]``.

Each input is a file with random bytes changed, cut, doubled or put in (quotes, backslashes, brackets, directives, bytes
of other encodings). It must come through without a failure: the edits taken back give the input, a second run changes
nothing, no rule raises. The seed is printed; a failing input is written to ``--keep``.
"""

import argparse
import random
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time

from musify_ai.pipeline import process
from musify_ai.records import Options
from musify_ai.styles import STYLES, Styled, translate_in_style
from musify_ai.styles.project import plan_for

PIECES = (
    *(bytes((byte,)) for byte in b"\"'\\\n\r\t \0(){}[]<>#,;:/*%&|~!?.\xff\x80\xef"),
    b"/*",
    b"*/",
    b"//",
    b'R"(',
    b')"',
    b"\\\n",
    b"\\\r\n",
    b"##",
    b"#if ",
    b"#else\n",
    b"#endif\n",
    b"#define X ",
    b"<<<",
    b">>>",
    b"::",
    b"cuda",
    b"cudaFree",
    b"warpSize",
    b'asm("',
    b"\xef\xbb\xbf",
    "线".encode("gbk"),
)
LONGEST = 6000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--style", choices=STYLES, default="tokens")
    parser.add_argument("--unsafe-fixes", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder for inputs that fail")
    arguments = parser.parse_args()
    sources = [(path.name, path.read_bytes()) for path in sorted(arguments.folder.rglob("*.[ch]*")) if path.is_file()]
    chance = random.Random(arguments.seed)
    options = Options(style=arguments.style, unsafe_fixes=arguments.unsafe_fixes)
    failures: Counter[str] = Counter()
    slowest, start = (0.0, ""), process_time()
    for number in range(arguments.inputs):
        name, src = chance.choice(sources)
        data = mutated(src, chance)
        began = process_time()
        done = process(data, name, options, translator=translator_of(name, data, options))
        slowest = max(slowest, (process_time() - began, f"{name}, input {number}"))
        faults = [finding.message for finding in done.result.findings if finding.code == "MUS000"]
        if done.failure is not None:
            faults.append(done.failure.error)
        for fault in faults:
            failures[fault[:150]] += 1
            if arguments.keep is not None:
                arguments.keep.mkdir(parents=True, exist_ok=True)
                (arguments.keep / f"{number}-{name}").write_bytes(data)
    spent = process_time() - start
    print(f"{arguments.inputs} inputs from {len(sources)} files, seed {arguments.seed}: {spent:.0f} s CPU")
    print(f"slowest {slowest[0]:.2f} s: {slowest[1]}; {failures.total()} failures")
    for fault, count in failures.most_common():
        print(f"  {count} x {fault}")


def translator_of(name: str, data: bytes, options: Options) -> Callable[[bytes, str, Options], Styled] | None:
    """The translator of a style in which a file is a whole project; None for that which every run takes."""
    if options.style != "rebrand":
        return None
    return partial(translate_in_style, plan=plan_for({name: data}, options))


def mutated(src: bytes, chance: random.Random) -> bytes:
    """A piece of a file with up to twelve random changes."""
    begin = chance.randrange(max(len(src) - LONGEST, 0) + 1)
    data = bytearray(src[begin : begin + LONGEST])
    for _ in range(chance.randint(1, 12)):
        at = chance.randrange(len(data) + 1)
        size = chance.choice((1, 1, 2, 5, 40))
        action = chance.randrange(4)
        if action == 0:
            data[at:at] = chance.choice(PIECES)
        elif action == 1:
            del data[at : at + size]
        elif action == 2:
            data[at:at] = data[at : at + size]
        else:
            data[at : at + 1] = chance.choice(PIECES)
    return bytes(data)


if __name__ == "__main__":
    main()
