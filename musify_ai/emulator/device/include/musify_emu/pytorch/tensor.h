// PyTorch's tensors as host code names them: declared, so that host functions can be read and what they launch be known.
// There is no tensor library behind it: a call ends with a message that says so. Nothing here is ever run by a check.
#pragma once
#include <array>
#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "accessors.h"
#include "checks.h"
#include "types.h"

namespace c10 {
[[noreturn]] inline void emu_no_tensors() { throw NotImplementedError("PyTorch's tensors are only declared on this device"); }
// Stands where a value of any type is wanted and there is none.
struct EmuNone {
  template <class T> operator T() const { emu_no_tensors(); }
};

using std::nullopt;
using std::optional;
template <class T>
class ArrayRef {
 public:
  ArrayRef() = default;
  ArrayRef(const T* data, size_t size) : data_(data), size_(size) {}
  ArrayRef(const std::vector<T>& v) : data_(v.data()), size_(v.size()) {}
  template <size_t N> ArrayRef(const std::array<T, N>& a) : data_(a.data()), size_(N) {}
  ArrayRef(std::initializer_list<T> l) : data_(l.begin()), size_(l.size()) {}
  ArrayRef(const T& one) : data_(&one), size_(1) {}
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  const T* data() const { return data_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](size_t i) const { return data_[i]; }
  const T& front() const { return data_[0]; }
  const T& back() const { return data_[size_ - 1]; }
  std::vector<T> vec() const { return std::vector<T>(begin(), end()); }
  bool operator==(const ArrayRef& o) const { return vec() == o.vec(); }
  bool operator!=(const ArrayRef& o) const { return !(*this == o); }

 private:
  const T* data_ = nullptr;
  size_t size_ = 0;
};
using IntArrayRef = ArrayRef<int64_t>;

enum class DeviceType : int8_t { CPU = 0, CUDA = 1, Meta = 9, PrivateUse1 = 20 };
using DeviceIndex = int8_t;
constexpr DeviceType kCPU = DeviceType::CPU, kPrivateUse1 = DeviceType::PrivateUse1;
struct Device {
  Device(DeviceType type, DeviceIndex index = -1) : type_(type), index_(index) {}
  Device(const std::string&) : type_(DeviceType::CPU), index_(-1) {}
  DeviceType type() const { return type_; }
  DeviceIndex index() const { return index_; }
  bool has_index() const { return index_ != -1; }
  bool is_cuda() const { return type_ == DeviceType::CUDA; }
  bool is_cpu() const { return type_ == DeviceType::CPU; }
  bool is_privateuseone() const { return type_ == DeviceType::PrivateUse1; }
  std::string str() const { return "device"; }
  bool operator==(const Device& o) const { return type_ == o.type_ && index_ == o.index_; }
  bool operator!=(const Device& o) const { return !(*this == o); }

 private:
  DeviceType type_;
  DeviceIndex index_;
};
enum class MemoryFormat : int8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };
enum class Layout : int8_t { Strided, Sparse };
constexpr Layout kStrided = Layout::Strided;
class Scalar {
 public:
  template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value>> Scalar(T) {}
  template <class T> T to() const { return EmuNone(); }
  double toDouble() const { return EmuNone(); }
  float toFloat() const { return EmuNone(); }
  int64_t toLong() const { return EmuNone(); }
  int toInt() const { return EmuNone(); }
};
class TensorOptions {
 public:
  TensorOptions() = default;
  TensorOptions(ScalarType) {}
  TensorOptions(Device) {}
  TensorOptions(DeviceType) {}
  template <class T> TensorOptions dtype(T&&) const { return *this; }
  template <class T> TensorOptions device(T&&) const { return *this; }
  TensorOptions device(DeviceType, int) const { return *this; }
  TensorOptions layout(Layout) const { return *this; }
  TensorOptions requires_grad(bool) const { return *this; }
  TensorOptions memory_format(MemoryFormat) const { return *this; }
  TensorOptions pinned_memory(bool) const { return *this; }
  ScalarType dtype() const { return EmuNone(); }
  Device device() const { return EmuNone(); }
};
}  // namespace c10

