import pytest

from musify_ai.verify.absence import explained, missing_text

LIBRARY = {"cub/cub.cuh": False}
OWN = {"graph.h": True}


@pytest.mark.parametrize(
    ("message", "absent", "wanted"),
    [
        ("k.cu:3: 'cub' does not name a type", LIBRARY, "cub/cub.cuh is not in the emulator's headers: k.cu:3: "),
        ("k.cu:3: use of undeclared identifier 'cub'", LIBRARY, "cub/cub.cuh is not in the emulator's headers: "),
        ("'ncclComm_t' was not declared in this scope", {"nccl.h": False}, "nccl.h is not in the emulator's headers: "),
        ("k.cu:3: 'Edges' has not been declared", OWN, "k.cu:3: 'Edges' has not been declared (graph.h is not among"),
        ("k.cu:3: expected ';'", LIBRARY, "k.cu:3: expected ';'"),
        ("k.cu:3: 'Edges' has not been declared", {}, "k.cu:3: 'Edges'"),
    ],
)
def test_an_undeclared_name_is_laid_to_a_missing_header(message: str, absent: dict[str, bool], wanted: str) -> None:
    got = explained(message, absent)
    assert got.startswith(wanted)
    assert message in got


def test_whose_header_it_is() -> None:
    assert missing_text("graph.h", quoted=True).startswith("graph.h is not among the files given")
    assert missing_text("cub/cub.cuh", quoted=False) == "cub/cub.cuh is not in the emulator's headers"
