"""Kernels that go by their address or by their name: the device has to know their parameters."""

from collections.abc import Iterator

from musify_ai.emulator.prepare.scan import Replacement, Scan

_LAUNCH_CALLS = frozenset(
    side + name for side in (b"cuda", b"musa") for name in (b"LaunchKernel", b"LaunchCooperativeKernel")
)


def launch_casts(scan: Scan) -> Iterator[Replacement]:
    """``(void*)`` before the kernel in a launch by pointer: the device reads the parameters' types off the kernel."""
    for index, token in enumerate(scan.toks):
        if token.text not in _LAUNCH_CALLS or scan.text(index + 1) != b"(":
            continue
        begin = index + 2
        if scan.text(begin) == b"(":
            stop = scan.partner[begin] + 1
        elif scan.text(begin) == b"reinterpret_cast" and scan.text(begin + 1) == b"<":
            stop = scan.angle_end(begin + 1, begin + 8)
        else:
            continue
        words = [scan.text(i) for i in range(begin, stop) if scan.text(i) not in (b"const", b"reinterpret_cast")]
        if words[1:-1] == [b"void", b"*"]:
            yield Replacement(scan.toks[begin].start, scan.toks[stop - 1].end, b"")


_BY_POINTER = (b"LaunchKernel", b"LaunchCooperativeKernel", b"KernelNodeParams", b"GetFuncBySymbol", b"LaunchParams")


def kernel_casts(scan: Scan) -> Iterator[Replacement]:
    """``(void*)name`` in files that launch by pointer: the device notes the parameters of a kernel that goes by its
    address. What is no function is cast as before."""
    if not any(word in scan.src for word in _BY_POINTER):
        return
    toks = scan.toks
    for index, token in enumerate(toks):
        stop = scan.partner[index]
        if token.text != b"(" or stop < index or scan.scope[index] != "block" or not _begins_a_cast(scan, index):
            continue
        if not _is_void_pointer(scan, index + 1, stop) or scan.kind(stop + 1) != "identifier":
            continue
        if _launched(scan, index):
            continue  # `launch_casts` drops it
        end = stop + 2
        while scan.text(end) == b"::" and scan.kind(end + 1) == "identifier":
            end += 2
        if scan.text(end) == b"<":
            closing = scan.angle_end(end, min(len(toks), end + 64))
            end = closing if closing > 0 else end
        if scan.text(end) in (b",", b";", b")", b"}") and scan.directive[index] == scan.directive[end]:
            yield Replacement(token.start, toks[stop].end, b"::emu::kernel_pointer(")
            yield Replacement(toks[end - 1].end, toks[end - 1].end, b")")


def _begins_a_cast(scan: Scan, index: int) -> bool:
    """Whether the parenthesis at ``index`` is not that of a call or of a subscripted thing."""
    before = scan.text(index - 1)
    return before == b"return" or not (scan.kind(index - 1) == "identifier" or before in (b")", b"]", b">"))


def _is_void_pointer(scan: Scan, begin: int, stop: int) -> bool:
    return [scan.text(i) for i in range(begin, stop) if scan.text(i) != b"const"] == [b"void", b"*"]


def _launched(scan: Scan, index: int) -> bool:
    return scan.text(index - 1) == b"(" and scan.text(index - 2) in _LAUNCH_CALLS


def named_kernels(scan: Scan) -> Iterator[Replacement]:
    """Behind the body of each ``extern "C"`` kernel a note of its name, by which a module's function is asked for."""
    for index, token in enumerate(scan.toks):
        if token.text != b"__global__" or scan.text(index - 1) != b'"C"' or scan.text(index - 2) != b"extern":
            continue
        opening = index + 1
        while opening < len(scan.toks) and scan.text(opening) not in (b"(", b";", b"{"):
            opening += 1
        while scan.text(opening) == b"(" and scan.text(opening - 1) in (b"__launch_bounds__", b"__cluster_dims__"):
            opening = scan.partner[opening] + 1
            while opening < len(scan.toks) and scan.text(opening) not in (b"(", b";", b"{"):
                opening += 1
        close = scan.partner[opening] if scan.text(opening) == b"(" else -1
        if close < 0 or scan.text(close + 1) != b"{" or scan.partner[close + 1] < 0 or scan.macro[index] is not None:
            continue
        name, end = scan.text(opening - 1), scan.toks[scan.partner[close + 1]].end
        note = b' namespace { const int emu_named_%b = ::emu::register_kernel("%b", &%b); }' % (name, name, name)
        yield Replacement(end, end, note)
