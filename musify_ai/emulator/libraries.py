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

_THRUST_BOTH = {
    "thrust/adjacent_difference.h": "thrust/transform.h",
    "thrust/advance.h": "thrust/core.h",
    "thrust/binary_search.h": "thrust/sort.h",
    "thrust/complex.h": "thrust/complex.h",
    "thrust/copy.h": "thrust/transform.h",
    "thrust/count.h": "thrust/select.h",
    "thrust/device_allocator.h": "thrust/vectors.h",
    "thrust/device_free.h": "thrust/core.h",
    "thrust/device_malloc.h": "thrust/core.h",
    "thrust/device_malloc_allocator.h": "thrust/vectors.h",
    "thrust/device_ptr.h": "thrust/core.h",
    "thrust/device_reference.h": "thrust/core.h",
    "thrust/device_vector.h": "thrust/vectors.h",
    "thrust/distance.h": "thrust/core.h",
    "thrust/equal.h": "thrust/select.h",
    "thrust/execution_policy.h": "thrust/core.h",
    "thrust/extrema.h": "thrust/select.h",
    "thrust/fill.h": "thrust/transform.h",
    "thrust/find.h": "thrust/select.h",
    "thrust/for_each.h": "thrust/transform.h",
    "thrust/functional.h": "thrust/functional.h",
    "thrust/gather.h": "thrust/transform.h",
    "thrust/generate.h": "thrust/transform.h",
    "thrust/host_vector.h": "thrust/vectors.h",
    "thrust/inner_product.h": "thrust/reduce.h",
    "thrust/iterator/constant_iterator.h": "thrust/iterators.h",
    "thrust/iterator/counting_iterator.h": "thrust/iterators.h",
    "thrust/iterator/discard_iterator.h": "thrust/iterators.h",
    "thrust/iterator/iterator_traits.h": "thrust/iterators.h",
    "thrust/iterator/permutation_iterator.h": "thrust/iterators.h",
    "thrust/iterator/reverse_iterator.h": "thrust/iterators.h",
    "thrust/iterator/transform_iterator.h": "thrust/iterators.h",
    "thrust/iterator/transform_output_iterator.h": "thrust/iterators.h",
    "thrust/iterator/zip_iterator.h": "thrust/iterators.h",
    "thrust/logical.h": "thrust/select.h",
    "thrust/memory.h": "thrust/core.h",
    "thrust/merge.h": "thrust/sort.h",
    "thrust/mismatch.h": "thrust/select.h",
    "thrust/pair.h": "thrust/core.h",
    "thrust/partition.h": "thrust/select.h",
    "thrust/random.h": "thrust/random.h",
    "thrust/random/linear_congruential_engine.h": "thrust/random.h",
    "thrust/random/normal_distribution.h": "thrust/random.h",
    "thrust/random/uniform_int_distribution.h": "thrust/random.h",
    "thrust/random/uniform_real_distribution.h": "thrust/random.h",
    "thrust/reduce.h": "thrust/reduce.h",
    "thrust/remove.h": "thrust/select.h",
    "thrust/replace.h": "thrust/transform.h",
    "thrust/reverse.h": "thrust/transform.h",
    "thrust/scan.h": "thrust/reduce.h",
    "thrust/scatter.h": "thrust/transform.h",
    "thrust/sequence.h": "thrust/transform.h",
    "thrust/set_operations.h": "thrust/sort.h",
    "thrust/sort.h": "thrust/sort.h",
    "thrust/swap.h": "thrust/core.h",
    "thrust/system_error.h": "thrust/core.h",
    "thrust/tabulate.h": "thrust/transform.h",
    "thrust/transform.h": "thrust/transform.h",
    "thrust/transform_reduce.h": "thrust/reduce.h",
    "thrust/transform_scan.h": "thrust/reduce.h",
    "thrust/tuple.h": "thrust/core.h",
    "thrust/uninitialized_copy.h": "thrust/transform.h",
    "thrust/uninitialized_fill.h": "thrust/transform.h",
    "thrust/unique.h": "thrust/select.h",
    "thrust/universal_vector.h": "thrust/vectors.h",
    "thrust/version.h": "thrust/core.h",
    "thrust/zip_function.h": "thrust/iterators.h",
}
_THRUST_CUDA = {"thrust/system/cuda/execution_policy.h": "thrust/core.h"}
_THRUST_MUSA = {"thrust/system/musa/execution_policy.h": "thrust/core.h"}

# Nothing is known of these on MUSA.
_LIBCU = {
    "cuda/atomic": "libcu/atomic.h",
    "cuda/barrier": "libcu/barrier.h",
    "cuda/functional": "libcu/std.h",
    "cuda/latch": "libcu/barrier.h",
    "cuda/pipeline": "libcu/pipeline.h",
    "cuda/semaphore": "libcu/barrier.h",
    "cuda/std/array": "libcu/std.h",
    "cuda/std/atomic": "libcu/atomic.h",
    "cuda/std/barrier": "libcu/barrier.h",
    "cuda/std/bit": "libcu/std.h",
    "cuda/std/cassert": "libcu/std.h",
    "cuda/std/cfloat": "libcu/std.h",
    "cuda/std/chrono": "libcu/chrono.h",
    "cuda/std/climits": "libcu/std.h",
    "cuda/std/cmath": "libcu/std.h",
    "cuda/std/complex": "libcu/complex.h",
    "cuda/std/cstddef": "libcu/std.h",
    "cuda/std/cstdint": "libcu/std.h",
    "cuda/std/functional": "libcu/std.h",
    "cuda/std/initializer_list": "libcu/std.h",
    "cuda/std/iterator": "libcu/std.h",
    "cuda/std/limits": "libcu/std.h",
    "cuda/std/optional": "libcu/optional.h",
    "cuda/std/ratio": "libcu/std.h",
    "cuda/std/tuple": "libcu/std.h",
    "cuda/std/type_traits": "libcu/std.h",
    "cuda/std/utility": "libcu/std.h",
    "cuda/std/variant": "libcu/optional.h",
}
_NVTX = dict.fromkeys(("nvToolsExt.h", "nvtx3/nvToolsExt.h", "nvtx3/nvtx3.hpp"), "nvtx.h")

REFUSED = ("cusolverDn.h", "cusolverSp.h", "nvml.h")
"""Headers of the CUDA side that are there to say that their library is not."""

UNFAITHFUL = {
    "thrust/shuffle.h": "thrust::shuffle is not emulated: its order comes of a bijection that a release may change"
}
"""Headers of both sides whose results ours could not match, and why."""

HEADERS: dict[Side, dict[str, str]] = {
    "cuda": {**_CUB_BOTH, **_CUB_CUDA, **_THRUST_BOTH, **_THRUST_CUDA, **_LIBCU, **_NVTX},
    "musa": {**_CUB_BOTH, **_THRUST_BOTH, **_THRUST_MUSA},
}
"""Header of a side -> our file that it includes."""
