"""Inline PTX: on the CUDA side ``asm`` statements become calls of the device's PTX library, on the MUSA side errors.

This is the emulator's own reading of ``asm``; the translator has another, and the two share nothing.
"""

from musify_ai.emulator.prepare.ptx.emit import asm_statements
from musify_ai.emulator.prepare.ptx.refusal import refusals

__all__ = ["asm_statements", "refusals"]
