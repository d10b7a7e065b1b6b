"""The hooks as a user meets them: real pre-commit, a repository of its own, installed without a network."""

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HOUSE = ROOT / "build" / "wheelhouse"
MISSING = [
    what
    for what, there in (
        ("git", shutil.which("git")),
        ("pre-commit (the extra 'dev')", find_spec("pre_commit")),
        ("wheels to install from (`make wheelhouse`)", list(HOUSE.glob("hatchling-*.whl"))),
    )
    if not there
]

pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"pre-commit is not tried without {', '.join(MISSING)}")

NAMES = (
    b"#include <cuda_runtime.h>\n__global__ void k(int* p) { *p = 1; }\n"
    b"inline int f(void** p) { return cudaMalloc(p, 4); }\n"
)
WARP = b"__global__ void k(int* p) { p[0] = warpSize; }\n"
SUFFIXES = (".cu", ".cuh", ".mu", ".muh", ".h", ".hpp", ".cpp", ".py")


def in_python(device: bytes) -> bytes:
    return b"SOURCE = r'''\n" + device + b"'''\n"


def git(where: Path, *arguments: str, status: int | None = 0) -> str:
    named = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main")
    done = subprocess.run(["git", *named, *arguments], cwd=where, capture_output=True, text=True, check=False)
    assert status is None or done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with what is published, as the tree has it now."""
    place = tmp_path_factory.mktemp("published")
    for name in ("musify_ai", "rules", "templates"):
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__", "_compiled*"))
    for name in ("pyproject.toml", "README.md", "hatch_build.py", ".pre-commit-hooks.yaml"):
        shutil.copy2(ROOT / name, place / name)
    git(place, "init")
    git(place, "add", ".")
    git(place, "commit", "-m", "as it is")
    return place


@pytest.fixture
def project(
    hooks: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A repository that has the hooks installed. pip finds wheels in a folder, and nothing else."""
    monkeypatch.setenv("PRE_COMMIT_HOME", str(hooks.parent / "pre-commit-home"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(HOUSE))
    git(tmp_path, "init")
    return tmp_path


def install(project: Path, hooks: Path, *entries: str) -> None:
    revision = git(hooks, "rev-parse", "HEAD").strip()
    listed = "".join(f"      - {entry}\n" for entry in entries)
    text = f"repos:\n  - repo: {hooks}\n    rev: {revision}\n    hooks:\n{listed}"
    (project / ".pre-commit-config.yaml").write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "install"], cwd=project, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_commit_fails_is_fixed_and_passes(project: Path, hooks: Path) -> None:
    install(project, hooks, "id: musify-ai-fix", "id: musify-ai-check")
    for suffix in SUFFIXES:
        text = in_python(NAMES) if suffix == ".py" else NAMES
        (project / f"a{suffix}").write_bytes(text)
    (project / "unstaged.cu").write_bytes(NAMES)
    git(project, "add", "a.*", ".pre-commit-config.yaml")
    said = git(project, "commit", "-m", "first", status=1)
    assert "musify-ai fix" in said
    assert "files were modified by this hook" in said
    for suffix in SUFFIXES:
        text = (project / f"a{suffix}").read_bytes()
        # `fix` is not given files that are MUSA by name; `check` is, and tells what they still hold.
        assert (b"cudaMalloc" in text) is (suffix in (".mu", ".muh")), suffix
        assert (b"musaMalloc" in text) is (suffix not in (".mu", ".muh")), suffix
    assert (project / "unstaged.cu").read_bytes() == NAMES
    git(project, "add", "a.*")
    git(project, "commit", "-m", "fixed")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_needs_a_person_stops_a_commit_with_its_code_and_line(project: Path, hooks: Path, suffix: str) -> None:
    install(project, hooks, "id: musify-ai-check")
    (project / f"k{suffix}").write_bytes(in_python(WARP) if suffix == ".py" else WARP)
    git(project, "add", ".")
    said = git(project, "commit", "-m", "warp", status=1)
    assert f"k{suffix}:" in said
    assert "MUS301" in said


def test_an_old_repository_adopts_it_on_the_first_day(project: Path, hooks: Path) -> None:
    install(project, hooks, "{id: musify-ai-check, args: [--baseline, known.json]}")
    (project / "old.cu").write_bytes(WARP)
    (project / "known.json").write_text('{"format": 2, "findings": []}')
    git(project, "add", ".")
    git(project, "commit", "-m", "old", status=1)
    tool = next((hooks.parent / "pre-commit-home").glob("repo*/py_env-*/bin/musify-ai"))
    subprocess.run([tool, "check", "--write-baseline", "known.json", "old.cu"], cwd=project, check=True)
    git(project, "add", ".")
    git(project, "commit", "-m", "old")
    (project / "old.cu").write_bytes(WARP + b"__global__ void n(int* p) { p[1] = 2 * warpSize; }\n")
    git(project, "add", ".")
    assert "old.cu:2:" in git(project, "commit", "-m", "new", status=1)


def test_only_new_names_without_a_counterpart_are_forbidden(project: Path, hooks: Path) -> None:
    (project / "both.cu").write_bytes(NAMES + WARP + b"void f() { cutensorCreate(&h); }\n")
    git(project, "add", ".")
    git(project, "commit", "-m", "before the hook")
    install(project, hooks, "id: musify-ai-new-names")
    text = (project / "both.cu").read_bytes()
    (project / "both.cu").write_bytes(b"\n" + text + NAMES + WARP)
    git(project, "add", ".")
    git(project, "commit", "-m", "known names, and a warp that others look after")
    (project / "both.cu").write_bytes(text + b"void g() { cutensorContract(h); }\n")
    git(project, "add", ".")
    said = git(project, "commit", "-m", "a name that MUSA lacks", status=1)
    assert "cutensorContract" in said
    assert "cutensorCreate" not in said


def test_the_environment_holds_the_base_install_only(project: Path, hooks: Path) -> None:
    install(project, hooks, "id: musify-ai-check")
    (project / "a.cu").write_bytes(b"int x;\n")
    git(project, "add", ".")
    git(project, "commit", "-m", "builds the environment, where no test before has")
    python = next((hooks.parent / "pre-commit-home").glob("repo*/py_env-*/bin/python"))
    listed = subprocess.run([python, "-m", "pip", "list", "--format", "freeze"], capture_output=True, text=True)
    names = {line.partition("==")[0].lower() for line in listed.stdout.splitlines()}
    assert "musify-ai" in names
    assert not names & {"torch", "transformers", "libclang", "openai", "ray", "numpy"}
    size = sum(place.stat().st_size for place in Path(python).parents[1].rglob("*") if place.is_file())
    assert size < 60e6, f"every user of the hook installs {size / 1e6:.0f} MB"
