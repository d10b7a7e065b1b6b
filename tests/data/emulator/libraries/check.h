// What the library tests print: one line for each check, `ok NAME` or `WRONG NAME ...`.
#pragma once
#include <cmath>
#include <cstdio>
#include <vector>

#include "api.h"

inline bool same(double a, double b) { return a == b || (a != a && b != b); }
inline void check(const char* name, bool good) { printf("%s %s\n", good ? "ok" : "WRONG", name); }
template <class A, class B>
void check_all(const char* name, const A& got, const B& wanted) {
  bool good = got.size() == wanted.size();
  for (size_t i = 0; good && i < got.size(); i++) good = same(double(got[i]), double(wanted[i]));
  check(name, good);
  if (good) return;
  printf("  got   ");
  for (size_t i = 0; i < got.size() && i < 24; i++) printf(" %g", double(got[i]));
  printf("\n  wanted");
  for (size_t i = 0; i < wanted.size() && i < 24; i++) printf(" %g", double(wanted[i]));
  printf("\n");
}
inline void check_near(const char* name, double got, double wanted, double relative) {
  bool good = std::fabs(got - wanted) <= relative * std::fmax(1, std::fabs(wanted));
  check(name, good);
  if (!good) printf("  got %.17g wanted %.17g\n", got, wanted);
}

// Device memory that is filled from a vector and read back into one.
template <class T>
struct Buffer {
  T* p = nullptr;
  size_t n;
  explicit Buffer(size_t count) : n(count) { API(Malloc)(&p, count * sizeof(T)); }
  Buffer(const std::vector<T>& from) : Buffer(from.size()) { *this = from; }
  ~Buffer() { API(Free)(p); }
  Buffer(const Buffer&) = delete;
  void operator=(const std::vector<T>& from) { API(Memcpy)(p, from.data(), n * sizeof(T), API(MemcpyHostToDevice)); }
  std::vector<T> read(size_t count = size_t(-1)) const {
    std::vector<T> out(count < n ? count : n);
    API(Memcpy)(out.data(), p, out.size() * sizeof(T), API(MemcpyDeviceToHost));
    return out;
  }
  operator T*() const { return p; }
};
template <class F>
auto made(size_t n, F f) {
  std::vector<decltype(f(0))> out;
  for (size_t i = 0; i < n; i++) out.push_back(f(static_cast<int>(i)));
  return out;
}
