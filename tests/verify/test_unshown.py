"""What is told from texts where no run can judge."""

import pytest

from musify_ai.records import Launch
from musify_ai.verify.hostvalues import Dim
from musify_ai.verify.unshown import Text, launches_changed, unshown


def text(code: str, written: str = "") -> Text:
    return Text(code.encode(), written.encode())


@pytest.mark.parametrize(
    ("original", "translation", "reason"),
    [
        ("atomicAdd(p, 1); atomicMax(q, 2);", "atomicAdd(p, 1); *q = 2;", "atomics-not-raced"),
        ("__threadfence();", "", "fences-not-raced"),
        ("__syncwarp();", "", "fences-not-raced"),
        ("__syncthreads(); __syncthreads();", "__syncthreads();", "barriers-not-raced"),
        ("block.sync();", "", "barriers-not-raced"),
        ("volatile float* v;", "float* v;", "volatile-not-raced"),
        ("size_t i; long long j;", "size_t i; int j;", "sizes-not-reached"),
        ("expf(x);", "__expf(x);", "accuracy-not-shown"),
        ("assert(i < n); MY_ASSERT(j);", "assert(i < n);", "assertions-not-run"),
        ("if (i < 0) __trap();", "", "assertions-not-run"),
        ("__threadfence();", "__threadfence_block();", "scopes-not-shown"),
        ("atomicAdd(p, 1);", "atomicAdd_block(p, 1);", "scopes-not-shown"),
        ("atomicAdd_system(p, 1);", "atomicAdd(p, 1);", "scopes-not-shown"),
        ("void k(int* a, int* __restrict__ b)", "void k(int* __restrict__ a, int* __restrict__ b)", "aliasing-not-run"),
        ("__launch_bounds__(256) void k()", "__launch_bounds__(128) void k()", "launch-bounds-not-run: 256 became 128"),
    ],
)
def test_less_of_a_guard(original: str, translation: str, reason: str) -> None:
    (got,) = unshown(text(original), text(translation))
    assert got.startswith(reason)
    assert unshown(text(original), text(original)) == []


@pytest.mark.parametrize(
    ("original", "written", "translation"),
    [
        ("asm volatile( );", 'asm volatile("bar.sync 0;");', "__syncthreads();"),
        ("asm volatile( );", 'asm volatile("atom.global.add.u32 %0, [%1], %2;");', "atomicAdd(p, v);"),
        ("asm( );", 'asm("membar.gl;");', "__threadfence();"),
        ("asm( );", 'asm("sin.approx.f32 %0, %1;");', "__sinf(x);"),
        ("__expf(x);", "", "expf(x);"),
        ("long long n;", "", "int64_t n;"),
        ("__launch_bounds__(256, 2)", "", "__launch_bounds__( 256,2 )"),
        ("atomicAdd(p, 1);", "", "atomicAdd(p, 1); __syncthreads();"),
        ("static_assert(N > 1); int* __restrict__ p;", "", "assert(p); int* p;"),
        ("asm volatile( );", 'asm volatile("fence.acq_rel.cta;");', "__threadfence_block();"),
        ("__threadfence(); *p = 1;", "", "__threadfence(); __threadfence_block(); *p = 1;"),
        ("asm volatile( );", 'asm volatile("bar.red.or.pred q, 1, 64, p;");', "__syncthreads_or(p);"),
        ("__shared__ unsigned long long b;", 'asm("mbarrier.arrive.shared.b64 _, [%0];");', "__syncthreads();"),
        ("uint64_t p;", 'asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(p));', "float v = *at;"),
        ("asm( ); asm( );", 'asm("bar.arrive 2, 128;"); asm("bar.sync 2, 128;");', "__syncthreads();"),
        ("cuda::atomic_ref<int> r(*p); r.fetch_add(1);", "", "atomicAdd(p, 1);"),
    ],
)
def test_as_much(original: str, written: str, translation: str) -> None:
    assert unshown(text(original, written), text(translation)) == []


def launch(grid: str = "(n + 255) / 256", block: str = "256", shared: str = "", arguments: str = "x, y, n") -> Launch:
    return Launch("a.cu", 7, 0, 0, "k", grid, block, shared, "", tuple(arguments.split(", ")))


def nothing(side: int, each: Launch) -> tuple[Dim, Dim, int] | None:
    return None


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        (launch(grid="n / 256"), "grid (n + 255) / 256 became n / 256 (line 7)"),
        (launch(block="128"), "block 256 became 128"),
        (launch(shared="64"), "shared memory 0 became 64"),
        (launch(arguments="y, x, n"), "arguments x, y, n became y, x, n"),
    ],
)
def test_another_launch(changed: Launch, what: str) -> None:
    assert what in launches_changed([launch()], [changed], nothing)


def test_the_same_launch_written_otherwise() -> None:
    mine, theirs = launch(arguments="cudaData, cuStream"), launch("(n+255)/256", arguments="musaData, muStream")
    assert launches_changed([mine], [theirs], nothing) == ""


def test_a_variable_that_holds_another_grid() -> None:
    grids: tuple[Dim, Dim] = ((4, 1, 1), (3, 1, 1))
    got = launches_changed([launch("g")], [launch("g")], lambda side, each: (grids[side], (256, 1, 1), 0))
    assert got.startswith("launches-not-run: grid 4x1x1 block 256x1x1 shared 0 became grid 3x1x1")


def test_a_launch_that_is_gone() -> None:
    assert "1 launches in the original, 0 in the translation" in launches_changed([launch()], [], nothing)
