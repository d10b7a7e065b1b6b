"""What a run on the CPU device cannot show, told from the two texts: there the verdict says less.

The device runs threads one after another up to the next barrier, blocks to their end, and buffers are of a size for a
small machine. A lost update, a missing fence, a value that a compiler keeps in a register, an index of 64 bits that
became one of 32: none of them changes a run, each changes what hardware does. So what guards against them is counted
on both sides, in the kernel and all that it reaches.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from musify_ai.records import Launch
from musify_ai.source import tokens
from musify_ai.verify.hostvalues import Dim

NOT_RACED = "-not-raced"
"""In the reasons that the device's race mode can look into."""


class _Kind(NamedTuple):
    what: str
    why: str
    words: re.Pattern[bytes]
    assembly: re.Pattern[bytes]
    counts_policies: bool = False


_KINDS = (
    _Kind(
        "atomic operations", "atomics-not-raced: threads run one at a time, so a lost update cannot show",
        re.compile(rb"\b(?:atomic[A-Z]\w*|atomic_(?!ref\b|thread_fence\b)\w+|fetch_\w+|compare_exchange_\w+)\b"),
        re.compile(rb"(?<!bar\.)(?<!barrier\.)(?<!\.cta\.)\b(?:atom|red)\."),  # bar.red is a barrier
    ),
    _Kind(
        "memory fences", "fences-not-raced: memory is in order here, so a missing fence cannot show",
        re.compile(rb"\b(?:__threadfence\w*|__syncwarp|atomic_thread_fence)\b"),
        re.compile(rb"\b(?:membar|fence|bar\.warp)\."),
    ),
    _Kind(
        "barriers", "barriers-not-raced: only some orders of threads are run",
        re.compile(rb"\b__syncthreads\w*|\b__barrier_sync\w*|(?<=\.)sync(?=\s*\()"),
        re.compile(rb"\b(?:bar\.(?:sync|red)|barrier\.(?!(?:cta\.)?arrive))"),  # who arrives is waited for elsewhere
    ),
    _Kind(
        "volatile accesses", "volatile-not-raced: no other thread writes meanwhile",
        re.compile(rb"(?<!asm )(?<!asm__ )\bvolatile\b"), re.compile(rb"\b(?:ld|st)\.volatile\b"),
    ),
    _Kind(
        "64-bit integer types", "sizes-not-reached: no buffer here is large enough for 32 bits to overflow",
        re.compile(rb"\b(?:long(?:\s+long)?|u?int64_t|s?size_t|ptrdiff_t|u?intptr_t|u?longlong\d?)\b"),
        re.compile(rb"(?!)"), counts_policies=True,
    ),
    _Kind(
        "assertions", "assertions-not-run: inputs under which one fails are none of the original's",
        re.compile(rb"\b(?!static_assert\b)\w*(?:assert|ASSERT)\w*(?=\s*\()|\b__trap\b"), re.compile(rb"\btrap;"),
    ),
    _Kind(
        "operations of the whole system's scope", "scopes-not-shown: there is one device here, and one host thread",
        re.compile(rb"\b\w+_system\b"), re.compile(rb"\.sys\b"),
    ),
)  # fmt: skip

# Counted the other way: the device computes them as it does the exact ones.
_FAST = re.compile(rb"\b__(?:exp|exp10|log|log2|log10|pow|sin|cos|sincos|tan|tanh|fdivide)f\b")
_FAST_ASSEMBLY = re.compile(rb"\b(?:ex2|lg2|sin|cos|tanh|div|rcp|sqrt|rsqrt)\.(?:approx|full)\b")
# Every scope is the device's here: operations of a block's scope in the place of wider ones change no run.
_SCOPES = (
    (
        re.compile(rb"\b__threadfence(?:_system)?\b|\bthread_scope_(?:device|system)\b"),
        re.compile(rb"\bmembar\.(?:gl|sys)\b|\bfence\.[\w.]*\.(?:gpu|sys)\b"),
        re.compile(rb"\b__threadfence_block\b|\bthread_scope_(?:block|thread)\b"),
    ),
    (
        re.compile(rb"\batomic[A-Z](?:(?!_block\b)\w)*\b(?!_block)"),
        re.compile(rb"\b(?:atom|red)\.(?!shared|[\w.]*cta\b)"),
        re.compile(rb"\batomic[A-Z]\w*_block\b"),
    ),
)
_APART = re.compile(rb"\b(?:__restrict__|__restrict|restrict)\b")
_BOUNDS = re.compile(rb"\b__launch_bounds__\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)")


