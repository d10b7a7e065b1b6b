"""libclang's view of a translation unit, opened only when the checker asks for meaning.

The wheel brings no resource directory, so the compiler's own headers (``stddef.h`` and the like) are gcc's, where there
is no gcc those of the ``ziglang`` wheel, and without it a few of ours. Without include directories from the caller a
small set of CUDA and MUSA declarations of ours serves: enough for signatures, not to judge whether code is right.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

STUBS = Path(__file__).parent / "stubs"

# Keep going past a missing header as past any other error: what can be read is read. The binding has no name for it.
_KEEP_GOING = 0x200
# For a file that other units are to begin with: incomplete, and kept whole.
_FOR_SERIALIZATION = 0x02 | 0x10
_NOT_A_FILE = "the file cannot be read by libclang"


class LibclangMissing(RuntimeError):
    """libclang or its Python binding is not installed."""


class Message(NamedTuple):
    """One diagnostic: ``notes`` are those that explain it, in order."""

    severity: int  # 0 ignored, 1 note, 2 warning, 3 error, 4 fatal
    path: str
    line: int
    text: str
    notes: tuple[Message, ...] = ()


@cache
def binding() -> Any:
    """The binding's module with its library loaded; raises `LibclangMissing` where either is not there."""
    try:
        from clang import cindex

        cindex.Index.create()
    except (ImportError, OSError) as error:
        raise LibclangMissing(f"libclang is not available ({error}): install musify-ai[verify]") from error
    except Exception as error:  # LibclangError derives from Exception alone, and cannot be named before the import
        raise LibclangMissing(f"libclang cannot be loaded ({error}): install musify-ai[verify]") from error
    return cindex


@cache
def compiler_headers() -> tuple[Path, ...]:
    """Where the compiler's own headers are: gcc's newest include folder, else the ``ziglang`` wheel's, else ours."""
    found = sorted(
        (path for root in ("/usr/lib/gcc", "/usr/lib64/gcc", "/usr/local/lib/gcc") for path in Path(root).glob("*/*")),
        key=lambda path: [int(part) if part.isdigit() else 0 for part in path.name.split(".")],
    )
    for path in reversed(found):
        if (path / "include" / "stddef.h").is_file():
            return (path / "include",)
    return (_zig_headers() or STUBS / "compiler",)


def _zig_headers() -> Path | None:
    from importlib.util import find_spec

    try:
        spec = find_spec("ziglang")
    except (ImportError, ValueError):
        return None
    place = Path(spec.origin).parent / "lib" / "include" if spec is not None and spec.origin else None
    return place if place is not None and (place / "stddef.h").is_file() else None


class Unit:
    """A parsed translation unit."""

    def __init__(self, handle: Any) -> None:
        self.handle = handle

    @property
    def messages(self) -> Iterator[Message]:
        """The diagnostics in order, notes beneath what they explain."""
        return (_message(each) for each in self.handle.diagnostics)

    def cursor_at(self, path: Path, offset: int) -> Any:
        """The cursor at a byte of a file, or ``None`` where the unit has none there (an inactive branch, say)."""
        cindex = binding()
        file = cindex.File.from_name(self.handle, str(path))
        place = cindex.SourceLocation.from_offset(self.handle, file, offset)
        return cindex.Cursor.from_location(self.handle, place)

    def template_of(self, cursor: Any) -> Any:
        """The template that a cursor is a specialisation of, or the cursor itself."""
        if cursor is None:
            return None
        template = binding().conf.lib.clang_getSpecializedCursorTemplate(cursor)
        return template or cursor


def _message(diagnostic: Any) -> Message:
    path, line, _ = written_at(diagnostic.location)
    notes = tuple(_message(each) for each in diagnostic.children)
    return Message(diagnostic.severity, path, line, diagnostic.spelling, notes)


def written_at(location: Any) -> tuple[str, int, int]:
    """File, line and byte offset where a place's text was written: for a macro's argument where that stands, for what
    a macro's body holds where the macro is called. The path is empty where there is no file.

    The binding's own properties give the call's first line for both: all inside of ``CHECK(...)`` reads alike.
    """
    from ctypes import byref, c_uint

    cindex = binding()
    file, line, column, offset = cindex.c_object_p(), c_uint(), c_uint(), c_uint()
    cindex.conf.lib.clang_getFileLocation(location, byref(file), byref(line), byref(column), byref(offset))
    return (str(cindex.File(file)) if file else ""), line.value, offset.value


def parse(
    unit: Path,
    include_dirs: Sequence[Path] = (),
    arguments: Sequence[str] = (),
    unsaved: Mapping[Path, bytes] | None = None,
) -> Unit:
    """Parses a file as C++17 (unless ``arguments`` say otherwise), reading ``unsaved`` in place of the files it names.

    ``include_dirs`` come first; where there are none, our own CUDA and MUSA declarations are included in front.
    Errors in the file are messages of the unit. Raises `LibclangMissing`, and ``OSError`` for a file that cannot be
    read at all.
    """
    return _parsed(unit, _command(include_dirs, arguments), unsaved or {}, _KEEP_GOING)


def precompile(header: Path, target: Path, include_dirs: Sequence[Path], arguments: Sequence[str] = ()) -> bool:
    """Writes what ``header`` declares to ``target``, for ``-include-pch`` with the same arguments; False where that
    cannot be done. Raises `LibclangMissing`."""
    command = [*_command(include_dirs, ("-x", "c++-header", *arguments))]
    unit = _parsed(header, command, {}, _FOR_SERIALIZATION)
    if any(message.severity >= 3 for message in unit.messages):
        return False
    return int(binding().conf.lib.clang_saveTranslationUnit(unit.handle, str(target), 0)) == 0


def _command(include_dirs: Sequence[Path], arguments: Sequence[str]) -> list[str]:
    command = ["-w", "-ferror-limit=0", "-ftemplate-backtrace-limit=0", "-fsyntax-only", "-nobuiltininc"]
    if "-x" not in arguments:
        command += ["-x", "c++"]
    if not any(each.startswith("-std=") for each in arguments):
        command.append("-std=c++17")
    dirs = list(include_dirs)
    if not dirs:
        dirs = [STUBS]
        command += ["-include", "musify_declarations.h"]
    for each in dirs:
        command += ["-I", str(each)]
    for each in compiler_headers():
        command += ["-isystem", str(each)]
    return [*command, *arguments]


def _parsed(unit: Path, command: Sequence[str], unsaved: Mapping[Path, bytes], options: int) -> Unit:
    cindex = binding()
    # Latin-1 keeps every byte one character; the binding wants text and encodes it again as UTF-8, so bytes above
    # 0x7f, which stand in comments and literals, are replaced to keep offsets.
    files = [(str(path), _ascii(text)) for path, text in unsaved.items()]
    try:
        handle = cindex.Index.create().parse(str(unit), args=list(command), unsaved_files=files, options=options)
    except cindex.TranslationUnitLoadError as error:
        raise OSError(f"{unit}: {_NOT_A_FILE}") from error
    return Unit(handle)


_TO_ASCII = bytes(range(128)) + b"_" * 128


def _ascii(text: bytes) -> str:
    return text.replace(b"\0", b" ").translate(_TO_ASCII).decode("ascii")
