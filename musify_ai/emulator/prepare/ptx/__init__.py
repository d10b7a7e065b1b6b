"""Inline PTX of the CUDA side: ``asm`` statements read, and written anew as calls of the device's PTX library.

This is the emulator's own reading of ``asm``; the translator has another, and the two share nothing.
"""

from musify_ai.emulator.prepare.ptx.refusal import refusals
from musify_ai.emulator.prepare.ptx.unit import asm_statements

__all__ = ["asm_statements", "refusals"]
