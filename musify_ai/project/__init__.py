"""Whole trees: discovery, copying, writing, and the run over all of it."""
