"""Symbols and libraries that are looked up by name: edited where the library is CUDA's, else pointed out."""

import pytest

from musify_ai.records import Options
from musify_ai.source import splice
from musify_ai.translate import translate
from musify_ai.translate.names import strings, tier


def _made(source: str) -> str:
    edits = translate(source.encode(), "a.cpp").edits
    return splice(source.encode(), [edit for edit in edits if edit.safety == "safe"]).decode()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('cudaGetDriverEntryPoint("cuMemAlloc", &p, f);', 'musaGetDriverEntryPoint("muMemAlloc", &p, f);'),
        ('cuGetProcAddress("cuInit", &p, v, 0);', 'muGetProcAddress("muInit", &p, v, 0);'),
        (
            'h = dlopen("libcudart.so.12.0", 1); dlsym(h, ("cudaFree"));',
            'h = dlopen("libmusart.so", 1); dlsym(h, ("musaFree"));',
        ),
        (
            'h = dlopen("libnccl.so.2", 1); q = (F)dlsym(h, "ncclSend");',
            'h = dlopen("libmccl.so", 1); q = (F)dlsym(h, "mcclSend");',
        ),
        ('dlsym(dlopen("libcublas.so", 1), "cublasSgemm_v2")', 'dlsym(dlopen("libmublas.so", 1), "mublasSgemm_v2")'),
    ],
)
def test_what_is_cudas_follows_it(source: str, expected: str) -> None:
    assert _made(source) == expected
    assert _made(expected) == expected


@pytest.mark.parametrize(
    "source",
    [
        'p = dlsym(h, "cuInit");',  # of which library is not said
        'h = dlopen("libcuda.so.1", 1); printf("%s", "cuInit"); dlsym(h, name);',
        'h = dlopen("libcuda.so.1", 1); T t[] = {{"cuInit", &p}}; dlsym(h, t[0].name);',
        'h = dlopen("/usr/lib/libcuda.so.1", 1); dlsym(h, "cuInit");',
        'h = dlopen("libcuda.so" VERSION, 1); dlsym(h, "cuInit");',
        'h = dlopen("libcublas.so", 1); g = LoadLibraryA("nvcuda.dll"); dlsym(g, "cuInit");',
        'h = dlopen("libcublas.so", 1); dlsym(h, "cuInit" SUFFIX);',
        'dlsym(h, "cuInit failed"); dlopen("libcuda.so.1 is missing", 1);',
    ],
)
def test_other_strings_are_left(source: str) -> None:
    made = _made(source)
    assert '"cuInit' in made
    assert ("libmusa" in made) == ('"libcuda.so.1"' in source)


@pytest.mark.parametrize(
    ("source", "severity"),
    [
        ('p = dlsym(h, "cuInit");', "warning"),
        ('cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &p, f);', "warning"),
        ('dlopen("libnvrtc.so", 1);', "warning"),
        ('T t[] = {{"cuInit", &p}}; dlsym(h, t[0].name);', "note"),
        ('h = dlopen("/usr/lib/libcuda.so.1", 1);', "warning"),
        ('h = LoadLibrary(L"cudart64_110.dll");', "warning"),
        ('h = dlopen("libcuda.so" VERSION, 1);', "warning"),
        ('p = dlsym(h, "cu" "Init");', "warning"),
        ('p = dlsym(h, "cuInit" SUFFIX);', "warning"),
        ('cuGetProcAddress("cuGreenCtxCreate", &p, v, 0);', "warning"),
    ],
)
def test_what_is_left_is_said(source: str, severity: str) -> None:
    found = [f for f in translate(source.encode(), "a.cpp").findings if f.code == "MUS109"]
    assert [f.severity for f in found] == [severity]


def test_a_lookup_in_a_library_that_is_not_named_is_an_unsafe_fix() -> None:
    source = b'p = dlsym(h, "cuInit");'
    edits = translate(source, "a.cpp", Options(unsafe_fixes=True)).edits
    assert splice(source, edits) == b'p = dlsym(h, "muInit");'


def test_the_tier_waits_for_the_same_calls() -> None:
    assert tier.LOOKING_UP == strings.LOOKUPS | strings.OPENERS


def test_a_table_of_names_for_a_library_that_is_musas_now_is_a_warning() -> None:
    source = b'h = dlopen("libcuda.so.1", 1); T t[] = {{"cuInit", &p}}; log("cuMemAlloc"); dlsym(h, t[0].name);'
    found = [f for f in translate(source, "a.cpp").findings if f.code == "MUS109"]
    assert [f.severity for f in found] == ["note", "warning", "note"]


def test_a_derived_name_is_said_to_be_one() -> None:
    (finding,) = translate(b'cuGetProcAddress("cuGreenCtxCreate", &p, v, 0);', "a.cpp").findings[1:]
    assert "prefix rule" in finding.message
