"""Handles, settings, copies and refusals of BLAS, FFT, random numbers and sparse products on the CPU device."""

import pytest

both = pytest.mark.parametrize("side", [("cuda", 32), ("musa", 32)], indirect=True, ids=["cuda", "musa"])


@both
@pytest.mark.parametrize("streams", ["at-once", "late"])
def test_settings(passes, side, streams):
    ran = passes("settings.cpp", {"cuda": 78, "musa": 71}, environment={"MUSIFY_EMU_STREAMS": streams})
    assert [f["kind"] for f in ran.findings if f["kind"] != "assumption"] == ["copy-overflow"]
    assert ran.assumptions() == ({"murand-sequences"} if side[0] == "musa" else set())
