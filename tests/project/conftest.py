"""What the tests of this folder share."""

import pytest


@pytest.fixture(autouse=True)
def nothing_remembered(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No verdict of an earlier run of the tests stands in for one of this."""
    place = tmp_path_factory.getbasetemp() / "checked.sqlite"
    monkeypatch.setattr("musify_ai.verify.remembering.FILE", str(place))
