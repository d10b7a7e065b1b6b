"""Under which grids and blocks a kernel is run: as the program launches it, where its text tells, else common ones."""

from collections.abc import Mapping, Sequence

from musify_ai.records import Kernel, Launch
from musify_ai.verify.hostvalues import Definitions, Dim, Unknown, as_dim, evaluate
from musify_ai.verify.roles import is_block_size

MOST_THREADS = 65536
DYNAMIC = 16384
"""Bytes of dynamic shared memory where the launch does not say."""
MOST_SHARED = 256 << 10
"""Bytes of dynamic shared memory in a launch that is taken at its word: no device has more."""


def launch_shapes(
    kernel: Kernel, values: Mapping[str, int], body: bytes, launches: Sequence[Launch],
    definitions: Mapping[str, Definitions], threads: int,
) -> list[tuple[Dim, Dim, int]]:  # fmt: skip
    """Grid, block and dynamic shared memory: as the program launches it, else common ones."""
    out: list[tuple[Dim, Dim, int]] = []
    blocks: list[Dim] = []
    for launch in launches:
        known = definitions.get(launch.path)
        if known is None:
            continue
        block, found = _evaluated(launch, _environment(kernel, values, launch), known)
        if found is not None and found not in out:
            out.append(found)
        if block is not None and block not in blocks:
            blocks.append(block)
    shared = next((each[2] for each in out), DYNAMIC)
    if threads and b"threadIdx.y" not in body and not any(each[1] == (threads, 1, 1) for each in out):
        out = [*_common(values, body, shared, [(threads, 1, 1)])[:1], *out]
    return [*out, *(each for each in _common(values, body, shared, blocks) if each not in out)][:4]


def launched_as(
    kernel: Kernel, values: Mapping[str, int], launch: Launch, definitions: Mapping[str, Definitions]
) -> tuple[Dim, Dim, int] | None:
    """Grid, block and dynamic shared memory of one launch, where the text tells them."""
    known = definitions.get(launch.path)
    return _evaluated(launch, _environment(kernel, values, launch), known)[1] if known is not None else None


def _environment(kernel: Kernel, values: Mapping[str, int], launch: Launch) -> dict[str, int]:
    environment = {name: value for name, value in values.items() if not is_block_size(name)}
    for parameter, argument in zip(kernel.parameters, launch.arguments, strict=False):
        if parameter.name in environment and argument.strip().isidentifier():
            environment[argument.strip()] = values[parameter.name]
    return environment


def _evaluated(
    launch: Launch, environment: dict[str, int], known: Definitions
) -> tuple[Dim | None, tuple[Dim, Dim, int] | None]:
    """The block of a launch, and the whole of it, as far as the text tells."""
    block: Dim | None = None
    for guess in (0, 256, 128):
        # A block size that the text does not tell is often a parameter of the host function: take a usual one.
        env = dict(environment)
        if guess:
            for name in _unknown_sizes(launch, environment, known):
                env[name] = guess
        try:
            block = as_dim(evaluate(launch.block, env, known, launch.start))
            grid = as_dim(evaluate(launch.grid, env, known, launch.start))
            try:
                shared = evaluate(launch.shared, env, known, launch.start) if launch.shared.strip() else 0
            except Unknown:
                shared = DYNAMIC
        except (Unknown, RecursionError):
            continue
        if sane(grid, block) and isinstance(shared, int) and 0 <= shared <= MOST_SHARED:
            return block, (grid, block, shared)
    return (block if block is not None and sane((1, 1, 1), block) else None), None


def _unknown_sizes(launch: Launch, environment: Mapping[str, int], known: Definitions) -> list[str]:
    """Names of a launch that look like block sizes and whose value the text does not tell."""
    words = {word for text in (launch.block, launch.grid) for word in text.replace("(", " ").replace(",", " ").split()}
    names = {word.strip(")+-*/") for word in words}
    marks = ("block", "thread", "bs", "tpb")
    likely = {*(n for n in names if n.isidentifier() and any(m in n.lower() for m in marks)), "block_size", "blockSize"}
    return sorted(name for name in likely if not _told(name, launch, environment, known))


def _told(name: str, launch: Launch, environment: Mapping[str, int], known: Definitions) -> bool:
    try:
        evaluate(name, environment, known, launch.start)
    except (Unknown, RecursionError):
        return False
    return True


def sane(grid: Dim, block: Dim) -> bool:
    """Whether a launch is one that a device takes and that ends in time here."""
    threads = block[0] * block[1] * block[2]
    total = threads * grid[0] * grid[1] * grid[2]
    return min(*grid, *block) >= 1 and threads <= 1024 and total <= MOST_THREADS * 4


def _common(values: Mapping[str, int], body: bytes, shared: int, blocks: Sequence[Dim]) -> list[tuple[Dim, Dim, int]]:
    deep = b"blockIdx.z" in body or b"threadIdx.z" in body
    tall = b"threadIdx.y" in body
    rows = b"blockIdx.y" in body
    largest = max(values.values(), default=0)
    shapes: list[tuple[Dim, Dim]] = []
    for block in blocks[:2]:
        across = max(3, min(-(-largest // block[0]), 64))
        shapes.append(((across, 3 if rows or block[1] > 1 else 1, 2 if b"blockIdx.z" in body else 1), block))
    if tall:
        for block in ((16, 16, 1), (32, 8, 1), (8, 8, 1)):
            shapes.append(((5, 5, 2 if deep else 1), block))
    else:
        for width in (256, 128, 32):
            across = max(3, min(-(-largest // width), 64))
            shapes.append(((across, 5 if rows else 1, 2 if deep else 1), (width, 1, 1)))
    return [(grid, block, shared) for grid, block in shapes if sane(grid, block)]
