"""Every lowered PTX form against what is not its author: ``python benchmarks/ptx_oracle.py [ROWS]``.

Forms that only compute run beside the emulator's instruction library, or beside the manual's words in C++ where the
library does not have them. Forms that need a device (memory, atomics, shuffles, votes, registers, fences) run three
ways: by a model of the manual in Python, by the emulator from the PTX, and by the emulator from what they were lowered
to, on 128 lanes and on 32. Edge values and random ones are drawn for each form (10,000 rows if not told otherwise) and
compared bit for bit, any NaN for any NaN. Prints the forms, the rows and what differs; exits with 1 if anything does.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    sys.path.insert(0, str(ROOT))
    from tests.translate.ptx import manual, on_device
    from tests.translate.ptx.compared import compare, everything

    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    cases = everything()
    start = perf_counter()
    with TemporaryDirectory() as directory:
        wrong = compare(cases, rows, Path(directory))
    print(f"computation: {len(cases)} forms on {rows} rows each: {len(wrong)} differ ({perf_counter() - start:.0f} s)")
    # Rows of whole blocks.
    rows = -(-rows // 256) * 256
    families = {
        "loads and stores": (list(manual.accesses()), ("mp_22", "mp_31")),
        "atomics": (list(manual.atomics()), ("mp_22", "mp_31")),
        "shuffles": (list(manual.shuffles()), ("mp_22", "mp_31")),
        "registers, fences, hints": ([*manual.registers(), *manual.orderings()], ("mp_22", "mp_31")),
        "votes, where a warp has 32 lanes": (list(manual.votes()), ("mp_31",)),
    }
    for name, (forms, archs) in families.items():
        start = perf_counter()
        with TemporaryDirectory() as directory:
            found = on_device.compare(forms, rows, Path(directory), archs)
        print(f"{name}: {len(forms)} forms on {rows} rows each: {len(found)} differ ({perf_counter() - start:.0f} s)")
        wrong += found
    print("\n".join(wrong[:50]))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
