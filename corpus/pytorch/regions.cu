// Operators over regions of images: averages of bilinear samples, overlap of boxes, convolution at moved places.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

#include "loops.h"

template <typename T>
__device__ T sampled(const T* plane, int height, int width, T y, T x) {
  if (y < T(-1) || y > T(height) || x < T(-1) || x > T(width)) return T(0);
  y = y < T(0) ? T(0) : y;
  x = x < T(0) ? T(0) : x;
  int top = static_cast<int>(y), left = static_cast<int>(x);
  const int bottom = top + 1 < height ? top + 1 : (y = T(top = height - 1), top);
  const int right = left + 1 < width ? left + 1 : (x = T(left = width - 1), left);
  const T dy = y - T(top), dx = x - T(left);
  return plane[top * width + left] * (T(1) - dy) * (T(1) - dx) + plane[top * width + right] * (T(1) - dy) * dx +
         plane[bottom * width + left] * dy * (T(1) - dx) + plane[bottom * width + right] * dy * dx;
}

// Each output cell averages `samples` x `samples` places of its part of a box (batch, x1, y1, x2, y2).
template <typename scalar_t>
__global__ void average_boxes(const int count, const scalar_t* __restrict__ input, const scalar_t* __restrict__ boxes,
                              scalar_t* __restrict__ output, const int channels, const int height, const int width,
                              const int cells, const int samples, const float spatial_scale) {
  KERNEL_LOOP(index, count) {
    const int across = index % cells, down = index / cells % cells;
    const int channel = index / cells / cells % channels, box = index / cells / cells / channels;
    const scalar_t* b = boxes + box * 5;
    const int batch = static_cast<int>(b[0] < 0 ? -b[0] : b[0]) % 2;
    const auto scale = static_cast<at::opmath_type<scalar_t>>(spatial_scale);
    const auto x0 = b[1] * scale, y0 = b[2] * scale;
    const auto w = b[3] * scale / cells, h = b[4] * scale / cells;
    at::opmath_type<scalar_t> sum = 0;
    for (int i = 0; i < samples; ++i)
      for (int j = 0; j < samples; ++j)
        sum += sampled<scalar_t>(input + (batch * channels + channel) * height * width, height, width,
                                 y0 + down * h + (i + .5f) * h / samples, x0 + across * w + (j + .5f) * w / samples);
    output[index] = sum / (samples * samples);
  }
}

__device__ float overlap(const float* a, const float* b) {
  const float left = fmaxf(a[0], b[0]), right = fminf(a[2], b[2]);
  const float top = fmaxf(a[1], b[1]), bottom = fminf(a[3], b[3]);
  const float both = fmaxf(right - left, 0.f) * fmaxf(bottom - top, 0.f);
  const float all = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both;
  return all > 0.f ? both / all : 0.f;
}

constexpr int kTile = 64;

// A bit for each pair of boxes (of one tile each) that overlap by more than `threshold`.
__global__ void __launch_bounds__(kTile) mark_overlaps(const int boxes, const float threshold, const float* __restrict__ corners,
                                                       unsigned long long* __restrict__ marks) {
  const int rows = min(boxes - static_cast<int>(blockIdx.y) * kTile, kTile);
  const int columns = min(boxes - static_cast<int>(blockIdx.x) * kTile, kTile);
  __shared__ float tile[kTile * 4];
  if (static_cast<int>(threadIdx.x) < columns)
    for (int k = 0; k < 4; ++k) tile[threadIdx.x * 4 + k] = corners[(blockIdx.x * kTile + threadIdx.x) * 4 + k];
  __syncthreads();
  if (static_cast<int>(threadIdx.x) >= rows) return;
  const int row = blockIdx.y * kTile + threadIdx.x;
  unsigned long long bits = 0;
  for (int i = blockIdx.x == blockIdx.y ? threadIdx.x + 1 : 0; i < columns; ++i)
    if (overlap(corners + row * 4, tile + i * 4) > threshold) bits |= 1ull << i;
  marks[row * ((boxes + kTile - 1) / kTile) + blockIdx.x] = bits;
}

// Columns for a convolution whose kernel's places are moved by `offsets`.
template <typename T>
__global__ void moved_columns(const int n, const T* image, const T* offsets, const int height, const int width,
                              const int kernel_h, const int kernel_w, const int pad, const int channels, T* columns) {
  KERNEL_LOOP(index, n) {
    const int x = index % width, y = index / width % height, c = index / width / height % channels;
    const T* plane = image + c * height * width;
    for (int i = 0; i < kernel_h; ++i)
      for (int j = 0; j < kernel_w; ++j) {
        const int at = (i * kernel_w + j) * 2 * height * width + y * width + x;
        const T dy = offsets[at], dx = offsets[at + height * width];
        columns[(c * kernel_h * kernel_w + i * kernel_w + j) * height * width + y * width + x] =
            sampled<T>(plane, height, width, T(y - pad + i) + dy, T(x - pad + j) + dx);
      }
  }
}

at::Tensor average(at::Tensor input, at::Tensor boxes, int cells, int samples, float scale) {
  TORCH_CHECK(input.is_cuda(), "input must be on the device");
  TORCH_CHECK(boxes.size(1) == 5, "boxes have 5 numbers, not ", boxes.size(1));
  const at::cuda::OptionalCUDAGuard guard(device_of(input));
  auto output = at::empty({boxes.size(0), input.size(1), cells, cells}, input.options());
  const int count = output.numel();
  AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "average_boxes", [&] {
    average_boxes<scalar_t><<<BLOCKS(count), THREADS, 0, at::cuda::getCurrentCUDAStream()>>>(
        count, input.data_ptr<scalar_t>(), boxes.data_ptr<scalar_t>(), output.data_ptr<scalar_t>(), input.size(1),
        input.size(2), input.size(3), cells, samples, scale);
  });
  AT_CUDA_CHECK(cudaGetLastError());
  return output;
}

at::Tensor overlaps(at::Tensor boxes, float threshold) {
  at::cuda::CUDAGuard guard(boxes.device());
  const int count = boxes.size(0), tiles = (count + kTile - 1) / kTile;
  auto marks = at::empty({count * tiles}, boxes.options().dtype(at::kLong));
  mark_overlaps<<<dim3(tiles, tiles), kTile, 0, at::cuda::getCurrentCUDAStream()>>>(
      count, threshold, boxes.data_ptr<float>(), (unsigned long long*)marks.data_ptr<int64_t>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return marks;
}

void columns_of(at::Tensor image, at::Tensor offsets, int kernel_h, int kernel_w, int pad, at::Tensor columns) {
  const int n = image.numel();
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(image.scalar_type(), "moved_columns", ([&] {
    moved_columns<<<BLOCKS(n), THREADS, 0, at::cuda::getCurrentCUDAStream()>>>(
        n, image.data_ptr<scalar_t>(), offsets.data_ptr<scalar_t>(), image.size(1), image.size(2), kernel_h, kernel_w,
        pad, image.size(0), columns.data_ptr<scalar_t>());
  }));
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("average", &average, "averages of boxes");
  m.def("overlaps", &overlaps);
}
