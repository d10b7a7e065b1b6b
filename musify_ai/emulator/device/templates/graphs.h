// ---- graphs and stream capture
#include "musify_emu/graphs.h"
typedef ::emu::host::Graph* @rt@Graph_t;
typedef ::emu::host::Node* @rt@GraphNode_t;
typedef ::emu::host::Exec* @rt@GraphExec_t;
enum @rt@StreamCaptureMode { @rt@StreamCaptureModeGlobal = 0, @rt@StreamCaptureModeThreadLocal = 1, @rt@StreamCaptureModeRelaxed = 2 };
enum @rt@StreamCaptureStatus { @rt@StreamCaptureStatusNone = 0, @rt@StreamCaptureStatusActive = 1, @rt@StreamCaptureStatusInvalidated = 2 };
enum @rt@GraphNodeType {
  @rt@GraphNodeTypeKernel = 0,
  @rt@GraphNodeTypeMemcpy = 1,
  @rt@GraphNodeTypeMemset = 2,
  @rt@GraphNodeTypeHost = 3,
  @rt@GraphNodeTypeGraph = 4,
  @rt@GraphNodeTypeEmpty = 5,
  @rt@GraphNodeTypeWaitEvent = 6,
  @rt@GraphNodeTypeEventRecord = 7
};
enum @rt@GraphExecUpdateResult {
  @rt@GraphExecUpdateSuccess = 0,
  @rt@GraphExecUpdateError = 1,
  @rt@GraphExecUpdateErrorTopologyChanged = 2,
  @rt@GraphExecUpdateErrorNodeTypeChanged = 3
};
struct @rt@KernelNodeParams {
  void* func;
  dim3 gridDim, blockDim;
  unsigned sharedMemBytes;
  void** kernelParams;
  void** extra;
};
struct @rt@HostNodeParams {
  @rt@HostFn_t fn;
  void* userData;
};
struct @rt@MemsetParams {
  void* dst;
  size_t pitch;
  unsigned value, elementSize;
  size_t width, height;
};
#define @rt@GraphDebugDotFlagsVerbose 1
#define EMU_AFTER const @rt@GraphNode_t *after, size_t count
inline @rt@Error_t @rt@GraphCreate(@rt@Graph_t* g, unsigned) { return EMU_ERROR(::emu::host::make_graph(g)); }
inline @rt@Error_t @rt@GraphDestroy(@rt@Graph_t g) { return EMU_ERROR(::emu::host::free_graph(g)); }
inline @rt@Error_t @rt@GraphClone(@rt@Graph_t* out, @rt@Graph_t g) { return EMU_ERROR(::emu::host::copy_graph(out, g)); }
inline ::emu::Config emu_config(const struct @rt@KernelNodeParams* p) { return ::emu::Config(p->gridDim, p->blockDim, p->sharedMemBytes); }
inline @rt@Error_t @rt@GraphAddKernelNode(@rt@GraphNode_t* n, @rt@Graph_t g, EMU_AFTER, const struct @rt@KernelNodeParams* p, EMU_SITE) {
  if (!p->kernelParams && p->extra) ::emu::host::not_emulated("@rt@GraphAddKernelNode with packed arguments", emu_site);
  return EMU_ERROR(::emu::host::add_kernel(n, g, after, count, "@rt@GraphAddKernelNode", p->func, emu_config(p), p->kernelParams, emu_site));
}
inline ::emu::Deferred emu_copy(void* to, const void* from, size_t n, enum @rt@MemcpyKind kind, ::emu::Site site) {
  return ::emu::defer([=] { ::emu::host::copy(to, from, n, kind, "@rt@GraphLaunch", site); });
}
inline @rt@Error_t @rt@GraphAddMemcpyNode1D(@rt@GraphNode_t* n, @rt@Graph_t g, EMU_AFTER, void* to, const void* from, size_t bytes,
                                            enum @rt@MemcpyKind kind, EMU_SITE) {
  return EMU_ERROR(::emu::host::add_work(n, g, after, count, ::emu::host::copy_work, emu_copy(to, from, bytes, kind, emu_site)));
}
inline ::emu::Deferred emu_copy(const struct @rt@Memcpy3DParms* p, ::emu::Site site) {
  const struct @rt@Memcpy3DParms kept = *p;
  return ::emu::defer([=] { @rt@Memcpy3D(&kept, site); });
}
inline @rt@Error_t @rt@GraphAddMemcpyNode(@rt@GraphNode_t* n, @rt@Graph_t g, EMU_AFTER, const struct @rt@Memcpy3DParms* p, EMU_SITE) {
  return EMU_ERROR(::emu::host::add_work(n, g, after, count, ::emu::host::copy_work, emu_copy(p, emu_site)));
}
// Elements of one, two or four bytes.
inline ::emu::Deferred emu_fill(const struct @rt@MemsetParams& p, ::emu::Site site) {
  return ::emu::defer([p, site] {
    for (size_t y = 0; y < p.height; y++) {
      char* row = static_cast<char*>(p.dst) + y * p.pitch;
      if (!::emu::check_range(row, p.width * p.elementSize, "@rt@GraphLaunch destination", site)) return;
      for (size_t x = 0; x < p.width; x++) memcpy(row + x * p.elementSize, &p.value, p.elementSize);
    }
  });
}
inline bool emu_element(const struct @rt@MemsetParams* p) { return p && (p->elementSize == 1 || p->elementSize == 2 || p->elementSize == 4); }
inline @rt@Error_t @rt@GraphAddMemsetNode(@rt@GraphNode_t* n, @rt@Graph_t g, EMU_AFTER, const struct @rt@MemsetParams* p, EMU_SITE) {
  if (!emu_element(p)) return EMU_ERROR(::emu::raise(@rt@ErrorInvalidValue));
  return EMU_ERROR(::emu::host::add_work(n, g, after, count, ::emu::host::fill_work, emu_fill(*p, emu_site)));
}
inline ::emu::Deferred emu_called(const struct @rt@HostNodeParams& p) {
  return ::emu::defer([p] { p.fn(p.userData); });
}
inline @rt@Error_t @rt@GraphAddHostNode(@rt@GraphNode_t* n, @rt@Graph_t g, EMU_AFTER, const struct @rt@HostNodeParams* p) {
  return EMU_ERROR(::emu::host::add_work(n, g, after, count, ::emu::host::host_work, emu_called(*p)));
}
inline @rt@Error_t @rt@GraphAddEmptyNode(@rt@GraphNode_t* n, @rt@Graph_t g, EMU_AFTER) {
  return EMU_ERROR(::emu::host::add_work(n, g, after, count, ::emu::host::empty_work, ::emu::Deferred()));
}
inline @rt@Error_t @rt@GraphAddChildGraphNode(@rt@GraphNode_t* n, @rt@Graph_t g, EMU_AFTER, @rt@Graph_t inner) {
  return EMU_ERROR(::emu::host::add_graph(n, g, after, count, inner));
}
inline @rt@Error_t @rt@GraphAddEventRecordNode(@rt@GraphNode_t* n, @rt@Graph_t g, EMU_AFTER, @rt@Event_t e) {
  return EMU_ERROR(::emu::host::add_event(n, g, after, count, e, true));
}
inline @rt@Error_t @rt@GraphAddEventWaitNode(@rt@GraphNode_t* n, @rt@Graph_t g, EMU_AFTER, @rt@Event_t e) {
  return EMU_ERROR(::emu::host::add_event(n, g, after, count, e, false));
}
#undef EMU_AFTER
inline @rt@Error_t @rt@GraphAddDependencies(@rt@Graph_t g, const @rt@GraphNode_t* from, const @rt@GraphNode_t* to, size_t count) {
  return EMU_ERROR(::emu::host::connect(g, from, to, count, false));
}
inline @rt@Error_t @rt@GraphRemoveDependencies(@rt@Graph_t g, const @rt@GraphNode_t* from, const @rt@GraphNode_t* to, size_t count) {
  return EMU_ERROR(::emu::host::connect(g, from, to, count, true));
}
inline @rt@Error_t @rt@GraphDestroyNode(@rt@GraphNode_t n) { return EMU_ERROR(::emu::host::remove_node(n)); }
inline @rt@Error_t @rt@GraphGetNodes(@rt@Graph_t g, @rt@GraphNode_t* out, size_t* count) {
  return EMU_ERROR(::emu::host::nodes_of(g, out, count, false));
}
inline @rt@Error_t @rt@GraphGetRootNodes(@rt@Graph_t g, @rt@GraphNode_t* out, size_t* count) {
  return EMU_ERROR(::emu::host::nodes_of(g, out, count, true));
}
inline @rt@Error_t @rt@GraphGetEdges(@rt@Graph_t g, @rt@GraphNode_t* from, @rt@GraphNode_t* to, size_t* count) {
  return EMU_ERROR(::emu::host::edges_of(g, from, to, count));
}
inline @rt@Error_t @rt@GraphNodeGetDependencies(@rt@GraphNode_t n, @rt@GraphNode_t* out, size_t* count) {
  return EMU_ERROR(::emu::host::neighbours_of(n, out, count, false));
}
inline @rt@Error_t @rt@GraphNodeGetDependentNodes(@rt@GraphNode_t n, @rt@GraphNode_t* out, size_t* count) {
  return EMU_ERROR(::emu::host::neighbours_of(n, out, count, true));
}
inline @rt@Error_t @rt@GraphNodeGetType(@rt@GraphNode_t n, enum @rt@GraphNodeType* type) {
  int kind = 0;
  int error = ::emu::host::kind_of(n, &kind);
  *type = static_cast<enum @rt@GraphNodeType>(kind);
  return EMU_ERROR(error);
}
inline @rt@Error_t @rt@GraphKernelNodeGetParams(@rt@GraphNode_t n, struct @rt@KernelNodeParams* p) {
  const void* function = nullptr;
  ::emu::Config c(1, 1);
  void** values = nullptr;
  if (int error = ::emu::host::kernel_of(n, &function, &c, &values)) return EMU_ERROR(error);
  *p = @rt@KernelNodeParams{const_cast<void*>(function), c.grid, c.block, static_cast<unsigned>(c.shared), values, nullptr};
  return @rt@Success;
}
inline @rt@Error_t @rt@GraphKernelNodeSetParams(@rt@GraphNode_t n, const struct @rt@KernelNodeParams* p, EMU_SITE) {
  return EMU_ERROR(::emu::host::set_kernel(n, "@rt@GraphKernelNodeSetParams", p->func, emu_config(p), p->kernelParams, emu_site));
}
inline @rt@Error_t @rt@GraphMemsetNodeSetParams(@rt@GraphNode_t n, const struct @rt@MemsetParams* p, EMU_SITE) {
  if (!emu_element(p)) return EMU_ERROR(::emu::raise(@rt@ErrorInvalidValue));
  return EMU_ERROR(::emu::host::set_work(n, ::emu::host::fill_work, emu_fill(*p, emu_site)));
}
inline @rt@Error_t @rt@GraphMemcpyNodeSetParams1D(@rt@GraphNode_t n, void* to, const void* from, size_t bytes, enum @rt@MemcpyKind kind,
                                                  EMU_SITE) {
  return EMU_ERROR(::emu::host::set_work(n, ::emu::host::copy_work, emu_copy(to, from, bytes, kind, emu_site)));
}
inline @rt@Error_t @rt@GraphHostNodeSetParams(@rt@GraphNode_t n, const struct @rt@HostNodeParams* p) {
  return EMU_ERROR(::emu::host::set_work(n, ::emu::host::host_work, emu_called(*p)));
}

