"""One file's way through the stages, as pure functions: bytes in, records and bytes out. Nothing here reads a disk."""

from musify_ai.pipeline.selection import selected, without_repeated_notes
from musify_ai.pipeline.translating import Processed, process

__all__ = ["Processed", "process", "selected", "without_repeated_notes"]
