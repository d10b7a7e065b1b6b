"""Bytes of a source file: regions, tokens, directives, positions, edits. Knows C++ lexing; knows nothing of CUDA."""

from musify_ai.source.directives import Branch, Conditional, Directive, conditionals, directives
from musify_ai.source.encoding import Encoding, describe, is_utf_16
from musify_ai.source.lexing import Occurrence, Region, blank, iter_regions, occurrences, region_at, regions, words
from musify_ai.source.positions import Lines
from musify_ai.source.splicing import OffsetMap, resolve, splice, undo
from musify_ai.source.tokens import Token, closing, split_arguments, tokens

__all__ = [
    "Branch",
    "Conditional",
    "Directive",
    "Encoding",
    "Lines",
    "Occurrence",
    "OffsetMap",
    "Region",
    "Token",
    "blank",
    "closing",
    "conditionals",
    "describe",
    "directives",
    "is_utf_16",
    "iter_regions",
    "occurrences",
    "region_at",
    "regions",
    "resolve",
    "splice",
    "split_arguments",
    "tokens",
    "undo",
    "words",
]
