// Integers packed in a word: every function over fixed operands. Prints "name a b result".
#include <cstdio>

#include "api.h"

static unsigned state = 7;
static unsigned next() { return state = state * 1664525u + 1013904223u; }

int main() {
  unsigned corners[] = {0, 0x7fff8000, 0x80017fff, 0xffff0001, 0x807f017f, 0x00ff8001};
  for (int i = 0; i < 136; i++) {
    unsigned a = i < 36 ? corners[i / 6] : next(), b = i < 36 ? corners[i % 6] : next();
#define ONE(N) printf("%s2 %u %u %u\n%s4 %u %u %u\n", #N, a, b, N##2(a), #N, a, b, N##4(a));
#define TWO(N) printf("%s2 %u %u %u\n%s4 %u %u %u\n", #N, a, b, N##2(a, b), #N, a, b, N##4(a, b));
    ONE(__vabs) ONE(__vabsss) ONE(__vneg) ONE(__vnegss)
    TWO(__vadd) TWO(__vaddss) TWO(__vaddus) TWO(__vsub) TWO(__vsubss) TWO(__vsubus)
    TWO(__vabsdiffs) TWO(__vabsdiffu) TWO(__vavgu) TWO(__vhaddu) TWO(__vmaxs) TWO(__vmaxu)
    TWO(__vmins) TWO(__vminu) TWO(__vsads) TWO(__vsadu) TWO(__vcmpeq) TWO(__vcmpne)
    TWO(__vcmpges) TWO(__vcmpgeu) TWO(__vcmpgts) TWO(__vcmpgtu) TWO(__vcmples) TWO(__vcmpleu)
    TWO(__vcmplts) TWO(__vcmpltu) TWO(__vseteq) TWO(__vsetne) TWO(__vsetges) TWO(__vsetgeu)
    TWO(__vsetgts) TWO(__vsetgtu) TWO(__vsetles) TWO(__vsetleu) TWO(__vsetlts) TWO(__vsetltu)
  }
}
