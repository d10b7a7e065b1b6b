"""Running the command in this process, as a shell would see it."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from musify_ai.cli.main import run


class Ended(NamedTuple):
    status: int
    out: str
    err: str


Command = Callable[..., Ended]


@pytest.fixture
def musify(capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run ``musify-ai`` with arguments, standing in the test's own directory."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str | Path) -> Ended:
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            run([str(a) for a in arguments])
        out, err = capfd.readouterr()
        assert isinstance(ended.value.code, int)
        return Ended(ended.value.code, out, err)

    return call


@pytest.fixture(autouse=True)
def nothing_remembered(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No verdict of an earlier run of the tests stands in for one of this."""
    place = tmp_path_factory.getbasetemp() / "checked.sqlite"
    monkeypatch.setattr("musify_ai.verify.remembering.FILE", str(place))
