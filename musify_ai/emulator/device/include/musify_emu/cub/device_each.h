// CUB: what works element by element, the product of a sparse matrix with a vector, and the caching allocator.
#pragma once
#include "device_call.h"

namespace cub {

#ifdef __CUDACC__
struct DeviceFor {
  template <class Shape, class Op>
  static Status Bulk(Shape n, Op op, Stream_t stream = 0, emu::Site s = emu::Site::here()) {
    return Status(emu::library_work("cub::DeviceFor::Bulk", stream, s, [=]() mutable {
      for (Shape i = 0; i < n; i++) op(i);
    }));
  }
  template <class It, class N, class Op>
  static Status ForEachN(It first, N n, Op op, Stream_t stream = 0, emu::Site s = emu::Site::here()) {
    return Status(emu::library_work("cub::DeviceFor::ForEachN", stream, s, [=]() mutable {
      for (size_t i = 0; i < static_cast<size_t>(n); i++) op(detail::get(first, i));
    }));
  }
  template <class It, class Op>
  static Status ForEach(It first, It last, Op op, Stream_t stream = 0, emu::Site s = emu::Site::here()) {
    return ForEachN(first, last - first, op, stream, s);
  }
};

struct DeviceAdjacentDifference {
  template <class In, class Out, class Op = Difference>
  static Status SubtractLeftCopy(void* temp, size_t& bytes, In in, Out out, long long n, Op op = Op(), Stream_t stream = 0,
                                 emu::Site s = emu::Site::here()) {
    return detail::two_phase(temp, bytes, "cub::DeviceAdjacentDifference::SubtractLeft", stream, s, [=]() mutable {
      for (size_t i = static_cast<size_t>(n); i-- > 0;)
        detail::put(out, i, i ? op(detail::get(in, i), detail::get(in, i - 1)) : detail::get(in, i));
    });
  }
  template <class It, class Op = Difference>
  static Status SubtractLeft(void* temp, size_t& bytes, It it, long long n, Op op = Op(), Stream_t stream = 0,
                             emu::Site s = emu::Site::here()) {
    return SubtractLeftCopy(temp, bytes, it, it, n, op, stream, s);
  }
  template <class In, class Out, class Op = Difference>
  static Status SubtractRightCopy(void* temp, size_t& bytes, In in, Out out, long long n, Op op = Op(), Stream_t stream = 0,
                                  emu::Site s = emu::Site::here()) {
    return detail::two_phase(temp, bytes, "cub::DeviceAdjacentDifference::SubtractRight", stream, s, [=]() mutable {
      for (size_t i = 0; i < static_cast<size_t>(n); i++)
        detail::put(out, i, i + 1 < static_cast<size_t>(n) ? op(detail::get(in, i), detail::get(in, i + 1)) : detail::get(in, i));
    });
  }
  template <class It, class Op = Difference>
  static Status SubtractRight(void* temp, size_t& bytes, It it, long long n, Op op = Op(), Stream_t stream = 0,
                              emu::Site s = emu::Site::here()) {
    return SubtractRightCopy(temp, bytes, it, it, n, op, stream, s);
  }
};
#endif

struct DeviceSpmv {
  template <class T>
  static Status CsrMV(void* temp, size_t& bytes, const T* values, const int* row_offsets, const int* columns, const T* x, T* y,
                      int rows, int, int, Stream_t stream = 0, bool = false, emu::Site s = emu::Site::here()) {
    return detail::two_phase(temp, bytes, "cub::DeviceSpmv::CsrMV", stream, s, [=] {
      for (int row = 0; row < rows; row++) {
        T sum = 0;
        for (int i = row_offsets[row]; i < row_offsets[row + 1]; i++) sum += values[i] * x[columns[i]];
        y[row] = sum;
      }
    });
  }
};

// Blocks that are freed stay here for the next who asks for as much.
struct CachingDeviceAllocator {
  struct Block {
    void* pointer;
    size_t bytes;
    bool live;
  };
  std::vector<Block> blocks;
  size_t growth, smallest, largest, most;

  CachingDeviceAllocator(unsigned bin_growth, unsigned min_bin = 1, unsigned max_bin = unsigned(-1),
                         size_t max_cached = size_t(-1), bool = false, bool = false)
      : growth(bin_growth), smallest(power(bin_growth, min_bin)),
        largest(max_bin == unsigned(-1) ? size_t(-1) : power(bin_growth, max_bin)), most(max_cached) {}
  CachingDeviceAllocator(bool = false, bool = false) : CachingDeviceAllocator(8, 3, 7, (size_t(1) << 21) * 3 - 1) {}
  ~CachingDeviceAllocator() { FreeAllCached(); }
  Status DeviceAllocate(void** p, size_t bytes, Stream_t = 0) {
    size_t wanted = bytes;
    if (bytes <= largest)
      for (wanted = smallest; wanted < bytes;) wanted *= growth;
    for (Block& block : blocks)
      if (!block.live && block.bytes == wanted) {
        block.live = true;
        *p = block.pointer;
        return Status(0);
      }
    int error = emu::host::allocate(p, wanted, emu::Memory::device);
    if (!error) blocks.push_back({*p, wanted, true});
    return Status(error);
  }
  Status DeviceAllocate(int, void** p, size_t bytes, Stream_t stream = 0) { return DeviceAllocate(p, bytes, stream); }
  Status DeviceFree(void* p, emu::Site s = emu::Site::here()) {
    for (size_t i = 0; i < blocks.size(); i++)
      if (blocks[i].pointer == p) {
        if (blocks[i].bytes <= largest && cached() + blocks[i].bytes <= most) {
          blocks[i].live = false;
          return Status(0);
        }
        blocks.erase(blocks.begin() + static_cast<ptrdiff_t>(i));
        break;
      }
    return Status(emu::host::release(p, "cub::CachingDeviceAllocator::DeviceFree", s));
  }
  Status DeviceFree(int, void* p, emu::Site s = emu::Site::here()) { return DeviceFree(p, s); }
  Status FreeAllCached(emu::Site s = emu::Site::here()) {
    std::vector<Block> kept;
    for (Block& block : blocks)
      if (block.live) kept.push_back(block);
      else emu::host::release(block.pointer, "cub::CachingDeviceAllocator::FreeAllCached", s);
    blocks.swap(kept);
    return Status(0);
  }
  Status SetMaxCachedBytes(size_t bytes) {
    most = bytes;
    return Status(0);
  }

 private:
  static size_t power(size_t base, unsigned exponent) {
    size_t out = 1;
    while (exponent--) out *= base;
    return out;
  }
  size_t cached() const {
    size_t sum = 0;
    for (const Block& block : blocks) sum += block.live ? 0 : block.bytes;
    return sum;
  }
};

}  // namespace cub
