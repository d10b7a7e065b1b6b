"""What is renamed, what is not, and what is said about it."""

import pytest

from tests.translate_names.view import after, codes, run

KEPT = [
    "// cudaMalloc(p)\n",
    "// one \\\ncudaMalloc(p)\n",
    "/* cudaMalloc */",
    'puts("cudaMalloc failed");',
    'puts("a \\" cudaMalloc");',
    "char c = '\"'; // cudaMalloc\n",
    'auto s = R"cu(cudaMalloc(&p, 1);)cu";',
    'auto s = u8R"(cudaMalloc)";',
    'asm("// cudaFree");',
    "x.cudaMalloc(1);",
    "x->cudaMalloc(1);",
    "x -> cudaMalloc(1);",
    "x.\n  cudaMalloc(1);",
    "my::cudaMalloc(1);",
    "Box<int>::cudaMalloc(1);",
    "cudaMyHelper(); cudaFree2(); mycudaFree(); cuda_free(); MY_CUDA_H;",
    "my::cuda::foo(); namespace cuda { int f(); } cuda::f(); int cuda = 1;",
    "// cuda::std::tuple at::cuda::x\n",
    "#error don't call cudaFree here\n",
    '#include "cuda_utils.cuh"\n',
    "#include <helper_cuda.h>\n",
    "#if __CUDA_ARCH__ >= 800\n#endif\n",
    "#if CUDA_VERSION >= 12000 || CUDART_VERSION > 1\n#endif\n",
    "#ifdef __CUDACC__\n#endif\n",
    "__syncthreads(); dim3 d; half2 h; atomicAdd(p, 1);",
    "int nCutoffValue = 3; auto cubin = load();",
]


@pytest.mark.parametrize("source", KEPT)
def test_left_as_it_is_in_silence(source):
    assert run(source) == ([], [])


RENAMED = [
    ("cudaMalloc(&p, 4);", "musaMalloc(&p, 4);"),
    ("return ::cudaFree(p);", "return ::musaFree(p);"),
    ("// the launch.\ncudaError_t e;", "// the launch.\nmusaError_t e;"),
    ("/* x. */ cudaFree(p);", "/* x. */ musaFree(p);"),
    ("f(args...,cudaSuccess);", "f(args...,musaSuccess);"),
    ("#define CHECK(x) ((x) == cudaSuccess)\n", "#define CHECK(x) ((x) == musaSuccess)\n"),
    ("#define A \\\n  cudaSuccess\n", "#define A \\\n  musaSuccess\n"),
    ("n = 1'000'000; cudaFree(p); m = 0xF'F; cudaFree(q);", "n = 1'000'000; musaFree(p); m = 0xF'F; musaFree(q);"),
    ("u8'a'; cudaFree(p);", "u8'a'; musaFree(p);"),
    ("struct cudaDeviceProp prop;", "struct musaDeviceProp prop;"),
    ("const cudaStream_t& s", "const musaStream_t& s"),
    ("std::vector<cudaStream_t> v; (cudaStream_t)0;", "std::vector<musaStream_t> v; (musaStream_t)0;"),
    ("case cudaSuccess: return cudaSuccess;", "case musaSuccess: return musaSuccess;"),
    ("extern cudaError_t cudaFree(void*);", "extern musaError_t musaFree(void*);"),
    ("cudaStream_t s = 0; s.x; cudaFree(s.y);", "musaStream_t s = 0; s.x; musaFree(s.y);"),
    ("a\tcudaFree\r\n(p);\r\n", "a\tmusaFree\r\n(p);\r\n"),
    ("#include <cuda_runtime.h>\n", "#include <musa_runtime.h>\n"),
    ('#  include "cuda_fp16.h"\n', '#  include "musa_fp16.h"\n'),
    ("#if __has_include(<cuda_bf16.h>)\n#endif\n", "#if __has_include(<musa_bf16.h>)\n#endif\n"),
    ("#include <cublas_v2.h>\n#include <cublas.h>\n", "#include <mublas.h>\n#include <mublas.h>\n"),
    ("#import <curand_kernel.h>\n", "#import <murand_kernel.h>\n"),
    ("#define CUDA_API_PER_THREAD_DEFAULT_STREAM\n", "#define MUSA_API_PER_THREAD_DEFAULT_STREAM\n"),
    ("#ifdef __HIP_PLATFORM_AMD__\nhipFree(p);\n#else\ncudaFree(p);\n#endif\n",
     "#ifdef __HIP_PLATFORM_AMD__\nhipFree(p);\n#else\nmusaFree(p);\n#endif\n"),
    ("#if 0\nit's cudaFree\ncudaFree(p);\n#endif\n", "#if 0\nit's cudaFree\nmusaFree(p);\n#endif\n"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "wanted"), RENAMED)
