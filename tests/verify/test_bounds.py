"""Inputs under which the original goes outside an array of fixed size: no difference is read out of them."""

from pathlib import Path

from musify_ai.backends.cache import Cache
from musify_ai.records import Options, Verdict
from musify_ai.verify import verify

WEIGH = """
__constant__ float weights[4] = {1, 2, 3, 4};
__global__ void weigh(const float* x, float* y, int n, int mask_width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int j = 0; j < mask_width; j++) sum += weights[j] * x[i];
    if (i < n) y[i] = sum;
}
"""
LAUNCH = "void run(const float* x, float* y, int n) { weigh<<<(n + 127) / 128, 128>>>(x, y, n, WIDTH); }\n"
# What the translation's linker puts around the array is something else: the sides disagree beyond its end.
AROUND = "__device__ float %s[4096] = {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};\n"


def check(folder: Path, cache: Cache, width: str, factor: str = "") -> Verdict:
    launch = LAUNCH.replace("WIDTH", width)
    translated = AROUND % "before" + WEIGH.replace("* x[i]", f"* x[i]{factor}") + AROUND % "behind" + launch
    for side, text in (("cuda", WEIGH + launch), ("musa", translated)):
        (folder / side).mkdir()
        (folder / side / "k.cu").write_text(f"#include <{side}_runtime.h>\n{text}")
    options = Options(archs=("mp_31",), seeds=2)
    (verdict,) = verify(folder / "cuda", folder / "musa", files={"k.cu": "k.cu"}, options=options, cache=cache).verdicts
    return verdict


def test_other_inputs_are_taken(tmp_path: Path, build_cache: Cache) -> None:
    assert check(tmp_path, build_cache, "3").headline == "equal-emulated"


def test_a_real_difference_stays_one(tmp_path: Path, build_cache: Cache) -> None:
    assert check(tmp_path, build_cache, "3", " * 2").headline == "differs"


def test_where_there_are_none_it_is_the_inputs(tmp_path: Path, build_cache: Cache) -> None:
    verdict = check(tmp_path, build_cache, "40")
    assert verdict.headline == "not-checkable"
    assert str(verdict.reason).startswith("inputs: the original ends with")