// The older form of five arguments has room for a node and a text; nothing is put there.
inline @rt@Error_t @rt@GraphInstantiate(@rt@GraphExec_t* out, @rt@Graph_t g, unsigned long long flags = 0) {
  if (flags & 4) return EMU_ERROR(::emu::raise(@rt@ErrorNotSupported));  // to be launched by a kernel
  return EMU_ERROR(::emu::host::make_exec(out, g));
}
inline @rt@Error_t @rt@GraphInstantiate(@rt@GraphExec_t* out, @rt@Graph_t g, @rt@GraphNode_t* at_fault, char* text, size_t room) {
  int error = ::emu::host::make_exec(out, g);
  if (at_fault) *at_fault = nullptr;
  if (text && room) *text = 0;
  return EMU_ERROR(error);
}
inline @rt@Error_t @rt@GraphInstantiateWithFlags(@rt@GraphExec_t* out, @rt@Graph_t g, unsigned long long flags = 0) {
  return @rt@GraphInstantiate(out, g, flags);
}
inline @rt@Error_t @rt@GraphUpload(@rt@GraphExec_t e, @rt@Stream_t) { return e ? @rt@Success : EMU_ERROR(::emu::raise(@rt@ErrorInvalidValue)); }
inline @rt@Error_t @rt@GraphLaunch(@rt@GraphExec_t e, @rt@Stream_t s) { return EMU_ERROR(::emu::host::run_exec(e, s)); }
inline @rt@Error_t @rt@GraphExecDestroy(@rt@GraphExec_t e) { return EMU_ERROR(::emu::host::free_exec(e)); }
@cuda
inline cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t e, cudaGraphNode_t n, unsigned on) {
  return EMU_ERROR(::emu::host::enable(e, n, on != 0));
}
inline cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t e, cudaGraphNode_t n, unsigned* on) {
  bool is = false;
  int error = ::emu::host::enabled(e, n, &is);
  *on = is;
  return EMU_ERROR(error);
}
@end
inline @rt@Error_t @rt@GraphExecKernelNodeSetParams(@rt@GraphExec_t e, @rt@GraphNode_t n, const struct @rt@KernelNodeParams* p, EMU_SITE) {
  return EMU_ERROR(::emu::host::set_kernel(::emu::host::node_in(e, n), "@rt@GraphExecKernelNodeSetParams", p->func, emu_config(p),
                                           p->kernelParams, emu_site));
}
inline @rt@Error_t @rt@GraphExecMemsetNodeSetParams(@rt@GraphExec_t e, @rt@GraphNode_t n, const struct @rt@MemsetParams* p, EMU_SITE) {
  if (!emu_element(p)) return EMU_ERROR(::emu::raise(@rt@ErrorInvalidValue));
  return EMU_ERROR(::emu::host::set_work(::emu::host::node_in(e, n), ::emu::host::fill_work, emu_fill(*p, emu_site)));
}
inline @rt@Error_t @rt@GraphExecMemcpyNodeSetParams1D(@rt@GraphExec_t e, @rt@GraphNode_t n, void* to, const void* from, size_t bytes,
                                                      enum @rt@MemcpyKind kind, EMU_SITE) {
  return EMU_ERROR(::emu::host::set_work(::emu::host::node_in(e, n), ::emu::host::copy_work, emu_copy(to, from, bytes, kind, emu_site)));
}
inline @rt@Error_t @rt@GraphExecHostNodeSetParams(@rt@GraphExec_t e, @rt@GraphNode_t n, const struct @rt@HostNodeParams* p) {
  return EMU_ERROR(::emu::host::set_work(::emu::host::node_in(e, n), ::emu::host::host_work, emu_called(*p)));
}
inline @rt@Error_t @rt@GraphExecUpdate(@rt@GraphExec_t e, @rt@Graph_t g, @rt@GraphNode_t* at_fault, enum @rt@GraphExecUpdateResult* result) {
  int outcome = 0;
  int error = ::emu::host::update_exec(e, g, &outcome, at_fault);
  *result = static_cast<enum @rt@GraphExecUpdateResult>(outcome);
  return EMU_ERROR(error);
}
@cuda
struct cudaGraphExecUpdateResultInfo {
  enum cudaGraphExecUpdateResult result;
  cudaGraphNode_t errorNode, errorFromNode;
};
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t e, cudaGraph_t g, struct cudaGraphExecUpdateResultInfo* info) {
  info->errorFromNode = nullptr;
  return cudaGraphExecUpdate(e, g, &info->errorNode, &info->result);
}
@end
inline @rt@Error_t @rt@GraphDebugDotPrint(@rt@Graph_t g, const char* path, unsigned) { return EMU_ERROR(::emu::host::write_dot(g, path)); }

