// The neutral part of the CPU device: what a prepared translation unit calls, whichever names it uses for the API.
// Nothing here carries a CUDA or MUSA name; the generated headers pair those with what stands here.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "dim.h"

#define EMU_INLINE inline __attribute__((always_inline))

namespace emu {

// ---- where a call stands: default arguments, because return addresses are not stable under optimisation
struct Site {
  const char* file;
  int line;
  static constexpr Site here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) { return {file, line}; }
};

// ---- launches
struct Config {
  dim3 grid, block;
  size_t shared = 0;
  uintptr_t stream = 0;
  Config(dim3 g, dim3 b, size_t s = 0) : grid(g), block(b), shared(s) {}
  template <class S>
  Config(dim3 g, dim3 b, size_t s, S st) : grid(g), block(b), shared(s) {
    if constexpr (std::is_pointer<S>::value) stream = reinterpret_cast<uintptr_t>(st);
  }
};

enum class Element : int { bytes, signed_integer, unsigned_integer, floating, half, bfloat16, untyped };

// What the launch log says of an argument. `pointer`: `element` and `size` speak of what it points to.
struct Argument {
  bool pointer, constant;
  Element element;
  int size;
  unsigned long long value;
};

template <class T>
struct element_of {
  static constexpr Element value = std::is_floating_point<T>::value ? Element::floating
                                   : std::is_enum<T>::value         ? Element::signed_integer
                                   : !std::is_integral<T>::value    ? Element::bytes
                                   : std::is_signed<T>::value       ? Element::signed_integer
                                                                    : Element::unsigned_integer;
};

template <class A>
Argument describe(const A& a) {
  Argument d{};
  if constexpr (std::is_pointer<A>::value) {
    using Pointee = std::remove_pointer_t<A>;
    using Plain = std::remove_cv_t<Pointee>;
    d.pointer = true;
    d.constant = std::is_const<Pointee>::value;
    d.value = reinterpret_cast<unsigned long long>(a);
    if constexpr (std::is_void<Plain>::value || std::is_function<Plain>::value) {
      d.element = Element::untyped;
      d.size = 1;
    } else {
      d.element = element_of<Plain>::value;
      d.size = static_cast<int>(sizeof(Plain));
    }
  } else {
    d.element = element_of<A>::value;
    d.size = static_cast<int>(sizeof(A));
    // a structure may have padding, whose bytes mean nothing
    if (d.element != Element::bytes) memcpy(&d.value, &a, sizeof(A) < 8 ? sizeof(A) : 8);
  }
  return d;
}

struct Kernel {
  const char* name;
  const char* file;
  int line;
  bool cooperative;
  const void* function = nullptr;  // its address, where the launch's text tells which of several it is
};

// Runs a whole grid; returns the error code of the launch (0: it ran to its end).
int launch(const Kernel&, const Config&, void (*body)(void*), void* closure, const Argument*, int arguments);

// ---- shared memory
struct SharedSlot {
  unsigned long long epoch = 0;  // the launch that `offset` belongs to
  size_t offset = 0;
};
extern unsigned long long launch_epoch;
extern char* block_arena;  // of the running block
size_t arena_bytes();
// `described`: text of the compiler's that holds the name of the variable's tag
size_t place_slot(SharedSlot&, size_t size, size_t align, const char* described);
void* dynamic_shared();
extern const char* dynamic_name;  // what the running kernel calls it
EMU_INLINE void* dynamic_shared(const char* name) {
  dynamic_name = name;
  return dynamic_shared();
}

template <class T, class Tag>
struct slot_of {
  static inline SharedSlot slot;
};

// One slot for each tag and type: the tag is a local class, so each variable of each instantiation has its own. What
// the source says of the variable's alignment stands on the tag.
template <class T, class Tag, size_t Align = (alignof(Tag) > 128 ? alignof(Tag) : 128)>
EMU_INLINE T& shared() {
  SharedSlot& slot = slot_of<T, Tag>::slot;
  size_t offset = __builtin_expect(slot.epoch == launch_epoch, 1) ? slot.offset
                                                                  : place_slot(slot, sizeof(T), Align, __PRETTY_FUNCTION__);
  return *reinterpret_cast<T*>(block_arena + offset);
}

// `__shared__ T name;` at namespace scope.
template <class T, class Tag>
struct SharedVariable {
  operator T&() const { return shared<T, Tag>(); }
  T* operator&() const { return &shared<T, Tag>(); }
  template <class I>
  decltype(auto) operator[](I i) const {
    return shared<T, Tag>()[i];
  }
  template <class V>
  T& operator=(const V& value) const {
    return shared<T, Tag>() = value;
  }
};

// `extern __shared__ T name[];` at namespace scope.
template <class T>
struct DynamicArray {
  operator T*() const { return static_cast<T*>(dynamic_shared()); }
  template <class U>
  explicit operator U*() const {
    return static_cast<U*>(dynamic_shared());
  }
  template <class I>
  T& operator[](I i) const {
    return static_cast<T*>(dynamic_shared())[i];
  }
  template <class I>
  T* operator+(I i) const {
    return static_cast<T*>(dynamic_shared()) + i;
  }
  T* operator&() const { return static_cast<T*>(dynamic_shared()); }
  T& operator*() const { return *static_cast<T*>(dynamic_shared()); }
};

