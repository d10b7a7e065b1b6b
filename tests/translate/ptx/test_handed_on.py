"""A finding over PTX that stays names what a person or a model needs: opcode, shapes, operands, registers."""

import pytest

from musify_ai.translate import translate


@pytest.mark.parametrize(
    ("statement", "code", "said"),
    [
        ('asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, '
         '{%0,%1,%2,%3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), '
         '"r"(a[3]), "r"(b[0]), "r"(b[1]));', "MUS404",
         ("Matrices (row col): D 16x8 f32 = A 16x16 bf16, B 16x8 bf16, C 16x8 f32.", '%0 ("+f") is `d[0]`',
          '%9 ("r") is `b[1]`', "2048 multiply-adds")),
        ('asm volatile("{ .reg .pred p; setp.ne.b32 p, %2, 0; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 '
         '{%0,%1}, %3, %4, p, 1, 1, 0, 0; }" : "+r"(d[0]), "+r"(d[1]) : "r"(n), "l"(a), "l"(b));', "MUS404",
         ("Matrices: D 64x8 f16 = A 64x16 f16, B 16x8 f16.", "p (.pred)", '%3 ("l") is `a`')),
        ('asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), '
         '"=r"(r[2]), "=r"(r[3]) : "r"(address));', "MUS404",
         ("It moves 4 matrices of 8x8 b16, transposed", '%0 ("=r") is `r[0]`', '%4 ("r") is `address`')),
        ('asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1,%2};" :: "r"(s), "r"(x), "r"(y));', "MUS404",
         ("It moves 2 matrices of 8x8 b16: 32 lanes",)),
        ('asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(s), "l"(g), "r"(n));', "MUS405",
         ("It copies 16 bytes a thread.", '%1 ("l") is `g`')),
        ('asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], '
         '[%1, {%3, %4, %5}], [%2];" :: "r"(s), "l"(map), "r"(bar), "r"(x), "r"(y), "r"(z) : "memory");', "MUS405",
         ("a tile of 3 dimensions by a tensor map", '%2 ("r") is `bar`')),
        ('asm volatile("{ .reg .pred P1; mbarrier.try_wait.parity.shared::cta.b64 P1, [%1], %2; '
         'selp.u32 %0, 1, 0, P1; }" : "=r"(done) : "r"(bar), "r"(phase));', "MUS405",
         ("P1 (.pred)", '%1 ("r") is `bar`')),
        ('asm volatile("tcgen05.ld.sync.aligned.32x32b.x2.b32{%0, %1}, [%2];" : "=r"(x), "=r"(y) : "r"(s));', "MUS404",
         ("tcgen05.ld.sync.aligned.32x32b.x2.b32 has no plain C++",)),
    ],
)  # fmt: skip
def test_a_finding_names_what_is_needed(statement: str, code: str, said: tuple[str, ...]) -> None:
    source = f"__device__ void f() {{ {statement} }}\n"
    (finding,) = [each for each in translate(source.encode(), "a.cu").findings if not each.settled]
    assert finding.code == code
    for each in said:
        assert each in finding.message
