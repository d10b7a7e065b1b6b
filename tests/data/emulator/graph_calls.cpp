// The calls for graphs and captures that graphs.cpp does not make: a line a check, "ok NAME" or "WRONG NAME". Run with
// streams that work at once and late. The argument is a file to write to.
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "api.h"
#include "libraries/check.h"

#ifdef __MUSACC__
#define MAKE(name) make_musa##name
#else
#define MAKE(name) make_cuda##name
#endif
enum { INVALID_VALUE = 1, OPERATING_SYSTEM = 304, NOT_READY = 600, NOT_SUPPORTED = 801, UNSUPPORTED_IN_CAPTURE = 900 };
#define GIVES(error, call, ...) check(#call, (int)API(call)(__VA_ARGS__) == error)

__global__ void add(int* p, int v) { p[threadIdx.x] += v; }
static void called(void* data) { ++*(int*)data; }
template <class T>
static T* pinned(size_t n) {
  T* p;
  API(MallocHost)(&p, n * sizeof(T));
  memset(p, 0, n * sizeof(T));
  return p;
}

// memory filled with 0x01010101, a kernel that adds, a copy of the first element, a call of the host: one after another
struct Chain {
  API(Graph_t) g;
  API(GraphNode_t) fill, kernel, copy, call;
  int *p, v = 5, *out = pinned<int>(4), *calls = pinned<int>(2);
  void* values[2];
  API(KernelNodeParams) launch;
  API(MemsetParams) bytes;
  Chain() : values{&p, &v} {
    API(Malloc)(&p, 128);
    API(GraphCreate)(&g, 0);
    bytes = {p, 0, 1, 1, 128, 1};
    API(GraphAddMemsetNode)(&fill, g, nullptr, 0, &bytes);
    launch = {::emu::kernel_pointer(add), dim3(1), dim3(32), 0, values, nullptr};
    API(GraphAddKernelNode)(&kernel, g, &fill, 1, &launch);
    API(GraphAddMemcpyNode1D)(&copy, g, &kernel, 1, out, p, 4, API(MemcpyDeviceToHost));
    API(HostNodeParams) host = {called, calls};
    API(GraphAddHostNode)(&call, g, &copy, 1, &host);
  }
};
constexpr int kFilled = 0x01010101;

