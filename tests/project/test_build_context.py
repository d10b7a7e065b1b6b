"""What CMake files of a tree know of each other, and what a run says of its build files."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from musify_ai.project.build_context import called_with_cuda
from musify_ai.project.discovery import walk

ROOT = Path(__file__).resolve().parents[2]


def _tree(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        place = folder / name.replace("__", "/").replace("_txt", ".txt").replace("_cmake", ".cmake")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return folder


def test_functions_that_some_file_hands_a_source(tmp_path: Path) -> None:
    root = _tree(
        tmp_path,
        cmake__Bench_cmake="function(Add_Bench)\nendfunction()\nmacro(add_host)\nendmacro()\n",
        src__CMakeLists_txt="add_bench(NAME a # the first\n  SOURCES main.cu)\nadd_host(b.cpp) # c.cu\nother(d.cu)\n",
    )
    assert called_with_cuda(root, walk(root)) == {"add_bench", "add_bench#3"}


def test_a_source_in_a_variable_reaches_the_parameter_of_another_files_function(tmp_path: Path) -> None:
    source = _tree(
        tmp_path / "in",
        CMakeLists_txt="function(add_case name src)\n  add_executable(${name} ${src})\nendfunction()\n"
        "add_executable(host host.cpp)\nadd_subdirectory(t)\n",
        t__CMakeLists_txt="file(GLOB all *.cu)\nforeach(one IN LISTS all)\n  add_case(x ${one})\nendforeach()\n",
    )
    assert called_with_cuda(source, walk(source)) == {"add_case", "add_case#1"}
    _migrate(source, tmp_path / "out")
    text = (tmp_path / "out" / "CMakeLists.txt").read_text()
    assert "musa_add_executable(${name} ${src})" in text and "\nadd_executable(host host.cpp)" in text


def test_functions_hand_on_what_they_are_handed(tmp_path: Path) -> None:
    root = _tree(
        tmp_path,
        a_cmake='function(inner NAME)\n  cmake_parse_arguments(_ "" "" "LIBS" ${ARGN})\n'
        "  set(ALL ${__UNPARSED_ARGUMENTS})\n  add_executable(${NAME} ${ALL})\nendfunction()\n",
        b_cmake="function(outer NAME)\n  inner(${NAME} ${ARGN})\nendfunction()\n",
        CMakeLists_txt="outer(x x.cu)\n",
    )
    assert {"inner", "inner#1", "outer", "outer#1"} <= called_with_cuda(root, walk(root))


def _migrate(source: Path, out: Path, *options: str) -> dict[str, object]:
    command = [sys.executable, "-m", "musify_ai", "migrate", source, "--out", out, "--no-verify", "--format", "json"]
    ended = subprocess.run(
        [*command, *options], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert ended.returncode == 0, ended.stderr
    return dict(json.loads(ended.stdout)["summary"])


def test_a_function_of_another_file_adds_musa_targets(tmp_path: Path) -> None:
    source = _tree(
        tmp_path / "in",
        CMakeLists_txt="project(a CXX CUDA)\ninclude(cmake/Bench.cmake)\nadd_subdirectory(src)\n",
        cmake__Bench_cmake="function(add_bench)\n  add_executable(${ARGV0} ${ARGN})\nendfunction()\n",
        src__CMakeLists_txt="add_bench(a a.cu)\n",
    )
    summary = _migrate(source, tmp_path / "out")
    assert "musa_add_executable" in (tmp_path / "out" / "cmake" / "Bench.cmake").read_text()
    assert summary["build_files"] == "migrated"


@pytest.mark.parametrize(
    ("files", "options", "state"),
    [
        ({"CMakeLists_txt": "project(a CXX)\n"}, (), "none"),
        ({"Makefile": "a:\n\tnvcc -c a.cu\n"}, (), "migrated"),
        ({"Makefile": "a:\n\tnvcc -c a.cu -maxrregcount=9\n"}, (), "partly migrated"),
        ({"meson.build": "project('a', 'cuda')\n"}, (), "not migrated"),
        ({"Makefile": "a:\n\tnvcc -c a.cu\n"}, ("--style", "dual"), "not migrated"),
        ({"Makefile": "a:\n\tnvcc -c a.cu\n", "Dockerfile": "FROM nvidia/cuda:12\n"}, (), "partly migrated"),
    ],
)
def test_the_summary_says_what_happened(
    tmp_path: Path, files: dict[str, str], options: tuple[str, ...], state: str
) -> None:
    source = _tree(tmp_path / "in", **files)
    assert _migrate(source, tmp_path / "out", *options)["build_files"] == state
    if options:
        assert (tmp_path / "out" / "Makefile").read_text() == files["Makefile"]
