#pragma once
__device__ inline float twice(float v) { return v + v; }
