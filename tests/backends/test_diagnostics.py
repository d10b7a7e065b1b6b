from musify_ai.backends.diagnostics import Diagnostic, missing_header, parse, undefined_references

GCC = b"""\
In file included from musify_main.cpp:2:
src/a.cu: In function 'void f()':
src/a.cu:7:3: error: 'cudaMemset' was not declared in this scope; did you mean 'musaMemset'?
src/a.cu:7:3: error: 'cudaMemset' was not declared in this scope; did you mean 'musaMemset'?
src/a.cu:9:1: note: something else
./src/b.cuh:3:10: fatal error: cub/cub.cuh: No such file or directory
compilation terminated.
"""

CLANG = b"""\
src/a.cu:7:3: error: use of undeclared identifier 'x'
src/b.cuh:3:10: fatal error: 'cub/cub.cuh' file not found
2 errors generated.
"""


def test_gcc() -> None:
    assert parse(GCC) == [
        Diagnostic("src/a.cu", 7, "'cudaMemset' was not declared in this scope; did you mean 'musaMemset'?"),
        Diagnostic("src/b.cuh", 3, "cub/cub.cuh: No such file or directory", True),
    ]


def test_clang() -> None:
    assert [(d.file, d.line, d.fatal) for d in parse(CLANG)] == [("src/a.cu", 7, False), ("src/b.cuh", 3, True)]


def test_missing_header_is_named() -> None:
    assert missing_header(parse(GCC)[1]) == "cub/cub.cuh"
    assert missing_header(parse(CLANG)[1]) == "cub/cub.cuh"
    assert missing_header(parse(GCC)[0]) is None


def test_errors_in_other_files_carry_the_place_that_needs_them() -> None:
    text = (
        b"/usr/include/c++/12/x.h: In instantiation of 'struct A<int>':\n"
        b"src/a.cu:12:5:   required from here\n"
        b"/usr/include/c++/12/x.h:99:1: error: no type\n"
    )
    (only,) = parse(text)
    assert only.needed_by == (("src/a.cu", 12),)


def test_undefined_names() -> None:
    text = (
        b"/usr/bin/ld: unit.o: in function `main':\nx.cu:(.text+0x5): warning: undefined reference to `helper(int)'\n"
    )
    assert undefined_references(text * 2) == ["helper(int)"]


def test_compiler_that_cannot_start() -> None:
    assert parse(b"g++: fatal error: no input files\n") == [Diagnostic("", 0, "no input files", True)]