def test_renamed(source, wanted):
    assert after(source) == wanted


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf#include <cuda.h>\r\ncudaFree(p);",
        "// 释放 cudaFree\ncudaFree(p); // 中文\n".encode("gbk"),
        b"x_\xe9cudaFree cudaFree\xe9 $cudaFree cudaFree(p);",
        b"\0cudaFree\0\tcudaFree",
        b"",
        b"cudaFree",
    ],
)
def test_bytes_outside_the_name_stay(data):
    out = after(data)
    assert len(out) == len(data)
    assert out.replace(b"musa", b"cuda") == data


def test_a_latin1_letter_is_part_of_the_word():
    assert after(b"x_\xe9cudaFree; cudaFree\xe9; cudaFree;") == b"x_\xe9cudaFree; cudaFree\xe9; musaFree;"


def test_a_gbk_character_that_ends_in_a_backslash_continues_the_comment():
    line = "// 誠\n".encode("gbk")
    assert line[-2:] == b"\\\n"
    assert after(line + b"cudaFree(p);\ncudaFree(p);\n") == line + b"cudaFree(p);\nmusaFree(p);\n"


def test_seen_names_raise_nothing():
    edits, findings = run("cudaMalloc(&p, 4); cudaMalloc(&q, 4);")
    assert [(edit.rule, edit.evidence, edit.safety) for edit in edits] == [("names.runtime", "seen", "safe")] * 2
    assert findings == []


def test_a_table_name_raises_one_note_a_file():
    edits, findings = run("cudaArrayGetInfo(a); cudaArrayGetInfo(b);")
    assert [(edit.evidence, edit.safety) for edit in edits] == [("table", "safe")] * 2
    assert [(each.code, each.severity, each.name, each.settled) for each in findings] == [
        ("MUS102", "note", "cudaArrayGetInfo", True)
    ]
    assert "2 times" in findings[0].message


def test_a_derived_name_is_unsafe_and_a_finding_each_time():
    edits, findings = run("cudaLaunchKernelExC(a); cudaLaunchKernelExC(b);")
    assert [(edit.evidence, edit.safety) for edit in edits] == [("prefix", "unsafe")] * 2
    assert [(each.code, each.severity, each.settled, each.edit) for each in findings] == [
        ("MUS103", "warning", False, edit) for edit in edits
    ]
    assert all(each.settled for each in run("cudaLaunchKernelExC(a);", unsafe_fixes=True)[1])


@pytest.mark.parametrize(
    ("source", "code", "name", "severity", "settled"),
    [
        ("cutensorCreate(&h);", "MUS101", "cutensorCreate", "warning", False),
        ("cudnnCreate(&h);", "MUS701", "cudnnCreate", "warning", False),
        ('nvtxRangePushA("x");', "MUS703", "nvtxRangePushA", "warning", False),
        ("nvrtcCompileProgram(p, 0, 0);", "MUS704", "nvrtcCompileProgram", "warning", False),
        ("nvmlInit();", "MUS705", "nvmlInit", "warning", False),
        ("cudaGridDependencySynchronize();", "MUS111", "cudaGridDependencySynchronize", "warning", False),
        ("CUtensorMap m;", "MUS111", "CUtensorMap", "warning", False),
        ("using namespace nvcuda;", "MUS111", "nvcuda", "warning", False),
        ("nvcuda::wmma::fragment<> f;", "MUS111", "nvcuda", "warning", False),
        ("#if CUDNN_VERSION >= 8000\n#endif\n", "MUS112", "CUDNN_VERSION", "warning", True),
        ("x = __match_any_sync(m, v);", "MUS110", "__match_any_sync", "note", True),
        ("#include <cudnn.h>\n", "MUS108", "cudnn.h", "warning", False),
        ("#include <mma.h>\n", "MUS108", "mma.h", "warning", False),
        ("#include <nvtx3/nvToolsExt.h>\n", "MUS108", "nvtx3/nvToolsExt.h", "warning", False),
        ("#include <cuda/std/atomic>\n", "MUS108", "cuda/std/atomic", "warning", False),
        ("#include <device_launch_parameters.h>\n", "MUS110", "device_launch_parameters.h", "note", True),
    ],
)
def test_left_with_a_finding(source, code, name, severity, settled):
    edits, findings = run(source)
    assert edits == []
    assert [(each.code, each.name, each.severity, each.settled) for each in findings] == [
        (code, name, severity, settled)
    ]
    data = source.encode()
    assert data[findings[0].start : findings[0].end] == name.encode()


def test_a_local_folder_called_cuda_is_the_projects_own():
    assert run('#include "cuda/std/tuple"\n') == ([], [])


