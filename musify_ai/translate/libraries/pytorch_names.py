"""What PyTorch's C++ API calls CUDA's, and what stands there in an extension that is built against torch_musa."""

from __future__ import annotations

NAMESPACES = frozenset((b"at", b"c10", b"torch"))
# Members of at::cuda and c10::cuda.
IN_CUDA = {
    b"getCurrentCUDAStream": b"getCurrentMUSAStream",
    b"getDefaultCUDAStream": b"getDefaultMUSAStream",
    b"getStreamFromPool": b"getStreamFromPool",
    b"getCurrentDeviceProperties": b"getCurrentDeviceProperties",
    b"getDeviceProperties": b"getDeviceProperties",
    b"getCurrentCUDABlasHandle": b"getCurrentMUSABlasHandle",
    b"CUDAGuard": b"MUSAGuard",
    b"OptionalCUDAGuard": b"OptionalMUSAGuard",
    b"CUDAStreamGuard": b"MUSAStreamGuard",
    b"CUDAStream": b"MUSAStream",
    b"CUDAEvent": b"MUSAEvent",
    b"CUDACachingAllocator": b"MUSACachingAllocator",
    b"current_device": b"current_device",
    b"philox": b"philox",  # at::musa::philox::unpack: torch_musa/csrc/aten/musa/MUSAGeneratorImpl.h
    b"device_count": b"device_count",
    b"set_device": b"set_device",
}
# Names that stand in PyTorch's own namespace, and members: torch_musa/csrc/aten/musa/MUSAGeneratorImpl.h.
IN_AT = {b"PhiloxCudaState": b"PhiloxMusaState", b"CUDAGeneratorImpl": b"MUSAGeneratorImpl"}
IN_DETAIL = {b"getDefaultCUDAGenerator": b"getDefaultMUSAGenerator"}
MEMBERS = {b"is_cuda": b"is_privateuseone", b"philox_cuda_state": b"philox_musa_state"}
# Dispatch keys: PyTorch builds each family's key for each backend (c10/core/DispatchKey.h), and MUSA's is PrivateUse1.
KEYS = {
    family + b"CUDA": family + b"PrivateUse1"
    for family in (b"", b"Autograd", b"Autocast", b"Quantized", b"Sparse", b"SparseCsr", b"NestedTensor")
}
# Questions to PyTorch's CUDA backend, and its switches: without that backend they answer no, or change nothing.
ASKING = frozenset(
    b"hasCUDA hasCuDNN hasCUDART hasCuSOLVER hasCuBLASLt lazyInitCUDA getCUDAHooks userEnabledCuDNN "
    b"setUserEnabledCuDNN benchmarkCuDNN setBenchmarkCuDNN deterministicCuDNN setDeterministicCuDNN allowTF32CuDNN "
    b"setAllowTF32CuDNN allowTF32CuBLAS setAllowTF32CuBLAS allowFP16ReductionCuBLAS setAllowFP16ReductionCuBLAS "
    b"allowBF16ReductionCuBLAS setAllowBF16ReductionCuBLAS versionCuDNN".split()
)
