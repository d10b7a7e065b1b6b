// Checks and loops that PyTorch's headers bring. A check that fails in host code throws, as c10::Error does; one in a
// kernel ends the launch.
#pragma once
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>

#include "../core.h"

namespace c10 {
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
class IndexError : public Error {
 public:
  using Error::Error;
};
class NotImplementedError : public Error {
 public:
  using Error::Error;
};
template <class... A>
std::string str(const A&... parts) {
  std::ostringstream text;
  (void)(text << ... << parts);
  return text.str();
}
template <class A, class B>
constexpr auto CeilDiv(A a, B b) { return (a + b - 1) / b; }
}  // namespace c10
namespace at {
template <class T, class U>
constexpr auto ceil_div(T a, U b) { return (a + b - 1) / b; }
template <class T, class U>
constexpr auto round_up(T a, U b) { return ceil_div(a, b) * b; }
}  // namespace at

#define EMU_TORCH_CHECK(CONDITION, ...) \
  do { if (!(CONDITION)) throw ::c10::Error(::c10::str("Expected " #CONDITION __VA_OPT__(, ) __VA_ARGS__)); } while (0)
#define TORCH_CHECK(CONDITION, ...) EMU_TORCH_CHECK(CONDITION __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_INTERNAL_ASSERT(CONDITION, ...) EMU_TORCH_CHECK(CONDITION __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(CONDITION, ...) EMU_TORCH_CHECK(CONDITION __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_INDEX(CONDITION, ...) EMU_TORCH_CHECK(CONDITION __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_TYPE(CONDITION, ...) EMU_TORCH_CHECK(CONDITION __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_VALUE(CONDITION, ...) EMU_TORCH_CHECK(CONDITION __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(CONDITION, ...) EMU_TORCH_CHECK(CONDITION __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_EQ(A, B) EMU_TORCH_CHECK((A) == (B))
#define TORCH_CHECK_NE(A, B) EMU_TORCH_CHECK((A) != (B))
#define TORCH_CHECK_LT(A, B) EMU_TORCH_CHECK((A) < (B))
#define TORCH_CHECK_LE(A, B) EMU_TORCH_CHECK((A) <= (B))
#define TORCH_CHECK_GT(A, B) EMU_TORCH_CHECK((A) > (B))
#define TORCH_CHECK_GE(A, B) EMU_TORCH_CHECK((A) >= (B))
#define TORCH_WARN(...) ((void)0)
#define TORCH_WARN_ONCE(...) ((void)0)
#define AT_ASSERT(CONDITION) EMU_TORCH_CHECK(CONDITION)
#define AT_ASSERTM(CONDITION, ...) EMU_TORCH_CHECK(CONDITION __VA_OPT__(, ) __VA_ARGS__)
#define AT_CHECK(CONDITION, ...) EMU_TORCH_CHECK(CONDITION __VA_OPT__(, ) __VA_ARGS__)
#define AT_ERROR(...) throw ::c10::Error(::c10::str(__VA_ARGS__))

#define C10_UNUSED __attribute__((unused))
#define C10_NODISCARD [[nodiscard]]
#define C10_RESTRICT __restrict
#define C10_LIKELY(EXPRESSION) (__builtin_expect(static_cast<bool>(EXPRESSION), 1))
#define C10_UNLIKELY(EXPRESSION) (__builtin_expect(static_cast<bool>(EXPRESSION), 0))
#define C10_API
#define C10_EXPORT
#define TORCH_API
#define C10_ALWAYS_INLINE inline __attribute__((always_inline))
#define C10_NOINLINE __attribute__((noinline))
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#define AT_HOST_DEVICE __host__ __device__
#define AT_DEVICE __device__
#define C10_LAUNCH_BOUNDS_1(THREADS) __launch_bounds__(THREADS)
#define C10_LAUNCH_BOUNDS_2(THREADS, BLOCKS) __launch_bounds__(THREADS, BLOCKS)
#define C10_LAUNCH_BOUNDS_SELECT(A, B, NAME, ...) NAME
#define C10_LAUNCH_BOUNDS(...) \
  C10_LAUNCH_BOUNDS_SELECT(__VA_ARGS__, C10_LAUNCH_BOUNDS_2, C10_LAUNCH_BOUNDS_1)(__VA_ARGS__)
