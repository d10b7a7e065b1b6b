"""Makes CUDA or MUSA source compilable by a plain C++17 compiler against the emulator's headers.

Only what no C++ compiler takes is changed: launches, shared-memory declarations, the bare word ``__noinline__`` and,
on the CUDA side, ``asm`` statements. Each stays on its own line, so that a compiler's messages point at the user's
lines. What is not understood is left to fail in the compiler and is named in a `Problem`.
"""

from musify_ai.emulator.prepare.shared_memory import specifier_aliases
from musify_ai.emulator.prepare.source import Prepared, Problem, Side, prepare
from musify_ai.emulator.prepare.tree import prepare_tree

__all__ = ["Prepared", "Problem", "Side", "prepare", "prepare_tree", "specifier_aliases"]
