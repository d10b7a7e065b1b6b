// CUB, whole.
#pragma once
#include "block_io.h"
#include "block_reduce.h"
#include "block_scan.h"
#include "block_sort.h"
#include "device_each.h"
#include "device_histogram.h"
#include "device_reduce.h"
#include "device_scan.h"
#include "device_select.h"
#include "device_sort.h"
#include "iterators.h"
#include "version.h"
#ifdef __CUDACC__
#include "warp_io.h"
#endif
