"""`rebrand`: the project's own names and files by word part, everywhere alike, and nobody else's."""

import pytest

from musify_ai.records import Options
from musify_ai.source import splice, undo
from musify_ai.styles import translate_in_style
from musify_ai.styles.parts import Wording
from musify_ai.styles.project import plan_for

REBRAND = Options(style="rebrand")


def over(
    files: dict[str, str],
    options: Options = REBRAND,
    left: dict[str, bytes] | None = None,
    build: dict[str, bytes] | None = None,
    foreign: dict[str, bytes] | None = None,
) -> dict[str, str]:
    """A project after the style, by the new paths, with ``!``, code and name of each finding of the style behind it."""
    sources = {path: text.encode() for path, text in files.items()}
    plan = plan_for(sources, options, left=left, build=build, foreign=foreign)
    out, said = {}, {}
    for path, src in sources.items():
        styled = translate_in_style(src, path, options, plan=plan)
        edits = [edit for edit in styled.edits if edit.safety == "safe"]
        place = plan.paths.get(path, path)
        out[place] = splice(src, edits)
        assert undo(out[place], edits) == src
        said[place] = "".join(f"!{f.code} {f.name}" for f in styled.findings if f.code >= "MUS120" and f.code < "MUS2")
    again = plan_for(out, options, left=left, build=build, foreign=foreign)
    assert again.paths == {}
    for path, src in out.items():
        edits = translate_in_style(src, path, options, plan=again).edits
        assert [edit for edit in edits if edit.safety == "safe"] == []
    return {path: text.decode() + said[path] for path, text in out.items()}


def one(text: str) -> str:
    return over({"a.h": text})["a.h"]


@pytest.mark.parametrize(
    ("name", "new"),
    [
        ("CudaStream", "MusaStream"),
        ("cuda_stream", "musa_stream"),
        ("CUDA_CHECK", "MUSA_CHECK"),
        ("myCudaFoo", "myMusaFoo"),
        ("kCUDA", "kMUSA"),
        ("CUDAStream", "MUSAStream"),
        ("cuda2d", "musa2d"),
        ("__CUDA_UTILS_H__", "__MUSA_UTILS_H__"),
        ("use_cublas_", "use_mublas_"),
        ("barracuda", "barracuda"),
        ("Cudahy", "Cudahy"),
        ("BARRACUDA_X", "BARRACUDA_X"),
        ("libcuda", "libcuda"),
        ("execute", "execute"),
        ("is_cute", "is_cute"),
        ("Accumulate", "Accumulate"),
    ],
)
def test_words_are_changed_and_substrings_are_not(name: str, new: str) -> None:
    assert Wording().renamed(name.encode()) == new.encode()
    assert Wording(back=True).renamed(new.encode()) == name.encode()


def test_a_projects_brand_is_a_word_where_it_has_the_namespace() -> None:
    src = "namespace cute { struct CuteLayout {}; }\nint execute(cute::CuteLayout, int is_cute);\n"
    assert one(src) == src.replace("cute {", "mute {").replace("CuteL", "MuteL").replace("(cute::", "(mute::").replace(
        "is_cute", "is_mute"
    )
    other = "int is_cute = 1;\n"
    assert one(other) == other


def test_names_of_every_kind_change_where_they_are_defined_and_used() -> None:
    src = """\
#ifndef CUDA_FOO_H
#define CUDA_FOO_H
#define CUDA_CHECK(x) (x)
namespace cuda_impl { enum class Kind { kCuda, kCpu }; typedef int cuda_int; using cuda_type = float; }
template <typename CudaT> struct CudaBuffer { CudaT* cuda_data; int n() const { return cuda_size_; } int cuda_size_; };
inline cuda_impl::cuda_int run_cuda(CudaBuffer<float>& cuda_buffer, float *cuda_in) {
  for (auto& cuda_each : all) use(cuda_each); const float* __restrict__ cuda_r = cuda_in;
  int cuda_n = cuda_buffer.cuda_size_; auto* p = &cuda_buffer; return CUDA_CHECK(p->cuda_size_ + cuda_n);
}
#endif  // CUDA_FOO_H
"""
    out = one(src)
    code = out.replace("// CUDA_FOO_H", "")
    assert "uda" not in code
    assert "CUDA" not in code
    assert "#endif  // CUDA_FOO_H" in out  # a comment is text
    assert "p->musa_size_ + musa_n" in out


