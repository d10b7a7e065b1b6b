"""`dual`: what MUSA sees is the translation, what CUDA sees is the file as it was."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from musify_ai.pipeline import process
from musify_ai.records import Options
from musify_ai.source import splice, undo
from musify_ai.source.branches import visible
from musify_ai.styles import translate_in_style
from musify_ai.styles.branches import as_cuda_sees

DUAL = Options(style="dual", unsafe_fixes=True)  # the widths of shuffles are unsafe edits


def dual(src: str) -> str:
    done = process(src.encode(), "a.cu", DUAL)
    assert done.failure is None
    assert done.output is not None
    assert undo(done.output, [e for e in done.result.edits if e.applied]) == src.encode()
    return done.output.decode()


def preprocessed(src: str, *defines: str) -> list[str]:
    command = ["g++", "-E", "-P", "-x", "c++", "-w", *defines, "-"]
    done = subprocess.run(command, input=src, capture_output=True, text=True, check=False)
    return done.stdout.split() if done.returncode == 0 else [done.stderr]


SHUFFLE = "__device__ int f(int v) {\n  return __shfl_down_sync(~0u, v, 1);\n}\n"


@pytest.mark.parametrize("test", ["#ifdef {}", "#ifndef {}", "#if defined({}) && 1", "#if ! defined {}"])
@pytest.mark.parametrize("name", ["__CUDACC_RTC__", "__CUDACC_EXTENDED_LAMBDA__"])
def test_a_name_that_is_asked_for_is_no_alias_which_would_be_defined(test: str, name: str) -> None:
    source = test.format(name) + "\nint a;\n#else\nint b;\n#endif\n"
    styled = translate_in_style(source.encode(), "a.cu", DUAL)
    assert not styled.uses
    done = dual(source)
    plain = source.replace("__CUDACC", "__MUSACC")
    for defines in (["-D__MUSACC__"], ["-D__MUSACC__", f"-D{name.replace('CUDACC', 'MUSACC')}"]):
        assert preprocessed(done, *defines) == preprocessed(plain, *defines)
    for defines in (["-D__CUDACC__"], ["-D__CUDACC__", f"-D{name}"]):
        assert preprocessed(done, *defines) == preprocessed(source, *defines)


def test_a_branch_for_musa_is_put_before_the_untouched_lines() -> None:
    assert dual(SHUFFLE) == (
        "__device__ int f(int v) {\n#if defined(__MUSACC__)\n  return __shfl_down_sync(~0u, v, 1, 32);\n#else\n"
        "  return __shfl_down_sync(~0u, v, 1);\n#endif\n}\n"
    )


def test_names_stay_as_they_are() -> None:
    src = "#include <cuda_runtime.h>\nvoid f(void* p) { cudaFree(p); }\n"
    assert dual(src) == src


@pytest.mark.parametrize(
    ("src", "condition"),
    [
        (
            "#if __CUDA_ARCH__ >= 800 // Ampere\nint a;\n#endif\n",
            "#if defined(__MUSACC__) ? (__MUSA_ARCH__ >= 220) : (__CUDA_ARCH__ >= 800) // Ampere",
        ),
        ("#ifdef __CUDACC__\nint a;\n#endif\n", "#if defined(__MUSACC__) || (defined(__CUDACC__))"),
        ("#ifndef __CUDACC__\nint a;\n#endif\n", "#if !defined(__MUSACC__) && (!defined(__CUDACC__))"),
        ("#  ifdef   __CUDACC__\nint a;\n#endif\n", "#  if defined(__MUSACC__) || (defined(__CUDACC__))"),
        (
            "#ifdef/**/__CUDACC__\nint a;\n#endif\n",
            "#if defined(__MUSACC__) ? (defined(/**/__MUSACC__)) : (defined(/**/__CUDACC__))",
        ),
        (
            "#if(__CUDA_ARCH__>=800)\nint a;\n#endif\n",
            "#if defined(__MUSACC__) ? ((__MUSA_ARCH__>=220)) : ((__CUDA_ARCH__>=800))",
        ),
        ("#if!defined(__CUDACC__)\nint a;\n#endif\n", "#if !defined(__MUSACC__) && (!defined(__CUDACC__))"),
        (
            "# /* a */ ifdef /* b */ __CUDACC__ // c\nint a;\n#endif\n",
            "# /* a */ if defined(__MUSACC__) ? (defined(/* b */ __MUSACC__)) : (defined(/* b */ __CUDACC__)) // c",
        ),
    ],
)
def test_a_condition_asks_for_both(src: str, condition: str) -> None:
    assert dual(src).split("\n")[0] == condition


def test_the_condition_of_an_elif_and_of_a_continued_line() -> None:
    src = "#if defined(X)\nint a;\n#elif defined(__CUDA_ARCH__) && \\\n    __CUDA_ARCH__ >= 800\nint b;\n#endif\n"
    out = dual(src)
    assert out.startswith("#if defined(X)\nint a;\n#elif defined(__MUSACC__) ? (")
    for define in ("-DX", "-D__CUDA_ARCH__=800", "-D__CUDA_ARCH__=700", "-UX"):
        assert preprocessed(out, define) == preprocessed(src, define)
    assert preprocessed(out, "-D__MUSACC__", "-D__MUSA_ARCH__=220") == ["int", "b;"]


def test_a_macro_with_continuation_lines_is_doubled_whole() -> None:
    src = "#define SUM(v) \\\n  do { \\\n    v += __shfl_down_sync(~0u, v, 1); \\\n  } while (0)\nint after;\n"
    out = dual(src)
    assert out == (
        "#if defined(__MUSACC__)\n"
        + src.removesuffix("int after;\n").replace("v, 1)", "v, 1, 32)")
        + "#else\n"
        + src.removesuffix("int after;\n")
        + "#endif\nint after;\n"
    )


def test_no_directive_is_put_inside_a_call() -> None:
    call = "  CHECK(\n    g(v,\n      __shfl_down_sync(~0u, v, 1)),\n    v);\n"
    src = "__device__ void f(int v) {\n" + call + "  int x = 1;\n}\n"
    out = dual(src)
    assert out.count("#if") == 1
    assert "{\n#if defined(__MUSACC__)\n  CHECK(\n" in out
    assert "    v);\n#endif\n  int x" in out


def test_a_group_of_directives_inside_a_doubled_statement_is_taken_whole() -> None:
    src = (
        "__device__ void f(int v) {\n  CHECK(\n#ifdef Y\n    v,\n#else\n    v + 1,\n#endif\n"
        "    __shfl_down_sync(~0u, v, 1));\n}\n"
    )
    out = dual(src)
    for defines in (["-DY"], [], ["-DY", "-D__MUSACC__"], ["-D__MUSACC__"]):
        want = preprocessed(src.replace("v, 1)", "v, 1, 32)") if "-D__MUSACC__" in defines else src, *defines)
        assert preprocessed(out, *defines) == want


def test_a_condition_that_musa_cannot_read_stands_in_both_branches() -> None:
    src = (
        "#if __CUDA_ARCH_HAS_FEATURE__(SM90_ALL) && N > 1\nint fast;\n"
        "#elif AT_LEAST(N, 2)\nint two;\n#else\nint slow;\n"
        "#endif\n#ifdef Y\n#if Y || !__CUDA_ARCH_HAS_FEATURE__ (SM90_ALL)\nint y;\n#endif\n#endif\n"
        "bool f() { return __CUDA_ARCH_HAS_FEATURE__(SM90_ALL); }\n"
    )
    own = "#define AT_LEAST(a, b) ((a) >= (b))\n"
    out = dual(src)
    assert "?" not in out
    musa = src.replace("__CUDA_ARCH_HAS_FEATURE__ (SM90_ALL)", "0").replace("__CUDA_ARCH_HAS_FEATURE__(SM90_ALL)", "0")
    for defines in (["-DN=1"], ["-DN=2", "-DY=0"], ["-DN=0", "-DY=1"]):
        feature = "-D__CUDA_ARCH_HAS_FEATURE__(x)=1"
        assert preprocessed(own + out, feature, *defines) == preprocessed(own + src, feature, *defines)
        seen = preprocessed(own + out, "-D__MUSACC__", *defines)
        assert seen == preprocessed(own + musa, *defines)
        assert "error" not in " ".join(seen)


def test_a_call_of_the_projects_own_in_a_condition_stays_in_one() -> None:
    src = "#if AT_LEAST(N, 2) && __CUDA_ARCH__ >= 800\nint a;\n#endif\n"
    assert dual(src).count("int a;") == 1


def test_line_ends_and_a_missing_last_one_are_kept() -> None:
    crlf = SHUFFLE.replace("\n", "\r\n")
    assert "#if defined(__MUSACC__)\r\n" in dual(crlf)
    assert "\n" not in dual(crlf).replace("\r\n", "")
    bare = "__device__ int f(int v) { return __shfl_down_sync(~0u, v, 1); }"
    assert dual(bare).endswith("#else\n" + bare + "\n#endif")
    assert as_cuda_sees(dual(bare).encode()) == bare.encode()
    bom = "\ufeff" + bare + "\n"
    assert dual(bom).startswith("\ufeff#if defined(__MUSACC__)\n")


def test_a_second_run_says_nothing_of_cudas_branch() -> None:
    src = '__device__ int f() {\n  int d;\n  asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(1), "r"(2), "r"(3));\n}\n'
    once = dual(src)
    again = translate_in_style(once.encode(), "a.cu", DUAL)
    assert once != src
    assert (again.edits, again.findings) == ((), ())


def test_a_host_file_is_told_which_compiler_takes_the_branch() -> None:
    found = {path: translate_in_style(SHUFFLE.encode(), path, DUAL).findings for path in ("a.cpp", "a.cu")}
    assert "MUS123" in [each.code for each in found["a.cpp"]]
    assert "MUS123" not in [each.code for each in found["a.cu"]]


def test_a_hand_written_branch_for_cuda_is_left_alone() -> None:
    src = (
        "#ifdef __MUSACC__\nint w = 128;\n#else\nint w = warpSize;\n#if __CUDA_ARCH__ >= 800\nint b;\n#endif\n#endif\n"
    )
    done = translate_in_style(src.encode(), "a.cu", DUAL)
    assert (done.edits, done.findings) == ((), ())


GALLERY = sorted(path for path in Path("corpus/gallery").rglob("*") if path.suffix in (".cu", ".cuh"))


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.name)
def test_musa_sees_the_alias_translation_and_cuda_the_original(path: Path) -> None:
    src = path.read_bytes()
    out = process(src, path.name, DUAL).output
    alias = process(src, path.name, DUAL._replace(style="alias")).output
    assert out is not None
    assert alias is not None
    assert as_cuda_sees(out) == as_cuda_sees(src)
    seen = visible(out, b"__MUSACC__", defined=True).decode("latin-1")
    same = ["-D__MUSACC__", "-D__MUSA_ARCH__=220", "-fdirectives-only", "-nostdinc"]
    lines = [line for line in alias.decode("latin-1").split("\n") if not line.startswith("#include")]
    ours = [line for line in seen.split("\n") if not line.startswith("#include")]
    assert preprocessed("\n".join(ours), *same) == preprocessed("\n".join(lines), *same)


PIECES = st.sampled_from(
    [
        "#if __CUDA_ARCH__ >= 800\n",
        "#if __CUDA_ARCH_HAS_FEATURE__(SM90_ALL)\n",
        "#ifdef __CUDACC__\n",
        "#else\n",
        "#endif\n",
        "  v = __shfl_down_sync(~0u, v, 1);\n",
        "  CHECK(__shfl_xor_sync(m, v,\n 2),\n",
        ");\n",
        '  asm("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));\n',
        "#define M(x) \\\n  __shfl_sync(m, x, 0)\n",
        "/* a\n comment */ x;\n",
        'R"(raw\n)";\n',
        "{\n",
        "}\n",
        "(\n",
        "cudaFree(p); // \\\n",
        "\\\n",
        "__device__ int f(int v) {\r\n",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=14).map("".join))
def test_whatever_stands_there_cuda_sees_it_and_a_second_run_changes_nothing(text: str) -> None:
    done = process(text.encode(), "a.cu", DUAL)
    assert done.failure is None
    assert done.output is not None
    assert as_cuda_sees(done.output) == as_cuda_sees(text.encode())
    again = translate_in_style(done.output, "a.cu", DUAL)
    assert splice(done.output, [e for e in again.edits if e.safety == "safe"]) == done.output
