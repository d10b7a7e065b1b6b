"""Device source in strings: translated inside, at the right bytes, and only where it is shown to be such."""

import pytest

from musify_ai.pipeline import process
from musify_ai.records import Options
from musify_ai.source import splice, undo
from musify_ai.source.lexing import regions
from musify_ai.source.literals import python_texts, texts
from musify_ai.styles import translate_in_style
from musify_ai.translate import translate
from tests.growth import assert_in_proportion


def _made(source: str, path: str = "a.cpp") -> str:
    src = source.encode()
    edits = [edit for edit in translate(src, path).edits if edit.safety == "safe"]
    out = splice(src, edits)
    assert undo(out, edits) == src
    again = translate(out, path)
    assert not [edit for edit in again.edits if edit.safety == "safe"]
    return out.decode()


def _codes(source: str, path: str = "a.cpp") -> list[tuple[str, str]]:
    src = source.encode()
    return [(f.code, src[f.start : f.end].decode()) for f in translate(src, path).findings if f.severity != "note"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            'auto s = R"(#include <cuda_fp16.h>\n__global__ void k(cudaStream_t s) { }\n)";',
            'auto s = R"(#include <musa_fp16.h>\n__global__ void k(musaStream_t s) { }\n)";',
        ),
        (
            'auto s = u8R"x(__device__ void f(cudaStream_t s) { }\n__global__ void k() {})x";',
            'auto s = u8R"x(__device__ void f(musaStream_t s) { }\n__global__ void k() {})x";',
        ),
        (
            '"#include <cuda_fp16.h>\\n__global__ void k(\\tcudaStream_t s) {\\n"  // c\n  "  cudaError_t e; }"',
            '"#include <musa_fp16.h>\\n__global__ void k(\\tmusaStream_t s) {\\n"  // c\n  "  musaError_t e; }"',
        ),
        (
            'const char* a = "cudaError_t e = f();"; void g() { nvrtcCreateProgram(&p, a, "n", 0, 0, 0); }',
            'const char* a = "musaError_t e = f();"; void g() { nvrtcCreateProgram(&p, a, "n", 0, 0, 0); }',
        ),
        (
            'const char* h[2] = {"int a;", "cudaError_t b;"}; void g() { nvrtcCreateProgram(&p, s, "n", 2, h, 0); }',
            'const char* h[2] = {"int a;", "musaError_t b;"}; void g() { nvrtcCreateProgram(&p, s, "n", 2, h, 0); }',
        ),
        (
            '#define SRC "cudaError_t e = f();"\nvoid g() { nvrtcCreateProgram(&p, SRC, "n", 0, 0, 0); }',
            '#define SRC "musaError_t e = f();"\nvoid g() { nvrtcCreateProgram(&p, SRC, "n", 0, 0, 0); }',
        ),
        (
            'void g() { nvrtcCreateProgram(&p, "cudaError_t e = f();", "n", 0, 0, 0); puts("cudaFree();"); }',
            'void g() { nvrtcCreateProgram(&p, "musaError_t e = f();", "n", 0, 0, 0); puts("cudaFree();"); }',
        ),
    ],
)
def test_source_is_translated_where_it_stands(source: str, expected: str) -> None:
    assert _made(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        'puts("write __global__ before a kernel; cudaFree is for the host");',
        'auto s = "__global__ void k(" + type + " cudaStream_t s) { }";',  # pieced together
        'auto s = R"(__global__ void k() { /* cudaStream_t */ const char* t = "cudaFree"; })";',
        '// R"(__global__ void k(cudaStream_t s) { })"\n',
        'auto s = "int a; cudaError_t e;"; auto t = R"(__global__ void k() {})";',
    ],
)
def test_what_is_not_shown_to_be_source_is_left(source: str) -> None:
    assert _made(source) == source


def test_pieces_are_reported() -> None:
    assert _codes('auto s = "__global__ void k(cudaStream_t s, " + type + " x) { }";') == [("MUS117", "cudaStream_t")]


@pytest.mark.parametrize("literal", ['cudaStre" "am_t', 'cudaStr\\x65" "am_t', "cudaStr\\145am_t", "cudaStre\\\nam_t"])
def test_no_edit_touches_an_escape_or_a_seam(literal: str) -> None:
    source = f'auto s = "__global__ void k({literal} s) {{ }}";'
    assert _made(source) == source
    assert _codes(source) == [("MUS117", literal)]


def test_a_source_that_is_translated_in_part_stays_as_it_then_is() -> None:
    source = 'auto s = "#include <cuda_fp16.h>\\n__global__ void k(cudaStr\\145am_t s) { }";'
    result = process(source.encode(), "a.cpp", Options())
    assert result.failure is None
    assert result.output == source.replace("cuda_fp16.h", "musa_fp16.h").encode()