def test_what_others_define_is_left() -> None:
    src = """\
#include <ATen/ATen.h>
namespace mine { namespace cuda { int stream; struct CudaGuard {}; } }
void f(at::cuda::Thing t, thrust::cuda_cub::tag x, c10::cuda::CudaGuard g, nvcuda::wmma::frag w) {
  t.stream(); other.cuda(); mine::cuda::CudaGuard h; cuda::std::atomic<int> a; unknown_cuda_call(CUDA_FROM_BUILD);
}
"""
    out = one(src)
    assert "namespace musa { int stream; struct MusaGuard {}; }" in out
    assert "at::cuda::Thing" in out
    assert "thrust::cuda_cub::tag" in out
    assert "c10::cuda::CudaGuard g" in out
    assert "other.cuda();" in out
    assert "mine::musa::MusaGuard h" in out
    assert "cuda::std::atomic" in out
    assert "unknown_cuda_call(CUDA_FROM_BUILD)" in out


def test_text_and_the_apis_names_are_no_project_names() -> None:
    src = '// my_cuda_x\nint my_cuda_x; const char* s = "my_cuda_x 4CUDAx9==";\nvoid f(void* p) { cudaFree(p); }\n'
    out = one(src)
    assert out == src.replace("int my_cuda_x", "int my_musa_x").replace("cudaFree", "musaFree")


def test_names_agree_over_files_and_paths_follow() -> None:
    out = over(
        {
            "include/my_cuda/cuda_util.cuh": "#pragma once\nint cuda_helper();\nstruct CudaUtil { int cuda_id; };\n",
            "src/cuda_util.cu": '#include "my_cuda/cuda_util.cuh"\n#include "../include/my_cuda/cuda_util.cuh"\n'
            "int cuda_helper() { return CudaUtil{}.cuda_id; }\n",
            "src/main.cpp": "#include <my_cuda/cuda_util.cuh>\n#include <other/cuda_util.cuh>\n"
            "int main() { return cuda_helper(); }\n",
        }
    )
    assert set(out) == {"include/my_musa/musa_util.muh", "src/musa_util.mu", "src/main.cpp"}
    assert out["src/musa_util.mu"] == (
        '#include "my_musa/musa_util.muh"\n#include "../include/my_musa/musa_util.muh"\n'
        "int musa_helper() { return MusaUtil{}.musa_id; }\n"
    )
    assert "<my_musa/musa_util.muh>\n#include <other/cuda_util.cuh>" in out["src/main.cpp"]
    assert "return musa_helper();" in out["src/main.cpp"]


def test_a_collision_is_a_finding_and_nothing_is_renamed() -> None:
    src = "int cuda_x; int musa_x; int f() { return cuda_x + musa_x; }\n"
    assert one(src) == src + "!MUS120 cuda_x"
    out = over({"a.cu": "int a;\n", "a.mu": "int b;\n", "CUDA_B.h": "int c;\n", "MUSA_B.h": "int d;\n"})
    assert set(out) == {"a.cu", "a.mu", "CUDA_B.h", "MUSA_B.h"}
    assert out["a.cu"] == "int a;\n!MUS120 a.cu"


