"""What the name tier needs of a file under translation."""

from typing import Protocol

from musify_ai.records import Options
from musify_ai.source.directives import Directive
from musify_ai.source.lexing import Region
from musify_ai.source.tokens import Token


class FileView(Protocol):
    """What the tier needs of a file under translation."""

    @property
    def src(self) -> bytes:
        """The file's bytes."""

    @property
    def options(self) -> Options:
        """The run's options."""

    @property
    def words(self) -> set[bytes]:
        """Every word of the file."""

    @property
    def regions(self) -> list[Region]:
        """What is not code."""

    @property
    def directives(self) -> list[Directive]:
        """The preprocessor lines."""

    @property
    def tokens(self) -> list[Token]:
        """Every token; made when first asked for, which most files do not need."""
