// Graphs, stream capture, pools, managed and registered memory. Prints what each call gives.
#include <cstdio>
#include <initializer_list>
#include <vector>

#include "api.h"

__global__ void add(int* p, int v) { p[threadIdx.x] += v; }
__global__ void scale(int* p, int by) { p[threadIdx.x] *= by; }
static void called(void* data) { ++*(int*)data; }

static int* made(int n, int value) {
  int* p;
  std::vector<int> h(n, value);
  API(Malloc)(&p, n * 4);
  API(Memcpy)(p, h.data(), n * 4, API(MemcpyHostToDevice));
  return p;
}
static int first(const int* p, int i = 0) {
  int v;
  API(Memcpy)(&v, p + i, 4, API(MemcpyDeviceToHost));
  return v;
}
#define E(call) (int)(call)
// In the order they stand in, as the arguments of a function are not.
static void say(std::initializer_list<long long> all) {
  for (long long v : all) printf(" %lld", v);
}

#ifndef __MUSACC__
// CUDA 13's forms, which MUSA lacks.
static void newer_forms(cudaStream_t s) {
  cudaGraph_t forms;
  cudaGraphCreate(&forms, 0);
  cudaGraphNode_t a, b, next;
  cudaGraphAddEmptyNode(&a, forms, nullptr, 0);
  cudaGraphAddEmptyNode(&b, forms, nullptr, 0);
  cudaGraphEdgeData wanted = {}, edge = {1, 1, 1};
  printf("forms");
  say({E(cudaGraphAddDependencies(forms, &a, &b, nullptr, 1)), E(cudaGraphRemoveDependencies(forms, &a, &b, &wanted, 1)),
       E(cudaGraphAddDependencies_v2(forms, &a, &b, &edge, 1)), E(cudaGraphAddDependencies_v2(forms, &a, &b, &wanted, 1))});
  size_t count = 1;
  say({E(cudaGraphNodeGetDependencies(b, &next, &edge, &count)), next == a, edge.type, (long long)count});
  count = 0;
  say({E(cudaGraphGetEdges(forms, nullptr, nullptr, nullptr, &count)), (long long)count});
  cudaMemLocation host;
  host.type = cudaMemLocationTypeHost;
  int* both;
  cudaMallocManaged(&both, 128);
  say({E(cudaMemPrefetchAsync(both, 128, host, 0, s)), E(cudaMemAdvise(both, 128, cudaMemAdviseSetPreferredLocation, host))});
  printf("\n");
}
#endif