static void nodes(API(Stream_t) s, bool late, const char* path) {
  Chain c;
  API(GraphExec_t) e, f;
  check("GraphInstantiateWithFlags", API(GraphInstantiateWithFlags)(&e, c.g, 0) == 0 && API(GraphInstantiateWithFlags)(&f, c.g, 4) == NOT_SUPPORTED);
  check("GraphUpload", API(GraphUpload)(e, s) == 0 && API(GraphUpload)(nullptr, s) == INVALID_VALUE && c.calls[0] == 0);
  API(GraphLaunch)(e, s);
  check("a graph is done when its stream has come to it", (c.calls[0] == 0) == late && API(StreamSynchronize)(s) == 0 && c.calls[0] == 1 && c.out[0] == kFilled + 5);

  API(GraphNode_t) next[2] = {nullptr, nullptr};
  size_t count = 2, none = 1;
  check("GraphNodeGetDependentNodes", API(GraphNodeGetDependentNodes)(c.kernel, next, &count) == 0 && count == 1 && next[0] == c.copy &&
        API(GraphNodeGetDependentNodes)(c.call, nullptr, &none) == 0 && none == 0 && API(GraphNodeGetDependentNodes)(nullptr, next, &count) == INVALID_VALUE);
  auto run = [&](API(GraphExec_t) which) {
    memset(c.out, 0, 16);
    API(GraphLaunch)(which, s);
    return API(StreamSynchronize)(s) == 0;
  };

  // Of the graph: for what is made of it from now on.
  int many = 70;
  void* others[] = {&c.p, &many};
  c.launch.kernelParams = others;
  API(HostNodeParams) host = {called, c.calls + 1};
  GIVES(0, GraphKernelNodeSetParams, c.kernel, &c.launch);
  GIVES(0, GraphMemcpyNodeSetParams1D, c.copy, c.out + 1, c.p + 31, 4, API(MemcpyDeviceToHost));
  GIVES(0, GraphHostNodeSetParams, c.call, &host);
  check("of a node of another kind", API(GraphHostNodeSetParams)(c.copy, &host) == INVALID_VALUE && API(GraphKernelNodeSetParams)(c.fill, &c.launch) == INVALID_VALUE &&
        API(GraphMemcpyNodeSetParams1D)(c.call, c.out, c.p, 4, API(MemcpyDeviceToHost)) == INVALID_VALUE);
  check("an instance keeps what it was made of", run(e) && c.out[0] == kFilled + 5 && c.out[1] == 0 && c.calls[0] == 2 && c.calls[1] == 0);
  API(GraphInstantiate)(&f, c.g, 0);
  check("a new one has what was set", run(f) && c.out[0] == 0 && c.out[1] == kFilled + 70 && c.calls[0] == 2 && c.calls[1] == 1);

  // Of an instance: for that one.
  c.bytes.value = 2;
  GIVES(0, GraphExecMemsetNodeSetParams, e, c.fill, &c.bytes);
  GIVES(0, GraphExecMemcpyNodeSetParams1D, e, c.copy, c.out + 2, c.p, 4, API(MemcpyDeviceToHost));
  GIVES(0, GraphExecHostNodeSetParams, e, c.call, &host);
  check("the instance that was changed", run(e) && c.out[2] == 0x02020202 + 5 && c.out[0] == 0 && c.calls[0] == 2 && c.calls[1] == 2);
  check("and not the other", run(f) && c.out[1] == kFilled + 70 && c.out[2] == 0);
  c.bytes.elementSize = 3;
  check("elements of 3 bytes", API(GraphExecMemsetNodeSetParams)(e, c.fill, &c.bytes) == INVALID_VALUE && API(GraphMemsetNodeSetParams)(c.fill, &c.bytes) == INVALID_VALUE);
  const int calls = c.calls[1];
  API(GraphLaunch)(e, s);
  API(GraphExecHostNodeSetParams)(e, c.call, &(host = {called, c.calls}));
  check("a launch has what was set before it", API(StreamSynchronize)(s) == 0 && c.calls[1] == calls + 1 && c.calls[0] == 2);
#ifndef __MUSACC__
  unsigned on = 7;
  check("GraphNodeGetEnabled", cudaGraphNodeGetEnabled(f, c.kernel, &on) == 0 && on == 1);
  check("GraphNodeSetEnabled", cudaGraphNodeSetEnabled(f, c.kernel, 0) == 0 && cudaGraphNodeGetEnabled(f, c.kernel, &on) == 0 && on == 0 && run(f) && c.out[1] == kFilled);
  check("GraphNodeSetEnabled again, of a host node", cudaGraphNodeSetEnabled(f, c.kernel, 1) == 0 && run(f) && c.out[1] == kFilled + 70 && cudaGraphNodeSetEnabled(f, c.call, 0) == INVALID_VALUE);
#else
  API(GraphNode_t) a, b;
  API(Graph_t) pair;
  API(GraphCreate)(&pair, 0), API(GraphAddEmptyNode)(&a, pair, nullptr, 0), API(GraphAddEmptyNode)(&b, pair, &a, 1);
  size_t edges = 9;
  check("GraphRemoveDependencies", musaGraphRemoveDependencies(pair, &a, &b, 1) == 0 && musaGraphGetEdges(pair, nullptr, nullptr, &edges) == 0 && edges == 0 &&
        musaGraphRemoveDependencies(pair, &a, &b, 1) == INVALID_VALUE);
#endif

  API(Graph_t) twin;
  check("GraphClone", API(GraphClone)(&twin, c.g) == 0 && twin != c.g && API(GraphClone)(&twin, nullptr) == INVALID_VALUE);
  check("GraphDestroy", API(GraphDestroy)(c.g) == 0 && API(GraphDestroy)(nullptr) == INVALID_VALUE);
  check("GraphExecDestroy", API(GraphExecDestroy)(f) == 0 && API(GraphExecDestroy)(nullptr) == INVALID_VALUE);
  API(GraphInstantiate)(&f, twin, 0);
  check("the clone lives on", run(f) && c.out[1] == kFilled + 70);
  check("GraphDebugDotPrint", API(GraphDebugDotPrint)(twin, path, 0) == 0 && API(GraphDebugDotPrint)(twin, "/no/such/folder/x", 0) == OPERATING_SYSTEM);
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  size_t arrows = 0;
  for (size_t at = text.str().find("->"); at != std::string::npos; at = text.str().find("->", at + 1)) arrows++;
  check("... four nodes, three edges", text.str().find("digraph") == 0 && arrows == 3);
}

