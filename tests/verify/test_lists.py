"""Parameters that describe several tensors to one launch."""

from musify_ai.verify.described import DescribedKernel, Slot
from musify_ai.verify.lists import CHOICE, CHOICES, blocks_of, lists_of, made


def described(*members: tuple[str, int, bool]) -> tuple[list[str], DescribedKernel]:
    """A kernel of one structure: its arrays by name, length and whether they hold pointers."""
    names, slots = [], []
    for member, length, pointer in members:
        for number in range(length):
            names.append(f"args.{member}.{number}" if number else f"args.{member}")
            slots.append(Slot(0, 0, pointer, False, "int", 4, ((0, 4, "i"),), member))
    return names, DescribedKernel(("Args",), tuple(slots))


ARGS = described(
    ("from", 8, True), ("to", 8, True), ("rows_list", 8, False), ("padded_rows_list", 8, False), ("cols", 8, False),
    ("block_range", 9, False), ("block_to_chunk", 64, False), ("block_to_tensor", 64, False), ("num_tensors", 1, False),
    ("seed", 1, False),
)  # fmt: skip


def test_arrays_and_counts_are_told_apart() -> None:
    names, kernel = ARGS
    found = lists_of(names, kernel)
    assert found is not None
    assert [len(each) for each in found.pointers] == [8, 8]
    assert [name for name, _ in found.numbers][-1] == "block_to_tensor"
    assert [names[slot] for slot in found.counts] == ["args.num_tensors"]
    assert names.index("args.seed") not in found.slots
    assert lists_of(*described(("sizes", 8, False), ("x", 1, True))) is None


def test_what_is_made_goes_together() -> None:
    names, kernel = ARGS
    found = lists_of(names, kernel)
    assert found is not None
    for number, (blocks, sizes, less) in enumerate(CHOICES):
        values, idle = made(found, {CHOICE: number})

        def of(member: str, values: dict[int, int] = values) -> list[int]:
            return [
                values[i]
                for i, name in enumerate(names)
                if name.rsplit(".", 1)[0] == f"args.{member}" or name == f"args.{member}"
            ]

        assert blocks_of({CHOICE: number}) == 2 * blocks
        assert of("num_tensors") == [2]
        assert of("block_range") == [0, blocks, *[2 * blocks] * 7]
        assert of("padded_rows_list")[:3] == [sizes[0], sizes[1], sizes[1]]
        assert of("rows_list")[:2] == [size - less for size in sizes]
        assert of("cols")[:2] == list(sizes[::-1])
        assert of("block_to_tensor")[:4] == [0, 1, 0, 1] and of("block_to_chunk")[:4] == [0, 0, 1, 1]
        assert sorted(names[slot] for slot in idle) == sorted(
            f"args.{n}.{i}" for n in ("from", "to") for i in range(2, 8)
        )
