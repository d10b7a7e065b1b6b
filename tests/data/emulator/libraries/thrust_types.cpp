// Thrust's vectors, pointers, random numbers and complex numbers.
#include <thrust/complex.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/random.h>
#include <thrust/system_error.h>
#include <thrust/transform.h>
#include <thrust/universal_vector.h>

#include "check.h"

using std::vector;
__global__ void doubled(int* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] *= 2;
}
struct Trap {
  int operator()(int) const { __trap(); }
};

int main() {
  thrust::host_vector<int> h(5, 3);
  h[1] = 7;
  h.push_back(9);
  thrust::device_vector<int> d = h;
  LAUNCH(doubled, 1, 32, 0, thrust::raw_pointer_cast(d.data()), 6);
  h = d;
  check_all("there and back, through a kernel", vector<int>(h.begin(), h.end()), vector<int>{6, 14, 6, 6, 6, 18});
  d[2] = 100;
  int read = d[2];
  d[2] += 5;
  check("an element is read and written from the host", read == 100 && d[2] == 105 && d.front() == 6 && d.back() == 18);
  d.resize(8);
  check("what is added is zero", d[7] == 0 && d.size() == 8);
  d.insert(d.begin() + 1, 42);
  d.erase(d.begin());
  d.pop_back();
  check("insert, erase, pop_back", d[0] == 42 && d[1] == 14 && d.size() == 7);
  thrust::device_vector<float> converted(h.begin(), h.end());
  check("another type of element", float(converted[1]) == 14.0f);
  thrust::device_vector<int> copy(d), moved(std::move(copy));
  check("copies and moves", moved == d && copy.size() == 0);
  d.swap(moved);
  d.clear();
  check("clear", d.empty());
  thrust::universal_vector<int> both(3, 1);
  LAUNCH(doubled, 1, 32, 0, thrust::raw_pointer_cast(both.data()), 3);
  check("a universal vector is at home on both sides", both[2] == 2);
  thrust::device_ptr<int> p = thrust::device_malloc<int>(4);
  p[0] = 11;
  *(p + 1) = 12;
  check("device_malloc", int(p[0]) + int(*(p + 1)) == 23 && (p + 3) - p == 3);
  thrust::device_free(p);

  thrust::minstd_rand rng;
  unsigned long long last = 0;
  for (int i = 0; i < 10000; i++) last = rng();
  check("minstd_rand: the 10000th number", last == 399268537);  // the C++ standard names it
  thrust::default_random_engine a(5), b(5);
  a.discard(10);
  for (int i = 0; i < 10; i++) b();
  check("discard", a() == b());
  thrust::minstd_rand0 first;
  thrust::uniform_real_distribution<double> unit(2, 4);
  check_near("uniform_real_distribution", unit(first), 2 + 2 * (16807 - 1) / 2147483646.0, 1e-9);
  thrust::uniform_int_distribution<int> dice(1, 6);
  int counts[7] = {};
  for (int i = 0; i < 6000; i++) counts[dice(rng)]++;
  bool fair = true;
  for (int i = 1; i <= 6; i++) fair = fair && counts[i] > 850 && counts[i] < 1150;
  check("uniform_int_distribution", fair);
  thrust::normal_distribution<double> bell(10, 2);
  double sum = 0, squares = 0;
  for (int i = 0; i < 10000; i++) {
    double v = bell(rng);
    sum += v, squares += (v - 10) * (v - 10);
  }
  check("normal_distribution", std::fabs(sum / 10000 - 10) < 0.1 && std::fabs(squares / 10000 - 4) < 0.3);

  thrust::complex<float> z(3, 4), w = z * z + 1.0f;
  check("complex", abs(z) == 5 && w.real() == -6 && w.imag() == 24 && norm(z) == 25 && thrust::conj(z).imag() == -4);

  thrust::device_vector<int> one(1);
  int code = 0;
  try {
    thrust::transform(one.begin(), one.end(), one.begin(), Trap());
  } catch (const thrust::system_error& error) {
    code = error.code().value();
  }
  check("a functor that traps is a system_error", code == 719);
}
