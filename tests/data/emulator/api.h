// Both sides of a test program from one text: API(Malloc) is cudaMalloc or musaMalloc.
#pragma once
#ifdef __MUSACC__
#define API(name) musa##name
#else
#define API(name) cuda##name
#endif
#define LAUNCH(kernel, grid, block, shared, ...)                                       \
  ::emu::Launcher(#kernel, __FILE__, __LINE__, ::emu::Config(grid, block, shared)).call( \
      [&](auto... values) { kernel(values...); },                                      \
      [&](auto emu_k) -> decltype(emu_k(kernel)) { return emu_k(kernel); })(__VA_ARGS__)
#define LAUNCH_ON(stream, kernel, grid, block, ...)                                    \
  ::emu::Launcher(#kernel, __FILE__, __LINE__, ::emu::Config(grid, block, 0, stream)).call( \
      [&](auto... values) { kernel(values...); },                                      \
      [&](auto emu_k) -> decltype(emu_k(kernel)) { return emu_k(kernel); })(__VA_ARGS__)
#define COOPERATIVE(kernel, grid, block, ...)                                          \
  ::emu::Launcher(#kernel, __FILE__, __LINE__, ::emu::Config(grid, block), true)(      \
      [&](auto... values) { kernel(values...); }, __VA_ARGS__)
#define SHARED(T, name)     \
  typedef T name##__emu;    \
  struct name##__tag {};    \
  name##__emu& name = ::emu::shared<name##__emu, name##__tag>()