def test_findings_stand_at_the_bytes_of_the_file() -> None:
    source = 'auto s = "\\t__global__ void k(int* x) {\\n  x[0] = warpSize;\\n}";'
    assert ("MUS301", "warpSize") in _codes(source)
    (finding,) = [f for f in translate(source.encode(), "a.cpp").findings if f.code == "MUS301"]
    assert finding.message.startswith("in the source in this string")
    assert finding.settled


def test_new_text_is_written_as_the_literal_wants_it() -> None:
    kernel = "__global__ void k(unsigned* x) {{ {} }}"
    asm = 'asm(\\"mov.u32 %0, %%tid.x;\\" : \\"=r\\"(x[0]));'
    source = f'auto s = "{kernel.format(asm)}";'
    assert "threadIdx.x" not in _made(source)  # the statement holds escapes, so it is left and said
    assert any(code == "MUS117" for code, _ in _codes(source))
    raw = f'auto s = R"({kernel.format(asm.replace(chr(92), ""))})";'
    assert "threadIdx.x" in _made(raw)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "k = cp.RawKernel(r'''__global__ void k(cudaStream_t s) { }''', 'cudaFree')  # cudaFree\n",
            "k = cp.RawKernel(r'''__global__ void k(musaStream_t s) { }''', 'cudaFree')  # cudaFree\n",
        ),
        (
            'a = "#include <cuda_fp16.h>\\n"\nload_inline(name="n", cuda_sources=[a])\nb = "__global__ void k() {}"\n',
            'a = "#include <musa_fp16.h>\\n"\nload_inline(name="n", cuda_sources=[a])\nb = "__global__ void k() {}"\n',
        ),
        (
            'm = SourceModule("""\n__global__ void k(cudaStream_t s) {\n}\n""", options=["cudaFree;"])\n',
            'm = SourceModule("""\n__global__ void k(musaStream_t s) {\n}\n""", options=["cudaFree;"])\n',
        ),
    ],
)
def test_python_is_read_for_its_strings_only(source: str, expected: str) -> None:
    assert _made(source, "a.py") == expected


def test_python_that_is_formatted_at_run_time_is_left() -> None:
    formatted = "k = f'__global__ void k(cudaStream_t s) {{ {x} }}'\n"
    assert _made(formatted, "a.py") == formatted
    assert _codes(formatted, "a.py") == [("MUS117", "cudaStream_t")]
    # Braces in new text would be read by str.format.
    lowered = "k = '''__global__ void k(int* x) { asm volatile(\"{ mov.u32 %0, 1; }\" : \"=r\"(x[0])); }'''\n"
    for edit in translate(lowered.encode(), "a.py").edits:
        assert not any(mark in edit.new and mark not in edit.old for mark in (b"{", b"}", b"%"))


def test_texts_and_where_they_come_from() -> None:
    src = b'x = "a\\n" /* c */ "b" R"(c")" + "\\x41" "unterminated'
    found = list(texts(src, regions(src)))
    assert [text.data for text in found] == [b'a\nbc"', b"A"]
    first = found[0]
    assert src[slice(*first.span(0, 1))] == b"a"
    assert src[slice(*first.span(1, 2))] == b"\\n"
    assert src[slice(*first.span(2, 3))] == b"b"
    assert first.is_plain(0, 1) and not first.is_plain(0, 2) and not first.is_plain(1, 2)
    assert [t.data for t, _ in python_texts(b"'a\\'' \"b\" # 'c'\nr'\\n' '''d'e''' rb'f'").texts] == [b"a'b\\nd'ef"]


def test_suppressions_in_the_source_hold() -> None:
    source = 'auto s = R"(__global__ void k(cudaStream_t s) { }  // MUSIFY_EXCL_LINE\n)";'
    assert _made(source) == source


def test_the_way_back_reads_no_strings() -> None:
    source = b'auto s = R"(__global__ void k(musaStream_t s) { })";'
    assert not translate(source, "a.cpp", Options(direction="m2c")).edits


def test_growth() -> None:
    def work(size: int) -> object:
        return translate(b'auto s = "__global__ void k(cudaStream_t s) {" "\\n" "}";\n' * size, "a.cpp")

    assert_in_proportion(work, 60)


_PIECES = (b"\\'", b"'", b"'\n", b'"' * 3, b"RawKernel(", b"f'", b"'" * 3 + b'"', b"x = '__global__ (' \n")


@pytest.mark.parametrize("piece", _PIECES)
def test_growth_of_python(piece: bytes) -> None:
    def work(size: int) -> object:
        return translate(b"# __global__\n" + piece * size, "a.py")

    assert_in_proportion(work, 1000)