def test_names_that_cannot_change_alone_are_left_with_a_finding() -> None:
    pasted = "#define DEF(x) int cuda_##x\nDEF(a);\nint cuda_b; int other_cuda;\n"
    assert one(pasted) == pasted.replace("other_cuda", "other_musa") + "!MUS120 cuda_b"
    kept = "int cuda_y;\nint z = cuda_y; // MUSIFY_EXCL_LINE\n"
    assert one(kept) == kept + "!MUS120 cuda_y"
    elsewhere = over({"a.h": "int cuda_z;\n"}, left={"third_party/t.h": b"extern int cuda_z;\n"})
    assert elsewhere == {"a.h": "int cuda_z;\n!MUS120 cuda_z"}
    built = over({"a.h": "#ifndef CUDA_ON\n#define CUDA_ON 1\n#endif\n"}, build={"CMakeLists.txt": b"-DCUDA_ON=0"})
    assert built["a.h"].endswith("!MUS120 CUDA_ON")


def test_a_file_with_a_branch_for_musa_is_left_with_what_it_uses() -> None:
    files = {
        "cuda_a.h": "int cuda_one; int cuda_two;\n",
        "both.cu": '#include "cuda_a.h"\n#if defined(__MUSA_ARCH__)\nint f() { return cuda_one; }\n#endif\n',
        "cuda_b.cu": '#include "cuda_a.h"\nint g() { return cuda_two + cuda_one; }\n',
    }
    assert over(files) == {
        "cuda_a.h": "int cuda_one; int musa_two;\n!MUS120 cuda_one",
        "both.cu": files["both.cu"],
        "musa_b.mu": '#include "cuda_a.h"\nint g() { return musa_two + cuda_one; }\n',
    }


def test_another_platforms_definitions_are_not_the_ports() -> None:
    src = "#ifdef USE_ROCM\nint cuda_shim;\n#endif\nint f() { return cuda_shim_user; }\n"
    assert one(src) == src


def test_a_lookup_by_name_is_pointed_at() -> None:
    src = 'extern "C" int cuda_entry(int x) { return x; }\nvoid* p = dlsym(h, "cuda_entry");\n'
    out = one(src)
    assert "int musa_entry(int x)" in out
    assert '"cuda_entry"' in out
    assert out.endswith("!MUS122 cuda_entry")


def test_a_file_that_is_named_in_text_is_pointed_at_and_one_that_is_included_is_not() -> None:
    files = {
        "cuda_foo.cuh": "",
        "a.cu": '#define HDR "cuda_foo.cuh"\n#include HDR\n#if __has_include("cuda_foo.cuh")\n#endif\n',
        "b.cu": 'const char* s = R"(#include "cuda_foo.cuh"\n)";\n#include "cuda_foo.cuh"\nputs("no cuda_foo_cuh.");\n',
    }
    out = over(files)
    assert out["a.mu"].count("MUS122") == 1 and '__has_include("musa_foo.muh")' in out["a.mu"]
    assert out["b.mu"].count("MUS122") == 1 and '#include "musa_foo.muh"' in out["b.mu"]


def test_what_other_languages_call_by_its_name_keeps_it() -> None:
    files = {
        "a.cu": 'extern "C" void my_cuda_f(int x) {}\nextern "C" {\nint cuda_g() { return 0; }\n}\nvoid cuda_h() {}\n'
    }
    foreign = {"call.py": b"lib.my_cuda_f(1); cuda_h()", "x.map": b"{ global: cuda_g; };"}
    out = over(files, foreign=foreign)["a.mu"]
    assert out.startswith(files["a.cu"].replace("cuda_h", "musa_h"))
    assert "!MUS120 my_cuda_f" in out and "!MUS120 cuda_g" in out
    assert "my_musa_f" in over(files)["a.mu"]


def test_an_instantiation_that_is_looked_up_is_pointed_at() -> None:
    text = (
        'void cuda_k() {}\nvoid f() { nvrtcAddNameExpression(p, "&ns::cuda_k<int>"); puts("cuda_k failed, code"); }\n'
    )
    assert one(text).count("MUS122") == 1


def test_the_way_back() -> None:
    out = over({"musa_k.mu": "int my_musa_n; void f(void* p) { musaFree(p); }\n"}, REBRAND._replace(direction="m2c"))
    assert out == {"cuda_k.cu": "int my_cuda_n; void f(void* p) { cudaFree(p); }\n"}
