"""Opcodes that compute with, compare and convert floating-point numbers."""

from musify_ai.emulator.prepare.ptx.context import LIBRARY, ROUNDING, Context, invoke

REALS = ("f32", "f64")
EIGHTS = ("e4m3x2", "e5m2x2")
HALVES = ("f16", "f16x2", "bf16", "bf16x2")
_OPERATIONS = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan")
_UNSIGNED = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}
_BOOLEANS = {"and": "&&", "or": "||", "xor": "!="}
_INTEGERS = ("u16", "u32", "u64", "s16", "s32", "s64")
_ALL_INTEGERS = ("u8", "s8", *_INTEGERS)
_ROUND_TO_INTEGER = {"rni": "rn", "rzi": "rz", "rmi": "rm", "rpi": "rp"}


def _rounding(name: str) -> str:
    return f"Rounding::{name}"


def _by_halves(c: Context, kind: str, function: str, *templates: str | bool) -> str:
    """A packed instruction: the function of the single type on each half."""
    single = kind.removesuffix("x2")
    names = ("x", "y", "z")[: len(c.operands) - 1]
    parameters = ", ".join(f"uint16_t {name}" for name in names)
    inner = f"{invoke(function, single, *templates)}({', '.join(names)})"
    return c.assign(f"{LIBRARY}halves({c.values('b32')}, []({parameters}) {{ return {inner}; }})")


def _half(c: Context, kind: str, function: str, *templates: str | bool) -> str:
    if kind.endswith("x2"):
        return _by_halves(c, kind, function, *templates)
    return c.call(function, kind, *templates, kind=kind)


def _pairwise(c: Context, function: str, count: int) -> str:
    """The f32x2 forms: a 64-bit register holds two f32, each computed by itself."""
    ftz = c.flag("ftz")
    mode = c.choice(ROUNDING, "rn")
    c.done(count + 1)
    call = invoke(function, "f32", _rounding(mode), ftz, False)
    names = ("x", "y", "z")[:count]
    parameters = ", ".join(f"uint32_t {name}" for name in names)
    return c.assign(f"{LIBRARY}words({c.values('b64')}, []({parameters}) {{ return {call}({', '.join(names)}); }})")


def float_binary(c: Context, name: str) -> str:
    """add, sub, mul, div of floats."""
    if c.mods[-1] == "f32x2" and name != "div":
        c.mods.pop()
        return _pairwise(c, _OPERATIONS[name], 2)
    kind = c.type(*REALS, *HALVES)
    ftz, sat = c.flag("ftz"), c.flag("sat")
    if kind in HALVES:
        c.flag("rn")
        c.done(3)
        if name == "div":
            raise c.unsupported()
        return _half(c, kind, f"h{name}", ftz, sat)
    if name == "div" and kind == "f32" and (c.flag("approx") or c.flag("full")):
        c.done(3)
        function = "div_approx" if "approx" in c.item.parts else "fdiv"
        templates = (ftz,) if function == "div_approx" else (kind, _rounding("rn"), ftz, False)
        return c.call(function, *templates, kind=kind)
    mode = c.choice(ROUNDING, None if name == "div" else "rn")
    c.done(3)
    return c.call(_OPERATIONS[name], kind, _rounding(mode), ftz, sat, kind=kind)


def fused(c: Context) -> str:
    """fma, and mad of floats."""
    if c.mods and c.mods[-1] == "f32x2":
        c.mods.pop()
        return _pairwise(c, "ffma", 3)
    kind = c.type(*REALS, *HALVES)
    ftz, sat, relu = c.flag("ftz"), c.flag("sat"), c.flag("relu")
    mode = c.choice(ROUNDING, "rn")
    c.done(4)
    if kind in HALVES:
        if mode != "rn":
            raise c.unsupported()
        return _half(c, kind, "hfma", ftz, sat, relu)
    if relu:
        raise c.unsupported()
    return c.call("ffma", kind, _rounding(mode), ftz, sat, kind=kind)


def float_unary(c: Context, name: str) -> str:
    """abs, neg of floats."""
    kind = c.type(*REALS, *HALVES)
    ftz = c.flag("ftz")
    c.done(2)
    if kind in HALVES:
        return _half(c, kind, f"h{name}", ftz)
    return c.call("fabs_" if name == "abs" else "fneg", kind, ftz, kind=kind)


def float_minmax(c: Context, name: str) -> str:
    """min, max of floats."""
    kind = c.type(*REALS, *HALVES)
    ftz, nan = c.flag("ftz"), c.flag("NaN")
    xorsign = c.flag("xorsign")
    if xorsign and not c.flag("abs"):
        raise c.unsupported()
    c.done(3)
    if kind in HALVES:
        return _half(c, kind, "hminmax", name == "max", ftz, nan, xorsign)
    return c.call("fminmax", kind, name == "max", ftz, nan, xorsign, kind=kind)


