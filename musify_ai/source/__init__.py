"""Bytes of a source file: regions, tokens, positions, edits. Knows C++ lexing; knows nothing of CUDA."""
