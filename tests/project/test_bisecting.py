"""The change that makes a program differ."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from musify_ai.backends.toolchain import Toolchain
from musify_ai.project.bisecting import MOST_TRIES, Ours, Part, Result, culprits, hunks, with_hunks
from musify_ai.project.checking import Whole
from musify_ai.project.running import verify_port
from musify_ai.records import Options


def part(number: int) -> Part:
    return Part(f"part {number}")


@given(st.integers(1, 24), st.data())
def test_it_finds_just_what_is_needed(count: int, data: st.DataObject) -> None:
    parts = [part(number) for number in range(count)]
    guilty = set(data.draw(st.lists(st.sampled_from(parts), min_size=1, max_size=2, unique=True)))

    def test(kept: Sequence[Part]) -> Result:
        return "differ" if guilty <= set(kept) else "agree"

    found, sure = culprits(parts, test)
    assert guilty <= set(found)
    assert not sure or set(found) == guilty


def test_what_does_not_build_is_no_culprit() -> None:
    parts = [part(number) for number in range(4)]

    def test(kept: Sequence[Part]) -> Result:
        # Parts 1 and 2 only build together; 2 is the wrong one.
        if (parts[1] in kept) != (parts[2] in kept):
            return "broken"
        return "differ" if parts[2] in kept else "agree"

    assert culprits(parts, test) == ([parts[1], parts[2]], True)


def test_it_gives_up_in_time_and_says_so() -> None:
    tries = 0

    def test(kept: Sequence[Part]) -> Result:
        nonlocal tries
        tries += 1
        return "broken" if len(kept) < 200 else "differ"

    parts = [part(number) for number in range(200)]
    assert culprits(parts, test) == (parts, False)
    assert tries == MOST_TRIES


@given(
    st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"last"]), max_size=12),
    st.lists(st.sampled_from([b"a\n", b"x\n", b"end"]), max_size=12),
)
def test_hunks_lead_from_one_text_to_the_other(mine: list[bytes], theirs: list[bytes]) -> None:
    ours, port = Ours("f", b"".join(mine), ()), b"".join(theirs)
    found = hunks(ours, port)
    assert with_hunks(ours, found) == port
    assert with_hunks(ours, []) == ours.src
    assert with_hunks(ours, [part._replace(path="other") for part in found]) == ours.src


PROGRAM = """#include <%(rt)s_runtime.h>
#include <cstdio>
__global__ void first(int* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = %(first)s;
}
__global__ void second(int* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += %(second)s;
}
int main() {
    int* d;
    int h[100], sum = 0;
    %(rt)sMalloc(&d, sizeof h);
    first<<<1, 128>>>(d, 100);
    second<<<1, 128>>>(d, 100);
    %(rt)sMemcpy(h, d, sizeof h, %(rt)sMemcpyDeviceToHost);
    for (int i = 0; i < 100; ++i) sum += h[i] * (i + 1);
    printf("sum %%d\\n", sum);
    return 0;
}
"""


@pytest.mark.skipif(Toolchain.detect() is None, reason="no C++ compiler")
def test_the_line_that_a_person_got_wrong(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    new.mkdir()
    (old / "p.cu").write_text(PROGRAM % {"rt": "cuda", "first": "i * 2", "second": "3 * i"})
    wrong = (PROGRAM % {"rt": "musa", "first": "i + i", "second": "3 + i"}).encode()
    (new / "p.cu").write_bytes(wrong)
    run = verify_port(old, new, Options(archs=("mp_31",)), program=Whole(bisect=True)).run
    (row,) = run.programs[0].evidence
    assert row.outcome == "differs"
    assert "made by p.cu:9 (changed by hand)" in row.detail
    assert (new / "p.cu").read_bytes() == wrong, "the port itself is not touched"
