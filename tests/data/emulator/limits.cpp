// How much dynamic shared memory a launch may ask for: by kernel, by its attribute, by arch.
#include <cstdio>

#include "api.h"


__global__ void one(int* out, int last) {
  int* s = (int*)::emu::dynamic_shared();
  s[last] = 41;
  *out = s[last] + 1;
}
template <class T> __global__ void deduced(T* out, int last) {
  T* s = (T*)::emu::dynamic_shared();
  s[last] = 42;
  *out = s[last] + 1;
}
__global__ void both(int* out) {
  typedef int part_t[10000];
  SHARED(part_t, part);
  part[9999] = 7;
  *out = part[9999];
}

int main() {
  API(DeviceProp) p;
  API(GetDeviceProperties)(&p, 0);
  int plain = (int)p.sharedMemPerBlock, most = (int)p.sharedMemPerBlockOptin;
  int* out;
  API(Malloc)(&out, 4);
  auto report = [&](const char* what) {
    int value = 0, error = (int)API(GetLastError)();
    API(Memcpy)(&value, out, 4, API(MemcpyDeviceToHost));
    API(Memset)(out, 0, 4);
    printf("%s %d %d\n", what, error, value);
  };
  API(Memset)(out, 0, 4);
  printf("sizes %d %d\n", plain, most);
  LAUNCH(one, 1, 1, plain, out, plain / 4 - 1);
  report("plain");
  LAUNCH(one, 1, 1, plain + 4, out, plain / 4);
  report("over");
  printf("set %d %d\n", (int)API(FuncSetAttribute)(one, API(FuncAttributeMaxDynamicSharedMemorySize), most),
         (int)API(FuncSetAttribute)(one, API(FuncAttributeMaxDynamicSharedMemorySize), most + 4));
  API(GetLastError)();
  LAUNCH(one, 1, 1, most, out, most / 4 - 1);
  report("allowed");
  LAUNCH(one, 1, 1, most + 4, out, 0);
  report("too_much");
  LAUNCH(deduced, 1, 1, plain + 4, out, 1);
  report("another");  // what one kernel may, another may not
  API(FuncSetAttribute)(deduced<int>, API(FuncAttributeMaxDynamicSharedMemorySize), plain + 4);
  LAUNCH(deduced, 1, 1, plain + 4, out, 1);
  report("another_allowed");
  void* values[] = {&out, &plain};
  printf("by_pointer %d", (int)API(LaunchKernel)(both, 1, 1, values, plain - 39999, 0));
  API(GetLastError)();
  printf(" %d", (int)API(LaunchKernel)(both, 1, 1, values, plain - 40000, 0));
  report("");
  API(FuncAttributes) a, b;
  API(FuncGetAttributes)(&a, one);
  API(FuncGetAttributes)(&b, both);
  printf("attributes %d %d\n", a.maxDynamicSharedSizeBytes, b.maxDynamicSharedSizeBytes);
}
