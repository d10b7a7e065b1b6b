"""Faults that other migration tools were reported for, each with siblings of its kind. The number is the report's in
the project's list of such faults; a test holds what is right, not what the report's tool did."""

import pytest

from musify_ai.pipeline.residue import residue
from musify_ai.records import Options
from musify_ai.source import splice
from musify_ai.translate import translate


def fixed(src, path="a.cu", **options):
    found = translate(src.encode(), path, Options(**options))
    return splice(src.encode(), [edit for edit in found.edits if edit.safety == "safe"]).decode()


def found(src, path="a.cu", **options):
    return [(each.code, each.name) for each in translate(src.encode(), path, Options(**options)).findings]


def codes(src, path="a.cu", **options):
    return {code for code, _ in found(src, path, **options)}


NATIVE = '__global__ void k(float* p) {\n  asm volatile("LSU.LD %0" : "=r"(p[0]));\n}\n'


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("native.mu", NATIVE),
        ("native.muh", NATIVE + "cudaError_t left;\n"),
        ("shared.h", "#include <musa_runtime.h>\n" + NATIVE + "cudaFree(p);\n"),
        ("guarded.cuh", "#ifdef __MUSA_ARCH__\ncudaFree(p);\n#endif\n" + NATIVE),
    ],
)
def test_b03_a_file_that_is_musa_already_is_left_byte_for_byte(path, source):
    assert fixed(source, path) == source


def test_b03_assembly_is_neither_dropped_nor_made_dead():
    source = '__global__ void k(int* p) {\n  int x;\n  asm volatile("weird.op %0;" : "=r"(x));\n}\n'
    assert fixed(source) == source
    assert any(code.startswith("MUS4") for code in codes(source))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("#include <cuda.h>\n", "#include <musa.h>\n"),
        ("#include <torch/cuda.h>\n", "#include <torch/cuda.h>\n"),
        ('#include "decode_jpegs_cuda.h"\n', '#include "decode_jpegs_cuda.h"\n'),
        ('#include "nvjpeg_helpers.h"\n', '#include "nvjpeg_helpers.h"\n'),
        ('#include "my/cuda.h"\n', '#include "my/cuda.h"\n'),
        ("#  include  <cuda_runtime.h> // cuda.h\n", "#  include  <musa_runtime.h> // cuda.h\n"),
        ("#if __has_include(<cuda_fp16.h>)\n#endif\n", "#if __has_include(<musa_fp16.h>)\n#endif\n"),
    ],
)
def test_b05_include_tokens_are_matched_whole(before, after):
    assert fixed(before) == after


@pytest.mark.parametrize("use", ["at::kCUDA", "torch::kCUDA", "c10::DeviceType::CUDA", "at::DeviceType::CUDA"])
def test_b06_no_device_type_is_made_up(use):
    source = f"#include <torch/extension.h>\nauto d = {use};\n"
    assert "kMUSA" not in fixed(source) and "::MUSA" not in fixed(source)
    assert "MUS802" in codes(source) or "PrivateUse1" in fixed(source)


@pytest.mark.parametrize(
    ("sdk", "source", "says"),
    [
        ("4.2", "cusolverDnCreate(&h);", "from SDK 4.3 on"),
        ("4.0", "if (s == CUSOLVER_STATUS_SUCCESS) {}", "from SDK 4.3 on"),
        ("3.1", "cusolverDnDgetrf(h, m, n, a, l, w, p, i);", "from SDK 4.3 on"),
    ],
)
def test_b09_names_that_the_sdk_does_not_have_yet_are_reported(sdk, source, says):
    assert fixed(source, sdk=sdk) == source
    (finding,) = translate(source.encode(), "a.cu", Options(sdk=sdk)).findings
    assert says in finding.message
    assert fixed(source) != source


