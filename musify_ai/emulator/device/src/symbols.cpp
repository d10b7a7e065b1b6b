// Names of the C library that mean something else in a kernel. The program's own definition wins over the library's.
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "../include/musify_emu/core.h"

extern "C" {

// Deterministic on the host as well: two runs of a program must print the same.
clock_t clock() { return static_cast<clock_t>(emu::ticks()); }

[[noreturn]] void __assert_fail(const char* expression, const char* file, unsigned line, const char* function) {
  static char text[400];
  snprintf(text, sizeof text, "%s:%u: %s: assertion `%s' failed", file, line, function ? function : "?", expression);
  if (emu::in_kernel()) emu::trap("assert", text);
  fprintf(stderr, "%s\n", text);
  abort();
}
}