def rcp(c: Context) -> str:
    """rcp."""
    kind = c.type(*REALS)
    ftz, approx = c.flag("ftz"), c.flag("approx")
    if approx and kind == "f64":
        if not ftz:
            raise c.unsupported()
        c.done(2)
        return c.call("rcp_approx_ftz_f64", kind=kind)
    mode = "rn" if approx else c.choice(ROUNDING)
    c.done(2)
    return c.call("frcp", kind, _rounding(mode), ftz, kind=kind)


def sqrt(c: Context) -> str:
    """sqrt."""
    kind = c.type(*REALS)
    ftz = c.flag("ftz")
    mode = "rn" if kind == "f32" and c.flag("approx") else c.choice(ROUNDING)
    c.done(2)
    return c.call("fsqrt", kind, _rounding(mode), ftz, kind=kind)


def rsqrt(c: Context) -> str:
    """rsqrt.approx."""
    kind = c.type(*REALS)
    ftz = c.flag("ftz")
    c.choice(("approx",))
    c.done(2)
    if kind == "f64":
        return c.call("rsqrt_approx_ftz_f64" if ftz else "rsqrt_approx_f64", kind=kind)
    return c.call("rsqrt_approx", ftz, kind=kind)


def approximate(c: Context) -> str:
    """ex2, lg2, sin, cos, tanh: .approx.f32, and the half forms of ex2 and tanh."""
    name = c.item.parts[0]
    c.choice(("approx",))
    ftz = c.flag("ftz")
    kind = c.type("f32", *(HALVES if name in ("ex2", "tanh") else ()))
    c.done(2)
    if kind in HALVES:
        return _half(c, kind, f"h{name}")
    return c.call(f"{name}_approx", ftz, kind=kind)


def copysign(c: Context) -> str:
    """copysign."""
    kind = c.type(*REALS)
    c.done(3)
    return c.call("copysign_", kind, kind=kind)


def testp(c: Context) -> str:
    """testp."""
    kind = c.type(*REALS)
    which = c.choice(("finite", "infinite", "number", "notanumber", "normal", "subnormal"))
    c.done(2)
    return c.call("testp", kind, f"Class::{which}", kind=kind)


# ---- comparison and selection


def _compared(c: Context, kind: str, ftz: bool, comparison: str) -> str:
    if comparison in _UNSIGNED:
        if not kind.startswith("u"):
            raise c.unsupported()
        comparison = _UNSIGNED[comparison]
    floating = kind in (*REALS, *HALVES)
    if not floating and comparison not in ("eq", "ne", "lt", "le", "gt", "ge"):
        raise c.unsupported()
    if kind.startswith("b") and not floating and comparison not in ("eq", "ne"):
        raise c.unsupported()
    a, b = (c.value(operand, kind) for operand in c.operands[1:3])
    return f"{invoke('compare', kind, f'Comparison::{comparison}', ftz)}({a}, {b})"


def setp(c: Context) -> str:
    """setp, with a second destination and a third source as it has them."""
    kind = c.type(*_INTEGERS, "b16", "b32", "b64", *REALS, "f16", "bf16")
    ftz = c.flag("ftz")
    comparison = c.choice((*_COMPARISONS, *_UNSIGNED))
    boolean = c.choice(tuple(_BOOLEANS), "")
    c.done(4 if boolean else 3)
    first, second = c.pair()
    outcome = _compared(c, kind, ftz, comparison)
    combine = f" {_BOOLEANS[boolean]} bool({c.value(c.operands[3], 'pred')})" if boolean else ""
    # Both sources are read before either destination is written.
    return (
        f"{{ const bool emu_yes = {outcome}; const bool emu_p = emu_yes{combine}; "
        f"const bool emu_q = !emu_yes{combine}; {first} = emu_p; {second} = emu_q; }}"
    )


def set_(c: Context) -> str:
    """set."""
    kind = c.type(*_INTEGERS, "b16", "b32", "b64", *REALS, "f16")
    to = c.type("u32", "s32", "f32", "u16", "s16")
    ftz = c.flag("ftz")
    comparison = c.choice((*_COMPARISONS, *_UNSIGNED))
    boolean = c.choice(tuple(_BOOLEANS), "")
    c.done(4 if boolean else 3)
    outcome = _compared(c, kind, ftz, comparison)
    if boolean:
        outcome = f"{outcome} {_BOOLEANS[boolean]} bool({c.value(c.operands[3], 'pred')})"
    return c.assign(f"{invoke('set', to)}({outcome})")


