"""The gallery, its expected translation, and the wrong ones, as the tests of this folder read them."""

import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
ORIGINAL = ROOT / "corpus" / "gallery"
EXPECTED = ROOT / "corpus" / "gallery-musa"
FACTS: dict[str, Any] = tomllib.loads((ROOT / "corpus" / "gallery-expected.toml").read_text("utf-8"))
FILES = {
    path: path
    for path in sorted(p.relative_to(ORIGINAL).as_posix() for p in ORIGINAL.rglob("*"))
    if Path(path).suffix in (".cu", ".cuh", ".h")
}


def unsettled() -> Mapping[str, list[tuple[int, int, str]]]:
    """The places of the expected translation that its facts call unsettled."""
    out: dict[str, list[tuple[int, int, str]]] = {}
    for row in FACTS["finding"]:
        if row.get("settled", True):
            continue
        lines = (EXPECTED / row["file"]).read_bytes().split(b"\n")
        start = sum(len(line) + 1 for line in lines[: row["line"] - 1])
        body = lines[row["line"] - 1]
        at = start + len(body) - len(body.lstrip())
        out.setdefault(row["file"], []).append((at, at + 1, row["code"]))
    return out


def wrongs() -> list[dict[str, Any]]:
    """The wrong translations, each with an ``id``."""
    out = []
    for path in sorted((ROOT / "tests" / "data" / "wrong").glob("*.toml")):
        for number, row in enumerate(tomllib.loads(path.read_text("utf-8"))["wrong"]):
            out.append({**row, "id": f"{path.stem}-{number}"})
    return out


def spoil(row: Mapping[str, Any], place: Path) -> Path:
    """The expected translation with one wrong place, in a folder of its own."""
    tree = place / "wrong"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(EXPECTED, tree)
    path = tree / row["file"]
    data = path.read_bytes()
    newline = b"\r\n" if b"\r\n" in data else b"\n"
    old, new = (row[key].encode().replace(b"\n", newline) for key in ("old", "new"))
    assert data.count(old) == 1, f"{row['id']}: `old` stands {data.count(old)} times in {row['file']}"
    path.write_bytes(data.replace(old, new))
    return tree
