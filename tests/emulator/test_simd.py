"""Integers packed in a word against Python's, element by element. CUDA only: no MUSA code is known to use them."""

import operator

COMPARED = {
    "eq": operator.eq,
    "ne": operator.ne,
    "ge": operator.ge,
    "gt": operator.gt,
    "le": operator.le,
    "lt": operator.lt,
}


def wanted(name: str, a: int, b: int) -> int:
    bits = 8 if name.endswith("4") else 16
    stem, full, half = name[3:-1], (1 << bits) - 1, 1 << (bits - 1)

    def elements(word: int, is_signed: bool) -> list[int]:
        raw = [word >> at & full for at in range(0, 32, bits)]
        return [v - (1 << bits) if is_signed and v & half else v for v in raw]

    def clamped(value: int) -> int:
        return min(max(value, -half), half - 1) if "ss" in stem else min(max(value, 0), full)

    compared = next((key for key in COMPARED if stem[:3] in ("cmp", "set") and stem[3:].startswith(key)), None)
    is_signed = stem.endswith("s") and not stem.endswith("us") if compared is None else stem.endswith("s")
    pairs = zip(elements(a, is_signed or stem in ("abs", "neg")), elements(b, is_signed), strict=True)
    match stem:
        case _ if compared is not None:
            truth = full if stem.startswith("cmp") else 1
            out = [truth * COMPARED[compared](x, y) for x, y in pairs]
        case "add":
            out = [x + y for x, y in pairs]
        case "sub":
            out = [x - y for x, y in pairs]
        case "addss" | "addus":
            out = [clamped(x + y) for x, y in pairs]
        case "subss" | "subus":
            out = [clamped(x - y) for x, y in pairs]
        case "absdiffs" | "absdiffu":
            out = [abs(x - y) for x, y in pairs]
        case "sads" | "sadu":
            return sum(abs(x - y) for x, y in pairs)
        case "avgu":
            out = [(x + y + 1) // 2 for x, y in pairs]
        case "haddu":
            out = [(x + y) // 2 for x, y in pairs]
        case "maxs" | "maxu":
            out = [max(x, y) for x, y in pairs]
        case "mins" | "minu":
            out = [min(x, y) for x, y in pairs]
        case "abs":
            out = [abs(x) for x, _ in pairs]
        case "absss":
            out = [clamped(abs(x)) for x, _ in pairs]
        case "neg":
            out = [-x for x, _ in pairs]
        case "negss":
            out = [clamped(-x) for x, _ in pairs]
        case _:
            raise AssertionError(name)
    return sum((value & full) << at for value, at in zip(out, range(0, 32, bits), strict=True))


def test_every_function_of_packed_integers(device):
    lines = device.run("simd.cpp", "cuda", 32).out.split("\n")[:-1]
    rows = [(name, int(a), int(b), int(got)) for name, a, b, got in (line.split() for line in lines)]
    assert len({name for name, *_ in rows}) == 80
    assert len(rows) == 10880
    wrong = [row for row in rows if wanted(*row[:3]) != row[3]]
    assert wrong == []


def test_musa_has_none_of_them(device, tmp_path):
    source = tmp_path / "packed.cpp"
    source.write_text("unsigned f(unsigned a) { return __vadd4(a, a); }\n")
    assert device.compile(source, "cuda", 800).returncode == 0
    assert "__vadd4" in device.compile(source, "musa", 310).stderr
