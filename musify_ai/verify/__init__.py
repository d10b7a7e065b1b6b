"""Checking: harness, inputs, comparison, verdicts. Shares no table with the translator."""
