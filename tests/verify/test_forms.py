"""A program of units in CUDA and C with every form of launch and device variable, run on one side."""

from pathlib import Path

import pytest

from musify_ai.backends.cache import Cache
from musify_ai.backends.own_names import declares
from musify_ai.verify.single import Asked, run_program

FORMS = Path(__file__).parents[1] / "data" / "verify" / "forms"

EXPECTED = """\
plain      1 2 3 4 5 6 7 8
inner_c    2 4 6 8 5 6 7 8
tk         12 14 16 18 5 6 7 8
tk2        13 15 16 18 5 6 7 8
nested     77 15 16 18 5 6 7 8
with_op    80 18 19 21 8 9 10 11
by_ptr     400 90 95 105 40 45 50 55
table      800 180 190 210 80 90 100 110
lambda     796 176 186 206 76 86 96 106
lambda2    804 184 194 214 84 94 104 114
dyn        114 104 94 84 214 194 184 804
dyn2       104 94 84 214 194 184 804 114
macro      107 97 87 215 195 185 805 115
dispatch   109 99 89 215 195 185 805 115
pasted     115 805 185 195 215 89 99 109
virtual    345 2415 555 585 645 267 297 327
counter 43 managed 11
globals    1 1 1 1 1 1 1 1
block      2 2 2 2 2 2 2 2
vector     77 3 3 3 3 3 3 3
array      154 6 6 6 6 6 6 6
ternary    155 7 7 7 7 7 7 7
other      296 0 0 0 0 0 0 0
third      296111 111 111 111 111 111 111 111
if         296112 112 112 112 112 112 112 112
ptr        296113 113 113 113 113 113 113 113
ptr2       296117 117 117 117 113 113 113 113
from C     42 44 46 48 50 52 54 56
"""


MORE = """\
spliced   1 2 3 4 5 6 7 8
args      3 4 5 6 7 8 9 10
run       17 19 21 23 21 23 25 27
braces    20 22 24 26 24 26 28 30
dep       21 23 25 27 25 27 29 31
packed    24 26 28 30 28 30 32 34
value     27 29 31 33 31 33 35 37
lambda    33 35 37 39 37 39 41 43
shapes    160 158 156 154 156 154 152 150
helper    159 157 155 157 155 153 151 161
heap      162 160 158 160 158 156 154 164
pragmas   177 175 173 175 173 171 169 179
ptx       185 183 181 183 181 179 177 187
friend    189 187 185 187 185 183 181 191
moded     299 297 295 297 295 293 291 301
moded2    400 398 396 398 396 394 392 402
loop      402 400 398 400 398 396 394 404
case      403 401 399 401 399 397 395 405
0
inlambda  404 402 400 402 400 398 396 406
comma     408 406 404 406 404 402 400 410
"""


@pytest.mark.parametrize(
    ("files", "expected"),
    [(("main.cu", "second.cu", "third.cu", "plain.c", "host.c"), EXPECTED), (("more.cu",), MORE)],
)
def test_launches_and_device_variables_in_all_their_forms(
    build_cache: Cache, tmp_path: Path, files: tuple[str, ...], expected: str
) -> None:
    asked = Asked(tuple(FORMS / name for name in files), "cuda", "sm_80")
    with (tmp_path / "out").open("w+") as out:
        ran = run_program(asked, stdout=out.fileno(), cache=build_cache)
        out.seek(0)
        printed = out.read()
    assert (ran.status, ran.faults) == (0, ())
    assert printed.splitlines() == expected.splitlines()


def test_a_name_is_the_devices_where_its_declaration_says_so() -> None:
    text = b"__constant__ float k[4];\nint __device__ f(int v) { return host_only(v); }\nint host_only(int);"
    assert declares(text, "k")
    assert declares(text, "f")
    assert not declares(text, "host_only")
    assert not declares(b"// nothing of __device__ here; int k;", "k")
