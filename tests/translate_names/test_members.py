"""Names of the API that classes, enums and namespaces of the project have too: never renamed in part."""

import pytest

from musify_ai.pipeline.residue import residue
from musify_ai.source import splice
from musify_ai.translate import translate


def _out(src: str) -> str:
    return splice(src.encode(), [e for e in translate(src.encode(), "a.cu").edits if e.safety == "safe"]).decode()


@pytest.mark.parametrize(
    "source",
    [
        "struct S { int f(int cudaSuccess) { return cudaSuccess; } };",  # else 0 is returned, without a word
        "struct S { int cudaSuccess; int f() { return cudaSuccess; } };",
        "struct S { int cudaSuccess; int f(); };\nint S::f() { return cudaSuccess; }",
        "struct S { int cudaSuccess; };\nstruct T : S {};\nstruct U : public T { int f() { return cudaSuccess; } };",
        "struct S { enum { cudaSuccess = 7 }; int f() { return cudaSuccess; } };",
        "enum E { cudaSuccess = 7 };\nint f() { return cudaSuccess; }",
        "enum class E { cudaSuccess = 7 };\nint f() { return int(E::cudaSuccess); }",
        "struct S { void cudaFree(); };\nvoid S::cudaFree() {}\nvoid g(S s) { s.cudaFree(); }",
        "struct S { virtual int* cudaFree(); template <class T> T& cudaMalloc(); };",
        "namespace my { void cudaFree(void*); }\nvoid g() { my::cudaFree(p); using namespace my; cudaFree(p); }",
    ],
)
def test_the_projects_own_is_left_and_explained(source: str) -> None:
    assert _out(source) == source
    result = translate(source.encode(), "a.cu")
    assert not residue(source.encode(), [(f.start, f.end) for f in result.findings]).known


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "struct S { static int cudaFree(void* p) { return ::cudaFree(p); } };",
            "struct S { static int cudaFree(void* p) { return ::musaFree(p); } };",
        ),
        (
            "struct S { void cudaFree(); };\nvoid g(S s) { s.cudaFree(); cudaFree(p); }",
            "struct S { void cudaFree(); };\nvoid g(S s) { s.cudaFree(); musaFree(p); }",
        ),
        ("struct S { friend int cudaFree(void*); };", "struct S { friend int musaFree(void*); };"),
        ("namespace n { extern \"C\" int cudaFree(void*); }", "namespace n { extern \"C\" int musaFree(void*); }"),
        ("int a[] = { cudaSuccess, cudaErrorUnknown };\nenum E { A = cudaSuccess };",
         "int a[] = { musaSuccess, musaErrorUnknown };\nenum E { A = musaSuccess };"),
        ("namespace n { int f() { return cudaFree(p); } }", "namespace n { int f() { return musaFree(p); } }"),
        ("struct S { int cudaFree; };\nclass T { void f() { cudaFree(p); } };\nvoid T::g() { cudaFree(p); }",
         "struct S { int cudaFree; };\nclass T { void f() { musaFree(p); } };\nvoid T::g() { musaFree(p); }"),
        ("struct S { int e = cudaGetLastError(); };", "struct S { int e = musaGetLastError(); };"),
        ("int cudaFree(void*);", "int musaFree(void*);"),
    ],
)  # fmt: skip
def test_the_apis_is_renamed(source: str, expected: str) -> None:
    assert _out(source) == expected


def test_what_is_taken_as_a_member_is_a_warning() -> None:
    src = b"struct S { void cudaFree(); void f() { cudaFree(); } };"
    assert [(f.code, f.severity) for f in translate(src, "a.cu").findings] == [
        ("MUS107", "note"),
        ("MUS107", "warning"),
    ]
