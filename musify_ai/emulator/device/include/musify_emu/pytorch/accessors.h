// Tensors as kernels take them: a pointer with sizes and strides, by value (packed) or by reference into one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../core.h"
#include "../members.h"

namespace at {

// A step outside of a dimension ends the launch, be it inside the tensor's memory or not: what is read there is some
// other element, and sizes that do not fit one another would go unnoticed.
template <class I, class Index>
EMU_INLINE Index emu_within(I i, Index size) {
  if (i < 0 || i >= size) ::emu::trap("assert", "index outside a tensor's size");
  return i;
}

template <class T> struct DefaultPtrTraits { typedef T* PtrType; };
template <class T> struct RestrictPtrTraits { typedef T* __restrict__ PtrType; };

template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits, class Index = int64_t>
class TensorAccessorBase {
 public:
  typedef typename PtrTraits<T>::PtrType PtrType;
  TensorAccessorBase(PtrType data, const Index* sizes, const Index* strides) : data_(data), sizes_(sizes), strides_(strides) {}
  Index stride(Index i) const { return strides_[i]; }
  Index size(Index i) const { return sizes_[i]; }
  PtrType data() { return data_; }
  const PtrType data() const { return data_; }

 protected:
  PtrType data_;
  const Index* sizes_;
  const Index* strides_;
};

template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits, class Index = int64_t>
class TensorAccessor : public TensorAccessorBase<T, N, PtrTraits, Index> {
 public:
  typedef typename PtrTraits<T>::PtrType PtrType;
  using TensorAccessorBase<T, N, PtrTraits, Index>::TensorAccessorBase;
  using Row = TensorAccessor<T, N - 1, PtrTraits, Index>;
  Row operator[](Index i) { return row(i); }
  const Row operator[](Index i) const { return row(i); }

 private:
  Row row(Index i) const { return {this->data_ + this->strides_[0] * emu_within(i, this->sizes_[0]), this->sizes_ + 1, this->strides_ + 1}; }
};
template <class T, template <class> class PtrTraits, class Index>
class TensorAccessor<T, 1, PtrTraits, Index> : public TensorAccessorBase<T, 1, PtrTraits, Index> {
 public:
  typedef typename PtrTraits<T>::PtrType PtrType;
  using TensorAccessorBase<T, 1, PtrTraits, Index>::TensorAccessorBase;
  T& operator[](Index i) { return this->data_[this->strides_[0] * emu_within(i, this->sizes_[0])]; }
  const T& operator[](Index i) const { return this->data_[this->strides_[0] * emu_within(i, this->sizes_[0])]; }
};

template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits, class Index = int64_t>
class GenericPackedTensorAccessor {
 public:
  typedef typename PtrTraits<T>::PtrType PtrType;
  using Row = TensorAccessor<T, N == 1 ? 1 : N - 1, PtrTraits, Index>;
  GenericPackedTensorAccessor() = default;
  template <class From>
  GenericPackedTensorAccessor(PtrType data, const From* sizes, const From* strides) : data_(data) {
    for (size_t i = 0; i < N; ++i) sizes_[i] = static_cast<Index>(sizes[i]), strides_[i] = static_cast<Index>(strides[i]);
  }
  Index stride(Index i) const { return strides_[i]; }
  Index size(Index i) const { return sizes_[i]; }
  PtrType data() { return data_; }
  const PtrType data() const { return data_; }
  decltype(auto) operator[](Index i) {
    if constexpr (N == 1) return (data_[strides_[0] * emu_within(i, sizes_[0])]);
    else return Row(data_ + strides_[0] * emu_within(i, sizes_[0]), sizes_ + 1, strides_ + 1);
  }
  decltype(auto) operator[](Index i) const {
    if constexpr (N == 1) return static_cast<const T&>(data_[strides_[0] * emu_within(i, sizes_[0])]);
    else return static_cast<const Row>(Row(data_ + strides_[0] * emu_within(i, sizes_[0]), sizes_ + 1, strides_ + 1));
  }

 private:
  friend struct ::emu::Members<GenericPackedTensorAccessor>;
  PtrType data_ = nullptr;
  Index sizes_[N] = {};
  Index strides_[N] = {};
};
template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, PtrTraits, int32_t>;
template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, PtrTraits, int64_t>;
template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits, class Index = int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, PtrTraits, Index>;

}  // namespace at

namespace emu {
template <class T, size_t N, template <class> class P, class I>
struct Members<at::GenericPackedTensorAccessor<T, N, P, I>> {
  using Whole = at::GenericPackedTensorAccessor<T, N, P, I>;
  template <class Visitor>
  static void each(Visitor&& visitor) {
    visitor.template member<T*>(offsetof(Whole, data_));
    visitor.template member<I[N]>(offsetof(Whole, sizes_));
    visitor.template member<I[N]>(offsetof(Whole, strides_));
  }
};
}  // namespace emu
