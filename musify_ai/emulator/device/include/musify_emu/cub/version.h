// CUB: the version that each side has: that of CUDA 12.8, and 1.12.1 (muAlg).
#pragma once
#ifdef __CUDACC__
#define CUB_VERSION 200700
#else
#define CUB_VERSION 101201
#endif
#define CUB_MAJOR_VERSION (CUB_VERSION / 100000)
#define CUB_MINOR_VERSION (CUB_VERSION / 100 % 1000)
#define CUB_SUBMINOR_VERSION (CUB_VERSION % 100)
