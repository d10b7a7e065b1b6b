// Barriers by number: two groups that wait for their own, a producer that only arrives, and one that never completes.
#include <cstdio>
#include <cstring>

#include "api.h"

typedef int stage_t[128];

__global__ void two_groups(int* out) {
  SHARED(stage_t, stage);
  int t = threadIdx.x, group = t / 64, first = group * 64;
  for (int round = 0; round < 3; round++) {
    stage[t] = 1000 * round + t;
    ::emu::named_barrier(1 + group, 64, true, ::emu::Site::here());
    out[round * 128 + t] = stage[first + 63 - (t - first)];
    ::emu::named_barrier(1 + group, 64, true, ::emu::Site::here());
  }
}
__global__ void producer(int* out) {
  SHARED(stage_t, stage);
  int t = threadIdx.x;
  if (t >= 64) {
    stage[t - 64] = 7 * t;
    ::emu::named_barrier(3, 128, false, ::emu::Site::here());
  } else {
    ::emu::named_barrier(3, 128, true, ::emu::Site::here());
    out[t] = stage[63 - t];
  }
}
__global__ void incomplete(int* out) {
  if (threadIdx.x < 32) ::emu::named_barrier(1, 64, true, ::emu::Site::here());
  out[threadIdx.x] = 1;
}

int main(int argc, char** argv) {
  int *device, host[3 * 128];
  API(Malloc)(&device, sizeof host);
  if (argc > 1) {
    LAUNCH(incomplete, 1, 64, 0, device);
    printf("incomplete %d\n", (int)API(DeviceSynchronize)());
    return 0;
  }
  LAUNCH(two_groups, 1, 128, 0, device);
  API(Memcpy)(host, device, sizeof host, API(MemcpyDeviceToHost));
  bool good = true;
  for (int i = 0; i < 3 * 128; i++) {
    int t = i % 128, first = t / 64 * 64;
    good = good && host[i] == 1000 * (i / 128) + first + 63 - (t - first);
  }
  printf("groups %d\n", good);
  LAUNCH(producer, 1, 128, 0, device);
  API(Memcpy)(host, device, 64 * sizeof(int), API(MemcpyDeviceToHost));
  for (int t = 0; t < 64; t++) good = good && host[t] == 7 * (127 - t);
  printf("producer %d\n", good);
}
