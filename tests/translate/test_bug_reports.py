"""Faults that people reported of other ports, each with three siblings: the same fault in another spelling.

The names are those of the rows of our table of reports; each test says what went wrong there.
"""

import re

import pytest

from musify_ai.records import Options
from musify_ai.source.splicing import splice
from musify_ai.translate import Translation, translate


def _run(source: str, path: str = "a.cu", **options: object) -> tuple[str, Translation]:
    """The source after the edits that are applied, and the whole translation."""
    given = Options()._replace(**options) if options else None
    translation = translate(source.encode(), path, given)
    applied = [each for each in translation.edits if each.safety == "safe" or (given and given.unsafe_fixes)]
    return splice(source.encode(), applied).decode(), translation


def _codes(translation: Translation) -> set[str]:
    return {each.code for each in translation.findings}


_NVIDIA_NUMBER = re.compile(r"__MUSA_ARCH__\s*\)?\s*(?:[<>]=?|[!=]=)\s*\(?\s*(?!310\b)(?:[3-9]\d\d|1\d\d\d)\b")


@pytest.mark.parametrize(
    "guard",
    [
        "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800",
        "#if (__CUDA_ARCH__ >= 900)",
        "#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__) >= 700 && __CUDA_ARCH__ < 900",
        "#if 0\n#elif 800 <= __CUDA_ARCH__",
    ],
)
def test_b01_a_renamed_guard_never_keeps_the_nvidia_number(guard: str) -> None:
    output, translation = _run(f"__device__ int f() {{\n{guard}\n  return 1;\n#else\n  return 2;\n#endif\n}}\n")
    assert not _NVIDIA_NUMBER.search(output)
    assert not re.search(r"[3-9]\d\d\s*<=\s*__MUSA_ARCH__", output.replace("310", ""))
    assert translation.edits or {"MUS201", "MUS202"} & _codes(translation)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("native.mu", '__device__ void f(int* p) { asm volatile("ld.global.v4 %0, [%1];" : "=r"(a) : "l"(p)); }\n'),
        ("native.muh", '__device__ int f(int a) { asm("add.u32 %0, %0, 1;" : "+r"(a)); return a; }\n'),
        ("guarded.h", '#ifdef __MUSA__\n__device__ void f() { asm volatile("trap;"); }\n#endif\n'),
        ("included.cu", '#include <musa_runtime.h>\n__device__ void f() { asm volatile("exit;"); }\n'),
    ],
)
def test_b03_assembly_of_musa_files_stays_byte_for_byte(path: str, source: str) -> None:
    output, _ = _run(source, path, unsafe_fixes=True)
    assert output == source


@pytest.mark.parametrize(
    "statement",
    [
        'asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0}, {%1}, {%2}, {%3};" :: "r"(a));',
        'asm volatile("st.async.shared::cluster.u32 [%0], %1;" :: "r"(a), "r"(b));',
        'asm volatile("bar.sync 3, 96;" ::: "memory");',
        'asm volatile(OP ".u32 %0, %1;" : "=r"(d) : "r"(a));',
    ],
)
def test_b03_assembly_that_is_left_is_reported_and_never_dead_code(statement: str) -> None:
    source = f"__device__ void f(unsigned& d, unsigned a, unsigned b) {{ {statement} }}\n"
    output, translation = _run(source)
    assert statement in output
    assert any(each.code.startswith("MUS4") and not each.settled for each in translation.findings)


@pytest.mark.parametrize("expression", ["at::kCUDA", "torch::kCUDA", "c10::DeviceType::CUDA", "x.is_cuda()"])
def test_b06_the_device_of_torch_is_never_kmusa(expression: str) -> None:
    output, translation = _run(
        f"#include <torch/extension.h>\nbool f(at::Tensor x) {{ return g({expression}); }}\n", "a.cpp"
    )
    assert not re.search(r"kMUSA|DeviceType::MUSA|is_musa\b", output)
    assert "PrivateUse1" in output or "is_privateuseone" in output or _codes(translation) & {"MUS802"}


@pytest.mark.parametrize(
    "host",
    [
        "void h(cudaDeviceProp p) { k<<<1, p.warpSize * 4>>>(); }",
        "void h(cudaDeviceProp* p) { size_t n = p->warpSize * sizeof(float); k<<<1, 128, n>>>(); }",
        "void h() { int w; cudaDeviceGetAttribute(&w, cudaDevAttrWarpSize, 0); k<<<1, w>>>(); }",
        "void h() { cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); use(256 / p.warpSize); }",
    ],
)
def test_b07_a_host_width_beside_a_device_32_is_reported_and_not_changed(host: str) -> None:
    device = "__global__ void k() { int lane = threadIdx.x % 32; use(__shfl_sync(0xffffffff, lane, 0, 32)); }"
    source = f"{device}\n{host}\n"
    output, translation = _run(source)
    assert "% 32" in output
    assert "warpSize" in output or "WarpSize" in output
    (finding,) = [each for each in translation.findings if each.code == "MUS305"]
    halves = {source[each.start : each.end] for each in finding.related}
    assert "threadIdx.x % 32" in halves
    assert any("<<<" in half for half in halves) == ("<<<" in host)


