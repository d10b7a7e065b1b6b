// The runtime's names on either side, for the driver that runs on a real device.
#pragma once
#ifdef MUSIFY_CHECK_MUSA
#include <musa_runtime.h>
#define MUSIFY_RT(name) musa##name
#else
#include <cuda_runtime.h>
#define MUSIFY_RT(name) cuda##name
#endif
