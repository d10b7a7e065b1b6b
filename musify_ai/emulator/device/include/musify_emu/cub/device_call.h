// CUB: how a device-wide algorithm is called: first for the size of its workspace, then for the work.
#pragma once
#include <vector>

#include "types.h"

namespace cub {

using Stream_t = emu::host::Stream*;

namespace detail {
constexpr size_t workspace = 768;

// Answers the first call, refuses a workspace that is too small, else runs `f` on the device. The workspace is filled
// with poison, so that whoever lets it lie over his data loses that.
template <class F>
Status two_phase(void* temp, size_t& bytes, const char* name, Stream_t stream, emu::Site s, F f) {
  if (!temp) {
    bytes = workspace;
    return Status(0);
  }
  if (bytes < workspace) return Status(1);
  unsigned char poison = emu::poison_byte();
  return Status(emu::library_work(name, stream, s, [=]() mutable {
    memset(temp, poison, workspace);
    f();
  }));
}

template <class Out, class T>
void put(Out out, size_t at, const T& value) { *(out + static_cast<ptrdiff_t>(at)) = value; }
template <class In>
decltype(auto) get(In in, size_t at) { return *(in + static_cast<ptrdiff_t>(at)); }
}  // namespace detail

}  // namespace cub
