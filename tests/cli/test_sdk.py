"""``sdk scan`` and what comes of it in `check`, and the choice of an SDK; the SDK is made up."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    include = tmp_path / "sdk" / "include"
    include.mkdir(parents=True)
    (include / "musa.h").write_text("#define MUSA_VERSION 50200\n")
    (include / "musa_runtime.h").write_text("int musaMalloc(void**, unsigned long);\n")
    (tmp_path / "a.cu").write_text("#include <cuda_runtime.h>\nvoid f(void* p) { cudaMalloc(&p, 4); cudaFree(p); }\n")
    return tmp_path


def test_a_scan_is_written_used_and_named_in_the_output(musify: Command, project: Path) -> None:
    scanned = musify("sdk", "scan", "sdk", "--out", "found.toml")
    assert scanned.status == 0
    assert "SDK 5.2" in scanned.out
    plain = json.loads(musify("check", "--format", "json", "a.cu").out)
    ended = musify("check", "--format", "json", "--overlay", "found.toml", "a.cu")
    found = json.loads(ended.out)
    assert ended.status == 1
    assert [each["code"] for each in found["findings"]] == ["MUS111"]
    assert "cudaFree was left" in found["findings"][0]["message"]
    assert plain["findings"] == []
    assert found["tool"]["rules"].startswith(plain["tool"]["rules"] + "+")


def test_the_setting_is_read_from_where_the_settings_are(musify: Command, project: Path) -> None:
    musify("sdk", "scan", "sdk", "--out", "found.toml")
    (project / "musify-ai.toml").write_text('overlay = "found.toml"\n')
    (project / "src").mkdir()
    (project / "a.cu").rename(project / "src" / "a.cu")
    assert musify("check", "src/a.cu").status == 1


def test_wrong_folders_and_files_are_wrong_use(musify: Command, project: Path) -> None:
    (project / "empty").mkdir()
    assert musify("sdk", "scan", "empty").status == 2
    wrong = musify("check", "--overlay", "a.cu", "a.cu")
    assert wrong.status == 2
    assert "sdk scan" in wrong.err or "a.cu" in wrong.err


def test_an_older_sdk_has_older_names(musify: Command, project: Path) -> None:
    (project / "b.cu").write_text("const char* s = cublasGetStatusString(st);\ncusolverDnCreate(&h);\n")
    assert musify("fix", "--sdk", "4.0", "b.cu").status == 1
    assert (project / "b.cu").read_text() == "const char* s = mublasStatus_to_string(st);\ncusolverDnCreate(&h);\n"
    assert "from SDK 4.3 on" in musify("check", "--sdk", "4.0", "b.cu").out
    assert musify("check", "--sdk", "9.9", "b.cu").status == 2


def test_query_answers_for_an_sdk(musify: Command, project: Path) -> None:
    assert "mublasStatus_to_string" not in musify("query", "--sdk", "5.2", "cublasGetStatusString").out
    assert "mublasStatus_to_string" in musify("query", "--sdk", "4.0", "cublasGetStatusString").out
    assert musify("query", "--sdk", "4.0", "cusolverDnCreate").status == 1
