// Resampling by a small filter: zeros put in between, filtered, and every `down`-th place kept.
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

struct FilterParams {
  const void* x;
  const float* f;
  void* y;
  int2 up, down, pad;
  int2 in_size, filter_size, out_size;
  int flip;
  float gain;
};

template <class T>
__global__ void upsample_filter(FilterParams p) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= p.out_size.x || y >= p.out_size.y) return;
  float sum = 0;
  for (int j = 0; j < p.filter_size.y; ++j)
    for (int i = 0; i < p.filter_size.x; ++i) {
      const int ix = x * p.down.x + i - p.pad.x, iy = y * p.down.y + j - p.pad.y;
      if (ix < 0 || iy < 0 || ix % p.up.x || iy % p.up.y) continue;
      if (ix / p.up.x >= p.in_size.x || iy / p.up.y >= p.in_size.y) continue;
      const int fi = p.flip ? i : p.filter_size.x - 1 - i, fj = p.flip ? j : p.filter_size.y - 1 - j;
      sum += static_cast<float>(((const T*)p.x)[iy / p.up.y * p.in_size.x + ix / p.up.x]) * p.f[fj * p.filter_size.x + fi];
    }
  ((T*)p.y)[y * p.out_size.x + x] = static_cast<T>(sum * p.gain);
}

void filter(at::Tensor x, at::Tensor f, at::Tensor y, FilterParams p) {
  const dim3 block(16, 16), grid((p.out_size.x + 15) / 16, (p.out_size.y + 15) / 16);
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "upsample_filter", [&] {
    p.x = x.data_ptr<scalar_t>(), p.f = f.data_ptr<float>(), p.y = y.data_ptr<scalar_t>();
    upsample_filter<scalar_t><<<grid, block, 0, at::cuda::getCurrentCUDAStream()>>>(p);
  });
}
