"""Mutations of the gallery in each style: edits taken back give the input, and a second run changes nothing."""

import random
from pathlib import Path

import pytest

from benchmarks.fuzz import mutated, translator_of
from musify_ai.pipeline import process
from musify_ai.records import Options

GALLERY = Path(__file__).resolve().parents[2] / "corpus" / "gallery"
SOURCES = sorted(path for path in GALLERY.rglob("*.[ch]*") if path.is_file())


@pytest.mark.parametrize("style", ["rebrand", "alias", "dual", "semantic"])
@pytest.mark.parametrize("seed", range(2))
def test_no_mutation_fails_or_raises(style: str, seed: int) -> None:
    chance = random.Random(seed)
    options = Options(style=style, unsafe_fixes=True)
    for _ in range(30):
        path = chance.choice(SOURCES)
        data = mutated(path.read_bytes(), chance)
        done = process(data, path.name, options, translator=translator_of(path.name, data, options))
        assert done.failure is None, (path.name, data)
        assert "MUS000" not in {finding.code for finding in done.result.findings}, (path.name, data)