def test_growth_of_one_text() -> None:
    def work(size: int) -> object:
        return translate(b'auto s = "' + b"__global__ void k(cudaStream_t s) \\n" * size + b'";\n', "a.cpp")

    assert_in_proportion(work, 200)


@pytest.mark.parametrize("style", ["alias", "semantic"])
def test_styles_that_leave_names_to_a_header_do_not_in_strings(style: str) -> None:
    source = b'auto s = R"(__global__ void k(cudaStream_t s) { })"; void f() { cudaFree(p); }'
    styled = translate_in_style(source, "a.cpp", Options(style=style))
    made = splice(source, [edit for edit in styled.edits if edit.safety == "safe"])
    assert made == source.replace(b"cudaStream_t", b"musaStream_t")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        # Text goes into a raw literal as it is, whatever stands beside that one.
        (
            'auto s = "__global__ void k(int* y) {\\n" R"(asm("mov.u32 %0, %%laneid;" : "=r"(y[0])); })";',
            'auto s = "__global__ void k(int* y) {\\n" R"(y[0] = ((threadIdx.x + blockDim.x * (threadIdx.y + '
            'blockDim.y * threadIdx.z)) & 31u); })";',
        ),
        (
            'std::string s = "__global__ void k() {"; s += "cudaStream_t s; }"; s.append("cudaFree(0); ");'
            "nvrtcCreateProgram(&p, s.c_str());",
            'std::string s = "__global__ void k() {"; s += "musaStream_t s; }"; s.append("musaFree(0); ");'
            "nvrtcCreateProgram(&p, s.c_str());",
        ),
    ],
)
def test_each_literal_and_each_statement_of_a_source(source: str, expected: str) -> None:
    assert _made(source).replace("mtrtc", "nvrtc") == expected


@pytest.mark.parametrize(
    "source",
    [
        'def f(): return"""\n__global__ void k(cudaStream_t s) {}\n"""\nx = """cudaFree {}"""\n',
        'x = a if b else"__global__ void k(cudaStream_t s) {}"\n',
        's = "__global__ void k() {"\ns += "cudaStream_t s; }"\ncp.RawKernel(s, "k")\n',
        's = ("__global__ void k() {" + T +\n  "cudaStream_t s; }")\ncp.RawKernel(s, "k")\n',
        'S = "\\n".join(["void g() {", "cudaStream_t s; }"])\nload_inline("n", cuda_sources=S)\n',
        'k = cp.ElementwiseKernel("T x", "T y", "cudaStream_t s; y = x", "n")\n',
    ],
)
def test_python_is_read_however_its_strings_are_put_together(source: str) -> None:
    assert _made(source, "a.py") == source.replace("cudaStream_t", "musaStream_t")


def test_a_t_string_is_put_together_at_run_time() -> None:
    source = 's = t"""__global__ void k(cudaStream_t s) { {x} }"""\n'
    assert _made(source, "a.py") == source
    assert _codes(source, "a.py") == [("MUS117", "cudaStream_t")]


@pytest.mark.parametrize("body", ['" + body + "', "%s", "{body}", "${body}", "{{ body }}"])
def test_a_guard_is_not_switched_over_what_cannot_be_seen(body: str) -> None:
    source = f'auto s = "__global__ void k() {{\\n#if __CUDA_ARCH__ >= 800\\n{body}\\n#endif\\n}}";'
    assert _made(source) == source
    assert ("MUS117", "__CUDA_ARCH__ >= 800") in _codes(source)
    assert "__MUSA_ARCH__ >= 220" in _made(source.replace(body, "f();"))


def test_comments_of_python_keep_the_tool_out() -> None:
    line = 's = "__global__ void k(cudaStream_t s) {}"'
    for comment in ("musify: ignore", "musify: ignore[MUS117]", "MUSIFY_EXCL_LINE"):
        assert _made(f"{line}  # {comment}\n", "a.py") == f"{line}  # {comment}\n"
    assert _made(f"# MUSIFY_EXCL_START\n{line}\n# MUSIFY_EXCL_STOP\n", "a.py").count("cuda") == 1
    assert "musaStream_t" in _made(f'x = "# musify: ignore"; {line}\n', "a.py")


def test_what_a_comment_in_source_keeps_and_what_people_read_is_no_residue() -> None:
    head = '"""cudaMalloc here."""  # it\'s cudaFree\n'
    source = head + 's = """__global__ void k() {\n cudaStream_t s; // MUSIFY_EXCL_LINE\n}"""\n'
    done = process(source.encode(), "a.py", Options())
    assert done.result.residue == () and done.result.residue_pattern == ()