@pytest.mark.parametrize(
    "source",
    [
        "cudaEventCreateWithFlags(&e, cudaEventDisableTiming);",
        "cudaStreamWaitEvent(s, e, 0); cudaEventDestroy(e);",
        "cudaEventRecordWithFlags(e, s, cudaEventRecordExternal);",
        "cudaDevicePrimaryThing(e); cudaStreamNonBlocking;",
    ],
)
def test_b10_each_api_name_is_mapped_or_reported(source):
    answer = translate(source.encode(), "a.cpp", Options())
    output = splice(source.encode(), [edit for edit in answer.edits if edit.safety == "safe"])
    explained = [(0, len(output))] if answer.findings else []
    assert not residue(output, explained).known


@pytest.mark.parametrize(
    ("name", "musa"),
    [
        ("cudaDevAttrMultiProcessorCount", "musaDevAttrMultiProcessorCount"),
        ("cudaDevAttrMaxThreadsPerBlock", "musaDevAttrMaxThreadsPerBlock"),
        ("cudaDevAttrMaxSharedMemoryPerBlock", "musaDevAttrMaxSharedMemoryPerBlock"),
        ("cudaDevAttrClockRate", "musaDevAttrClockRate"),
    ],
)
def test_b11_attributes_keep_the_spelling_of_the_table(name, musa):
    assert fixed(f"cudaDeviceGetAttribute(&v, {name}, 0);") == f"musaDeviceGetAttribute(&v, {musa}, 0);"


def test_b11_an_attribute_in_no_table_is_not_guessed():
    source = "cudaDeviceGetAttribute(&v, cudaDevAttrInventedForThisTest, 0);"
    assert "cudaDevAttrInventedForThisTest" in fixed(source)


@pytest.mark.parametrize(
    "source",
    [
        "#define LAUNCH(k, g, b, ...) k<<<g, b>>>(__VA_ARGS__)\nLAUNCH((kernel<float>), 1, 32, p);\n",
        "#define RUN(name) name<<<grid, block, 0, stream>>>\nRUN(scale)(p, n);\n",
        "#define L2(k) do { \\\n  k<<<1, \\\n  2>>>(p); \\\n} while (0)\nL2(f);\n",
        "#define EMPTY <<<\nk EMPTY 1, 2>>>(p);\n",
    ],
)
def test_b13_launches_in_macros_are_left_as_they_are(source):
    assert fixed(source) == source
    assert fixed(source + "cudaFree(p);\n") == source + "musaFree(p);\n"


@pytest.mark.parametrize(
    "launch",
    [
        "sort<512, 8><<<1, 512>>>(in, out);",
        "scan<vec<float, 4>, op<plus<int>>><<<grid, block, sizeof(T) * 2, s>>>(p);",
        "ns::k<(1 >> 2), true> <<< dim3(1, 2), 3 >>> (p);",
        "(*table[i])<<<1, 2>>>(p);",
    ],
)
def test_b14_templated_launches_are_left_as_they_are(launch):
    source = f"void f() {{ {launch} cudaDeviceSynchronize(); }}\n"
    assert fixed(source) == source.replace("cuda", "musa")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "SAFE_CALL(cudaMemcpy(d, s, n, cudaMemcpyHostToDevice));",
            "SAFE_CALL(musaMemcpy(d, s, n, musaMemcpyHostToDevice));",
        ),
        ("A(B(cudaFree(p), C(cudaSuccess)))", "A(B(musaFree(p), C(musaSuccess)))"),
        (
            "#define T(x) U(cudaStreamSynchronize(x), cudaSuccess)\n",
            "#define T(x) U(musaStreamSynchronize(x), musaSuccess)\n",
        ),
        ("EXPECT_EQ(cudaSuccess,\n  cudaMalloc(&p, 4));", "EXPECT_EQ(musaSuccess,\n  musaMalloc(&p, 4));"),
    ],
)
def test_b16_names_in_macro_arguments_are_renamed(before, after):
    assert fixed(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("#define _cublasSgemm_ cublasSgemm_v2\n", "#define _cublasSgemm_ mublasSgemm_v2\n"),
        ("#define MY_N CUBLAS_OP_N\nf(MY_N, CUBLAS_OP_T);", "#define MY_N MUBLAS_OP_N\nf(MY_N, MUBLAS_OP_T);"),
        ("#define gpuMalloc cudaMalloc\ngpuMalloc(&p, 4);", "#define gpuMalloc musaMalloc\ngpuMalloc(&p, 4);"),
        ("#define ALLOC(p, n) \\\n  cudaMalloc(p, n)\n", "#define ALLOC(p, n) \\\n  musaMalloc(p, n)\n"),
    ],
)
def test_b17_an_alias_macro_keeps_its_name_and_follows_the_api(before, after):
    assert fixed(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("CUfunction", "MUfunction"),
        ("x = cudaSuccess", "x = musaSuccess"),
        ("cudaFree(p);//", "musaFree(p);//"),
        ("#define F cudaFree", "#define F musaFree"),
        ("\ufeffcudaFree(p);", "\ufeffmusaFree(p);"),
    ],
)
def test_b20_a_name_at_either_end_of_the_file_is_seen(before, after):
    assert fixed(before) == after
    assert fixed(after) == after


