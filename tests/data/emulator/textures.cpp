// Textures, arrays and surfaces: what fetches give, printed for a test that knows the formulas.
#include <cstdio>
#include <initializer_list>
#include <vector>

#include "api.h"

#ifdef __MUSACC__
#define MAKE(name) make_musa##name
#else
#define MAKE(name) make_cuda##name
#endif
constexpr int kPoints = 25;
// From -1.5 to 1.5 in steps of an eighth, in units of the texture.
__device__ float point(int i, float unit) { return (i - 12) * 0.125f * unit; }

__global__ void one(API(TextureObject_t) t, float* out, float unit) {
  out[threadIdx.x] = tex1D<float>(t, point(threadIdx.x, unit));
}
__global__ void two(API(TextureObject_t) t, float4* out, float wide, float high) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  out[i] = tex2D<float4>(t, point(threadIdx.x, wide), point(blockIdx.x, high));
}
__global__ void three(API(TextureObject_t) t, float* out) {
  out[threadIdx.x] = tex3D<float>(t, 0.75f + threadIdx.x * 0.5f, 1.25f, 1.0f);
}
__global__ void layers(API(TextureObject_t) t, int* out) {
  out[threadIdx.x] = tex2DLayered<int>(t, threadIdx.x % 2 + 0.5f, 0.5f, threadIdx.x / 2);
}
__global__ void bytes(API(TextureObject_t) t, float* out, uchar4* raw, API(TextureObject_t) plain) {
  float4 v = tex1D<float4>(t, threadIdx.x + 0.5f);
  out[4 * threadIdx.x] = v.x;
  out[4 * threadIdx.x + 1] = v.y;
  out[4 * threadIdx.x + 2] = v.z;
  out[4 * threadIdx.x + 3] = v.w;
  raw[threadIdx.x] = tex1D<uchar4>(plain, threadIdx.x + 0.5f);
}
__global__ void surfaces(API(SurfaceObject_t) s, int* out) {
  int x = threadIdx.x, y = blockIdx.x;
  int v = surf2Dread<int>(s, x * 4, y);
  surf2Dwrite(v * 10 + 1, s, x * 4, y);
  out[y * 8 + x] = surf2Dread<int>(s, (x + 3) * 4, y, API(BoundaryModeClamp)) + 1000 * surf2Dread<int>(s, (x - 1) * 4, y, API(BoundaryModeZero));
}
__global__ void outside(API(SurfaceObject_t) s) { surf2Dwrite(1, s, 8 * 4, 0); }
__global__ void gathered(API(TextureObject_t) t, float4* out) { *out = tex2Dgather<float4>(t, 2.0f, 1.0f, 0); }

texture<float, 1> line;
texture<unsigned char, 2, API(ReadModeNormalizedFloat)> plane;
__global__ void references(float* out) {
  out[0] = tex1Dfetch(line, 3);
  out[1] = tex2D(plane, 1.5f, 1.5f);
}
__global__ void linear(API(TextureObject_t) t, float* out) { out[threadIdx.x] = tex1Dfetch<float>(t, (int)threadIdx.x - 1); }

template <class T> void show(const char* name, const T* p, int n) {
  std::vector<T> h(n);
  API(Memcpy)(h.data(), p, n * sizeof(T), API(MemcpyDeviceToHost));
  printf("%s", name);
  for (T v : h) printf(" %.9g", (double)v);
  printf("\n");
}

