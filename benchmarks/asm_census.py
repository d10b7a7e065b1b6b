"""What becomes of the ``asm`` statements of real source: ``python benchmarks/asm_census.py CHECKOUT...``.

Prints, for each checkout and over all, how many PTX statements there are, how many the translator lowers, how many it
hands on by a finding, how many it lost (neither) and how many it neutered (the statement gone and nothing of its
meaning put in its place; both must be 0); then the share lowered among the statements made only of opcodes that have
a plain meaning, and the commonest reasons for which those were left.
"""

import argparse
from collections import Counter
from pathlib import Path

from musify_ai.records import Edit, Finding
from musify_ai.source.splicing import splice
from musify_ai.translate import translate
from musify_ai.translate.ptx.families import ASYNC, BARRIER, TENSOR, family
from musify_ai.translate.ptx.lowering import Judged, judged_statements
from musify_ai.translate.unit import Unit

SUFFIXES = frozenset((".cu", ".cuh", ".h", ".hpp", ".hh", ".cpp", ".cc", ".cxx", ".inl", ".ptx.h"))
_PLAIN = """
add sub mul mad addc subc madc bfe bfi prmt lop3 shf shl shr and or xor not min max sad selp setp set slct neg abs mov
cvt ld st ldu membar fence red atom shfl vote match activemask trap exit nanosleep prefetch fma popc clz brev bfind rcp
ex2 lg2 sqrt rsqrt sin cos tanh div rem mul24 mad24 cvta elect bar copysign testp
"""
PLAIN = frozenset(_PLAIN.split())
"""First parts of the opcodes that have a plain meaning; of ``bar`` only barrier 0 of the whole block."""


_WORDS = "shared shared::cta shared::cluster local cluster tensormap mbarrier_init bulk e4m3x2 e5m2x2 e2m1x2"
_NOT_PLAIN = frozenset(_WORDS.split())
"""Modifiers of another world: addresses of shared memory as numbers, clusters, tensor maps, 8-bit floats."""


def plain(judged: Judged) -> bool:
    """Whether a statement is made only of opcodes with a plain meaning, on global and generic addresses."""
    roots = {each.parts[0] for each in judged.instructions}
    if any(not _NOT_PLAIN.isdisjoint(each.parts) for each in judged.instructions):
        return False
    return bool(roots) and roots <= PLAIN and family(judged.instructions) not in (TENSOR, ASYNC, BARRIER)


def sources(root: Path) -> list[tuple[Path, bytes]]:
    """The files under a checkout in which the word ``asm`` stands."""
    files = [path for path in sorted(root.rglob("*")) if path.suffix in SUFFIXES and path.is_file()]
    return [(path, data) for path in files if b"asm" in (data := path.read_bytes())]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkouts", nargs="+", type=Path)
    parser.add_argument("--reasons", type=int, default=20, metavar="N", help="list the N commonest reasons")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="show the first N plain statements left")
    arguments = parser.parse_args()
    total: Counter[str] = Counter()
    reasons: Counter[tuple[str, str]] = Counter()
    shown = 0
    columns = ("statements", "lowered", "handed on", "lost", "neutered", "plain", "plain lowered", "plain covered")
    print(f"{'':24}" + "".join(f"{column:>15}" for column in columns))
    for root in arguments.checkouts:
        counts: Counter[str] = Counter()
        for path, data in sources(root):
            unit = Unit(str(path), data)
            if unit.is_musa:
                continue
            translation = translate(data, str(path))
            edits = [each for each in translation.edits if isinstance(each, Edit) and each.rule == "MUS401"]
            at = {each.start: each for each in edits}
            found = [each for each in translation.findings if isinstance(each, Finding) and each.code[:4] == "MUS4"]
            output = splice(data, [each for each in translation.edits if each.safety == "safe"])
            for judged in judged_statements(unit):
                statement = judged.statement
                counts["statements"] += 1
                edit = at.get(statement.start)
                reported = any(each.start <= statement.start < each.end and not each.settled for each in found)
                counts["lowered" if edit else "handed on" if reported else "lost"] += 1
                stands = data[statement.start : statement.start + 12] in output
                emptied = edit is not None and bool(judged.instructions) and not edit.new.strip(b" ;{}")
                counts["neutered"] += emptied or (edit is None and not stands)
                if plain(judged):
                    counts["plain"] += 1
                    counts["plain lowered"] += edit is not None
                    if edit is None:
                        roots = " ".join(dict.fromkeys(each.opcode for each in judged.instructions))[:60]
                        reasons[judged.reason.split(":")[0][:70], roots] += 1
                        if shown < arguments.show:
                            shown += 1
                            line = data.count(b"\n", 0, statement.start) + 1
                            print(f"  {path}:{line}: {judged.reason}\n    {statement.template!r}")
        counts["plain covered"] = 100 * counts["plain lowered"] // max(counts["plain"], 1)
        print(f"{root.name:24}" + "".join(f"{counts[column]:>15}" for column in columns))
        total += counts
    total["plain covered"] = 100 * total["plain lowered"] // max(total["plain"], 1)
    print(f"{'all':24}" + "".join(f"{total[column]:>15}" for column in columns))
    for (reason, roots), count in reasons.most_common(arguments.reasons):
        print(f"{count:6}  {reason}  [{roots}]")


if __name__ == "__main__":
    main()
