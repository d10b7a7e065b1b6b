"""Headers of the C++ libraries (CUB, Thrust, libcu++) on the CPU device: which there are on each side, and what of ours
each brings.

These libraries have the same names on both sides, so there is no template of them. MUSA's (muAlg and muThrust) are of
version 1.12.1: what is younger stands on the CUDA side only. A header of the MUSA side needs a row in the manifest.
"""

from typing import Literal

Side = Literal["cuda", "musa"]

# Header -> the file under include/musify_emu that has it.
_CUB_BOTH = {
    "cub/cub.cuh": "cub/cub.h",
    "cub/block/block_discontinuity.cuh": "cub/block_exchange.h",
    "cub/block/block_exchange.cuh": "cub/block_exchange.h",
    "cub/block/block_histogram.cuh": "cub/block_sort.h",
    "cub/block/block_load.cuh": "cub/block_io.h",
    "cub/block/block_radix_sort.cuh": "cub/block_sort.h",
    "cub/block/block_reduce.cuh": "cub/block_reduce.h",
    "cub/block/block_scan.cuh": "cub/block_scan.h",
    "cub/block/block_shuffle.cuh": "cub/block_exchange.h",
    "cub/block/block_store.cuh": "cub/block_io.h",
    "cub/device/device_histogram.cuh": "cub/device_histogram.h",
    "cub/device/device_partition.cuh": "cub/device_select.h",
    "cub/device/device_radix_sort.cuh": "cub/device_sort.h",
    "cub/device/device_reduce.cuh": "cub/device_reduce.h",
    "cub/device/device_run_length_encode.cuh": "cub/device_select.h",
    "cub/device/device_scan.cuh": "cub/device_scan.h",
    "cub/device/device_segmented_radix_sort.cuh": "cub/device_sort.h",
    "cub/device/device_segmented_reduce.cuh": "cub/device_reduce.h",
    "cub/device/device_select.cuh": "cub/device_select.h",
    "cub/device/device_spmv.cuh": "cub/device_each.h",
    "cub/iterator/arg_index_input_iterator.cuh": "cub/iterators.h",
    "cub/iterator/cache_modified_input_iterator.cuh": "cub/iterators.h",
    "cub/iterator/cache_modified_output_iterator.cuh": "cub/iterators.h",
    "cub/iterator/constant_input_iterator.cuh": "cub/iterators.h",
    "cub/iterator/counting_input_iterator.cuh": "cub/iterators.h",
    "cub/iterator/discard_output_iterator.cuh": "cub/iterators.h",
    "cub/iterator/tex_obj_input_iterator.cuh": "cub/iterators.h",
    "cub/iterator/transform_input_iterator.cuh": "cub/iterators.h",
    "cub/thread/thread_load.cuh": "cub/types.h",
    "cub/thread/thread_operators.cuh": "cub/types.h",
    "cub/thread/thread_reduce.cuh": "cub/types.h",
    "cub/thread/thread_store.cuh": "cub/types.h",
    "cub/util_allocator.cuh": "cub/device_each.h",
    "cub/util_debug.cuh": "cub/types.h",
    "cub/util_macro.cuh": "cub/types.h",
    "cub/util_ptx.cuh": "cub/warp.h",
    "cub/util_type.cuh": "cub/types.h",
    "cub/version.cuh": "cub/version.h",
    "cub/warp/warp_reduce.cuh": "cub/warp.h",
    "cub/warp/warp_scan.cuh": "cub/warp.h",
}
_CUB_CUDA = {
    "cub/block/block_merge_sort.cuh": "cub/block_sort.h",
    "cub/device/device_adjacent_difference.cuh": "cub/device_each.h",
    "cub/device/device_for.cuh": "cub/device_each.h",
    "cub/device/device_merge_sort.cuh": "cub/device_sort.h",
    "cub/device/device_segmented_sort.cuh": "cub/device_sort.h",
    "cub/warp/warp_exchange.cuh": "cub/warp_io.h",
    "cub/warp/warp_load.cuh": "cub/warp_io.h",
    "cub/warp/warp_store.cuh": "cub/warp_io.h",
}

HEADERS: dict[Side, dict[str, str]] = {"cuda": {**_CUB_BOTH, **_CUB_CUDA}, "musa": dict(_CUB_BOTH)}
"""Header of a side -> our file that it includes."""