namespace at {
using namespace c10;
constexpr auto kStrided = c10::kStrided;

// What operators give that one need not tell apart here: results convert to what is asked for.
class Tensor {
 public:
  Tensor() = default;
  int64_t size(int64_t) const { return EmuNone(); }
  int64_t stride(int64_t) const { return EmuNone(); }
  IntArrayRef sizes() const { return {}; }
  IntArrayRef strides() const { return {}; }
  int64_t dim() const { return EmuNone(); }
  int64_t ndimension() const { return EmuNone(); }
  int64_t numel() const { return EmuNone(); }
  int64_t nbytes() const { return EmuNone(); }
  int64_t element_size() const { return EmuNone(); }
  int64_t itemsize() const { return EmuNone(); }
  int64_t storage_offset() const { return EmuNone(); }
  ScalarType scalar_type() const { return ScalarType::Undefined; }
  ScalarType type() const { return ScalarType::Undefined; }
  ScalarType dtype() const { return ScalarType::Undefined; }
  Device device() const { return DeviceType::CPU; }
  int64_t get_device() const { return EmuNone(); }
  Layout layout() const { return Layout::Strided; }
  TensorOptions options() const { return {}; }
  bool defined() const { return EmuNone(); }
  bool is_cuda() const { return EmuNone(); }
  bool is_cpu() const { return EmuNone(); }
  bool is_privateuseone() const { return EmuNone(); }
  bool is_floating_point() const { return EmuNone(); }
  bool is_sparse() const { return EmuNone(); }
  bool is_contiguous(MemoryFormat = MemoryFormat::Contiguous) const { return EmuNone(); }
  bool is_non_overlapping_and_dense() const { return EmuNone(); }
  bool requires_grad() const { return EmuNone(); }
  bool has_value() const { return EmuNone(); }
  MemoryFormat suggest_memory_format() const { return MemoryFormat::Contiguous; }
  void* data_ptr() const { return EmuNone(); }
  template <class T> T* data_ptr() const { return EmuNone(); }
  template <class T> T* data() const { return EmuNone(); }
  void* mutable_data_ptr() const { return EmuNone(); }
  const void* const_data_ptr() const { return EmuNone(); }
  template <class T> T* mutable_data_ptr() const { return EmuNone(); }
  template <class T> const T* const_data_ptr() const { return EmuNone(); }
  template <class T> T item() const { return EmuNone(); }
  Scalar item() const { return EmuNone(); }
  template <class T, size_t N> TensorAccessor<T, N> accessor() const { return EmuNone(); }
  template <class T, size_t N, template <class> class P = DefaultPtrTraits>
  PackedTensorAccessor32<T, N, P> packed_accessor32() const { return EmuNone(); }
  template <class T, size_t N, template <class> class P = DefaultPtrTraits>
  PackedTensorAccessor64<T, N, P> packed_accessor64() const { return EmuNone(); }
  template <class T, size_t N, template <class> class P = DefaultPtrTraits, class I = int64_t>
  GenericPackedTensorAccessor<T, N, P, I> packed_accessor() const { return EmuNone(); }
  template <class T, size_t N, template <class> class P = DefaultPtrTraits, class I = int64_t>
  GenericPackedTensorAccessor<T, N, P, I> generic_packed_accessor() const { return EmuNone(); }
  bool operator==(const Tensor&) const { return EmuNone(); }
#define EMU_GIVES_TENSOR(NAME) \
  template <class... A> Tensor NAME(A&&...) const { return {}; }
  EMU_GIVES_TENSOR(abs) EMU_GIVES_TENSOR(add) EMU_GIVES_TENSOR(add_) EMU_GIVES_TENSOR(addmm_) EMU_GIVES_TENSOR(all)
  EMU_GIVES_TENSOR(any) EMU_GIVES_TENSOR(argmax) EMU_GIVES_TENSOR(argsort) EMU_GIVES_TENSOR(bmm) EMU_GIVES_TENSOR(clone)
  EMU_GIVES_TENSOR(contiguous) EMU_GIVES_TENSOR(copy_) EMU_GIVES_TENSOR(cpu) EMU_GIVES_TENSOR(cuda) EMU_GIVES_TENSOR(cumsum)
  EMU_GIVES_TENSOR(detach) EMU_GIVES_TENSOR(div) EMU_GIVES_TENSOR(div_) EMU_GIVES_TENSOR(expand) EMU_GIVES_TENSOR(expand_as)
  EMU_GIVES_TENSOR(fill_) EMU_GIVES_TENSOR(flatten) EMU_GIVES_TENSOR(flip) EMU_GIVES_TENSOR(index) EMU_GIVES_TENSOR(index_select)
  EMU_GIVES_TENSOR(masked_select) EMU_GIVES_TENSOR(masked_fill_) EMU_GIVES_TENSOR(matmul) EMU_GIVES_TENSOR(max)
  EMU_GIVES_TENSOR(mean) EMU_GIVES_TENSOR(min) EMU_GIVES_TENSOR(mm) EMU_GIVES_TENSOR(mul) EMU_GIVES_TENSOR(mul_)
  EMU_GIVES_TENSOR(narrow) EMU_GIVES_TENSOR(nonzero) EMU_GIVES_TENSOR(permute) EMU_GIVES_TENSOR(repeat)
  EMU_GIVES_TENSOR(reshape) EMU_GIVES_TENSOR(resize_) EMU_GIVES_TENSOR(select) EMU_GIVES_TENSOR(set_) EMU_GIVES_TENSOR(slice)
  EMU_GIVES_TENSOR(squeeze) EMU_GIVES_TENSOR(sub) EMU_GIVES_TENSOR(sum) EMU_GIVES_TENSOR(t) EMU_GIVES_TENSOR(to)
  EMU_GIVES_TENSOR(transpose) EMU_GIVES_TENSOR(unfold) EMU_GIVES_TENSOR(unsqueeze) EMU_GIVES_TENSOR(view)
  EMU_GIVES_TENSOR(view_as) EMU_GIVES_TENSOR(zero_) EMU_GIVES_TENSOR(operator[]) EMU_GIVES_TENSOR(new_empty)
#undef EMU_GIVES_TENSOR
};
#define EMU_BINARY(OP) \
  inline Tensor operator OP(const Tensor&, const Tensor&) { return {}; } \
  inline Tensor operator OP(const Tensor&, const Scalar&) { return {}; } \
  inline Tensor operator OP(const Scalar&, const Tensor&) { return {}; }
EMU_BINARY(+) EMU_BINARY(-) EMU_BINARY(*) EMU_BINARY(/) EMU_BINARY(<) EMU_BINARY(>) EMU_BINARY(<=) EMU_BINARY(>=)
#undef EMU_BINARY
using TensorList = ArrayRef<Tensor>;
using OptionalTensorRef = std::optional<Tensor>;
struct DeviceGuard {
  explicit DeviceGuard(Device) {}
};
struct OptionalDeviceGuard {
  explicit OptionalDeviceGuard(std::optional<Device>) {}
};
inline Device device_of(const Tensor&) { return DeviceType::CPU; }
class Generator {
 public:
  std::mutex& mutex() const { emu_no_tensors(); }
};
#define EMU_GIVES_TENSOR(NAME) \
  template <class... A> Tensor NAME(A&&...) { return {}; } \
  template <class... A> Tensor NAME(std::initializer_list<int64_t>, A&&...) { return {}; }
EMU_GIVES_TENSOR(empty) EMU_GIVES_TENSOR(empty_like) EMU_GIVES_TENSOR(zeros) EMU_GIVES_TENSOR(zeros_like)
EMU_GIVES_TENSOR(ones) EMU_GIVES_TENSOR(ones_like) EMU_GIVES_TENSOR(full) EMU_GIVES_TENSOR(full_like)
EMU_GIVES_TENSOR(arange) EMU_GIVES_TENSOR(empty_strided) EMU_GIVES_TENSOR(rand) EMU_GIVES_TENSOR(randn)
EMU_GIVES_TENSOR(sum) EMU_GIVES_TENSOR(cat) EMU_GIVES_TENSOR(stack) EMU_GIVES_TENSOR(matmul) EMU_GIVES_TENSOR(from_blob)
EMU_GIVES_TENSOR(mm) EMU_GIVES_TENSOR(bmm) EMU_GIVES_TENSOR(where) EMU_GIVES_TENSOR(tensor) EMU_GIVES_TENSOR(pad)
#undef EMU_GIVES_TENSOR
}  // namespace at
namespace detail {
inline c10::ScalarType scalar_type(const at::Tensor&) { return c10::ScalarType::Undefined; }
}  // namespace detail