@pytest.mark.parametrize(
    "source",
    [
        "#define cudaFree(p) my_free(p)\ncudaFree(q);",
        "static cudaX_t *cudaFree(void *p) { return 0; } int g() { cudaFree(q); }",
        "int cudaFree(void *p) noexcept { return 0; }",
        "struct cudaDeviceProp { int x; }; cudaDeviceProp p;",
        "typedef struct { int x; } cudaDeviceProp; cudaDeviceProp p;",
        "using cudaStream_t = int; cudaStream_t s;",
        "typedef int cudaStream_t; cudaStream_t s;",
        "int cudaFree = 1; use(cudaFree);",
    ],
)
def test_the_files_own_symbol_is_not_renamed(source):
    edits, findings = run(source)
    assert edits == []
    assert [each.code for each in findings] == ["MUS107"]
    assert findings[0].severity == "note"


@pytest.mark.parametrize(
    "condition",
    [
        "#ifdef USE_ROCM",
        "#if defined(__HIPCC__) && X",
        "#if A\n#elif USE_HIP",
        "#ifndef USE_ROCM\n#else",
        "#if !defined(USE_ROCM)\n#else",
    ],
)
def test_a_definition_for_another_platform_is_not_the_files_own(condition):
    source = f"{condition}\ntypedef __hip_bfloat16 __nv_bfloat16;\n#endif\n__nv_bfloat16 x;\n"
    assert after(source) == source.replace("__nv_bfloat16", "__mt_bfloat16")
    assert codes(source) == []
    assert codes(source + "typedef short __nv_bfloat162;") == [("MUS107", "__nv_bfloat162")]


def test_a_definition_where_the_other_platform_is_excluded_is_the_files_own():
    assert codes("#if !defined(USE_ROCM)\nint cudaFree(void* p) { return 0; }\n#endif\n") == [("MUS107", "cudaFree")]


def test_thrusts_backend_is_a_namespace_of_its_own():
    assert after("f(thrust::cuda::par.on(s));") == "f(thrust::musa::par.on(s));"
    assert after("thrust::system::cuda::detail::par_t p;") == "thrust::system::musa::detail::par_t p;"
    assert after("my::system::cuda::detail::par_t p;") == "my::system::cuda::detail::par_t p;"


def test_macros_that_stand_for_thrusts_backend_follow_it():
    assert after("#define __THRUST_DEVICE_SYSTEM_NAMESPACE cuda\n") == "#define __THRUST_DEVICE_SYSTEM_NAMESPACE musa\n"
    used = "#define BACKEND cuda  // c\nthrust::system::BACKEND::par_t p;\n"
    assert after(used) == used.replace("cuda", "musa")
    for left in (
        "#define BACKEND cuda\n",
        "#define THRUST_X cuda_x\n",
        "// #define THRUST_X cuda\n",
        "#define THRUST_X f(cuda)\n",
    ):
        assert after(left) == left


def test_thrusts_backend_has_a_folder_of_its_own():
    source = "#include <thrust/system/cuda/detail/par.h>\n#include <thrust/system/cpp/vector.h>\n"
    assert after(source) == source.replace("/cuda/", "/musa/")
    assert after("#include <system/cuda/par.h>\n") == "#include <system/cuda/par.h>\n"


def test_other_namespaces_called_cuda_are_findings():
    source = "cuda::std::tuple<int> t; ::cuda::barrier b; at::cuda::CUDAGuard g;"
    assert codes(source) == [("MUS111", "cuda"), ("MUS111", "cuda"), ("MUS111", "at::cuda")]
    assert after(source) == source


def test_names_of_pytorch_need_a_file_that_speaks_of_it():
    assert after("CUDAStream s;") == "CUDAStream s;"
    assert after("using c10::foo; CUDAStream s;") == "using c10::foo; MUSAStream s;"


def test_what_those_see_that_include_a_file():
    from musify_ai.translate.names import exported
    from tests.translate_names.view import View

    src = (
        b"#define cudaFree(p) 0\nint cudaMalloc(int n) { int cudaMemset = n; } cudaMemcpy(a);\n"
        b"void f(int cudaMemcpyAsync) {}\nstruct S { int cudaSuccess; };\nnamespace n { int cudaMemGetInfo = 1; }"
    )
    own, members = exported(View(src))
    assert own == {b"cudaFree", b"cudaMalloc", b"cudaMemGetInfo"}
    assert members == {b"cudaSuccess": {b"S"}}


def test_a_member_of_a_struct_does_not_keep_the_api_from_being_renamed():
    source = "#define F(x) (x)\nstruct S { int cudaFree; };\nvoid f(S s) { s.cudaFree = 1; cudaFree(p); }"
    assert after(source) == source.replace(" cudaFree(p)", " musaFree(p)")