int main() {
  int* p = made(32, 1);
  API(Stream_t) s, t;
  API(StreamCreate)(&s);
  API(StreamCreateWithFlags)(&t, API(StreamNonBlocking));
  API(Event_t) fork, join;
  API(EventCreate)(&fork);
  API(EventCreate)(&join);

  // Captured: nothing runs before the launch, then all of it in order, as often as it is launched.
  API(Graph_t) g;
  API(GraphExec_t) e;
  int calls = 0, fresh = 0;
  API(StreamCaptureStatus) status;
  printf("capture");
  say({E(API(StreamBeginCapture)(s, API(StreamCaptureModeGlobal)))});
  LAUNCH_ON(s, add, 1, 32, p, 4);
  API(MemcpyAsync)(&fresh, p, 4, API(MemcpyDeviceToHost), s);
  API(EventRecord)(fork, s);
  API(StreamWaitEvent)(t, fork, 0);
  API(LaunchHostFunc)(t, called, &calls);
  API(EventRecord)(join, t);
  LAUNCH_ON(s, scale, 1, 32, p, 3);
  API(StreamWaitEvent)(s, join, 0);
  API(MemsetAsync)(p + 31, 0, 4, s);
  API(StreamIsCapturing)(t, &status);
  say({(int)status, E(API(StreamEndCapture)(s, &g))});
  size_t nodes = 0, edges = 0, roots = 0;
  API(GraphGetNodes)(g, nullptr, &nodes);
  API(GraphGetEdges)(g, nullptr, nullptr, &edges);
  API(GraphGetRootNodes)(g, nullptr, &roots);
  printf(" %zu %zu %zu %d %d", nodes, edges, roots, first(p), calls);
  say({E(API(GraphInstantiate)(&e, g, 0))});
  API(GraphLaunch)(e, s);
  printf(" %d %d %d %d", first(p), first(p, 31), fresh, calls);
  API(GraphLaunch)(e, s);
  printf(" %d %d %d\n", first(p), first(p, 31), calls);

  // What may not be done while a stream is captured.
  API(StreamBeginCapture)(s, API(StreamCaptureModeGlobal));
  printf("forbidden");
  say({E(API(StreamSynchronize)(s))});
  LAUNCH_ON(s, add, 1, 32, p, 4);
  say({E(API(GetLastError)())});
  API(Graph_t) none = g;
  say({E(API(StreamEndCapture)(s, &none)), none == nullptr});
  API(StreamBeginCapture)(s, API(StreamCaptureModeRelaxed));
  API(EventRecord)(fork, s);
  API(StreamWaitEvent)(t, fork, 0);
  LAUNCH_ON(t, add, 1, 32, p, 4);
  say({E(API(StreamEndCapture)(s, &none))});
  API(StreamBeginCapture)(s, API(StreamCaptureModeGlobal));
  LAUNCH_ON((API(Stream_t))0, add, 1, 32, p, 4);
  say({E(API(GetLastError)())});
  say({E(API(StreamEndCapture)(s, &none)), E(API(StreamBeginCapture)(0, API(StreamCaptureModeGlobal)))});
  printf("\n");
  API(GetLastError)();

  // Node by node, with edges that are not the order of making.
  API(Graph_t) h;
  API(GraphNode_t) k, m, c, f, x, inner;
  int* q = made(32, 7);
  API(GraphCreate)(&h, 0);
  int v = 5;
  void* values[] = {&q, &v};
  API(KernelNodeParams) kp = {::emu::kernel_pointer(add), dim3(1), dim3(32), 0, values, nullptr};
  int out = 0;
  printf("nodes");
  say({E(API(GraphAddMemcpyNode1D)(&c, h, nullptr, 0, &out, q, 4, API(MemcpyDeviceToHost)))});
  say({E(API(GraphAddKernelNode)(&k, h, nullptr, 0, &kp))});
  API(MemsetParams) mp = {q, 0, 0x0102, 2, 64, 1};
  say({E(API(GraphAddMemsetNode)(&m, h, nullptr, 0, &mp))});
  API(HostNodeParams) hp = {called, &calls};
  API(GraphAddHostNode)(&f, h, &c, 1, &hp);
  API(GraphAddEmptyNode)(&x, h, &f, 1);
  API(GraphAddChildGraphNode)(&inner, h, &x, 1, g);
  API(GraphNode_t) from[] = {m, k}, to[] = {k, c};
  say({E(API(GraphAddDependencies)(h, from, to, 2))});
  API(GraphNodeType) type;
  API(GraphNodeGetType)(inner, &type);
  size_t count = 0;
  API(GraphNodeGetDependencies)(k, nullptr, &count);
  printf(" %d %zu", (int)type, count);
  v = 100;  // the values were taken when the node was made
  API(GraphExec_t) he;
  API(GraphInstantiate)(&he, h, 0);
  API(GraphLaunch)(he, 0);
  printf(" %#x %d", out, calls);
  int w = 0x10000;
  void* changed[] = {&q, &w};
  kp.kernelParams = changed;
  say({E(API(GraphExecKernelNodeSetParams)(he, k, &kp))});
  API(GraphLaunch)(he, 0);
  printf(" %#x", out);
  API(KernelNodeParams) got;
  API(GraphKernelNodeGetParams)(k, &got);
  printf(" %d %d", *(int*)got.kernelParams[1], (int)got.blockDim.x);
  mp.value = 0x0505;
  API(GraphMemsetNodeSetParams)(m, &mp);
  API(GraphNode_t) at_fault;
  API(GraphExecUpdateResult) result;
  say({E(API(GraphExecUpdate)(he, h, &at_fault, &result))});
  API(GraphLaunch)(he, 0);
  printf(" %#x", out);
  API(GraphDestroyNode)(x);
  say({E(API(GraphExecUpdate)(he, h, &at_fault, &result)), (int)result});
  printf("\n");
  API(GetLastError)();
  from[0] = c;
  to[0] = m;
  API(GraphAddDependencies)(h, from, to, 1);
  printf("circle");
  say({E(API(GraphInstantiate)(&he, h, 0))});
  printf("\n");
  API(GetLastError)();

  // Pools.
  API(MemPool_t) usual, own;
  API(DeviceGetDefaultMemPool)(&usual, 0);
  unsigned long long keep = 5000, used = 0, reserved = 0, high = 0;
  API(MemPoolSetAttribute)(usual, API(MemPoolAttrReleaseThreshold), &keep);
  int *a, *b;
  API(MallocAsync)(&a, 4000, s);
  API(MallocAsync)(&b, 6000, s);
  API(FreeAsync)(a, s);
  API(MemPoolGetAttribute)(usual, API(MemPoolAttrUsedMemCurrent), &used);
  API(MemPoolGetAttribute)(usual, API(MemPoolAttrUsedMemHigh), &high);
  API(MemPoolGetAttribute)(usual, API(MemPoolAttrReservedMemCurrent), &reserved);
  printf("pool %llu %llu %llu", used, high, reserved);
  API(FreeAsync)(b, s);
  API(StreamSynchronize)(s);
  API(MemPoolGetAttribute)(usual, API(MemPoolAttrReservedMemCurrent), &reserved);
  printf(" %llu", reserved);
  API(MemPoolTrimTo)(usual, 0);
  API(MemPoolGetAttribute)(usual, API(MemPoolAttrReservedMemCurrent), &reserved);
  API(MemPoolProps) props = {};
  props.allocType = API(MemAllocationTypePinned);
  props.location.type = API(MemLocationTypeDevice);
  say({(long long)reserved, E(API(MemPoolCreate)(&own, &props))});
  say({E(API(MallocFromPoolAsync)(&a, 100, own, s))});
  API(MemPoolGetAttribute)(own, API(MemPoolAttrUsedMemCurrent), &used);
  say({(long long)used, E(API(Free)(a)), E(API(MemPoolDestroy)(own))});
  printf("\n");

  // Managed and registered memory.
  int *managed, plain[64];
  API(MallocManaged)(&managed, 256, API(MemAttachGlobal));
  printf("managed");
  say({E(API(MemPrefetchAsync)(managed, 256, 0, s))});
  say({E(API(MemAdvise)(managed, 256, API(MemAdviseSetReadMostly), 0)), E(API(StreamAttachMemAsync)(s, managed, 0))});
  say({E(API(MemPrefetchAsync)(p, 128, 0, s))});
  API(GetLastError)();
  say({E(API(HostRegister)(plain, sizeof plain, 0)), E(API(HostRegister)(plain, sizeof plain, 0))});
  int* seen;
  say({E(API(HostGetDevicePointer)(&seen, plain, 0)), seen == plain});
  LAUNCH(add, 1, 32, 0, seen, 1);
  say({E(API(HostUnregister)(plain)), E(API(HostUnregister)(plain))});
  printf("\n");
  API(GetLastError)();
  // Devices.
  int devices = 0, can = 0, current = -1;
  API(GetDeviceCount)(&devices);
  printf("devices");
  say({devices, E(API(SetDevice)(devices))});
  if (devices > 1) {
    API(SetDevice)(1);
    API(GetDevice)(&current);
    int* there = made(32, 3);
    API(PointerAttributes) attributes;
    API(PointerGetAttributes)(&attributes, there);
    printf(" %d %d", current, attributes.device);
    API(DeviceCanAccessPeer)(&can, 0, 1);
    say({can, E(API(DeviceEnablePeerAccess)(0, 0))});
    say({E(API(DeviceEnablePeerAccess)(0, 0))});
    say({E(API(MemcpyPeer)(q, 0, there, 1, 128)), first(q, 31)});
    say({E(API(DeviceDisablePeerAccess)(0))});
    say({E(API(DeviceDisablePeerAccess)(0))});
  }
  printf("\n");
#ifndef __MUSACC__
  newer_forms(s);
#endif
}
