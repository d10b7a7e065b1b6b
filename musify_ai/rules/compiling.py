"""From the TOML files to the compiled table, and when to make it anew."""

import os
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Literal

from musify_ai.rules.locating import data_dir, is_packaged
from musify_ai.rules.sdks import CURRENT
from musify_ai.rules.table import MAGIC, Rules, TableInvalid, pack

Part = Literal["main", "bulk"]

_FOLDERS: dict[Part, tuple[str, ...]] = {"main": ("names", "unchanged", "headers"), "bulk": ("bulk",)}
_FILES: dict[Part, str] = {"main": "_compiled.tab", "bulk": "_compiled_bulk.tab"}
_loaded: dict[tuple[Part, str, str, tuple[str, ...]], Rules] = {}


def compiled_path(part: Part = "main") -> Path:
    """Where the compiled table of a part is kept: in this package, ignored by git, shipped in the wheel."""
    return Path(__file__).resolve().parent / _FILES[part]


def load(part: Part = "main", sdk: str = CURRENT, overlay: str = "", own: tuple[str, ...] = ()) -> Rules:
    """The rules for an SDK, loaded once a process.

    ``overlay`` is a file that `sdk scan` wrote, ``own`` are files of the project's own rules. In a checkout the table
    is made anew when a TOML file's size or time differs, and kept in memory only where the folder cannot be written.
    Raises `RulesMissing` where there is no data, `OverlayInvalid` and `OwnRulesInvalid` for other files.
    """
    key = (part, sdk, overlay, own)
    rules = _loaded.get(key)
    if rules is None:
        if own:
            from musify_ai.rules.own import laid_over, read_own

            rules = load(part, sdk, overlay)
            for path in own:
                rules = laid_over(rules, read_own(path))
        elif overlay:
            from musify_ai.rules.overlay import overlaid, read_overlay

            rules = overlaid(load(part, sdk), read_overlay(overlay))
        elif sdk != CURRENT:
            rules = load(part).at(sdk)
        else:
            rules = _load(part)
        _loaded[key] = rules
    return rules


def _load(part: Part) -> Rules:
    folder = data_dir()
    signature = "packaged" if is_packaged(folder) else _signature(folder, part)
    path = compiled_path(part)
    try:
        rules = Rules(path.read_bytes())
        if rules.signature == signature:
            return rules
    except (OSError, TableInvalid):
        pass
    blob = compile_rules(folder, part, signature)
    write_atomically(path, blob)
    return Rules(blob)


def _paths(folder: Path, part: Part) -> list[Path]:
    return sorted(path for name in _FOLDERS[part] for path in (folder / name).glob("*.toml"))


def _signature(folder: Path, part: Part) -> str:
    """Changes when a file does, without reading any."""
    seen = [MAGIC.decode()]
    for path in _paths(folder, part):
        status = path.stat()
        seen.append(f"{path.name}:{status.st_size}:{status.st_mtime_ns}")
    text = "|".join(seen).encode()
    return f"{len(text)}-{zlib.crc32(text):08x}"


def version_of(folder: Path, part: Part = "main") -> str:
    """A digest of the files' contents: what a report names as the rules' version."""
    import hashlib

    digest = hashlib.sha256(MAGIC)
    for path in _paths(folder, part):
        digest.update(path.parent.name.encode() + b"/" + path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def compile_rules(folder: Path, part: Part = "main", signature: str = "packaged") -> bytes:
    """The compiled table of a part. Raises `RulesInvalid` for files that are no rules."""
    from musify_ai.rules.reading import read

    return pack(read(folder, _FOLDERS[part]), version_of(folder, part), signature)


def write_atomically(path: Path, blob: bytes) -> bool:
    """Puts a file in its place whole or not at all; false where the folder cannot be written to."""
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(blob)
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        return False
    return True
