"""Lines outside of functions that go with a construct: an include that MUSA lacks, a namespace used whole."""

import pytest

from musify_ai.project import migrate
from musify_ai.records import Options
from musify_ai.rewrite.gates.protocol import Candidate, Gate, Passed
from musify_ai.rewrite.opening import Asked
from musify_ai.rewrite.providers.scripted import Scripted
from tests.rewrite.projects import fenced, project

LINES = "#include <mma.h>\nusing namespace nvcuda;\n"
KERNEL = """__global__ void fill(float* y) {
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(c, 1.0f);
    wmma::store_matrix_sync(y, c, 16, wmma::mem_row_major);
}
"""
SOURCE = f"#include <cuda_runtime.h>\n{LINES}\n{KERNEL}void run(float* y) {{ fill<<<1, 64>>>(y); }}\n"
RIGHT = "__global__ void fill(float* y) {\n    for (int i = threadIdx.x; i < 256; i += 64) y[i] = 1.0f;\n}\n"
EXPECTED = SOURCE.replace("cuda_", "musa_").replace(LINES, "").replace(KERNEL, RIGHT)


def test_lines_that_only_the_construct_needs_go_with_it(tmp_path):
    found, site = project(tmp_path, {"a.cu": SOURCE})
    (unit,) = found.units
    assert found.left == () and {drop.finding.code for drop in unit.drops} == {"MUS108", "MUS504"}
    made = Candidate(unit, RIGHT.encode().strip(), "", site)
    assert made.texts() == {"a.cu": EXPECTED.encode()}
    place, lines = made.lines(0)
    text = made.texts()[place].split(b"\n")
    assert text[lines[0] - 1].startswith(b"__global__ void fill") and text[lines[-1] - 1] == b"}"


@pytest.mark.parametrize(
    "other",
    ["__device__ float* p(float* y) { asm(\"brkpt;\"); return y; }\n", KERNEL.replace("fill(float", "other(float")],
)  # fmt: skip
def test_lines_stay_where_something_else_is_not_settled(tmp_path, other):
    found, _ = project(tmp_path, {"a.cu": SOURCE + other})
    assert all(unit.drops == () for unit in found.units)
    assert "outside of functions" in {each.why for each in found.left}


def test_migrating_takes_them_out_with_a_note_and_leaves_them_where_nothing_is_accepted(tmp_path, monkeypatch):
    monkeypatch.setattr("musify_ai.rewrite.gates.sequence.GATES", (Gate("g", lambda c: Passed(("looked at",))),))
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_text(SOURCE)
    for answer, text in ((RIGHT, EXPECTED), ("no", SOURCE.replace("cuda_", "musa_"))):
        monkeypatch.setattr(
            "musify_ai.rewrite.opening.provider_of", lambda spec, seconds=0, a=answer: Scripted([fenced(a)] * 9)
        )
        out = tmp_path / f"out{len(answer)}"
        outcome = migrate(
            tmp_path / "src", out, Options(verify=False), asked=Asked("scripted", tmp_path / f"{len(answer)}.sqlite")
        )
        assert (out / "a.cu").read_text() == text
        (file,) = outcome.run.files
        codes = sorted({finding.code for finding in file.findings if finding.severity != "note" or answer == RIGHT})
        assert codes == (["MUS901"] if answer == RIGHT else ["MUS108", "MUS504"]), codes
        assert any("was taken out" in finding.message for finding in file.findings) == (answer == RIGHT)
