"""Mutations of the gallery through the whole way of a file; the benchmark of the same name runs many more."""

import random
from pathlib import Path

import pytest

from benchmarks.fuzz import mutated
from musify_ai.pipeline import process
from musify_ai.records import Options

GALLERY = Path(__file__).resolve().parents[2] / "corpus" / "gallery"
SOURCES = sorted(path for path in GALLERY.rglob("*.[ch]*") if path.is_file())


@pytest.mark.parametrize("seed", range(12))
def test_no_mutation_fails_or_raises(seed):
    chance = random.Random(seed)
    for _ in range(30):
        path = chance.choice(SOURCES)
        data = mutated(path.read_bytes(), chance)
        done = process(data, path.name, Options())
        assert done.failure is None, (path.name, data)
        assert "MUS000" not in {finding.code for finding in done.result.findings}, (path.name, data)
