"""Headers of PyTorch on the CPU device: which there are on each side. All of them bring one set of declarations.

PyTorch's own headers are the same on both sides. Those of its CUDA backend stand on the CUDA side only, and those of
torch_musa on the MUSA side, each with a row in the manifest.
"""

from typing import Literal

Side = Literal["cuda", "musa"]

MAIN = "musify_pytorch.h"
"""What every one of these headers includes."""

ROOTS = ("ATen", "c10", "torch", "THC")
"""Folders of PyTorch's headers: one of them that is not listed brings the same declarations."""

NAMESPACES = frozenset((b"at", b"c10", b"torch"))
"""Namespaces that the declarations open."""

COMMON = (
    *("torch/all.h", "torch/extension.h", "torch/library.h", "torch/python.h", "torch/script.h", "torch/torch.h"),
    *("torch/types.h", "torch/serialize/tensor.h", "torch/csrc/utils/pybind.h", "torch/headeronly/core/ScalarType.h"),
    *("torch/headeronly/util/BFloat16.h", "torch/headeronly/util/Half.h", "torch/headeronly/util/Exception.h"),
    *("ATen/ATen.h", "ATen/AccumulateType.h", "ATen/Context.h", "ATen/Dispatch.h", "ATen/Functions.h"),
    *("ATen/NumericUtils.h", "ATen/OpMathType.h", "ATen/Tensor.h", "ATen/TensorUtils.h", "ATen/ceil_div.h"),
    *("ATen/core/Tensor.h", "ATen/core/TensorAccessor.h", "ATen/core/TensorBody.h", "ATen/DeviceGuard.h"),
    *("c10/core/Device.h", "c10/core/DeviceGuard.h", "c10/core/DeviceType.h", "c10/core/Scalar.h"),
    *("c10/core/ScalarType.h", "c10/core/TensorOptions.h", "c10/macros/Macros.h", "c10/util/ArrayRef.h"),
    *("c10/util/BFloat16.h", "c10/util/Exception.h", "c10/util/Float8_e4m3fn.h", "c10/util/Float8_e5m2.h"),
    *("c10/util/Half.h", "c10/util/Optional.h", "c10/util/complex.h", "c10/util/irange.h"),
    *("pybind11/pybind11.h", "pybind11/stl.h", "pybind11/numpy.h", "pybind11/functional.h"),
)

OWN: dict[Side, tuple[str, ...]] = {
    "cuda": (
        *("ATen/cuda/ApplyGridUtils.cuh", "ATen/cuda/Atomic.cuh", "ATen/cuda/CUDAApplyUtils.cuh"),
        *("ATen/cuda/CUDABlas.h", "ATen/cuda/CUDAContext.h", "ATen/cuda/CUDAContextLight.h", "ATen/cuda/CUDAEvent.h"),
        *("ATen/cuda/CUDAGeneratorImpl.h", "ATen/cuda/CUDAGraphsUtils.cuh", "ATen/cuda/CUDATensorMethods.cuh"),
        *("ATen/cuda/CUDAUtils.h", "ATen/cuda/DeviceUtils.cuh", "ATen/cuda/Exceptions.h"),
        *("ATen/cuda/PhiloxCudaState.h", "ATen/cuda/detail/KernelUtils.h", "ATen/cuda/detail/UnpackRaw.cuh"),
        *("ATen/CUDAGeneratorImpl.h", "ATen/native/cuda/KernelUtils.cuh"),
        *("THC/THC.h", "THC/THCAtomics.cuh", "THC/THCDeviceUtils.cuh", "THC/THCGeneral.h", "torch/cuda.h"),
        *("c10/cuda/CUDACachingAllocator.h", "c10/cuda/CUDAException.h", "c10/cuda/CUDAFunctions.h"),
        *("c10/cuda/CUDAGuard.h", "c10/cuda/CUDAMacros.h", "c10/cuda/CUDAMathCompat.h", "c10/cuda/CUDAStream.h"),
    ),
    "musa": (
        *("ATen/musa/DeviceUtils.muh", "ATen/musa/MUSAApplyUtils.muh", "ATen/musa/MUSAContext.h"),
        *("ATen/musa/MUSAGraphsUtils.muh", "ATen/musa/MUSA_PORT_TensorMethods.muh", "ATen/musa/PhiloxCudaState.h"),
        *("ATen/musa/Atomic.muh", "ATen/musa/detail/KernelUtils.h", "THC/THCAtomics.muh", "c10/musa/MUSAMacros.h"),
        *("c10/musa/MUSACachingAllocator.h", "c10/musa/MUSAException.h", "c10/musa/MUSAFunctions.h"),
        *("c10/musa/MUSAGuard.h", "c10/musa/MUSAStream.h"),
        *("torch_musa/csrc/aten/musa/Exceptions.h", "torch_musa/csrc/aten/musa/MUSAAtomic.muh"),
        *("torch_musa/csrc/aten/musa/MUSABlas.h", "torch_musa/csrc/aten/musa/MUSAContext.h"),
        *("torch_musa/csrc/aten/musa/MUSAGeneratorImpl.h", "torch_musa/csrc/aten/musa/MUSAGraphsUtils.muh"),
        *("torch_musa/csrc/aten/musa/CUDAGeneratorImpl.h", "torch_musa/csrc/aten/musa/UnpackRaw.muh"),
        *("torch_musa/csrc/core/MUSACachingAllocator.h", "torch_musa/csrc/core/MUSAEvent.h"),
        *("torch_musa/csrc/core/MUSAException.h", "torch_musa/csrc/core/MUSAFunctions.h"),
        *("torch_musa/csrc/core/MUSAGuard.h", "torch_musa/csrc/core/MUSAStream.h"),
        *(
            f"torch_musa/share/generated_cuda_compatible/include/ATen/musa/{name}"
            for name in ("Atomic.muh", "MUSAUtils.h")
        ),
    ),
}
"""Headers of each side's backend."""


def is_pytorch(header: str) -> bool:
    """Whether a header is PyTorch's by its folder: ``ATen/native/cuda/Loops.cuh``."""
    return header.split("/", 1)[0] in (*ROOTS, "torch_musa", "pybind11") and "/" in header
