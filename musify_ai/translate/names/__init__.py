"""The name tier: CUDA names and headers become MUSA ones by table, in code only, each with its evidence.

No parser is involved. A word that is no member, is not qualified and is not the file's own symbol is the API's.
"""

from musify_ai.translate.names.tier import exported, translate_names, without_repeats

__all__ = ["exported", "translate_names", "without_repeats"]
