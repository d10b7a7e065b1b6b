import sys
from pathlib import Path

import pytest

from musify_ai.syntax import clang


def test_a_missing_libclang_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    clang.binding.cache_clear()
    monkeypatch.setitem(sys.modules, "clang", None)
    try:
        with pytest.raises(clang.LibclangMissing, match=r"install musify-ai\[verify\]"):
            clang.binding()
    finally:
        clang.binding.cache_clear()


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    pytest.importorskip("clang.cindex", reason="libclang is not installed: install musify-ai[verify]")
    return tmp_path / "a.cu"


def test_our_declarations_read_without_an_error(unit: Path) -> None:
    unit.write_text(
        "#include <cuda_runtime.h>\n#include <cuda_fp16.h>\n#include <musa_runtime.h>\n"
        "__global__ void __launch_bounds__(256) k(float4 *p, half h, const int n) {\n"
        "  __shared__ float s[32];\n  s[threadIdx.x] = 0; p[blockIdx.x] = make_float4(1, 2, 3, (float)h);\n}\n"
        "dim3 grid(1, 2);\n"
    )
    assert list(clang.parse(unit).messages) == []


def test_the_compilers_own_headers_suffice_where_there_is_no_gcc(unit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clang.compiler_headers.cache_clear()
    monkeypatch.setattr(Path, "glob", lambda *_: iter(()))
    try:
        unit.write_text("#include <stddef.h>\n#include <stdarg.h>\nsize_t n; va_list l; uint8_t b; float4 v;\n")
        assert list(clang.parse(unit).messages) == []
    finally:
        clang.compiler_headers.cache_clear()


def test_messages_carry_their_notes_and_reading_goes_on_past_a_missing_header(unit: Path) -> None:
    text = '#include "nowhere.h"\ntemplate <class T> void f() { static_assert(sizeof(T) == 0); }\n'
    unit.write_text(text + "void g() { f<int>(); }\n")
    missing, failed = clang.parse(unit).messages
    assert (missing.severity, missing.line, missing.path) == (3, 1, str(unit))
    assert "nowhere.h" in missing.text
    assert failed.line == 2
    assert (failed.notes[0].line, "f<int>" in failed.notes[0].text) == (3, True)


def test_cursors_are_found_by_offset_and_spelled_inside_macros(unit: Path) -> None:
    src = b"#define CHECK(x) x\nint add(int a);\nint r = CHECK(\n    add(1));\n"
    unit.write_bytes(src)
    parsed = clang.parse(unit)
    assert parsed.cursor_at(unit, src.index(b"add")).spelling == "add"
    (variable,) = [c for c in parsed.handle.cursor.get_children() if c.spelling == "r"]
    calls = [c for c in variable.walk_preorder() if c.kind.name == "CALL_EXPR"]
    assert clang.written_at(calls[0].location) == (str(unit), 4, src.index(b"add(1)"))


def test_a_message_stands_where_an_argument_of_a_macro_is_written(unit: Path) -> None:
    unit.write_bytes(b"#define CHECK(x, y) x; y\nvoid f() {\n  CHECK(f(),\n        nothing(1));\n}\n")
    assert [message.line for message in clang.parse(unit).messages] == [4]


def test_text_not_on_disk_is_read_with_its_offsets_kept(unit: Path) -> None:
    src = "// 中文\nint x;\n".encode("gbk")
    parsed = clang.parse(unit, unsaved={unit: src})
    assert parsed.cursor_at(unit, src.index(b"x;")).spelling == "x"


def test_a_file_that_is_not_there_is_an_error(unit: Path) -> None:
    with pytest.raises(OSError, match=r"a\.cu"):
        clang.parse(unit)


def test_importing_loads_no_library() -> None:
    import subprocess

    code = "import sys, musify_ai.syntax.clang; assert 'clang' not in sys.modules and 'ctypes' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