@pytest.mark.parametrize(
    "source",
    [
        "#include <cuda_runtime.h>\n#include <musa_fp16.h>\nvoid f() { cudaFree(p); musaFree(q); }\n",
        "#include <thrust/system/cuda/vector.h>\nthrust::cuda::par;\n",
        "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800\nint x;\n#endif\n",
        "nv_bfloat16 a; __nv_bfloat16 b; curand(&s);\n",
    ],
)
def test_b22_a_second_run_changes_nothing(source):
    once = fixed(source)
    assert fixed(once) == once


@pytest.mark.parametrize(
    "source",
    [
        "texture<float, 1> t;\n__global__ void k(float* p) { p[0] = tex1Dfetch(t, 0); }\n",
        "texture<float, cudaTextureType2D> t;\nvoid f() { cudaBindTexture2D(0, t, p, d, w, h, pitch); }\n",
        "static texture<int4> t;\nvoid f() { cudaUnbindTexture(t); }\n",
    ],
)
def test_b23_texture_references_are_reported(source):
    assert "MUS508" in codes(source)


@pytest.mark.parametrize("path", ["solver.c", "solver.cpp", "solver.h", "solver.inl"])
def test_b26_host_files_of_any_suffix_are_in_scope(path):
    source = "#include <cusparse.h>\nint f(void) { return cusparseCreate(&h) == CUSPARSE_STATUS_SUCCESS; }\n"
    expected = "#include <musparse.h>\nint f(void) { return musparseCreate(&h) == MUSPARSE_STATUS_SUCCESS; }\n"
    assert fixed(source, path) == expected


@pytest.mark.parametrize(
    "source",
    [
        "void initCuda(); int my_cuda_ptr; class CudaTimer {};\n",
        'printf("cudaMalloc failed on cuda device\\n"); // cudaMalloc\n',
        "int cudaCheckErrors; bool use_cuda = true; enum { CUDA_DEVICE };\n",
        "namespace my_cuda { struct cuda_stream_pool; }\n",
    ],
)
def test_b29_user_names_comments_and_text_are_left(source):
    assert fixed(source) == source


@pytest.mark.parametrize(
    "source",
    [
        "nvrtcCreateProgram(&prog, text, name, 0, 0, 0);\n",
        "nvrtcResult r = nvrtcCompileProgram(prog, 1, options);\n",
        "#include <nvrtc.h>\nvoid f() { nvrtcGetPTX(prog, ptx); }\n",
    ],
)
def test_b30_run_time_compilation_is_reported(source):
    assert codes(source) & {"MUS704", "MUS108"}
    assert "mtrtc" not in fixed(source)


@pytest.mark.parametrize(
    "source",
    [
        "struct S { void execute(); }; // executed\n",
        "namespace cute { int CUTE_X; }\n",
        "int Accumulate(int occurs, int focus, int cumulative);\n",
        "int cutlass_execute = acute + circuits;\n",
    ],
)
def test_b33_a_prefix_inside_a_word_is_no_name(source):
    assert fixed(source) == source
