"""Nothing that has no place in a device function: assembly, host calls, system calls, tricks of the compiler."""

from musify_ai.rewrite.gates.protocol import Candidate, Passed, Refused, Said
from musify_ai.rewrite.gates.reading import added, read, shown

ASSEMBLY = frozenset((b"asm", b"__asm", b"__asm__", b"_asm"))
_TRICKS = frozenset(
    b"__attribute__ __attribute __declspec _Pragma __pragma __builtin_unreachable __builtin_trap __builtin_assume "
    b"__builtin_constant_p __is_constant_evaluated is_constant_evaluated __FILE__ __LINE__ __func__ __FUNCTION__ "
    b"__DATE__ __TIME__ __COUNTER__ __has_include __has_builtin __has_feature goto setjmp longjmp throw try catch "
    b"typeid dynamic_cast extern friend namespace using template module import export co_await co_yield co_return "
    b"thread_local operator reinterpret_pointer_cast".split()
)
_TRAPS = frozenset((b"__trap", b"trap", b"abort", b"exit", b"_exit", b"assert", b"__assert_fail", b"terminate"))
_HOST = frozenset(
    b"system popen fork vfork execl execv execve execvp fopen freopen open read write close unlink remove rename mmap "
    b"mprotect dlopen dlsym socket connect send recv getenv setenv signal raise kill sleep usleep time clock_gettime "
    b"rand srand malloc calloc realloc free new delete printf fprintf puts putchar cout cerr ifstream ofstream fstream "
    b"thread async emu musify_check musify_add_kernel musify_add_symbol".split()
)
# What stays although the function did not have it: types are named by these.
_HARMLESS = frozenset((b"using", b"operator"))


def check(candidate: Candidate) -> Said:
    """Refused (``forbidden``) for assembly anywhere, and for any other of these words that the function did not have
    as often before."""
    found = read(candidate.code)
    # A compiler's barrier holds no instruction, but a rewrite has no need of one either.
    assembly = [token.text for token in found if token.kind == "identifier" and token.text in ASSEMBLY]
    if assembly:
        return Refused("forbidden", "it holds inline assembly")
    new = added(candidate)
    for words, why in (
        (_HOST, "it calls what is no business of a device function"),
        (_TRAPS, "it ends the kernel by force"),
        (_TRICKS - _HARMLESS, "it uses what a rewrite has no need of"),
    ):
        held = sorted(words & new.keys())
        if held:
            return Refused("forbidden", f"{why}: {shown(held)}")
    for token in found:
        if token.kind == "identifier" and any(byte >= 0x80 for byte in token.text):
            return Refused("forbidden", "a name of it has letters outside of ASCII")
    return Passed()
