// Every warp operation over widths, masks and arguments. Prints a line for each case: name, width, mask, argument, and
// the result of each of 192 threads ("-" for a thread that took no part). The test computes what they should be.
#include <cstdio>
#include <vector>

#include "api.h"

const int N = 192;
enum { IDX, UP, DOWN, XOR, OLD_IDX, OLD_UP, OLD_DOWN, OLD_XOR, BALLOT, ANY, ALL, MATCH_ANY, MATCH_ALL, ADD, MIN, MAX, UMIN, UMAX, AND, OR, EXOR,
       ACTIVE, DIVERGED, OLD_BALLOT, OLD_ANY, OLD_ALL, KINDS };
const char* names[] = {"idx", "up", "down", "xor", "old_idx", "old_up", "old_down", "old_xor", "ballot", "any", "all", "match_any",
                       "match_all", "add", "min", "max", "umin", "umax", "and", "or", "exor", "active", "diverged", "old_ballot", "old_any", "old_all"};

__global__ void one(int kind, int width, unsigned mask, int argument, long long* out) {
  int t = threadIdx.x, v = t * 7 - 300;
  bool p = t * 5 % 3 == 0;
  if (!(mask >> (t & 31) & 1)) return;
  long long r = 0;
  int all = 0;
  switch (kind) {
    case IDX: r = __shfl_sync(mask, v, argument, width); break;
    case UP: r = __shfl_up_sync(mask, v, argument, width); break;
    case DOWN: r = __shfl_down_sync(mask, v, argument, width); break;
    case XOR: r = __shfl_xor_sync(mask, v, argument, width); break;
    case OLD_IDX: r = __shfl(v, argument, width); break;
    case OLD_UP: r = __shfl_up(v, argument, width); break;
    case OLD_DOWN: r = __shfl_down(v, argument, width); break;
    case OLD_XOR: r = __shfl_xor(v, argument, width); break;
    case BALLOT: r = __ballot_sync(mask, p); break;
    case ANY: r = __any_sync(mask, t % 64 == argument); break;
    case ALL: r = __all_sync(mask, t % 64 != argument); break;
    case MATCH_ANY: r = __match_any_sync(mask, t % 5); break;
    case MATCH_ALL: r = __match_all_sync(mask, t / 32 == 1 ? t : 9, &all); r |= (long long)all << 32; break;
    case ADD: r = __reduce_add_sync(mask, v); break;
    case MIN: r = __reduce_min_sync(mask, v); break;
    case MAX: r = __reduce_max_sync(mask, v); break;
    case UMIN: r = __reduce_min_sync(mask, (unsigned)v); break;
    case UMAX: r = __reduce_max_sync(mask, (unsigned)v); break;
    case AND: r = __reduce_and_sync(mask, (unsigned)(v | 8)); break;
    case OR: r = __reduce_or_sync(mask, (unsigned)t); break;
    case EXOR: r = __reduce_xor_sync(mask, (unsigned)v); break;
    case ACTIVE: r = __activemask(); break;
    case DIVERGED:
      if (t % 3)
        r = __ballot(1);
      else
        r = __ballot(1);
      break;
    case OLD_BALLOT: r = __ballot(p); break;
    case OLD_ANY: r = __any(t % 64 == argument); break;
    case OLD_ALL: r = __all(t % 64 != argument); break;
  }
  out[t] = r;
}

// Only some lanes call a shuffle whose mask and width speak of the whole warp.
__global__ void some(int* out) {
  if (threadIdx.x < 32) out[threadIdx.x] = __shfl_down_sync(0xffffffffu, (int)threadIdx.x, 16);
  __syncthreads();
}

int main(int count, char**) {
  if (count > 1) {
    int *p, h[32];
    API(Malloc)(&p, sizeof h);
    LAUNCH(some, 1, 128, 0, p);
    API(Memcpy)(h, p, sizeof h, API(MemcpyDeviceToHost));
    for (int x : h) printf("%d ", x);
    API(Free)(p);
    return 0;
  }
  long long* out;
  std::vector<long long> h(N);
  API(Malloc)(&out, N * 8);
  const long long none = 0x7777777777777777ll;
  unsigned masks[] = {0xffffffffu, 0x0000ffffu, 0x55555555u, 0x80000001u};
  int arguments[] = {0, 1, 2, 5, 16, 31, 33, 70};
  for (int kind = 0; kind < KINDS; kind++)
    for (unsigned mask : masks)
      for (int width = kind <= OLD_XOR ? 1 : warpSize; width <= warpSize; width *= 2)
        for (int argument : arguments) {
          if (kind > OLD_XOR && kind != ANY && kind != ALL && kind != OLD_ANY && kind != OLD_ALL && argument) continue;
          for (auto& x : h) x = none;
          API(Memcpy)(out, h.data(), N * 8, API(MemcpyHostToDevice));
          LAUNCH(one, 1, N, 0, kind, width, mask, argument, out);
          API(Memcpy)(h.data(), out, N * 8, API(MemcpyDeviceToHost));
          printf("%s %d %u %d", names[kind], width, mask, argument);
          for (auto x : h) if (x == none) printf(" -"); else printf(" %lld", x);
          printf("\n");
        }
  API(Free)(out);
}
