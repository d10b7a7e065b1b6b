"""One file's way through the stages, as pure functions."""
