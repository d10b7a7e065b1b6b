// Copies by a group, and by a thread's pipeline, that are made when somebody waits for them (copies.cpp).
#pragma once
#include "groups.h"

namespace emu {
namespace groups {

template <class Group>
void copy_by_group(const Group& g, void* to, const void* from, size_t bytes) {
  size_t each = (bytes + g.size() - 1) / g.size(), begin = each * g.thread_rank();
  size_t mine = begin >= bytes ? 0 : bytes - begin < each ? bytes - begin : each;
  if (mine) begin_copy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin, mine, mine);
  end_batch();
}
// A count of bytes, or two of elements: what both have is copied.
template <class Group, class To, class From>
void memcpy_async(const Group& g, To* to, const From* from, size_t bytes) {
  copy_by_group(g, to, from, bytes);
}
template <class Group, class T, class A, class B>
void memcpy_async(const Group& g, T* to, A room, const T* from, B count) {
  size_t n = static_cast<size_t>(room) < static_cast<size_t>(count) ? static_cast<size_t>(room) : static_cast<size_t>(count);
  copy_by_group(g, to, from, n * sizeof(T));
}
template <class Group>
void wait(const Group& g, Site s = Site::here()) {
  wait_batches(0);
  g.sync(s);
}
template <unsigned ButTheLast, class Group>
void wait_prior(const Group& g, Site s = Site::here()) {
  wait_batches(ButTheLast);
  g.sync(s);
}

}  // namespace groups
}  // namespace emu
