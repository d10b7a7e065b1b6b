"""Patterns that are compiled on first use: all of them compile, and each is what `re.compile` would have given."""

import pkgutil
import re
from importlib import import_module

import pytest

from musify_ai.source.patterns import late_pattern


def _late(value: object) -> bool:
    return type(value) is type(late_pattern("a"))


def test_every_pattern_of_the_package_compiles() -> None:
    seen = 0
    for folder in ("cli", "pipeline", "project", "rules", "source", "styles", "translate"):
        package = import_module(f"musify_ai.{folder}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name == "musify_ai.project.ray_cluster":
                continue
            for value in vars(import_module(module.name)).values():
                held = value.values() if isinstance(value, dict) else (value,)
                for pattern in filter(_late, held):
                    assert pattern.groups >= 0
                    seen += 1
    assert seen > 200


def test_a_late_pattern_is_the_pattern() -> None:
    late, now = late_pattern(rb"(?P<a>x)|y", re.IGNORECASE), re.compile(rb"(?P<a>x)|y", re.IGNORECASE)
    assert late.pattern == now.pattern
    assert late.findall(b"Xy") == now.findall(b"Xy")
    assert late.groupindex == now.groupindex and late.flags == now.flags
    assert late.sub(b"z", b"axb") == b"azb" and late.fullmatch(b"xx") is None


def test_a_pattern_that_is_none_fails_when_used() -> None:
    bad = late_pattern("(")
    for _ in range(2):
        with pytest.raises(re.error):
            bad.search("a")