def test_names_the_project_defines_elsewhere_are_kept_and_noted():
    from musify_ai.translate import Surroundings
    from musify_ai.translate.names import translate_names
    from tests.translate_names.view import View

    around = Surroundings(own={b"cudaFree": "shim.h"})
    found = list(translate_names(View(b"cudaFree(p); cudaFree(q);"), around))
    assert [(each.code, each.severity) for each in found] == [("MUS107", "note")]
    assert "shim.h" in found[0].message


def test_a_call_in_a_condition_before_a_block_is_no_definition():
    assert after("if (cudaFree(p)) { } while (x && cudaFree(p)) { }") == (
        "if (musaFree(p)) { } while (x && musaFree(p)) { }"
    )


@pytest.mark.parametrize(
    ("source", "name", "suggested"),
    [
        ("#define M(n) cuda##n\n", "cuda", b"musa"),
        ("#define M(n) n(cu##n)\n", "cu", b"mu"),
        ("#define M(n) cuda \\\n  ## \\\n n\n", "cuda", b"musa"),
        ("#define M(n) cublas ## n ## gemm\n", "cublas", b"mublas"),
        ("#define M(n) CUDA_R_ ## n\n", "CUDA_R_", b"MUSA_R_"),
        ("#define M(n) cudaMemcpy##n\n", "cudaMemcpy", b"musaMemcpy"),
        ("#define M(n) n ## cudaFree\n", "cudaFree", b"musaFree"),
    ],
)
def test_a_pasted_name_is_reported_not_renamed(source, name, suggested):
    edits, findings = run(source)
    assert edits == []
    assert [(each.code, each.name, each.edit.new, each.edit.safety) for each in findings] == [
        ("MUS104", name, suggested, "display")
    ]


def test_pasting_of_other_names_is_nobodys_business():
    assert run("#define M(n) cudaish_##n my##n custom##n\n") == ([], [])


def test_a_macro_that_prints_its_argument_is_noted_once():
    source = "#define CK(x) f(x, #x)\n#define ID(x) x\nCK(cudaFree(p)); CK(cudaFree(q)); CK(1); ID(cudaFree(r));"
    assert codes(source) == [("MUS105", "CK")]
    assert after(source).count("musaFree") == 3


def test_a_spliced_name_is_reported():
    assert codes("cudaMem\\\ncpy(a);") == [("MUS106", "cudaMemcpy")]
    assert codes("cuda\\\nMem\\\ncpy(a);") == [("MUS106", "cudaMemcpy")]
    assert codes("cudaMem\\\r\ncpy(a);") == [("MUS106", "cudaMemcpy")]
    assert codes("cudaMemcpy\\\nAsync(a);") == [("MUS106", "cudaMemcpyAsync")]
    assert after("cudaMemcpy\\\nAsync(a);") == "cudaMemcpy\\\nAsync(a);"
    assert after("#define X \\\ncudaFree\\\n\n") == "#define X \\\nmusaFree\\\n\n"


def test_a_looked_up_string_is_noted_not_edited():
    source = 'p = dlsym(h, "cudaFree"); puts("cudaFree failed"); cudaFree(q);'
    assert codes(source) == [("MUS109", "cudaFree")]
    assert after(source) == 'p = dlsym(h, "cudaFree"); puts("cudaFree failed"); musaFree(q);'


def test_the_bulk_part_serves_a_file_that_includes_its_header():
    source = "#include <npp.h>\nnppiFilterBox_8u_C1R_Ctx(a);"
    assert ("MUS103", "nppiFilterBox_8u_C1R_Ctx") in codes(source)
    assert codes("nppiFilterBox_8u_C1R_Ctx(a);") == []


def test_many_distinct_names_give_the_same_as_few():
    from musify_ai.rules import load

    names = sorted(name for name in load().names if load().label(name)[:2] == ("seen", "runtime"))
    data = b"\n".join(b"  f(" + name + b");" for name in names)
    assert [edit.old for edit in run(data)[0]] == names
    for name in names[:40]:
        assert [edit.new for edit in run(b"f(" + name + b");")[0]] == [load().names[name]]


def test_the_generator_curand_is_renamed_where_it_is_called():
    assert after("x = curand(&state) % 6;") == "x = murand(&state) % 6;"
    assert after("#define NEXT(s) curand (s)\n") == "#define NEXT(s) murand (s)\n"
    for kept in ("namespace curand { }", "int curand = 0;", "curand::engine e;", "gen.curand(3);", "my::curand(3);"):
        assert after(kept) == kept