inline @rt@Error_t @rt@StreamBeginCapture(@rt@Stream_t s, enum @rt@StreamCaptureMode mode) {
  return EMU_ERROR(::emu::host::begin_capture(s, mode));
}
inline @rt@Error_t @rt@StreamEndCapture(@rt@Stream_t s, @rt@Graph_t* g) { return EMU_ERROR(::emu::host::end_capture(s, g)); }
inline @rt@Error_t @rt@StreamIsCapturing(@rt@Stream_t s, enum @rt@StreamCaptureStatus* status) {
  *status = static_cast<enum @rt@StreamCaptureStatus>(::emu::host::capture_status(s));
  return @rt@Success;
}
inline @rt@Error_t @rt@StreamGetCaptureInfo(@rt@Stream_t s, enum @rt@StreamCaptureStatus* status, unsigned long long* id = nullptr,
                                            @rt@Graph_t* g = nullptr, const @rt@GraphNode_t** tail = nullptr, size_t* count = nullptr) {
  *status = static_cast<enum @rt@StreamCaptureStatus>(::emu::host::capture_status(s));
  @rt@GraphNode_t* nodes = nullptr;
  @rt@Graph_t graph = ::emu::host::captured_graph(s, id, &nodes, count);
  if (g) *g = graph;
  if (tail) *tail = nodes;
  return @rt@Success;
}
inline @rt@Error_t @rt@StreamGetCaptureInfo_v2(@rt@Stream_t s, enum @rt@StreamCaptureStatus* status, unsigned long long* id = nullptr,
                                               @rt@Graph_t* g = nullptr, const @rt@GraphNode_t** tail = nullptr, size_t* count = nullptr) {
  return @rt@StreamGetCaptureInfo(s, status, id, g, tail, count);
}
inline @rt@Error_t @rt@ThreadExchangeStreamCaptureMode(enum @rt@StreamCaptureMode* mode) {
  int number = mode ? static_cast<int>(*mode) : -1;
  if (int error = ::emu::host::exchange_capture_mode(&number)) return EMU_ERROR(error);
  *mode = static_cast<enum @rt@StreamCaptureMode>(number);
  return @rt@Success;
}
@cuda
// CUDA 13's forms have the data of edges, of which there are none here: nothing is said of them, and what is given for
// one is not taken. CUDA 12 has the same forms under other names.
struct cudaGraphEdgeData_st {
  unsigned char from_port, to_port, type, reserved[5];
};
typedef struct cudaGraphEdgeData_st cudaGraphEdgeData;
inline bool emu_edges(const cudaGraphEdgeData* data, size_t count) {
  for (size_t i = 0; data && i < count; i++)
    if (data[i].from_port || data[i].to_port || data[i].type) return true;
  return false;
}
inline void emu_no_edges(cudaGraphEdgeData* out, const size_t* count) {
  for (size_t i = 0; out && count && i < *count; i++) out[i] = cudaGraphEdgeData{};
}
#define EMU_EDGES(name)                                                                                              \
  inline cudaError_t name(cudaGraph_t g, const cudaGraphNode_t* from, const cudaGraphNode_t* to,                     \
                          const cudaGraphEdgeData* data, size_t count) {                                             \
    return emu_edges(data, count) ? EMU_ERROR(::emu::raise(801)) : EMU_CALL(g, from, to, count);                     \
  }
