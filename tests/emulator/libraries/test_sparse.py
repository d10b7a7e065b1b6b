"""The sparse library on the CPU device."""

import pytest

from musify_ai.emulator import headers, libraries

both = pytest.mark.parametrize("side", [("cuda", 32), ("musa", 32)], indirect=True, ids=["cuda", "musa"])


@both
def test_products_by_format_operation_base_and_order(passes):
    ran = passes("sparse.cpp", 8)
    assert ran.findings == []


def test_libraries_that_are_not_here_say_so_where_they_are_included():
    files = dict(headers.header_set("cuda"))
    for name in libraries.REFUSED:
        assert files[name] == f'#error "{name}: this library is not emulated"\n'
    assert all("in a MUSA translation unit" in dict(headers.header_set("musa"))[name] for name in libraries.REFUSED)
