#include "serial_device.h"

// ---- launches -------------------------------------------------------------------------------------------------
struct Half { float value; Half() = default; Half(float f) : value(f) {} };
struct Pair { int a, b; };
template <class A> struct Box { using type = A; };
static int touched = 0, evaluated = 0;
static int count_evaluation() { return ++evaluated; }

__global__ void take_pointers(int* p, const float* q, void* r) { touched += !p + !q + !r; }
__global__ void take_half(Half h, long n) { touched += static_cast<int>(h.value * 2) + static_cast<int>(n); }
__global__ void by_reference(const Pair& p, Pair copy) { copy.a += 1; touched += p.a + copy.a; }
__global__ void own_copy(int x) { touched += x++; touched += x; }
__global__ void overloaded(int) { touched += 1; }
__global__ void overloaded(float) { touched += 100; }
template <class T> __global__ void templated(T* p, int n) { if (p) p[threadIdx.x] = T(n); touched += sizeof(T); }
template <class T, int N> __global__ void nested(typename T::type* p) { if (threadIdx.x < N) touched += N + !p; }
namespace deep { namespace er { template <class T> __global__ void kernel(T t) { touched += int(t); } } }
struct Object {
  template <class T> void run(T t) { touched += int(t); }
  void start(Object& obj) { obj.template run<int><<<1, 2>>>(4); this->template run<short><<<1, 1>>>(3); }
};

#define LAUNCH(kernel, n, ...) \
  kernel<<<dim3(1), \
           dim3(n), 0>>> (__VA_ARGS__)
#define LAUNCH_PLAIN(kernel, args) kernel<<<1, 1>>> args
#define PASTED(suffix) take_##suffix<<<1, 1>>>(0, 2L)
#define CHECKED(...) do { __VA_ARGS__; } while (0)
#define NOTHING 0

static void no_arguments() { touched += 1000; }

static void launches() {
  touched = 0; take_pointers<<<1, 1>>>(0, NULL, nullptr); EXPECT(touched == 3);
  touched = 0; take_pointers<<<1, 1>>>(NOTHING, 0, (void*)0); EXPECT(touched == 3);
  touched = 0; take_half<<<1, 2>>>(1.5f, 7); EXPECT(touched == 20);
  touched = 0; take_half<<<1, 1>>>(2, -1); EXPECT(touched == 3);
  Pair p{1, 2};
  touched = 0; by_reference<<<1, 3>>>(p, p); EXPECT(touched == 9 && p.a == 1);
  touched = 0; by_reference<<<1, 1>>>({4, 5}, p); EXPECT(touched == 6);
  touched = 0; own_copy<<<2, 2>>>(5); EXPECT(touched == 44);
  touched = 0; evaluated = 0; own_copy<<<1, 4>>>(count_evaluation()); EXPECT(evaluated == 1 && touched == 12);
  touched = 0; overloaded<<<1, 1>>>(1); overloaded<<<1, 1>>>(1.0f); EXPECT(touched == 101);
  float out[4] = {}; short small[2] = {};
  touched = 0; templated<<<1, 4>>>(out, 3); EXPECT(out[3] == 3 && touched == 16);
  touched = 0; templated<short><<<1, 2>>>(small, 9); EXPECT(small[1] == 9 && touched == 4);
  touched = 0; templated<double><<<1, 1>>>(0, 9); EXPECT(touched == 8);
  touched = 0; nested<Box<Box<int>>, 3><<<1, 4>>>(nullptr); EXPECT(touched == 12);
  Box<Box<int>>::type* none = nullptr;
  touched = 0; nested<Box<Box<int>>,2><<<1,1>>>(none); EXPECT(touched == 3);
  touched = 0; ::deep::er::kernel<float><<<1, 1>>>(2.5f); deep::er::kernel<<<1, 1>>>('\2'); EXPECT(touched == 4);
  Object object; touched = 0; object.start(object); EXPECT(touched == 11);
  void (*pointer)(int) = own_copy; void (*table[2])(int) = {own_copy, own_copy};
  touched = 0; (*pointer)<<<1, 1>>>(1); pointer<<<1, 1>>>(1); table[1]<<<1, 1>>>(1); EXPECT(touched == 9);
  touched = 0;
  if (touched == 0) own_copy<<<1, 1>>>(1); else own_copy<<<1, 1>>>(50);
  if (touched == 0) (*pointer)<<<1, 1>>>(70);
  for (int i = 0; i < 2; ++i) own_copy<<<1, 1>>>(i);
  EXPECT(touched == 3 + 1 + 3);
  touched = 0;
  own_copy /* the kernel */ <<<
      1, // blocks
      2  // threads
      >>> /* and what it is given */ (
          3
      ); EXPECT(touched == 14);
  touched = 0; LAUNCH(own_copy, 2, 1); LAUNCH(no_arguments, 1); EXPECT(touched == 1006);
  touched = 0; LAUNCH_PLAIN(take_half, (1.0f, 1)); PASTED(half); EXPECT(touched == 5);
  touched = 0; CHECKED(take_half<<<1, 1>>>(1.0f, 1)); EXPECT(touched == 3);
  const char* text = "k<<<1, 2>>>(3)"; /* k<<<1, 2>>>(3) */ EXPECT(strlen(text) == 14);
  touched = 0; emu::launched.clear(); LAUNCH(own_copy, 1, 1); templated<double><<<1, 1>>>(0, 9);
  EXPECT(emu::launched == "own_copy;templated<double>;");
  auto extended = [=] __device__ (int x) { touched += x; };
  touched = 0; deep::er::kernel<<<1, 1>>>(1), extended(2); EXPECT(touched == 3);
}

