// PyTorch as kernels and their host code see it. The device's own part has the names of its backend.
#include <@rt@_fp16.h>
#include <@rt@_bf16.h>
#define EMU_BF16 @{__nv_bfloat16|__mt_bfloat16}
#include "musify_emu/pytorch/tensor.h"
#undef EMU_BF16
#include "musify_emu/pytorch/atomics.h"
#include "musify_emu/pytorch/dispatch.h"
#include <tuple>

namespace c10 {
namespace @rt@ {
struct @{CUDAStream|MUSAStream} {
  @rt@Stream_t stream() const { return nullptr; }
  operator @rt@Stream_t() const { return nullptr; }
  DeviceIndex device_index() const { return 0; }
  int64_t id() const { return 0; }
  void synchronize() const {}
};
inline @{CUDAStream getCurrentCUDAStream|MUSAStream getCurrentMUSAStream}(DeviceIndex = -1) { return {}; }
inline @{CUDAStream getDefaultCUDAStream|MUSAStream getDefaultMUSAStream}(DeviceIndex = -1) { return {}; }
inline @{CUDAStream|MUSAStream} getStreamFromPool(bool = false, DeviceIndex = -1) { return {}; }
inline void @{setCurrentCUDAStream(CUDAStream|setCurrentMUSAStream(MUSAStream}) {}
struct @{CUDAGuard|MUSAGuard} {
  explicit @{CUDAGuard|MUSAGuard}(DeviceIndex) {}
  explicit @{CUDAGuard|MUSAGuard}(Device) {}
  void set_index(DeviceIndex) {}
};
struct @{OptionalCUDAGuard|OptionalMUSAGuard} {
  @{OptionalCUDAGuard|OptionalMUSAGuard}() = default;
  explicit @{OptionalCUDAGuard|OptionalMUSAGuard}(std::optional<Device>) {}
  explicit @{OptionalCUDAGuard|OptionalMUSAGuard}(std::optional<DeviceIndex>) {}
};
struct @{CUDAStreamGuard|MUSAStreamGuard} {
  explicit @{CUDAStreamGuard|MUSAStreamGuard}(@{CUDAStream|MUSAStream}) {}
};
inline DeviceIndex current_device() { return 0; }
inline DeviceIndex device_count() { return 1; }
inline void set_device(DeviceIndex) {}
}  // namespace @rt@
}  // namespace c10

#define @{C10_CUDA_CHECK|C10_MUSA_CHECK}(EXPRESSION) \
  do { if ((EXPRESSION) != @rt@Success) throw ::c10::Error("a call of the device failed"); } while (0)
#define @{C10_CUDA_KERNEL_LAUNCH_CHECK|C10_MUSA_KERNEL_LAUNCH_CHECK}() @{C10_CUDA_CHECK|C10_MUSA_CHECK}(@rt@GetLastError())
#define @{AT_CUDA_CHECK|AT_MUSA_CHECK}(EXPRESSION) @{C10_CUDA_CHECK|C10_MUSA_CHECK}(EXPRESSION)
@cuda
#define C10_CUDA_CHECK_WARN(EXPRESSION) ((void)(EXPRESSION))
#define THCudaCheck(EXPRESSION) C10_CUDA_CHECK(EXPRESSION)
@end

// What a generator hands to a kernel: the seed and the offset of its stream of random numbers. While a graph is captured
// the offset lies in memory of the device.
namespace at {
struct @{PhiloxCudaState|PhiloxMusaState} {
  @{PhiloxCudaState|PhiloxMusaState}() = default;
  @{PhiloxCudaState|PhiloxMusaState}(uint64_t seed, uint64_t offset) {
    seed_.val = seed;
    offset_.val = offset;
  }
  union Payload {
    uint64_t val;
    int64_t* ptr;
  };
  Payload seed_{};
  Payload offset_{};
  uint32_t offset_intragraph_ = 0;
  bool captured_ = false;
};
namespace @rt@ {
using namespace c10::@rt@;
namespace philox {
inline std::tuple<uint64_t, uint64_t> unpack(@{PhiloxCudaState|PhiloxMusaState} state) {
  if (state.captured_)
    return std::make_tuple(static_cast<uint64_t>(*state.seed_.ptr),
                           static_cast<uint64_t>(*state.offset_.ptr + state.offset_intragraph_));
  return std::make_tuple(state.seed_.val, state.offset_.val);
}
}  // namespace philox
inline @rt@DeviceProp* getCurrentDeviceProperties() { c10::emu_no_tensors(); }
inline @rt@DeviceProp* getDeviceProperties(int64_t) { c10::emu_no_tensors(); }
inline int warp_size() { c10::emu_no_tensors(); }
namespace detail {
inline Generator @{getDefaultCUDAGenerator|getDefaultMUSAGenerator}(DeviceIndex = -1) { return {}; }
}
}  // namespace @rt@
class @{CUDAGeneratorImpl|MUSAGeneratorImpl} {
 public:
  @{PhiloxCudaState philox_cuda_state|PhiloxMusaState philox_musa_state}(uint64_t) { c10::emu_no_tensors(); }
  std::pair<uint64_t, uint64_t> philox_engine_inputs(uint64_t) { c10::emu_no_tensors(); }
};
template <class T>
T* get_generator_or_default(const std::optional<Generator>&, const Generator&) { c10::emu_no_tensors(); }
template <class T>
T* check_generator(Generator) { c10::emu_no_tensors(); }
@cuda
constexpr DeviceType kCUDA = DeviceType::CUDA;
@end
}  // namespace at
namespace torch {
@cuda
using at::kCUDA;
namespace cuda {
using namespace at::cuda;
}
@end
}  // namespace torch

namespace emu {
// Not `captured_`: what a check makes up is no capture of a graph.
template <>
struct Members<at::@{PhiloxCudaState|PhiloxMusaState}> {
  using Whole = at::@{PhiloxCudaState|PhiloxMusaState};
  template <class Visitor>
  static void each(Visitor&& visitor) {
    visitor.template member<uint64_t>(offsetof(Whole, seed_));
    visitor.template member<uint64_t>(offsetof(Whole, offset_));
    visitor.template member<uint32_t>(offsetof(Whole, offset_intragraph_));
  }
};
}  // namespace emu

// A kernel's loop over elements with a grid's stride; ports keep its name.
#define CUDA_KERNEL_LOOP_TYPE(INDEX, COUNT, TYPE)                                                                \
  int64_t emu_at_##INDEX = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;                          \
  for (TYPE INDEX = static_cast<TYPE>(emu_at_##INDEX); emu_at_##INDEX < (COUNT);                                 \
       emu_at_##INDEX += static_cast<int64_t>(blockDim.x) * gridDim.x, INDEX = static_cast<TYPE>(emu_at_##INDEX))
#define CUDA_KERNEL_LOOP(INDEX, COUNT) CUDA_KERNEL_LOOP_TYPE(INDEX, COUNT, int)
@names getCurrentMUSAStream getDefaultMUSAStream setCurrentMUSAStream OptionalMUSAGuard PhiloxMusaState
@names philox_musa_state getDefaultMUSAGenerator