// A graph that waits for one event, copies a box and records another event.
static void events(API(Stream_t) s, API(Stream_t) t, bool late) {
  API(Graph_t) g;
  API(GraphNode_t) wait, copy, record;
  API(GraphExec_t) e;
  API(Event_t) before, after;
  API(EventCreate)(&before), API(EventCreate)(&after);
  int* box = pinned<int>(16);
  int* p;
  API(Malloc)(&p, 64);
  API(MemsetAsync)(p, 0, 64, t);
  LAUNCH_ON(t, add, 1, 16, p, 7);
  API(EventRecord)(before, t);
  API(GraphCreate)(&g, 0);
  check("GraphAddEventWaitNode", API(GraphAddEventWaitNode)(&wait, g, nullptr, 0, before) == 0 && API(GraphAddEventWaitNode)(&wait, g, nullptr, 0, nullptr) == INVALID_VALUE);
  API(Memcpy3DParms) m = {};  // the middle of four by four
  m.srcPtr = MAKE(PitchedPtr)(p, 16, 16, 4), m.dstPtr = MAKE(PitchedPtr)(box, 16, 16, 4);
  m.srcPos = m.dstPos = MAKE(Pos)(4, 1, 0), m.extent = MAKE(Extent)(8, 2, 1), m.kind = API(MemcpyDeviceToHost);
  GIVES(0, GraphAddMemcpyNode, &copy, g, &wait, 1, &m);
  check("GraphAddEventRecordNode", API(GraphAddEventRecordNode)(&record, g, &copy, 1, after) == 0 && API(GraphAddEventRecordNode)(&record, g, &copy, 1, nullptr) == INVALID_VALUE);
  enum API(GraphNodeType) kinds[3];
  API(GraphNodeGetType)(wait, &kinds[0]), API(GraphNodeGetType)(copy, &kinds[1]), API(GraphNodeGetType)(record, &kinds[2]);
  check("their kinds", kinds[0] == API(GraphNodeTypeWaitEvent) && kinds[1] == API(GraphNodeTypeMemcpy) && kinds[2] == API(GraphNodeTypeEventRecord));
  API(GraphInstantiate)(&e, g, 0);
  API(GraphLaunch)(e, s);
  check("its event comes with it", API(EventQuery)(after) == (late ? NOT_READY : 0) && API(EventSynchronize)(after) == 0 && API(EventQuery)(after) == 0);
  bool good = true;
  for (int i = 0; i < 16; i++) good = good && box[i] == (i / 4 % 3 && i % 4 % 3 ? 7 : 0);
  check("what it waited for was there, and only the box was copied", good);
  API(DeviceSynchronize)();
}

