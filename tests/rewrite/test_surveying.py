"""Which functions are put to a model, and what each is told with."""

from tests.rewrite.projects import BODY, HEAD, SOURCE, project

ASM = 'asm volatile("bar.sync 1, 64;" ::: "memory");'


def test_a_function_with_what_rules_left_is_one_unit(tmp_path):
    found, _ = project(tmp_path)
    (unit,) = found.units
    assert found.left == ()
    assert (unit.path, unit.name, unit.kind, unit.kernels) == ("a.cu", "fetch", "async-copies", ("twice",))
    assert unit.codes == ("MUS405",) and len(unit.findings) == 2
    assert unit.region.decode().strip() == unit.original_region.decode().strip() == f"{HEAD} {BODY}"
    assert unit.head.decode().split() == HEAD.split()
    assert unit.launches == ("twice<<<(n + 63) / 64, 64>>>(x, y, n)",)
    assert [sheet.name for sheet in unit.sheets] == ["async-copies"]


def test_offsets_hold_where_names_before_and_in_the_function_changed_length(tmp_path):
    lowered = 'asm("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));'
    source = SOURCE.replace(
        "// Copies", f"__device__ int sum(int a, int b) {{ int d; {lowered} return d; }}\n// Copies"
    )
    (unit,) = project(tmp_path, {"a.cu": source})[0].units
    assert unit.region.decode().strip() == f"{HEAD} {BODY}"
    assert unit.original_region.decode().strip() == f"{HEAD} {BODY}"
    assert unit.start != unit.original_start


def test_what_cannot_be_a_unit_is_named_with_a_reason(tmp_path):
    source = f"""#define WAIT {ASM}
__device__ void unused() {{ {ASM} }}
__global__ void k(float* p) {{ p[threadIdx.x] = 1; }}
"""
    found, _ = project(tmp_path, {"a.cu": source})
    assert found.units == ()
    assert {left.why for left in found.left} == {"in a macro", "no kernel of the project reaches its function"}


def test_definitions_that_a_function_needs_come_along_and_no_others(tmp_path):
    header = """struct Pair { float a, b; };
struct Other { int o; };
__device__ inline float half_of(float v) { return v / 2; }
"""
    source = f"""#include "pair.cuh"
#define SCALE 2.0f
#define UNUSED 3
__device__ float f(Pair p) {{ {ASM} return half_of(p.a) * SCALE; }}
__global__ void k(float* y, Pair p) {{ y[threadIdx.x] = f(p); }}
"""
    found, _ = project(tmp_path, {"lib/pair.cuh": header, "lib/a.cu": source})
    (unit,) = found.units
    text = "\n".join(unit.context)
    assert "struct Pair" in text and "half_of" in text and "SCALE 2.0f" in text
    assert "Other" not in text and "UNUSED" not in text and "__global__" not in text


def test_a_kernel_reaches_a_function_of_a_header_through_others(tmp_path):
    header = f"__device__ inline void sync_pair() {{ {ASM} }}\n__device__ inline void both() {{ sync_pair(); }}\n"
    source = '#include "s.cuh"\n__global__ void k(float* y) { both(); y[threadIdx.x] = 1; }\n'
    (unit,) = project(tmp_path, {"s.cuh": header, "a.cu": source})[0].units
    assert (unit.path, unit.name, unit.kernels, unit.kind) == ("s.cuh", "sync_pair", ("k",), "named-barriers")


def test_programs_that_use_the_same_names_are_not_mixed_up(tmp_path):
    one = f"__device__ void wait() {{ {ASM} }}\n__global__ void kernel(float* y) {{ wait(); y[0] = 1; }}\n"
    launched = "void run(float* y) { kernel<<<1, 64>>>(y); }\n"
    other = one.replace("y[0]", "y[1]") + launched.replace("64", "96")
    found, _ = project(tmp_path, {"a/main.cu": one + launched, "b/main.cu": other})
    assert [[piece.path for piece in unit.pieces] for unit in found.units] == [["a/main.cu"] * 2, ["b/main.cu"] * 2]
    assert [unit.kernel_paths for unit in found.units] == [("a/main.cu",), ("b/main.cu",)]
    assert found.units[1].launches == ("kernel<<<1, 96>>>(y)",)
