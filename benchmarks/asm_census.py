"""What becomes of the ``asm`` statements of real source: ``python benchmarks/asm_census.py CHECKOUT...``.

Prints, for each checkout and over all, how many PTX statements there are, how many the translator lowers, how many it
hands on by a finding, how many it lost (neither) and how many it neutered (the statement gone and nothing of its
meaning put in its place; both must be 0); then the share lowered among the statements made only of opcodes that have
a plain meaning. What else is not counted among those is named with its size, and the statements that were left are
listed by class with the reason. A file that stands in two checkouts byte for byte is counted once.
"""

import argparse
import re
from collections import Counter
from hashlib import sha256
from pathlib import Path

from musify_ai.records import Edit, Finding
from musify_ai.source.splicing import splice
from musify_ai.translate import translate
from musify_ai.translate.ptx.families import ASYNC, BARRIER, TENSOR, family
from musify_ai.translate.ptx.lowering import Judged, judged_statements
from musify_ai.translate.unit import Unit

SUFFIXES = frozenset((".cu", ".cuh", ".h", ".hpp", ".hh", ".cpp", ".cc", ".cxx", ".inl", ".ptx.h"))
_PLAIN = """
add sub mul mad addc subc madc bfe bfi prmt lop3 shf shl shr vshl vshr vadd and or xor not min max sad selp setp set
slct neg abs mov cvt ld st ldu membar fence red atom shfl vote match activemask trap exit nanosleep prefetch fma popc
clz brev bfind rcp ex2 lg2 sqrt rsqrt sin cos tanh div rem mul24 mad24 cvta elect bar copysign testp dp4a cnot
"""
PLAIN = frozenset(_PLAIN.split())
"""First parts of the opcodes that have a plain meaning; of ``bar`` only barrier 0 of the whole block."""

# What is of another world though its opcode is plain, by what shows it. The sizes are printed.
_CLUSTER = re.compile(r"cluster")
_APART = {
    "clusters and their registers (MUSA has none)": _CLUSTER,
    "proxies, tensor maps, bulk and mbarrier forms": re.compile(r"proxy|tensormap|mbarrier|\bbulk\b|\basync\b"),
    "local memory by number": re.compile(r"\blocal\b"),
}


_BARRIERS = "barriers other than that of the whole block"


def apart(judged: Judged) -> str:
    """Why a statement of plain opcodes is not counted as plain; empty where it is."""
    text = " ".join(" ".join((each.opcode, *each.operands)) for each in judged.instructions)
    found = next((name for name, pattern in _APART.items() if pattern.search(text)), "")
    if not found and family(judged.instructions) in (TENSOR, ASYNC, BARRIER):
        return _BARRIERS
    return found


def is_plain(judged: Judged) -> bool:
    """Whether a statement is made only of opcodes with a plain meaning."""
    roots = {each.parts[0] for each in judged.instructions}
    return bool(roots) and roots <= PLAIN


def opcode_class(judged: Judged) -> str:
    """The reason for which a statement was left, without what is its own, for a table."""
    reason = re.sub(r"\S*\.\S+", "...", judged.reason.split(":")[0])
    registers = re.search(r"it uses %(\w+)", judged.reason)
    if registers:
        return f"no counterpart is known of the register %{registers[1].split('.')[0]}"
    return reason


def sources(root: Path) -> list[tuple[Path, bytes]]:
    """The files under a checkout in which the word ``asm`` stands."""
    files = [path for path in sorted(root.rglob("*")) if path.suffix in SUFFIXES and path.is_file()]
    return [(path, data) for path in files if b"asm" in (data := path.read_bytes())]


def _rows(title: str, counter: Counter[str], least: int = 1) -> None:
    print(f"\n{title}")
    for name, count in counter.most_common():
        if count >= least:
            print(f"{count:7}  {name}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkouts", nargs="+", type=Path)
    parser.add_argument("--show", type=int, default=0, metavar="N", help="show the first N plain statements left")
    parser.add_argument("--others", type=int, default=12, metavar="N", help="list the N commonest opcodes handed on")
    arguments = parser.parse_args()
    total: Counter[str] = Counter()
    left: Counter[str] = Counter()
    left_opcodes: dict[str, Counter[str]] = {}
    excluded: Counter[str] = Counter()
    others: Counter[str] = Counter()
    shown, seen = 0, set()
    columns = ("statements", "lowered", "handed on", "lost", "neutered", "plain", "plain lowered", "plain covered")
    print(f"{'':24}" + "".join(f"{column:>15}" for column in columns))
    for root in arguments.checkouts:
        counts: Counter[str] = Counter()
        for path, data in sources(root):
            digest = sha256(data).digest()
            unit = Unit(str(path), data)
            if unit.is_musa or digest in seen:
                continue
            seen.add(digest)
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
                if not judged.instructions and edit is None:
                    others["(its text is not known: macros of other files or their operators)"] += 1
                if not is_plain(judged):
                    if edit is None and judged.instructions:
                        roots = (each.opcode for each in judged.instructions if each.parts[0] not in PLAIN)
                        others[".".join(next(roots, "?").split(".")[:3])] += 1
                    continue
                why = apart(judged)
                # Barrier 0 of the whole block is plain; it is what is lowered of the barriers.
                if why and not (edit is not None and why == _BARRIERS):
                    excluded[why] += edit is None
                    continue
                counts["plain"] += 1
                counts["plain lowered"] += edit is not None
                if edit is None:
                    name = opcode_class(judged)
                    left[name] += 1
                    opcodes = left_opcodes.setdefault(name, Counter())
                    opcodes.update(dict.fromkeys((each.opcode for each in judged.instructions), 1))
                    if shown < arguments.show:
                        shown += 1
                        line = data.count(b"\n", 0, statement.start) + 1
                        print(f"  {path}:{line}: {judged.reason}\n    {statement.template!r}")
        counts["plain covered"] = 100 * counts["plain lowered"] // max(counts["plain"], 1)
        print(f"{root.name:24}" + "".join(f"{counts[column]:>15}" for column in columns))
        total += counts
    total["plain covered"] = 100 * total["plain lowered"] // max(total["plain"], 1)
    print(f"{'all':24}" + "".join(f"{total[column]:>15}" for column in columns))
    with_excluded = total["plain"] + sum(excluded.values())
    print(f"\nplain covered, what is excluded below counted in: {100 * total['plain lowered'] / with_excluded:.1f} %")
    _rows("left though its opcodes are plain, and excluded from the share:", excluded)
    print("\nleft though its opcodes are plain, by reason:")
    for name, count in left.most_common():
        print(f"{count:7}  {name}  [{', '.join(opcode for opcode, _ in left_opcodes[name].most_common(4))}]")
    _rows(
        "handed on, by the first opcode without a plain meaning:", Counter(dict(others.most_common(arguments.others)))
    )


if __name__ == "__main__":
    main()