int main() {
  float *data, *out, h[64];
  for (int i = 0; i < 64; i++) h[i] = i * i;
  API(Malloc)(&data, sizeof h);
  API(Malloc)(&out, 25 * 25 * 16);
  API(Memcpy)(data, h, sizeof h, API(MemcpyHostToDevice));
  API(ResourceDesc) r = {};
  API(TextureDesc) d = {};
  API(TextureObject_t) t;
  r.resType = API(ResourceTypeLinear);
  r.res.linear.devPtr = data;
  r.res.linear.sizeInBytes = 8 * 4;
  r.res.linear.desc = API(CreateChannelDesc)<float>();
  d.readMode = API(ReadModeElementType);
  API(CreateTextureObject)(&t, &r, &d, nullptr);
  LAUNCH(linear, 1, 10, 0, t, out);
  show("linear", out, 10);
  printf("destroyed %d", (int)API(DestroyTextureObject)(t));
  printf(" %d\n", (int)API(DestroyTextureObject)(t));
  API(GetLastError)();

  API(Array_t) a, b;
  API(ChannelFormatDesc) fd = API(CreateChannelDesc)<float>(), back;
  API(Extent) extent;
  unsigned flags;
  printf("array %d", (int)API(MallocArray)(&a, &fd, 5, 3));
  printf(" %d", (int)API(Memcpy2DToArray)(a, 0, 0, h, 5 * 4, 5 * 4, 3, API(MemcpyHostToDevice)));
  API(ArrayGetInfo)(&back, &extent, &flags, a);
  printf(" %d %d %d %d", back.x, (int)back.f, (int)extent.width, (int)extent.height);
  float some[4];
  printf(" %d", (int)API(Memcpy2DFromArray)(some, 8, a, 2 * 4, 1, 8, 2, API(MemcpyDeviceToHost)));
  printf(" %g %g %g %g", some[0], some[1], some[2], some[3]);
  printf(" %d\n", (int)API(Memcpy2DToArray)(a, 4, 0, h, 5 * 4, 5 * 4, 3, API(MemcpyHostToDevice)));
  API(GetLastError)();
  // A volume, into which a smaller one is copied.
  API(Memcpy3DParms) p = {};
  API(Malloc3DArray)(&b, &fd, MAKE(Extent)(3, 2, 2), 0);
  p.srcPtr = MAKE(PitchedPtr)(h, 3 * 4, 3, 2);
  p.dstArray = b;
  p.extent = MAKE(Extent)(3, 2, 2);
  p.kind = API(MemcpyHostToDevice);
  printf("volume %d", (int)API(Memcpy3D)(&p));
  API(Memcpy3DParms) q = {};
  q.srcArray = b;
  q.srcPos = MAKE(Pos)(1, 1, 0);
  q.dstPtr = MAKE(PitchedPtr)(some, 2 * 4, 2, 1);
  q.extent = MAKE(Extent)(2, 1, 2);
  q.kind = API(MemcpyDeviceToHost);
  printf(" %d", (int)API(Memcpy3D)(&q));
  printf(" %g %g %g %g\n", some[0], some[1], some[2], some[3]);

  for (int linear = 0; linear < 2; linear++)
    for (int normalized = 0; normalized < 2; normalized++)
      for (int mode = 0; mode < 4; mode++) {
        API(Array_t) line_array;
        API(MallocArray)(&line_array, &fd, 6);
        API(MemcpyToArray)(line_array, 0, 0, h, 24, API(MemcpyHostToDevice));
        r = {};
        r.resType = API(ResourceTypeArray);
        r.res.array.array = line_array;
        d = {};
        d.filterMode = linear ? API(FilterModeLinear) : API(FilterModePoint);
        d.normalizedCoords = normalized;
        d.borderColor[0] = 77;
        for (auto& each : d.addressMode) each = (API(TextureAddressMode))mode;
        API(CreateTextureObject)(&t, &r, &d, nullptr);
        LAUNCH(one, 1, kPoints, 0, t, out, normalized ? 1.0f : 6.0f);
        char name[32];
        snprintf(name, sizeof name, "one%d%d%d", linear, normalized, mode);
        show(name, out, kPoints);
      }
  // Two dimensions, four channels, pitched memory, both modes of filtering.
  float4 texels[3][4];
  for (int y = 0; y < 3; y++)
    for (int x = 0; x < 4; x++) texels[y][x] = float4{(float)(10 * y + x), (float)(x * x), (float)(y - x), (float)(x * y)};
  float4* pitched;
  size_t pitch;
  API(MallocPitch)(&pitched, &pitch, sizeof texels[0], 3);
  API(Memcpy2D)(pitched, pitch, texels, sizeof texels[0], sizeof texels[0], 3, API(MemcpyHostToDevice));
  r = {};
  r.resType = API(ResourceTypePitch2D);
  r.res.pitch2D = {pitched, API(CreateChannelDesc)<float4>(), 4, 3, pitch};
  for (int linear = 0; linear < 2; linear++) {
    d = {};
    d.filterMode = linear ? API(FilterModeLinear) : API(FilterModePoint);
    for (auto& each : d.addressMode) each = API(AddressModeClamp);
    API(CreateTextureObject)(&t, &r, &d, nullptr);
    LAUNCH(two, kPoints, kPoints, 0, t, (float4*)out, 4.0f, 3.0f);
    show(linear ? "two1" : "two0", out, 4 * kPoints * kPoints);
  }
  r = {};
  r.resType = API(ResourceTypeArray);
  r.res.array.array = b;
  d = {};
  d.filterMode = API(FilterModeLinear);
  for (auto& each : d.addressMode) each = API(AddressModeClamp);
  API(CreateTextureObject)(&t, &r, &d, nullptr);
  LAUNCH(three, 1, 5, 0, t, out);
  show("three", out, 5);
  // Layers of integers.
  API(ChannelFormatDesc) id = API(CreateChannelDesc)<int>();
  API(Array_t) layered;
  API(Malloc3DArray)(&layered, &id, MAKE(Extent)(2, 1, 3), API(ArrayLayered));
  int ints[6] = {5, -6, 7, -8, 9, -10};
  p = {};
  p.srcPtr = MAKE(PitchedPtr)(ints, 8, 2, 1);
  p.dstArray = layered;
  p.extent = MAKE(Extent)(2, 1, 3);
  p.kind = API(MemcpyHostToDevice);
  API(Memcpy3D)(&p);
  r.res.array.array = layered;
  d = {};
  API(CreateTextureObject)(&t, &r, &d, nullptr);
  LAUNCH(layers, 1, 6, 0, t, (int*)out);
  show("layers", (int*)out, 6);
  d.filterMode = API(FilterModeLinear);
  printf("integers_unfiltered %d", (int)API(CreateTextureObject)(&t, &r, &d, nullptr));
  d.filterMode = API(FilterModePoint);
  d.readMode = API(ReadModeNormalizedFloat);
  printf(" %d\n", (int)API(CreateTextureObject)(&t, &r, &d, nullptr));
  API(GetLastError)();
  // Bytes, as they are and as fractions.
  unsigned char raw[8] = {0, 1, 128, 255, 10, 20, 30, 40};
  API(ChannelFormatDesc) bd = API(CreateChannelDesc)<uchar4>();
  API(Array_t) small;
  API(MallocArray)(&small, &bd, 2);
  API(MemcpyToArray)(small, 0, 0, raw, 8, API(MemcpyHostToDevice));
  r.res.array.array = small;
  d = {};
  API(TextureObject_t) plain;
  API(CreateTextureObject)(&plain, &r, &d, nullptr);
  d.readMode = API(ReadModeNormalizedFloat);
  API(CreateTextureObject)(&t, &r, &d, nullptr);
  LAUNCH(bytes, 1, 2, 0, t, out, (uchar4*)(out + 8), plain);
  show("fractions", out, 8);
  show("bytes", (unsigned char*)(out + 8), 8);
  // Surfaces.
  API(Array_t) written;
  API(MallocArray)(&written, &id, 8, 2, API(ArraySurfaceLoadStore));
  int board[16];
  for (int i = 0; i < 16; i++) board[i] = i;
  API(MemcpyToArray)(written, 0, 0, board, 64, API(MemcpyHostToDevice));
  r.res.array.array = written;
  API(SurfaceObject_t) s;
  API(CreateSurfaceObject)(&s, &r);
  LAUNCH(surfaces, 2, 8, 0, s, (int*)out);
  show("surface", (int*)out, 16);
  API(MemcpyFromArray)(board, written, 0, 0, 64, API(MemcpyDeviceToHost));
  printf("board");
  for (int v : board) printf(" %d", v);
  printf("\n");
  r.res.array.array = a;
  d = {};
  API(CreateTextureObject)(&t, &r, &d, nullptr);
  LAUNCH(gathered, 1, 1, 0, t, (float4*)out);
  show("gathered", out, 4);
  // References.
  API(BindTexture)(nullptr, line, data, 32);
  unsigned char* tiny;
  API(Malloc)(&tiny, 64);
  API(Memset)(tiny, 51, 64);
  plane.filterMode = API(FilterModePoint);
  API(BindTexture2D)(nullptr, plane, tiny, 4, 4, 16);
  LAUNCH(references, 1, 1, 0, out);
  show("references", out, 2);
  LAUNCH(outside, 1, 1, 0, s);
  printf("outside %d\n", (int)API(DeviceSynchronize)());
}
