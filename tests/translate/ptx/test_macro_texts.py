"""Text of ``asm`` that macros of the file take part in: each text that they can make is lowered, or none is."""

import pytest

from musify_ai.source.splicing import splice
from musify_ai.translate import translate


def _output(source: str, path: str = "a.cuh") -> str:
    translation = translate(source.encode(), path)
    return splice(source.encode(), [each for each in translation.edits if each.safety == "safe"]).decode()


_LOAD = 'asm volatile("ld."#m".u32 %0, [%1];" : "=r"(d) : "l"(p));'
_FUNCTION = '__device__ void f() {{ asm volatile({} ".u32 %0, [%1];" : "=r"(d) : "l"(p)); }}\n'


def test_a_stringised_operator_is_what_the_file_gives() -> None:
    source = (
        f"#define ONE(name, m) void name() {{ {_LOAD} }}\n#define ALL(name, m) ONE(name, m)\n"
        "ALL(ca_, ca)\nALL(cv_, cv)\nALL(ldg_, global.nc)\n#undef ONE\n#undef ALL\n"
    )
    output = _output(source)
    assert "(d) = *(const volatile unsigned int*)(p);" in output
    assert "asm" not in output
    notes = [each.message for each in translate(source.encode(), "a.cuh").findings if each.code == "MUS408"]
    assert len(notes) == 1
    assert "choose among 3 texts" in notes[0]


def test_of_two_definitions_the_stronger_is_right_for_both() -> None:
    source = (
        '#if A\n#define LD "ld.global.nc.L1::no_allocate.L2::256B"\n#else\n#define LD "ld.volatile.global"\n#endif\n'
        + _FUNCTION.format("LD")
    )
    assert "d = *(const volatile unsigned int*)(p);" in _output(source)
    assert "d = *(const unsigned int*)(p);" in _output(source.replace("ld.volatile.global", "ld.global.nc").replace(
        "asm volatile", "asm"))  # fmt: skip


@pytest.mark.parametrize(
    "source",
    [
        # Another file may give a macro of a header something else, or define it first.
        f"#define ONE(name, m) void name() {{ {_LOAD} }}\nONE(ca_, ca)\n",
        '#ifndef LD\n#define LD "ld.global"\n#endif\n' + _FUNCTION.format("LD"),
        _FUNCTION.format("LD"),
        # One of the texts orders other accesses, is another instruction, or is not lowered.
        '#if A\n#define LD "ld.global"\n#else\n#define LD "ld.acquire.gpu.global"\n#endif\n' + _FUNCTION.format("LD"),
        '#define LD "ld.global"\n#undef LD\n#define LD "mbarrier.init.shared"\n' + _FUNCTION.format("LD"),
        # What a use gives is not all known.
        f"#define ONE(m) void f() {{ {_LOAD} }}\n#define ALL(a, ...) ONE(a##b)\nALL(c, d)\n#undef ONE\n#undef ALL\n",
    ],
)
def test_what_may_be_something_else_stays_whole(source: str) -> None:
    assert _output(source) == source
    assert [each.code for each in translate(source.encode(), "a.cuh").findings if not each.settled]
