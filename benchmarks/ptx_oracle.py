"""Every lowered PTX form against the emulator's instruction library: ``python benchmarks/ptx_oracle.py [ROWS]``.

Draws edge values and random ones for each form (10,000 rows if not told otherwise) and compares bit for bit, any NaN
for any NaN. Prints the forms, the rows and what differs; exits with 1 if anything does.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    sys.path.insert(0, str(ROOT))
    from tests.translate.ptx.compared import compare, everything

    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    cases = everything()
    start = perf_counter()
    with TemporaryDirectory() as directory:
        wrong = compare(cases, rows, Path(directory))
    print(f"{len(cases)} forms on {rows} rows each: {len(wrong)} differ ({perf_counter() - start:.0f} s)")
    print("\n".join(wrong[:50]))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
