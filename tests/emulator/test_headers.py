import subprocess

import pytest

from musify_ai.emulator import headers, libraries, manifest

BOTH = ("cuda", "musa")


def preprocess(device, side, text, *options):
    source = device.root / "unit.cpp"
    source.write_text(text)
    includes = [f"-I{path}" for path in headers.header_dirs(side, device.root / "headers")]
    command = [
        "g++",
        "-std=c++17",
        "-fsyntax-only",
        "-DMUSIFY_EMU_ARCH=220",
        *includes,
        "-include",
        f"{side}_runtime.h",
    ]
    return subprocess.run([*command, *options, str(source)], capture_output=True, text=True, timeout=120)


def test_every_musa_name_that_is_declared_has_a_row():
    declared = headers.declared_names("musa")
    assert len(declared) > 700
    assert manifest.missing(declared) == set()


def test_a_declared_name_without_a_row_stops_the_generator(monkeypatch):
    rows = {name: row for name, row in manifest.rows().items() if name not in ("musaMalloc", "__shfl_sync", "float4")}
    monkeypatch.setattr(manifest, "rows", lambda: rows)
    headers.header_set.cache_clear()
    try:
        with pytest.raises(headers.TemplateError, match=r"__shfl_sync.*float4.*musaMalloc"):
            headers.header_set("musa")
    finally:
        headers.header_set.cache_clear()


def test_listed_names_are_unproven():
    assert manifest.unproven({"musaMalloc", "musaMemcpyFromSymbol", "no_such_name"}) == {"musaMemcpyFromSymbol"}


@pytest.mark.parametrize(
    "line",
    ["musaMalloc\tfunction\tseen", "musaMalloc\tfunction\tguessed\there", "a\tfunction\tseen\tx\na\tfunction\tseen\ty"],
)
def test_a_row_at_fault_is_named(line):
    with pytest.raises(manifest.ManifestError, match="manifest line"):
        manifest.parse(line)


@pytest.mark.parametrize("side", BOTH)
def test_each_header_compiles_alone_and_twice(device, side):
    names = [*headers.HEADERS[side], *libraries.HEADERS[side]]
    done = preprocess(
        device, side, "".join(f"#include <{name}>\n" for name in [*names, *names]), "-Wall", "-Wextra", "-Werror"
    )
    assert done.returncode == 0, done.stderr[:2000]


def test_cuda_has_no_place_in_a_musa_unit(device):
    for text, message in {
        "#include <cuda_runtime.h>": "CUDA header cuda_runtime.h in a MUSA translation unit",
        "#include <cublas_v2.h>": "CUDA header cublas_v2.h in a MUSA translation unit",
        "#include <mublas.h>\ncublasHandle_t h;": "cublasHandle_t",
        "#include <mublas.h>\nauto m = MUBLAS_TF32_TENSOR_OP_MATH;": "MUBLAS_TF32_TENSOR_OP_MATH",
        "void f(void* p) { cudaFree(p); }": "cudaFree",
        "cudaError_t e;": "cudaError_t",
        "void f() { musaNoSuchCall(); }": "musaNoSuchCall",
        "auto f = musaLaunchKernelExC;": "musaLaunchKernelExC",
        "__nv_bfloat16 x;": "__nv_bfloat16",
        "#ifdef CUDA_VERSION\n#error CUDA_VERSION is known\n#endif\nint x = y;": "y",
        "#if MUSA_VERSION == 50200\nint x = w;\n#endif": "w",
        "#ifdef __CUDA_ARCH__\n#error __CUDA_ARCH__ is known\n#endif\nint x = z;": "z",
    }.items():
        done = preprocess(device, "musa", text)
        assert done.returncode != 0, text
        assert message in done.stderr, text
        assert "is known" not in done.stderr, text


def test_the_macros_of_each_side(device):
    text = "int a[] = {__CUDA_ARCH__, CUDA_VERSION, CUDART_VERSION, __CUDACC_VER_MAJOR__, __CUDACC__};"
    assert preprocess(device, "cuda", text).returncode == 0
    text = "int a[] = {__MUSA_ARCH__, MUSA_VERSION, MUSART_VERSION, __MUSACC__, __MUSA__};"
    assert preprocess(device, "musa", text).returncode == 0


@pytest.mark.parametrize(("side", "guard"), [("cuda", "__CUDA_RUNTIME_H__"), ("musa", "__MUSA_RUNTIME_H__")])
def test_guards_by_which_other_headers_see_the_runtime(device, side, guard):
    text = f"#if !defined({guard}) || !defined(__DRIVER_TYPES_H__)\n#error hidden\n#endif\n"
    assert preprocess(device, side, text).returncode == 0


@pytest.mark.parametrize("side", BOTH)
def test_macros_of_ours_keep_to_their_own_names(device, side):
    source = device.root / "all.cpp"
    source.write_text("".join(f"#include <{name}>\n" for name in headers.HEADERS[side]))
    folders = headers.header_dirs(side, device.root / "headers")
    includes = [f"-I{path}" for path in folders]
    command = ["g++", "-std=c++17", "-dD", "-E", "-DMUSIFY_EMU_ARCH=220", *includes, str(source)]
    text = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    file, ours = "", set()
    for line in text.splitlines():
        if line.startswith("# "):
            file = line.split('"')[1]
        elif line.startswith("#define ") and any(file.startswith(str(folder)) for folder in folders):
            ours.add(line.split()[1].split("(")[0])
    assert len(ours) > 50
    # The C library asks for a macro by the name of each function, of those that are called otherwise here too.
    own = ("EMU_", "__DECL_SIMD_emu_")
    assert {name for name in ours if not name.startswith(own)} - headers.declared_names(side) == set()


@pytest.mark.parametrize("side", BOTH)
def test_heavy_headers_stay_out(device, side):
    done = preprocess(device, side, "#include <iosfwd>\nstd::map<int, int> a; std::vector<int> b; auto c = &std::cout;")
    for name in ("map", "vector", "cout"):
        assert f"{name}" in done.stderr


def test_a_header_set_is_written_once(tmp_path):
    first = headers.header_dirs("cuda", tmp_path)
    stamp = (first[0] / "cuda_runtime.h").stat().st_mtime_ns
    assert headers.header_dirs("cuda", tmp_path) == first
    assert (first[0] / "cuda_runtime.h").stat().st_mtime_ns == stamp
    assert headers.header_dirs("musa", tmp_path)[0] != first[0]
    assert {path.name for path in tmp_path.iterdir()} == {first[0].name, headers.header_dirs("musa", tmp_path)[0].name}


@pytest.mark.parametrize("side", BOTH)
def test_libclang_reads_the_headers_as_declarations(device, side):
    cindex = pytest.importorskip("clang.cindex", reason="libclang is not installed: pip install 'musify-ai[verify]'")
    done = subprocess.run(["g++", "-print-file-name=include"], capture_output=True, text=True, check=True, timeout=60)
    text = "".join(f"#include <{name}>\n" for name in headers.HEADERS[side])
    text += "__global__ void k(float4* p) { p->x = __shfl_sync(~0u, 1.0f, 0) + __ldg(&p[1].y); __syncthreads(); }\n"
    options = [f"-I{path}" for path in headers.header_dirs(side, device.root / "headers")]
    options += ["-std=c++17", "-DMUSIFY_EMU_ARCH=800", "-isystem", done.stdout.strip(), "-include", f"{side}_runtime.h"]
    unit = cindex.Index.create().parse("unit.cpp", options, unsaved_files=[("unit.cpp", text)])
    assert [str(diagnostic) for diagnostic in unit.diagnostics] == []
