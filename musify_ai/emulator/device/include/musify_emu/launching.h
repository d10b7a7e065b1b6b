// Launches as units write them, and launches kept for later: by a stream's capture, a graph's node, a kernel's pointer.
#pragma once
#include <utility>

#include "core.h"

namespace emu {

// Work that owns what it needs.
struct Deferred {
  void* closure = nullptr;
  void (*body)(void*) = nullptr;
  void (*drop)(void*) = nullptr;
};
template <class F>
Deferred defer(F work) {
  return Deferred{new F(work), [](void* p) { (*static_cast<F*>(p))(); }, [](void* p) { delete static_cast<F*>(p); }};
}

// graphs.cpp: whether a stream only notes what it is told; then launches go there.
extern int captures;
bool capturing(uintptr_t stream);
int capture_launch(const Kernel&, const Config&, Deferred, const Argument*, int arguments);
// late.cpp: whether streams hold work back until somebody waits for it, but for work that is done at once.
extern bool late;
extern thread_local int at_once;
bool holds();
int hold_launch(const Kernel&, const Config&, Deferred, const Argument*, int arguments);
struct AtOnce {
  AtOnce() { at_once++; }
  ~AtOnce() { at_once--; }
};

// Whether whoever asks is a kernel, and a launch that one makes: done when its own grid has ended. `make` gives the work.
bool in_device_code();
int launch_by_kernel(const Kernel&, const Config&, Deferred (*make)(void*), void* maker, const Argument*, int arguments);

template <class Body>
void invoke(void* closure) {
  (*static_cast<Body*>(closure))();
}

// The address of a kernel, asked of the text that names it: alone where that names one function, else by the types of
// the arguments.
struct AddressOf {
  template <class R, class... P>
  const void* operator()(R (*function)(P...)) const {
    return reinterpret_cast<const void*>(function);
  }
};
template <class... A>
struct AddressFor {
  const void* operator()(void (*function)(A...)) const { return reinterpret_cast<const void*>(function); }
};

// `Launcher(name, file, line, Config(...))(callable, arguments...)` stands for `name<<<...>>>(arguments...)`.
struct Launcher {
  Kernel kernel;
  Config config;
  Launcher(const char* name, const char* file, int line, const Config& c, bool cooperative = false,
           const void* function = nullptr)
      : kernel{name, file, line, cooperative, function}, config(c) {}
  template <class F, class... A>
  int operator()(F&& f, A... a) const {
    const Argument described[sizeof...(A) + 1] = {describe(a)...};
    constexpr int count = static_cast<int>(sizeof...(A));
    auto later = [&] { return defer([f, a...]() mutable { f(a...); }); };
    if (__builtin_expect(in_device_code(), 0)) {
      auto make = [](void* maker) { return (*static_cast<decltype(later)*>(maker))(); };
      return launch_by_kernel(kernel, config, make, &later, described, count);
    }
    if (__builtin_expect(captures != 0, 0) && capturing(config.stream))
      return capture_launch(kernel, config, later(), described, count);
    if (__builtin_expect(late, 0) && holds()) return hold_launch(kernel, config, later(), described, count);
    auto body = [&] { f(a...); };
    return launch(kernel, config, &invoke<decltype(body)>, &body, described, count);
  }
  // What a prepared `<<<...>>>` is: the argument list follows by itself, so that it may be empty or a macro's.
  // `address` calls what it is given with the kernel.
  template <class F, class G>
  auto call(F f, G address) const {
    return [self = *this, f, address](auto... a) mutable {
      if constexpr (std::is_invocable<G, AddressOf>::value) self.kernel.function = address(AddressOf());
      else if constexpr (std::is_invocable<G, AddressFor<decltype(a)...>>::value)
        self.kernel.function = address(AddressFor<decltype(a)...>());
      self(f, a...);
    };
  }
};

// ---- kernels by their address, whose parameters nothing else tells
struct KernelEntry {
  const void* function;
  const char* name;  // null: taken by address only
  int parameters;
  // A launch's work with copies of the values, which are described too.
  Deferred (*with)(const void* function, void** values, Argument* described);
  // The same from one block of bytes, in which each value is aligned as its type is; false where it is too short.
  bool (*unpack)(const char* bytes, size_t size, void** values);
  size_t (*size_of)(int parameter);
};
const KernelEntry* kernel_entry(const void* function);
const KernelEntry* kernel_named(const char* name);
int enter_kernel(const KernelEntry&);

template <class T>
using held = std::remove_cv_t<std::remove_reference_t<T>>;

template <class... P, size_t... I>
Deferred deferred_call(const void* function, void** values, Argument* described, void (*)(P...), std::index_sequence<I...>) {
  auto kernel = reinterpret_cast<void (*)(P...)>(const_cast<void*>(function));
  ((described[I] = describe(*static_cast<held<P>*>(values[I]))), ...);
  (void)values, (void)described;
  return [kernel](held<P>... a) { return defer([kernel, a...]() mutable { kernel(a...); }); }(
      *static_cast<held<P>*>(values[I])...);
}
template <class... P>
Deferred deferred_kernel(const void* function, void** values, Argument* described) {
  return deferred_call(function, values, described, static_cast<void (*)(P...)>(nullptr), std::index_sequence_for<P...>());
}
template <class... P>
bool unpacked(const char* bytes, size_t size, void** values) {
  size_t at = 0;
  int i = 0;
  auto one = [&](size_t length, size_t align) {
    at = (at + align - 1) / align * align;
    values[i++] = const_cast<char*>(bytes + at);
    at += length;
  };
  (one(sizeof(held<P>), alignof(held<P>)), ...);
  (void)one;
  return at <= size;
}
template <class... P>
size_t parameter_size(int i) {
  const size_t sizes[] = {sizeof(held<P>)..., 0};
  return sizes[i];
}
template <class... P>
int register_kernel(const char* name, void (*kernel)(P...)) {
  return enter_kernel(KernelEntry{reinterpret_cast<const void*>(kernel), name, static_cast<int>(sizeof...(P)),
                                  &deferred_kernel<P...>, &unpacked<P...>, &parameter_size<P...>});
}
// What a prepared `(void*)kernel` is; anything else is cast as it was.
template <class... P>
void* kernel_pointer(void (*kernel)(P...)) {
  register_kernel(nullptr, kernel);
  return reinterpret_cast<void*>(kernel);
}
template <class R, class... P>
void* kernel_pointer(R (*function)(P...)) {
  return reinterpret_cast<void*>(function);
}
template <class T>
void* kernel_pointer(const T& value) {
  return (void*)value;
}

// Launches by pointer, at once or into a capture.
int launch_by_pointer(const char* call, const void* function, const Config&, bool cooperative, void** values, Site);

}  // namespace emu
