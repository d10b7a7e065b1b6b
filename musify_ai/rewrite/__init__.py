"""The LLM stage. Only its place: the stage itself is not built yet."""
