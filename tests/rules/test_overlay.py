"""What a scan of an installed SDK's headers changes in the rules; the SDK here is made up."""

import pytest

from musify_ai.rules import load
from musify_ai.rules.overlay import Overlay, OverlayInvalid, as_toml, overlaid, read_overlay, scan

RUNTIME = """
#ifndef MUSA_RUNTIME_API_H
/* musaFree is mentioned in a comment only */
musaError_t musaMalloc(void** p, size_t n);
musaError_t musaChooseDevice(int* device);
const char* text = "musaMemcpy";
#endif
"""


@pytest.fixture
def installed(tmp_path):
    include = tmp_path / "musa" / "include"
    (include / "crt").mkdir(parents=True)
    (include / "musa_runtime_api.h").write_text(RUNTIME)
    (include / "musa.h").write_text("#define MUSA_VERSION 50100\nMUresult muInit(unsigned flags);\n")
    (include / "musa_fp16.h").write_text("__device__ unsigned __match_any_sync(unsigned mask, int value);\n")
    (include / "broken.h").write_bytes(b'/* \xff\xfe "unterminated')
    return tmp_path / "musa"


def test_what_the_headers_hold(installed):
    found = scan(installed, load())
    assert found.sdk == "5.1"
    assert {b"musaMalloc", b"muInit", b"__match_any_sync"} <= found.names
    assert b"musa_runtime_api.h" in found.headers


def test_comments_and_strings_are_no_declarations(installed):
    found = scan(installed, load())
    assert {b"musaFree", b"musaMemcpy"} <= found.missing


def test_names_of_a_library_that_is_not_installed_are_not_missing(installed):
    found = scan(installed, load())
    assert not any(name.startswith((b"mublas", b"MUBLAS", b"mccl")) for name in found.missing)


def test_the_include_folder_itself_may_be_given(installed):
    assert scan(installed / "include", load()) == scan(installed, load())


def test_a_folder_without_an_sdk_is_refused(tmp_path):
    (tmp_path / "other.h").write_text("int x; void musaFree(int);\n")  # a name alone makes no SDK
    with pytest.raises(OverlayInvalid, match="MUSA_HOME"):
        scan(tmp_path, load())


def test_a_confirmed_name_is_as_good_as_seen(installed):
    name = b"cudaChooseDevice"
    assert load().label(name).treatment == "table"
    rules = overlaid(load(), scan(installed, load()))
    assert rules.label(name).treatment == "seen"
    assert rules.names[name] == load().names[name]


def test_a_missing_name_is_left_and_reported(installed):
    rules = overlaid(load(), scan(installed, load()))
    assert b"cudaFree" not in rules.names
    assert rules.label(b"cudaFree").treatment == "differs"
    assert rules.nearest(b"cudaFree") == "musaFree"
    assert "5.1" in rules.note(b"cudaFree")
    assert load().names[b"cudaFree"] == b"musaFree"


def test_an_unproven_device_name_in_the_headers_needs_no_note(installed):
    rules = overlaid(load(), scan(installed, load()))
    assert b"__match_any_sync" not in rules.classes
    assert b"__match_all_sync" in rules.classes


def test_the_rules_version_says_that_an_sdk_was_laid_over(installed):
    found = scan(installed, load())
    assert overlaid(load(), found).version.startswith(load().version + "+")
    other = overlaid(load(), found._replace(names=frozenset()))
    assert other.version != overlaid(load(), found).version


def test_the_file_gives_back_what_was_scanned(installed, tmp_path):
    found = scan(installed, load())
    path = tmp_path / "sdk.toml"
    path.write_text(as_toml(found))
    assert read_overlay(path) == found


@pytest.mark.parametrize("text", ["", "format = 9\n", "format = 1\nnames = [1]\n", "format = [", "\0"])
def test_other_files_are_refused(tmp_path, text):
    path = tmp_path / "sdk.toml"
    path.write_text(text)
    with pytest.raises(OverlayInvalid):
        read_overlay(path)


def test_a_name_that_changed_is_looked_for_as_the_sdk_has_it():
    old = Overlay("4.0", frozenset([b"mublasStatus_to_string"]), frozenset(), frozenset(), frozenset())
    rules = overlaid(load("main", "4.0"), old)
    assert rules.names[b"cublasGetStatusString"] == b"mublasStatus_to_string"
