// CUDA's pipeline of a thread, as its C functions have it. A size of 4, 8 or 16 bytes, of which some may be left 0.
@export __pipeline_memcpy_async __pipeline_commit __pipeline_wait_prior
