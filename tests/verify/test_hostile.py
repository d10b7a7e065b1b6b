"""A project whose code turns on whoever checks it."""

import json
from pathlib import Path

import pytest

from musify_ai.backends import sandbox
from musify_ai.backends.cache import Cache
from musify_ai.backends.limits import Limits
from musify_ai.backends.toolchain import Toolchain
from musify_ai.cli.main import run
from tests.backends.test_sandbox import gone

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


HEAD = "#include <cuda_runtime.h>\n#include <cstdio>\n#include <fstream>\n#include <string>\n#include <unistd.h>\n"
KERNEL = """
__global__ void KERNEL(int* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += 1;
}
void launch(int* a, int n) { KERNEL<<<1, 128>>>(a, n); }
"""
MARKER = "543211.25"
CONSTRUCTORS = {
    "forks": f'for (;;) if (fork() == 0) execl("/bin/sleep", "sleep", "{MARKER}", (char*)nullptr);',
    "prints": "for (;;) puts(std::string(10000, 'x').c_str());",
    "fills": "for (int i = 0;; ++i) std::ofstream(std::to_string(i)) << std::string(4 << 20, 'x');",
}
ENDED = {
    "forks": "too many processes",
    "prints": "too much output",
    "fills": "too much written to disk",
}
TEMPLATES = (
    "template <long N> struct T { typename T<2 * N>::t a; typename T<2 * N + 1>::t b; using t = int; };\nT<1> bomb;\n"
)


def test_units_that_never_behave_are_told_of_and_the_others_are_checked(
    tmp_path: Path, build_cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    from musify_ai.backends import emulated
    from musify_ai.project import verify_port
    from musify_ai.records import Options

    monkeypatch.setenv("MUSIFY_AI_CACHE", str(build_cache.root))
    small = Limits(cpu=3, wall=10, memory=1024, output=500_000, tasks=64, scratch=64)
    monkeypatch.setattr(emulated, "RUN_LIMITS", small)
    monkeypatch.setattr(
        emulated.Emulated.run, "__kwdefaults__", {**emulated.Emulated.run.__kwdefaults__, "limits": small}
    )
    monkeypatch.setattr(emulated, "COMPILE_LIMITS", emulated.COMPILE_LIMITS._replace(cpu=10, memory=2048))
    for side in ("old", "new"):
        (tmp_path / side).mkdir()
        texts = {name: f"static int hostile = [] {{ {text} return 0; }}();\n" for name, text in CONSTRUCTORS.items()}
        for name, text in {**texts, "good": "", "bomb": TEMPLATES}.items():
            src = HEAD + text + KERNEL.replace("KERNEL", name)
            (tmp_path / side / f"{name}.cu").write_text(src if side == "old" else src.replace("cuda", "musa"))
    run = verify_port(tmp_path / "old", tmp_path / "new", Options(archs=("mp_31",), jobs=2)).run
    verdicts = {verdict.name: verdict for verdict in run.verdicts}
    assert verdicts["good"].headline == "equal-emulated"
    for name, said in ENDED.items():
        assert verdicts[name].headline == "not-checkable", name
        assert said in (verdicts[name].reason or ""), (name, verdicts[name].reason)
    assert verdicts["bomb"].headline == "not-checkable"
    assert gone(MARKER), "nothing is left running"
