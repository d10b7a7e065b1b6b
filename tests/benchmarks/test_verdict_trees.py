from pathlib import Path

from benchmarks.verdict_trees import DRAWN, HECBENCH, MANY, draw, trees


def test_draw_is_repeatable_and_keeps_off_what_is_listed() -> None:
    folders = [f"{letter}{number}-{kind}" for letter in "anoz" for number in range(40) for kind in ("cuda", "sycl")]
    drawn = draw(folders, ["n0-cuda", "z1-cuda"])
    assert drawn == draw(reversed(folders), ["n0-cuda", "z1-cuda"])
    assert len(set(drawn)) == MANY
    assert all(each[0] in "noz" and f"{each}-cuda" in folders for each in drawn)
    assert not {"n0", "z1"} & set(drawn)


def test_the_list_is_of_as_many_programs_as_are_drawn() -> None:
    assert len(set(DRAWN)) == MANY
    assert list(DRAWN) == sorted(DRAWN)
    found = trees({HECBENCH: Path("x")})
    assert len(found) == len(set(found)) > MANY
