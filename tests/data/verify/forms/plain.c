/* C that no C++ compiler takes: words, conversions, a type of its own linkage. */
#include <stdlib.h>
#include "plain.h"

struct box { int new; int class; };

int *plain_numbers(int n) {
  int *restrict out = malloc(n * sizeof *out);
  struct box one = {.class = 2, .new = 40};
  for (int i = 0; i < n; ++i) out[i] = one.new + one.class * i;
  return out;
}