static void captures(API(Stream_t) s) {
  API(StreamCaptureMode) mode = API(StreamCaptureModeRelaxed), wrong = (API(StreamCaptureMode))7;
  API(StreamCaptureStatus) status;
  API(Graph_t) g, now = nullptr;
  const API(GraphNode_t)* tail = nullptr;
  unsigned long long id = 0, again = 0;
  size_t count = 9;
  int* p;
  API(Malloc)(&p, 128);
  check("StreamGetCaptureInfo of none", API(StreamGetCaptureInfo)(s, &status, &id) == 0 && status == API(StreamCaptureStatusNone));
  API(StreamBeginCapture)(s, API(StreamCaptureModeGlobal));
  LAUNCH_ON(s, add, 1, 32, p, 1);
  check("StreamGetCaptureInfo", API(StreamGetCaptureInfo)(s, &status, &id) == 0 && status == API(StreamCaptureStatusActive) && id != 0);
  check("StreamGetCaptureInfo_v2", API(StreamGetCaptureInfo_v2)(s, &status, &again, &now, &tail, &count) == 0 && again == id && now && count == 1 && tail && *tail);
#ifndef __MUSACC__
  const cudaGraphEdgeData* edges = (const cudaGraphEdgeData*)&count;
  check("StreamGetCaptureInfo_v3", cudaStreamGetCaptureInfo_v3(s, &status, &again, &now, &tail, &edges, &count) == 0 && again == id && !edges && count == 1);
#endif
  check("ThreadExchangeStreamCaptureMode", API(ThreadExchangeStreamCaptureMode)(&mode) == 0 && mode == API(StreamCaptureModeGlobal));
  int* q = nullptr;
  check("a thread in the relaxed mode may allocate while it captures", API(Malloc)(&q, 4) == 0 && q && API(StreamIsCapturing)(s, &status) == 0 && status == API(StreamCaptureStatusActive));
  check("ThreadExchangeStreamCaptureMode, back", API(ThreadExchangeStreamCaptureMode)(&mode) == 0 && mode == API(StreamCaptureModeRelaxed) && API(ThreadExchangeStreamCaptureMode)(&wrong) == INVALID_VALUE);
  check("then the capture gives the graph that was told of", API(StreamEndCapture)(s, &g) == 0 && g == now);
  // Events that are the graph's own, not marks of the capture.
  API(Event_t) before, after;
  API(GraphExec_t) e;
  API(EventCreate)(&before), API(EventCreate)(&after);
  float none;
  API(StreamBeginCapture)(s, API(StreamCaptureModeGlobal));
  const int waits = API(StreamWaitEvent)(s, before, 1), records = API(EventRecordWithFlags)(after, s, 1);
  size_t nodes = 0;
  enum API(GraphNodeType) kinds[2];
  API(GraphNode_t) both[2];
  check("external events in a capture", waits == 0 && records == 0 && API(StreamEndCapture)(s, &g) == 0 && API(GraphGetNodes)(g, nullptr, &nodes) == 0 && nodes == 2);
  API(GraphGetNodes)(g, both, &nodes), API(GraphNodeGetType)(both[0], &kinds[0]), API(GraphNodeGetType)(both[1], &kinds[1]);
  check("... are nodes", kinds[0] == API(GraphNodeTypeWaitEvent) && kinds[1] == API(GraphNodeTypeEventRecord) && API(EventElapsedTime)(&none, after, after) == 400);
  API(GraphInstantiate)(&e, g, 0), API(GraphLaunch)(e, s), API(StreamSynchronize)(s);
  check("... and recorded when it is launched", API(EventElapsedTime)(&none, after, after) == 0 && none == 0);
  check("and none outside of captures", API(EventRecordWithFlags)(after, s, 1) == INVALID_VALUE && API(StreamWaitEvent)(s, before, 1) == INVALID_VALUE);
  API(StreamBeginCapture)(s, API(StreamCaptureModeGlobal));
  check("in the global mode it may not", API(Malloc)(&q, 4) == UNSUPPORTED_IN_CAPTURE);
  API(StreamEndCapture)(s, &g);
  API(GetLastError)();
}

int main(int, char** argv) {
  const char* streams = getenv("MUSIFY_EMU_STREAMS");
  const bool late = streams && !strncmp(streams, "late", 4);
  API(Stream_t) s, t;
  API(StreamCreate)(&s), API(StreamCreateWithFlags)(&t, API(StreamNonBlocking));
  nodes(s, late, argv[1]);
  events(s, t, late);
  captures(s);
}
