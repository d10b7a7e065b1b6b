#pragma once
#if __CUDA_ARCH__ >= 800
#define HAS_ASYNC 1
#endif
