"""Opcodes of mbarrier: barriers that are objects of 64 bits in shared memory."""

from musify_ai.emulator.prepare.ptx.context import LIBRARY, Context, invoke
from musify_ai.emulator.prepare.ptx.memory import space
from musify_ai.emulator.prepare.ptx.text import Operand


def mbarrier(c: Context) -> str:
    """init, inval, arrive, arrive_drop, expect_tx, complete_tx, test_wait, try_wait and pending_count."""
    if c.flag("pending_count"):
        c.type("b64")
        c.done(2)
        return c.assign(f"{LIBRARY}mbarrier_pending({c.value(c.operands[1], 'b64')})")
    operation = c.choice(
        ("init", "inval", "arrive", "arrive_drop", "expect_tx", "complete_tx", "test_wait", "try_wait")
    )
    c.type("b64")
    c.drop("release", "acquire", "relaxed", "cta")  # one thread runs at a time and sees all memory
    where = space(c)
    if operation in ("test_wait", "try_wait"):
        parity = c.flag("parity")
        c.done((3, 4) if operation == "try_wait" else 3)  # a fourth says how long to wait
        call = invoke("mbarrier_passed", where, parity)
        return c.assign(f"{call}({c.address(c.operands[1])}, {c.value(c.operands[2], 'b64')})")
    if operation in ("arrive", "arrive_drop"):
        return _arrive(c, where, operation == "arrive_drop")
    c.done(1 if operation == "inval" else 2)
    count = "" if operation == "inval" else f", {c.value(c.operands[1], 'b32')}"
    return f"{invoke(f'mbarrier_{operation}', where)}({c.address(c.operands[0])}{count});"


def _arrive(c: Context, where: str, drops: bool) -> str:
    """An arrival, by one or by a count, that may expect bytes; what it returns is the state before."""
    expects = c.flag("expect_tx")
    c.flag("noComplete")  # the program says that the phase will not end by it: this holds where the program is right
    first = 0 if c.operands and c.operands[0].kind == "address" else 1
    c.done((first + 2) if expects else (first + 1, first + 2))
    last = c.value(c.operands[-1], "b32") if len(c.operands) == first + 2 else "1u"
    count, more = ("1u", last) if expects else (last, "0u")
    call = f"{invoke('mbarrier_arrive', where, drops)}({c.address(c.operands[first])}, {count}, {more})"
    destination = c.operands[0] if first else Operand("sink")
    return f"{c.destination(destination)} = {call};"