@pytest.mark.parametrize(
    "call",
    [
        "CHECK(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));",
        "if (cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, n) != cudaSuccess) fail();",
        "cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, n);",
        "cudaFuncSetAttribute(k, cudaFuncAttributePreferredSharedMemoryCarveout, 100);",
    ],
)
def test_b08_the_shared_memory_attribute_carries_a_note(call: str) -> None:
    _, translation = _run(f"void h() {{ {call} }}\n")
    assert "MUS503" in _codes(translation)


@pytest.mark.parametrize(
    "use",
    [
        "float v = tex1Dfetch(t, i);",
        "cudaBindTexture(0, t, p, n);",
        "cudaUnbindTexture(t);",
        "float v = tex2D(t, x, y);",
    ],
)
def test_b23_a_texture_reference_is_reported_with_its_use(use: str) -> None:
    _, translation = _run(f"texture<float, 1, cudaReadModeElementType> t;\n__global__ void k() {{ {use} }}\n")
    assert "MUS508" in _codes(translation)


@pytest.mark.parametrize(
    ("line", "warp"),
    [
        ("const int lane = threadIdx.x % 32;", True),
        ("const int warps = blockDim.x / 32;", True),
        ("const unsigned word = bits[i / 32] >> (i % 32);", False),
        ("const unsigned high = (unsigned)(wide >> 32);", False),
    ],
)
def test_b24_a_32_that_means_a_warp_is_told_from_one_that_means_a_word(line: str, warp: bool) -> None:
    source = f"__global__ void k(unsigned* bits, unsigned long long wide, int i) {{\n  {line}\n}}\n"
    output, translation = _run(source, unsafe_fixes=True)
    assert bool(_codes(translation) & {"MUS304", "MUS306"}) == warp
    assert output == source


@pytest.mark.parametrize(
    "statement",
    [
        'asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(a), "l"(p));',
        'asm volatile("cp.async.commit_group;");',
        'asm volatile("cp.async.wait_group 0;");',
        'asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" :: "r"(a), "l"(p), "r"(n));',
    ],
)
def test_b28_an_asynchronous_copy_is_a_hard_finding_that_says_what_is_slower(statement: str) -> None:
    output, translation = _run(f"__device__ void f(unsigned a, const void* p, int n) {{ {statement} }}\n")
    (finding,) = [each for each in translation.findings if each.code == "MUS405"]
    assert finding.severity == "error"
    assert not finding.settled
    assert "slower" in finding.message
    assert statement in output


@pytest.mark.parametrize(
    "code",
    ["return a / 3;", "return a >> n;", "__uint128_t b = a; return b % 7;", "return (unsigned __int128)a << n;"],
)
def test_b31_wide_integers_in_kernels_are_a_known_limit_of_the_compiler(code: str) -> None:
    source = f"__device__ u64 f(u64 x, int n) {{ unsigned __int128 a = x; {code} }}\n"
    output, translation = _run(source, unsafe_fixes=True)
    assert "MUS602" in _codes(translation)
    assert output == source


@pytest.mark.parametrize(
    ("statement", "code", "lowered"),
    [
        ('asm volatile("bar.sync 1, 64;" ::: "memory");', "MUS407", ""),
        ('asm volatile("fence.acq_rel.gpu;" ::: "memory");', "", "__threadfence();"),
        ('asm volatile("fence.acq_rel.cta;" ::: "memory");', "", "__threadfence_block();"),
        ('asm volatile("trap;");', "", "__trap();"),
        ("atomicSub_system(p, 1);", "MUS501", "atomicSub_system(p, 1);"),
        ('asm("mov.u32 %0, %%laneid;" : "=r"(d));', "MUS408", "& 31u);"),
    ],
)
def test_b34_nothing_is_weakened_widened_or_dropped_in_silence(statement: str, code: str, lowered: str) -> None:
    output, translation = _run(f"__device__ void f(unsigned& d, int* p) {{ {statement} }}\n")
    assert lowered in output
    assert lowered or statement in output
    assert not code or code in _codes(translation)


@pytest.mark.parametrize(
    "code",
    [
        'bool f(cudaError_t e) { return strcmp(cudaGetErrorName(e), "cudaErrorInvalidValue") == 0; }',
        'TEST(a, b) { EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error"); }',
        "void f(unsigned long long* id) { cudaStreamGetId(cudaStreamLegacy, id); }",
        "size_t f(cudaDeviceProp p) { return p.texturePitchAlignment; }",
    ],
)
def test_b37_answers_of_the_runtime_that_differ_carry_a_note(code: str) -> None:
    _, translation = _run(f"{code}\n", "a.cpp")
    assert "MUS512" in _codes(translation)


@pytest.mark.parametrize(
    ("path", "source", "told"),
    [
        ("a.cpp", "#include <cuda_runtime.h>\n#include <memory>\n", True),
        ("a.cpp", "#include <cuda_fp16.h>\n#include <vector>\n#include <functional>\n", True),
        ("a.cpp", "#include <memory>\n#include <functional>\n#include <cuda_runtime.h>\n", False),
        ("a.cu", "#include <cuda_runtime.h>\n#include <memory>\n", False),
    ],
)
def test_b35_a_standard_header_after_the_gpu_header_is_reported_and_not_moved(
    path: str, source: str, told: bool
) -> None:
    output, translation = _run(source, path, unsafe_fixes=True)
    assert ("MUS625" in _codes(translation)) == told
    assert re.sub("musa", "cuda", output) == source