_SHARED_WORD = re.compile(rb"__shared__\s[^;=()]*;")


class Text(NamedTuple):
    """A kernel and all that it reaches: the code without comments and literals, and as it is written."""

    code: bytes
    written: bytes


def unshown(mine: Text, theirs: Text) -> list[str]:
    """What the translation has less of than the original (more, of fast functions), as far as running cannot judge it;
    a phrase each."""
    out = []
    for kind in _KINDS:
        before, after = (
            len(kind.words.findall(_without_barriers(text))) + len(kind.assembly.findall(text.written))
            for text in (mine, theirs)
        )
        if kind.counts_policies:
            before -= mine.written.count(b"createpolicy.")  # a number of 64 bits that no data depends on
        if after < before:
            out.append(f"{kind.why} ({before} {kind.what} became {after})")
    fast = [len(_FAST.findall(text.code)) + len(_FAST_ASSEMBLY.findall(text.written)) for text in (mine, theirs)]
    if fast[1] > fast[0]:
        out.append(
            "accuracy-not-shown: fast functions are as exact as others here "
            f"({fast[0]} fast functions became {fast[1]})"
        )
    for words, assembly, block_wide in _SCOPES:
        wide = [len(words.findall(text.code)) + len(assembly.findall(text.written)) for text in (mine, theirs)]
        narrow = [len(block_wide.findall(text.code)) for text in (mine, theirs)]
        if wide[1] < wide[0] and narrow[1] > narrow[0]:
            out.append(
                "scopes-not-shown: what one block does is seen by all at once here "
                f"({narrow[0]} operations of a block's scope became {narrow[1]})"
            )
    apart = [len(_APART.findall(text.code)) for text in (mine, theirs)]
    if apart[1] > apart[0]:
        out.append(f"aliasing-not-run: no two buffers overlap here ({apart[0]} restricted pointers became {apart[1]})")
    bounds = [[_plain(each) for each in _BOUNDS.findall(text.code)] for text in (mine, theirs)]
    if bounds[0] != bounds[1]:
        shown = [", ".join(each.decode("utf-8", "replace") for each in side) or "none" for side in bounds]
        out.append(f"launch-bounds-not-run: {shown[0]} became {shown[1]}")
    return out


def _without_barriers(text: Text) -> bytes:
    """The code but for barriers in shared memory, which are declared as 64-bit integers and are none."""
    return _SHARED_WORD.sub(b"", text.code) if b"mbarrier." in text.written else text.code


def launches_changed(
    mine: Sequence[Launch], theirs: Sequence[Launch],
    evaluated: Callable[[int, Launch], tuple[Dim, Dim, int] | None],
) -> str:  # fmt: skip
    """How the host launches the kernel otherwise, empty where it does not: a kernel's runs do not use the host's code.

    ``evaluated`` gives a launch of a side (0, 1) in numbers where the text tells them.
    """
    if len(mine) != len(theirs):
        return f"launches-not-run: {len(mine)} launches in the original, {len(theirs)} in the translation"
    for left, right in zip(mine, theirs, strict=True):
        for what, before, after in (
            ("grid", left.grid, right.grid), ("block", left.block, right.block),
            ("shared memory", left.shared or "0", right.shared or "0"),
            ("arguments", ", ".join(left.arguments), ", ".join(right.arguments)),
        ):  # fmt: skip
            if _plain(before.encode()) != _plain(after.encode()):
                return f"launches-not-run: {what} {before} became {after} (line {right.line})"
        numbers = evaluated(0, left), evaluated(1, right)
        if None not in numbers and numbers[0] != numbers[1]:
            return f"launches-not-run: {_shown(numbers[0])} became {_shown(numbers[1])} (line {right.line})"
    return ""


def _shown(launch: tuple[Dim, Dim, int] | None) -> str:
    assert launch is not None
    grid, block, shared = launch
    return "grid {}x{}x{}".format(*grid) + " block {}x{}x{}".format(*block) + f" shared {shared}"


def _plain(text: bytes) -> bytes:
    """An expression's tokens with CUDA's names and MUSA's written alike."""
    words = (re.sub(rb"(?i)cuda", b"musa", token.text) for token in tokens(text))
    return b" ".join(re.sub(rb"^cu(?=[A-Z_])", b"mu", word) for word in words)