// ---- shared memory --------------------------------------------------------------------------------------------
#define SHARED __shared__
#define DYNAMIC extern __shared__
#define DECLARE(T, name, n) __shared__ T name[n]
#define DECLARE_TWO(T, a) \
  __shared__ T a##_first[4], \
               a##_second; \
  DYNAMIC T a[];

extern __shared__ __align__(16) unsigned char whole[];

template <class T> struct Storage { struct TempStorage { T t[3]; }; };

template <class T, int N> __global__ void declares(size_t* sizes, void** where) {
  __shared__ T tile[N][N + 1], *pointer;
  static __shared__ volatile float row[N];
  __shared__ static int one;
  float __shared__ late[2];
  __shared__ alignas(512) unsigned char raw[sizeof(T) * N];
  __shared__ double trailing[2] __attribute__((aligned(256)));
  __shared__ typename Storage<T>::TempStorage storage;
  __shared__ struct { int a;
                      float b[2]; } record;
  __shared__ unsigned long long int wide;
  SHARED short aliased[N + 1];
  DECLARE(T, macro, 5);
  DECLARE_TWO(T, pasted)
  extern __shared__ T dynamic[];
  extern volatile __shared__ float (dynamic_rows)[][8];
  size_t found[] = {sizeof(tile), sizeof(row), sizeof(late), sizeof(raw), sizeof(storage), sizeof(record), sizeof(wide),
                    sizeof(aliased), sizeof(macro), sizeof(pasted_first), sizeof(pasted_second), sizeof(dynamic_rows[0])};
  memcpy(sizes, found, sizeof(found));
  tile[1][2] = T(1); one = 1; pointer = &tile[0][0]; row[1] = 2; storage.t[2] = T(1); record.b[1] = 1; wide = 1;
  dynamic[3] = T(5); pasted[2] = T(1); trailing[1] = 0;
  where[0] = tile; where[1] = raw; where[2] = trailing; where[3] = dynamic; where[4] = (void*)&dynamic_rows[0]; where[5] = &one;
  EXPECT(dynamic == pasted && (unsigned char*)dynamic == whole);
}

template <class T> __device__ int& same_name() { __shared__ int slot; return slot; }
__device__ int& two_sites(int which) {
  if (which) { __shared__ int slot; return slot; }
  __shared__ int slot; return slot;
}
__device__ void qualified(__shared__ float* a, const __shared__ int b[]) { a[0] = b[0]; }
__device__ __noinline__ int kept_out(int x) { return x + 1; }
__attribute__((__noinline__)) int kept_out_too(int x) { return kept_out(x); }
__attribute__((noinline)) int and_this(int x) { return kept_out_too(x); }

// A shared variable is not captured on the GPU: what a lambda writes, the block sees.
template <class T> __global__ void lambdas(int* out) {
  __shared__ T tile[4];
  extern __shared__ int raw[];
  struct { int tile[2]; } other = {{5, 6}};
  tile[0] = tile[1] = 0; raw[0] = 0;
  auto by_copy = [=] __device__ (int i) { tile[i] = T(i + 7) + other.tile[0]; raw[i] = 3; };
  auto none = [](int i) -> int { return int(tile[i]) + raw[i]; };
  auto by_reference = [&, out] { auto inner = [=]() mutable { tile[2] = 1; return 0; }; return inner(); };
  auto unrelated = [=](const int* x) { return x[0]; };
  by_copy(1); by_reference();
  out[0] = none(1) + int(tile[2]); out[1] = unrelated(out);
}

static void shared_memory() {
  int results[2]; lambdas<float><<<1, 1>>>(results); EXPECT(results[0] == 8 + 5 + 3 + 1 && results[1] == 17);
  size_t sizes[12]; void* a[6]; void* b[6];
  declares<float, 4><<<1, 1, 64>>>(sizes, a);
  size_t expected[12] = {80, 16, 8, 16, 12, 12, 8, 10, 20, 16, 4, 32};
  for (int i = 0; i < 12; ++i) EXPECT(sizes[i] == expected[i]);
  declares<double, 4><<<1, 1, 64>>>(sizes, b);
  EXPECT(sizes[0] == 160 && a[0] != b[0] && a[3] == b[3] && a[5] != b[5]);
  EXPECT((size_t)a[1] % 512 == 0 && (size_t)a[2] % 256 == 0 && a[3] == a[4]);
  EXPECT(&same_name<int>() != &same_name<float>() && &same_name<int>() == &same_name<int>());
  EXPECT(&two_sites(0) != &two_sites(1));
  float x; int y[] = {7}; qualified(&x, y); EXPECT(x == 7 && and_this(1) == 2);
}

int main() {
  launches();
  shared_memory();
  volatile int ready = 1;
  while (ready != 1);
  do ready = ready + 1; while (ready < 4);
  do { ready = ready + 1; } while (ready < 8);
  EXPECT(ready == 8);
  puts("ok");
}