// ---- barriers. The value of the reducing kinds is that of CUDA's __syncthreads_count, _and and _or.
enum class Barrier : int { plain, count, conjunction, disjunction };
int barrier(Barrier, int predicate, Site);
// The barrier of that number for so many threads of the block; without `wait` the caller only arrives. Its value is as
// the block's is.
int named_barrier(unsigned number, unsigned threads, bool wait, Site, Barrier = Barrier::plain, int predicate = 0);
void grid_barrier(Site);
bool grid_barrier_allowed();
// Threads `first` to `first + size - 1` of the block, all of them: a barrier, and what each of them lays down for the
// others to read until the next barrier of theirs.
void team_barrier(unsigned first, unsigned size, Site);
void lay_down(const void*);
const void* laid_down(unsigned rank);

// ---- copies that may come at any time until they are waited for: they are made when they are, and till then the
// destination holds poison. `bytes` are copied, the rest of `total` becomes 0. A batch is what was begun since the last.
void begin_copy(void* to, const void* from, size_t bytes, size_t total);
void end_batch();
void wait_batches(unsigned but_the_last);

// ---- warps
enum class Op : int {
  shuffle_index, shuffle_up, shuffle_down, shuffle_xor, ballot, any, all, sync, match_any, match_all,
  reduce_add, reduce_min, reduce_max, reduce_and, reduce_or, reduce_xor, meet, active
};
// One warp operation of the calling thread. `masked` false: the legacy form, which names no lanes. `in` and `out`
// have `size` bytes (32 at most). `width` 0 stands for the whole warp. Returns the mask or vote, if it has one.
unsigned long long warp(Op, bool masked, unsigned mask, const void* in, int size, int argument, int width, Site,
                        void* out, bool is_signed = false);
unsigned lane();            // within the warp of 32 or 128 lanes
unsigned thread_rank();     // linear index within the block
int lanes();                // 32 or 128
int reported_lanes();       // what the host is told; MUSIFY_EMU_WIDTH where it is set

// ---- race mode (races.cpp): units built for it say which accesses are atomic, and where a thread fences
void atomic_begins(const volatile void* p, size_t bytes, bool writes);
void atomic_ends();
void fenced();
#ifdef MUSIFY_EMU_RACES
// While one lives, all that the thread does counts as one atomic access of these bytes.
struct Atomically {
  EMU_INLINE explicit Atomically(const volatile void* p, size_t bytes, bool writes = true) { atomic_begins(p, bytes, writes); }
  EMU_INLINE ~Atomically() { atomic_ends(); }
};
EMU_INLINE void note_fence() { fenced(); }
#else
struct Atomically {
  EMU_INLINE explicit Atomically(const volatile void*, size_t, bool = true) {}
  EMU_INLINE ~Atomically() {}
};
EMU_INLINE void note_fence() {}
#endif

// ---- ends of a launch
[[noreturn]] void trap(const char* reason, const char* detail);  // reason: "trap", "assert", "stub", "unsupported" ...
[[noreturn]] void stub(const char* code);
void unsupported_asm(const char* statement);
bool in_kernel();

// ---- progress: what a waiting loop calls, so that whoever it waits for can run
void spin();
long long ticks();  // counts thread switches and calls; never the wall clock

// ---- reports; the launch, if one runs, names the kernel, and the site the line
void finding(const char* kind, const char* assumption, Site, const char* format, ...)
    __attribute__((format(printf, 4, 5)));
void assume(const char* assumption, const char* message, Site);

// ---- memory of the device
enum class Memory : int { device, managed, host };
void* allocate_memory(size_t bytes, Memory);
bool free_memory(void*, const char* caller, Site);
// Whether [p, p + bytes) lies within one allocation; reports what does not. `what` names the call and the side of it.
bool check_range(const void* p, size_t bytes, const char* what, Site);
bool check_symbol(size_t symbol, size_t bytes, size_t offset, const char* caller, Site);
void register_symbol(const void* p, size_t bytes);
struct Owner {
  const void* base;
  size_t bytes;
  Memory memory;
  int device;
};
bool owner_of(const void* p, Owner*);
void free_bytes(size_t* available, size_t* total);

// ---- errors, by the number that both APIs use
int raise(int error);             // remembers it and returns it
int last_error(bool clear);
int asynchronous_error();         // of a kernel that was ended; stays until reset
void reset_errors();
const char* error_text(int error);

// ---- the device that a unit was compiled for
struct Model {
  int arch;
  const char* name;
  int major, minor, lanes, multiprocessors, threads_per_multiprocessor, blocks_per_multiprocessor;
  size_t memory, shared_per_block, shared_per_multiprocessor, shared_per_block_optin;
  int registers_per_block, registers_per_multiprocessor, clock_khz, memory_clock_khz, bus_bits, l2_bytes;
};
const Model& model(int arch);
int register_unit(int arch);
// Dynamic shared memory that a launch of a kernel may ask for. Without a function: the most that any may.
int shared_limit_of(const void* function);
void set_shared_limit(const void* function, int bytes);
int active_blocks(int arch, int block_threads, size_t shared);

}  // namespace emu