def selp(c: Context) -> str:
    """selp."""
    kind = c.type("b16", "b32", "b64", *_INTEGERS, *REALS)
    c.done(4)
    a, b = (c.value(operand, kind) for operand in c.operands[1:3])
    return c.assign(f"{invoke('selp', kind)}({a}, {b}, {c.value(c.operands[3], 'pred')})")


def slct(c: Context) -> str:
    """slct."""
    by = c.type("s32", "f32")
    kind = c.type("b16", "b32", "b64", *_INTEGERS, *REALS)
    ftz = c.flag("ftz")
    c.done(4)
    a, b = (c.value(operand, kind) for operand in c.operands[1:3])
    return c.assign(f"{invoke('slct', kind, by, ftz)}({a}, {b}, {c.value(c.operands[3], by)})")


# ---- cvt


def cvt(c: Context) -> str:
    """cvt between integers and floats, packed forms and .pack included."""
    if c.flag("pack"):
        return _cvt_pack(c)
    sat, ftz, relu, finite = c.flag("sat"), c.flag("ftz"), c.flag("relu"), c.flag("satfinite")
    mode = c.choice((*ROUNDING, "rna", *_ROUND_TO_INTEGER), "")
    kinds = (*_ALL_INTEGERS, *REALS, *HALVES)
    if any(each in c.mods for each in EIGHTS):
        return _cvt_eight(c, mode, relu, finite) if not sat and not ftz else _refuse(c)
    source = c.type(*kinds)
    if c.mods == ["tf32"] and source == "f32":
        c.mods = []
        c.done(2)
        if mode not in ("rna", "rn", "rz") or sat or finite:
            raise c.unsupported()
        return c.call("cvt_tf32", _rounding(mode), relu, kind="f32")
    to = c.type(*kinds)
    if to in ("f16x2", "bf16x2"):
        return _cvt_packed(c, to, source, mode, relu, finite)
    c.done(2)
    if source.endswith("x2") or mode == "rna":
        raise c.unsupported()
    value = c.value(c.operands[1], source)
    whole = _ROUND_TO_INTEGER.get(mode)
    real_source, real_to = source in (*REALS, *HALVES), to in (*REALS, *HALVES)
    if not real_source and not real_to:
        call = invoke("cvt_integer", to, source, sat)
    elif not real_to:
        if mode and whole is None:
            raise c.unsupported()
        call = invoke("cvt_to_integer", to, source, _rounding(whole or "rz"), ftz)
    elif whole:
        if to != source:
            raise c.unsupported()
        call = invoke("cvt_integral", to, _rounding(whole), ftz, sat)
    else:
        call = invoke("cvt_to_float", to, source, _rounding(mode or "rn"), ftz, sat, finite, relu)
    return c.assign(f"{call}({value})")


def _refuse(c: Context) -> str:
    raise c.unsupported()


def _cvt_eight(c: Context, mode: str, relu: bool, finite: bool) -> str:
    """Pairs of 8-bit floats: from two f32 or f16x2, always clamped to what is finite, and to f16x2."""
    source = c.type(*EIGHTS, "f32", "f16x2")
    to = c.type("f16x2") if source in EIGHTS else c.type(*EIGHTS)
    c.done(3 if source == "f32" else 2)
    if mode != "rn" or finite == (source in EIGHTS):
        raise c.unsupported()
    kind = "::emu::Eight::" + (source if source in EIGHTS else to).removesuffix("x2")
    function = f"cvt_f16x2_eight<{kind}" if source in EIGHTS else f"cvt_eight_{source}<{kind}"
    return c.assign(f"{LIBRARY}{function}, {str(relu).lower()}>({c.values('f32' if source == 'f32' else 'b32')})")


def _cvt_packed(c: Context, to: str, source: str, mode: str, relu: bool, finite: bool) -> str:
    """Two f32 into one register: the first operand above the second."""
    c.done(3)
    if source != "f32" or mode not in ("rn", "rz"):
        raise c.unsupported()
    call = invoke("cvt_to_float", to.removesuffix("x2"), "f32", _rounding(mode), False, False, finite, relu)
    high, low = (f"{call}({c.value(operand, 'f32')})" for operand in c.operands[1:])
    return c.assign(f"uint32_t({low}) | uint32_t({high}) << 16")


def _cvt_pack(c: Context) -> str:
    c.choice(("sat",))
    with_third = c.flag("b32")
    source = c.type("s32")
    to = c.type("u16", "s16") if not with_third else c.type("u8", "s8")
    c.done(4 if with_third else 3)
    values = c.values("b32") + ("" if with_third else ", 0u")
    return c.assign(f"{invoke('cvt_pack', to, source)}({values})")
