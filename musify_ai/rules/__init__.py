"""The rule data: load, compile, lint, look up by SDK and arch. Reads ``rules/``; knows nothing of syntax."""