namespace torch {
using namespace at;
using at::Tensor;
using Dtype = at::ScalarType;
inline TensorOptions dtype(ScalarType) { return {}; }
inline TensorOptions device(Device) { return {}; }
#define EMU_CONSTANT(NAME) using at::k##NAME;
EMU_CONSTANTS(EMU_CONSTANT)
#undef EMU_CONSTANT
constexpr ScalarType kFloat32 = at::kFloat, kFloat64 = at::kDouble, kFloat16 = at::kHalf, kInt32 = at::kInt,
                     kInt64 = at::kLong, kUInt8 = at::kByte, kInt8 = at::kChar, kInt16 = at::kShort;
}  // namespace torch

// Bindings and registrations hold host code that is made when a library is loaded: nothing of it is here.
struct EmuBinding {
  template <class... A> EmuBinding& def(A&&...) { return *this; }
  template <class... A> EmuBinding& impl(A&&...) { return *this; }
};
#ifndef TORCH_EXTENSION_NAME
#define TORCH_EXTENSION_NAME emu_extension
#endif
#define EMU_JOINED_(A, B) A##B
#define EMU_JOINED(A, B) EMU_JOINED_(A, B)
#define PYBIND11_MODULE(NAME, VARIABLE) [[maybe_unused]] static void EMU_JOINED(emu_bindings_, __COUNTER__)(EmuBinding& VARIABLE)
#define TORCH_LIBRARY(NAME, VARIABLE) [[maybe_unused]] static void EMU_JOINED(emu_library_, __COUNTER__)(EmuBinding& VARIABLE)
#define TORCH_LIBRARY_FRAGMENT(NAME, VARIABLE) TORCH_LIBRARY(NAME, VARIABLE)
#define TORCH_LIBRARY_IMPL(NAME, KEY, VARIABLE) TORCH_LIBRARY(NAME, VARIABLE)
