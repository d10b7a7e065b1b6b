"""Opcodes that move data: mov, loads, stores, atomics, addresses; and those that order or hint only."""

from musify_ai.emulator.prepare.ptx.context import BITS, LIBRARY, Context, invoke
from musify_ai.emulator.prepare.ptx.text import Operand

_WIDTHS = tuple(kind for kind in BITS if kind not in ("pred", "f16x2", "bf16x2"))
_SPACES = ("global", "shared", "shared::cta", "const", "local")
# Cache operators, eviction priorities and prefetch sizes: what they say is about speed.
_HINTS = ("ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "L1::no_allocate", "L1::evict_normal", "L1::evict_unchanged")
_MORE_HINTS = ("L1::evict_first", "L1::evict_last", "L2::64B", "L2::128B", "L2::256B", "L2::evict_first")
_ALL_HINTS = (*_HINTS, *_MORE_HINTS, "L2::evict_last", "L2::evict_normal")
_SCOPES = ("cta", "cluster", "gpu", "sys")
_ORDERS = ("volatile", "relaxed", "acquire", "release", "acq_rel", "weak", "mmio")
_OPERATIONS = {
    **{name: name.capitalize() for name in ("add", "min", "max", "and", "or", "xor", "inc", "dec", "exch")},
}


def mov(c: Context) -> str:
    """mov: a copy, or between a register and the parts of it."""
    kind = c.type(
        "pred", "b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64", "f32", "f64", "f16", "b8", "u8"
    )
    c.drop("v2", "v4")
    c.done(2)
    to, source = c.operands
    if c.item.parts[1] in ("v2", "v4"):
        return _each(c, to, source, kind)
    if to.kind == "vector" and source.kind == "vector":
        raise c.unsupported()
    if to.kind == "vector":
        return _unpack(c, to, source, kind)
    if source.kind == "vector":
        return _pack(c, source, kind)
    return c.assign(c.value(source, kind))


def _each(c: Context, to: Operand, source: Operand, kind: str) -> str:
    """mov of a vector: element by element, each source read before any destination is written."""
    if to.kind != "vector" or source.kind != "vector" or len(to.items) != len(source.items):
        raise c.unsupported()
    reads = "".join(f"const {BITS[kind]} emu_v{i} = {c.value(item, kind)}; " for i, item in enumerate(source.items))
    writes = " ".join(f"{c.destination(item)} = emu_v{i};" for i, item in enumerate(to.items))
    return f"{{ {reads}{writes} }}"


def _part_type(c: Context, count: int, kind: str) -> str:
    width = int(kind[1:])
    if kind[0] != "b" or count not in (2, 4) or width % count or width // count not in (8, 16, 32):
        raise c.unsupported()
    return f"uint{width // count}_t"


def _unpack(c: Context, to: Operand, source: Operand, kind: str) -> str:
    part = _part_type(c, len(to.items), kind)
    writes = " ".join(
        f"{c.destination(item)} = {LIBRARY}part<{part}>(emu_whole, {index});" for index, item in enumerate(to.items)
    )
    return f"{{ const {BITS[kind]} emu_whole = {c.value(source, kind)}; {writes} }}"


def _pack(c: Context, source: Operand, kind: str) -> str:
    part = _part_type(c, len(source.items), kind)
    values = ", ".join(f"{part}({c.value(item, 'b32')})" for item in source.items)
    return c.assign(f"{LIBRARY}joined<{BITS[kind]}>({values})")


def space(c: Context) -> str:
    """The state space of an address, as the library calls it: shared, or everything else."""
    return "Space::shared" if c.choice(_SPACES, "generic").startswith("shared") else "Space::generic"


def _hints(c: Context) -> int:
    """Pass over hints; how many operands one of them adds."""
    hinted = c.flag("L2::cache_hint")
    c.drop(*_ALL_HINTS, *_SCOPES)
    return int(hinted)


def _vector(c: Context) -> int:
    return int(c.choice(("v2", "v4", "v8"), "v1")[1:])


def ld(c: Context) -> str:
    """ld, and ldu: of one or several elements."""
    kind = c.type(*_WIDTHS)
    where, count = space(c), _vector(c)
    waits = any(c.item.parts.count(order) for order in ("volatile", "relaxed", "acquire", "mmio"))
    c.drop(*_ORDERS)
    extra = _hints(c)
    c.done(2 + extra)
    function = invoke("ld_bits" if kind[0] in "fb" else "ld", kind, where, waits)
    to, at = c.operands[0], c.address(c.operands[1])
    items = to.items if to.kind == "vector" else (to,)
    if len(items) != count:
        raise c.unsupported()
    if count == 1:
        return f"{c.destination(items[0])} = {function}({at});"
    size = f"sizeof({BITS[kind]})"
    reads = " ".join(f"{c.destination(item)} = {function}(emu_at + {i} * {size});" for i, item in enumerate(items))
    return f"{{ const uint64_t emu_at = {at}; {reads} }}"


def st(c: Context) -> str:
    """st: of one or several elements."""
    kind = c.type(*_WIDTHS)
    where, count = space(c), _vector(c)
    ordered = any(c.item.parts.count(order) for order in ("volatile", "relaxed", "release", "mmio"))
    fence = "::emu::note_fence(); " if "release" in c.item.parts else ""
    c.drop(*_ORDERS)
    extra = _hints(c)
    c.done(2 + extra)
    function = invoke("st", kind, where, ordered)
    at, source = c.address(c.operands[0]), c.operands[1]
    items = source.items if source.kind == "vector" else (source,)
    if len(items) != count:
        raise c.unsupported()
    size = f"sizeof({BITS[kind]})"
    writes = " ".join(f"{function}(emu_at + {i} * {size}, {c.value(item, kind)});" for i, item in enumerate(items))
    return f"{{ const uint64_t emu_at = {at}; {fence}{writes} }}"


def atom(c: Context) -> str:
    """atom and red."""
    gives = c.item.parts[0] == "atom"
    operation = c.choice((*_OPERATIONS, "cas"))
    kind = c.type("b16", "b32", "b64", "u32", "u64", "s32", "s64", *BITS)
    where = space(c)
    releases = "release" in c.item.parts or "acq_rel" in c.item.parts
    c.drop(*_ORDERS, "noftz")
    extra = _hints(c)
    count = 2 + gives + (operation == "cas")
    c.done(count + extra)
    first = 1 if gives else 0
    at = c.address(c.operands[first])
    values = ", ".join(c.value(operand, kind) for operand in c.operands[first + 1 : count])
    if operation == "cas":
        if not gives:
            raise c.unsupported()
        return _after_fence(releases, c.assign(f"{invoke('atom_cas', kind, where)}({at}, {values})"))
    if kind[0] in "fb" and (kind[0] == "f" or "bf" in kind) and operation != "add":
        raise c.unsupported()
    if operation in ("inc", "dec") and kind != "u32":
        raise c.unsupported()
    call = f"{invoke('atom', kind, _OPERATIONS[operation], where)}({at}, {values})"
    return _after_fence(releases, c.assign(call) if gives else f"{call};")


def _after_fence(releases: bool, statement: str) -> str:
    return f"{{ ::emu::note_fence(); {statement} }}" if releases else statement


def cvta(c: Context) -> str:
    """cvta: between generic addresses and those of a state space."""
    to = c.flag("to")
    where = c.choice(_SPACES)
    kind = c.type("u64", "u32")
    c.done(2)
    value = c.value(c.operands[1], kind)
    if not where.startswith("shared"):
        return c.assign(value)
    return c.assign(f"{LIBRARY}{'to' if to else 'from'}_shared({value})")


def isspacep(c: Context) -> str:
    """isspacep of shared and global."""
    space = c.choice(("global", "shared", "shared::cta"))
    c.done(2)
    return c.assign(f"{LIBRARY}is_{space.split('::')[0]}({c.value(c.operands[1], 'u64')})")


def nothing(c: Context) -> str:
    """Fences, prefetches and the like: they order or hint, and here everything is in order already."""
    return ";"


def policy(c: Context) -> str:
    """createpolicy: how the second cache is to keep lines, a number that only hints take. Any one does, of a form
    that there is: ``fractional`` and ``range`` name a priority."""
    parts = c.item.parts
    if not ("cvt" in parts and "L2" in parts) and not (
        any(part in ("fractional", "range") for part in parts) and any(part.startswith("L2::") for part in parts)
    ):
        raise c.unsupported()
    return c.assign("uint64_t(1)")


def fence(c: Context) -> str:
    """fence and membar: told to race mode. A fence between proxies orders nothing here, where all accesses are of one
    kind; the forms that speak of tensor maps are unsupported."""
    if any(part.startswith(("proxy::", "tensormap")) for part in c.item.parts):
        raise c.unsupported()
    return "::emu::note_fence();"


def cp(c: Context) -> str:
    """cp.async of 4, 8 or 16 bytes, its groups, and its arrival at an mbarrier. A copy is made when it is waited for;
    till then its destination holds poison."""
    c.choice(("async",))
    if c.flag("commit_group"):
        c.done(0)
        return "::emu::end_batch();"
    if c.flag("wait_group"):
        c.done(1)
        return f"::emu::wait_batches(uint32_t({c.value(c.operands[0], 'b32')}));"
    if c.flag("wait_all"):
        c.done(0)
        return "::emu::end_batch(); ::emu::wait_batches(0);"
    if c.flag("mbarrier"):
        c.choice(("arrive",))
        counted = c.flag("noinc")
        c.type("b64")
        where = space(c)
        c.done(1)
        return f"{invoke('mbarrier_arrive_copies', where, counted)}({c.address(c.operands[0])});"
    cached = c.choice(("ca", "cg"))
    c.choice(("shared", "shared::cta"))
    c.choice(("global",))
    extra = _hints(c)
    if c.mods or not 3 <= len(c.operands) - extra <= 4 or c.operands[2].kind not in ("integer", "argument"):
        raise c.unsupported()
    if c.operands[2].kind == "integer" and c.operands[2].value not in ((4, 8, 16) if cached == "ca" else (16,)):
        raise c.unsupported()
    size = c.value(c.operands[2], "b32")
    source = c.value(c.operands[3], "b32") if len(c.operands) - extra == 4 else f"uint32_t({size})"
    return f"{LIBRARY}copy_async<{size}>({c.address(c.operands[0])}, {c.address(c.operands[1])}, {source});"
