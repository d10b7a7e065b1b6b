"""The formats of other tools, written for whole projects and held against their own schemas.

Usage: python benchmarks/formats.py SARIF-SCHEMA CHECKOUT...

SARIF-SCHEMA is a copy of sarif-schema-2.1.0.json (github.com/oasis-tcs/sarif-spec). Needs the package jsonschema.
Prints for each checkout the results, the sizes of the log and of its upload, the faults of the log, and whether the
limits of code scanning hold (25,000 results, 10 MB compressed; docs.github.com, "SARIF results exceed limits").
"""

import gzip
import json
import sys
from importlib import import_module
from pathlib import Path

from musify_ai.project import check
from musify_ai.records import Options
from musify_ai.report import sarif
from musify_ai.translate.registry import titles


def main() -> None:
    schema = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    validator = import_module("jsonschema.validators").validator_for(schema)(schema)
    print(f"{'checkout':<24} {'results':>8} {'log':>10} {'upload':>10} {'faults':>7}  within limits")
    for name in sys.argv[2:]:
        outcome = check([Path(name)], Options())
        codes = {finding.code for file in outcome.run.files for finding in file.findings}
        text = sarif.render(outcome.run, outcome.texts, titles(codes)).encode()
        log = json.loads(text)
        faults = list(validator.iter_errors(log))
        results, packed = len(log["runs"][0]["results"]), len(gzip.compress(text))
        within = results <= 25_000 and packed <= 10_000_000
        print(
            f"{Path(name).name:<24} {results:>8,} {len(text) / 1e6:>7.1f} MB {packed / 1e6:>7.2f} MB {len(faults):>7}"
            f"  {'yes' if within else 'NO'}",
            flush=True,
        )
        for fault in faults[:3]:
            print(f"    {fault.json_path}: {fault.message[:200]}")


if __name__ == "__main__":
    main()
