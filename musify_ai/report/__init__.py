"""One module a format. A report reads records and the bytes they speak of; it computes nothing about code.

Each ``render(run, texts)`` takes a `Run` and, for each translated file, its bytes before and after.
"""

from collections.abc import Mapping

Texts = Mapping[str, tuple[bytes, bytes]]
