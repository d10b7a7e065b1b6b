"""A project whose code turns on whoever checks it."""

import json
from pathlib import Path

import pytest

from musify_ai.backends import sandbox
from musify_ai.backends.toolchain import Toolchain
from musify_ai.cli.main import run

pytestmark = [
    pytest.mark.skipif(Toolchain.detect() is None, reason="no C++ compiler"),
    pytest.mark.skipif(sandbox.detect() is None, reason=f"no sandbox here: {sandbox.missing()}"),
]


def test_a_static_constructor_finds_nothing_to_take(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    secret, project = tmp_path / "secret", tmp_path / "project"
    secret.mkdir()
    project.mkdir()
    (secret / "key").write_text("THE-KEY\n")
    (project / "a.cu").write_text(
        f"""#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
static int taken = [] {{
    std::string text;
    std::getline(std::ifstream("{secret}/key") >> std::ws, text);
    std::ofstream("{tmp_path}/copy") << text;
    fprintf(stderr, "%s", text.c_str());
    return (int)text.size() + (system("touch {tmp_path}/touched") == 0);
}}();
__global__ void add(int* a, int n) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += 1;
}}
void launch(int* a, int n) {{ add<<<1, 128>>>(a, n); }}
"""
    )
    with pytest.raises(SystemExit):
        run(["migrate", str(project), "--out", str(tmp_path / "out"), "--format", "json", "--arch", "mp_31"])
    said = capfdbinary.readouterr()
    assert b"THE-KEY" not in said.out + said.err
    (kernel,) = json.loads(said.out)["kernels"]
    assert kernel["headline"] == "equal-emulated"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "project", "secret"]
