"""The shares of a small project: a construct twice under other names, one that rules lower, one that is in a macro."""

from benchmarks.llm_share import shares
from tests.rewrite.projects import SOURCE

LOWERED = """#include <cuda_runtime.h>
__global__ void bits(unsigned* x) {
    unsigned d;
    asm("popc.b32 %0, %1;" : "=r"(d) : "r"(x[threadIdx.x]));
    x[threadIdx.x] = d;
}
"""


def test_places_are_counted_by_how_they_are_settled(tmp_path):
    (tmp_path / "a.cu").write_text(SOURCE)
    (tmp_path / "b.cu").write_text(SOURCE.replace("fetch", "load").replace("twice", "double_it"))
    (tmp_path / "c.cu").write_text('#define WAIT asm volatile("bar.sync 1, 64;" ::: "memory")\n')
    (tmp_path / "d.cu").write_text(LOWERED)
    found = shares(tmp_path)
    assert (found.rules, found.store, found.model, found.constructs) == (1, 2, 2, 1)
    assert dict(found.apart) == {"in a macro": 1} and found.all == 6