#define EMU_CALL cudaGraphAddDependencies
EMU_EDGES(cudaGraphAddDependencies)
EMU_EDGES(cudaGraphAddDependencies_v2)
#undef EMU_CALL
#define EMU_CALL cudaGraphRemoveDependencies
EMU_EDGES(cudaGraphRemoveDependencies)
EMU_EDGES(cudaGraphRemoveDependencies_v2)
#undef EMU_CALL
#undef EMU_EDGES
#define EMU_NEIGHBOURS(name, older)                                                                          \
  inline cudaError_t name(cudaGraphNode_t n, cudaGraphNode_t* out, cudaGraphEdgeData* data, size_t* count) { \
    cudaError_t error = older(n, out, count);                                                                \
    emu_no_edges(data, count);                                                                               \
    return error;                                                                                            \
  }
EMU_NEIGHBOURS(cudaGraphNodeGetDependencies, cudaGraphNodeGetDependencies)
EMU_NEIGHBOURS(cudaGraphNodeGetDependencies_v2, cudaGraphNodeGetDependencies)
EMU_NEIGHBOURS(cudaGraphNodeGetDependentNodes, cudaGraphNodeGetDependentNodes)
EMU_NEIGHBOURS(cudaGraphNodeGetDependentNodes_v2, cudaGraphNodeGetDependentNodes)
#undef EMU_NEIGHBOURS
inline cudaError_t cudaGraphGetEdges(cudaGraph_t g, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* data, size_t* count) {
  cudaError_t error = cudaGraphGetEdges(g, from, to, count);
  emu_no_edges(data, count);
  return error;
}
inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s, enum cudaStreamCaptureStatus* status, unsigned long long* id, cudaGraph_t* g,
                                            const cudaGraphNode_t** tail, const cudaGraphEdgeData** data, size_t* count) {
  if (data) *data = nullptr;
  return cudaStreamGetCaptureInfo(s, status, id, g, tail, count);
}
inline cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t s, enum cudaStreamCaptureStatus* status, unsigned long long* id, cudaGraph_t* g,
                                               const cudaGraphNode_t** tail, const cudaGraphEdgeData** data, size_t* count) {
  return cudaStreamGetCaptureInfo(s, status, id, g, tail, data, count);
}
@end
