// Streams that do their work at the call, or as late as they may: what each call gives, and what is there when.
#include <cstdio>
#include <cstring>
#include <initializer_list>

#include "api.h"

__global__ void add(int* p, int v) { p[threadIdx.x] += v; }
__global__ void scale(int* p, int by) { p[threadIdx.x] *= by; }
__global__ void append(int* list, int v) {
  if (threadIdx.x == 0) list[1 + list[0]++] = v;
}
__global__ void wait_for_host(volatile int* flag, int* out) {
  while (*flag == 0) ::emu::spin();
  out[0] = *flag;
}
static void called(void* data) { ++*(int*)data; }
static void called_back(API(Stream_t), API(Error_t) error, void* data) { *(int*)data = 10 + (int)error; }

#define E(call) (int)(call)
static void say(std::initializer_list<long long> all) {
  for (long long v : all) printf(" %lld", v);
}
template <class T>
static T* pinned(size_t n) {
  T* p;
  API(MallocHost)(&p, n * sizeof(T));
  memset(p, 0, n * sizeof(T));
  return p;
}
static int* on_device(int n) {
  int* p;
  API(Malloc)(&p, n * 4);
  API(Memset)(p, 0, n * 4);
  return p;
}
static void order(const char* name, int* list, const int* host) {
  API(Memcpy)((void*)host, list, 16 * 4, API(MemcpyDeviceToHost));
  printf("%s", name);
  for (int i = 1; i <= host[0]; i++) printf(" %d", host[i]);
  printf("\n");
}

int main() {
  API(Stream_t) s, t, apart;
  API(StreamCreate)(&s);
  API(StreamCreate)(&t);
  API(StreamCreateWithFlags)(&apart, API(StreamNonBlocking));
  int* d = on_device(32);
  int list[16];

  // Queries, events, functions of the host.
  int calls = 0, status = 0;
  API(Event_t) begun, ended;
  API(EventCreate)(&begun);
  API(EventCreate)(&ended);
  API(EventRecord)(begun, s);
  LAUNCH_ON(s, add, 1, 32, d, 3);
  API(LaunchHostFunc)(s, called, &calls);
  API(StreamAddCallback)(s, called_back, &status, 0);
  API(EventRecord)(ended, s);
  int waits = 0;
  const int before = calls;
  float ms = -1;
  const int early = E(API(EventElapsedTime)(&ms, begun, ended));
  while (API(EventQuery)(ended) == API(ErrorNotReady)) waits++;
  const int quiet = E(API(StreamQuery)(s));
  printf("events");
  say({before, early, waits, quiet, calls, status, E(API(EventElapsedTime)(&ms, begun, ended)), ms >= 0});
  printf("\n");
  API(GetLastError)();

  // What a copy has not brought yet is not there; what a wait brings is.
  int *h = pinned<int>(32), *k = pinned<int>(32);
  API(MemcpyAsync)(h, d, 128, API(MemcpyDeviceToHost), s);
  API(StreamSynchronize)(s);
  printf("copied %d %d\n", h[0], h[31]);
  for (int i = 0; i < 32; i++) k[i] = i;
  API(MemcpyAsync)(d, k, 128, API(MemcpyHostToDevice), s);
  LAUNCH_ON(s, scale, 1, 32, d, 2);
  API(MemcpyAsync)(h, d, 128, API(MemcpyDeviceToHost), s);
  API(EventRecord)(ended, s);
  API(EventSynchronize)(ended);
  printf("pipeline %d %d\n", h[1], h[31]);
  int plain[32] = {};
  LAUNCH_ON(s, add, 1, 32, d, 1);
  API(MemcpyAsync)(plain, d, 128, API(MemcpyDeviceToHost), s);  // returns when it has been made
  printf("pageable %d %d\n", plain[0], plain[31]);

  // Who waits for whom: streams by events, the legacy one and the blocking ones, and nobody for the one apart.
  int* l = on_device(16);
  LAUNCH_ON(s, append, 1, 1, l, 1);
  API(EventRecord)(ended, s);
  API(StreamWaitEvent)(t, ended, 0);
  LAUNCH_ON(t, append, 1, 1, l, 2);
  LAUNCH_ON(s, append, 1, 1, l, 3);
  API(DeviceSynchronize)();
  order("by-event", l, list);
  API(Memset)(l, 0, 64);
  LAUNCH_ON(s, append, 1, 1, l, 1);
  LAUNCH_ON(t, append, 1, 1, l, 2);
  LAUNCH_ON(API(Stream_t)(nullptr), append, 1, 1, l, 3);
  LAUNCH_ON(t, append, 1, 1, l, 4);
  API(StreamSynchronize)(t);
  order("legacy", l, list);
  API(Memset)(l, 0, 64);
  LAUNCH_ON(apart, append, 1, 1, l, 1);
  LAUNCH_ON(s, append, 1, 1, l, 2);
  order("apart", l, list);  // the copy waits for the blocking stream alone
  API(DeviceSynchronize)();
  order("apart-then", l, list);

  // Turns and priorities.
  int least, greatest;
  API(DeviceGetStreamPriorityRange)(&least, &greatest);
  API(Stream_t) urgent;
  API(StreamCreateWithPriority)(&urgent, API(StreamNonBlocking), greatest);
  API(Memset)(l, 0, 64);
  LAUNCH_ON(s, append, 1, 1, l, 1);
  LAUNCH_ON(s, append, 1, 1, l, 2);
  LAUNCH_ON(t, append, 1, 1, l, 3);
  LAUNCH_ON(t, append, 1, 1, l, 4);
  LAUNCH_ON(urgent, append, 1, 1, l, 5);
  API(DeviceSynchronize)();
  order("turns", l, list);

  // A wrong copy and a wrong launch are refused at the call.
  printf("refused %d", E(API(MemcpyAsync)(h, d, 1 << 20, API(MemcpyDeviceToHost), s)));
  LAUNCH_ON(s, add, 1, 2000, d, 1);
  printf(" %d\n", E(API(GetLastError)()));

  if (getenv("MUSIFY_EMU_STREAMS") && strncmp(getenv("MUSIFY_EMU_STREAMS"), "late", 4) == 0) {
    // A kernel that waits for what the host does next.
    int* flag = pinned<int>(1);
    LAUNCH_ON(s, wait_for_host, 1, 1, flag, d);
    *flag = 7;
    API(StreamSynchronize)(s);
    API(Memcpy)(list, d, 4, API(MemcpyDeviceToHost));
    printf("waited %d\n", list[0]);
    // Too early: what a copy has still to fill, and what one has still to read; each is told of.
    API(MemcpyAsync)(h, d, 128, API(MemcpyDeviceToHost), s);
    volatile int seen = h[3];  // LOOKS
    (void)seen;
    API(StreamSynchronize)(s);
    API(MemcpyAsync)(d, k, 128, API(MemcpyHostToDevice), s);
    seen = k[0];
    k[3] = 5;  // CHANGES
    API(DeviceSynchronize)();
    LAUNCH_ON(s, add, 1, 32, d, 1);  // LEFT
  }
}
