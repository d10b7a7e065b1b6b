// Losses and activations in the types that a program mixes.
#include <ATen/AccumulateType.h>
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

#include "loops.h"

// -weight * (1 - p)^gamma * log(p) of the class that each row is of, p being the softmax of the row.
template <typename scalar_t, bool weighted>
__global__ void focal_loss(const int rows, const scalar_t* __restrict__ scores, const int64_t* __restrict__ target,
                           const scalar_t* __restrict__ weight, scalar_t* __restrict__ loss, const float gamma,
                           const int num_classes) {
  using acc_t = at::acc_type<scalar_t, true>;
  CUDA_KERNEL_LOOP(row, rows) {
    const scalar_t* r = scores + row * num_classes;
    acc_t most = -std::numeric_limits<acc_t>::infinity(), sum = 0;
    for (int i = 0; i < num_classes; ++i) most = max(most, static_cast<acc_t>(r[i]));
    for (int i = 0; i < num_classes; ++i) sum += exp(static_cast<acc_t>(r[i]) - most);
    const int64_t label = target[row];
    const acc_t p = exp(static_cast<acc_t>(r[label]) - most) / sum;
    const acc_t w = weighted ? static_cast<acc_t>(weight[label]) : acc_t(1);
    loss[row] = -w * pow(acc_t(1) - p, static_cast<acc_t>(gamma)) * log(max(p, std::numeric_limits<acc_t>::min()));
  }
}

template <typename T, T (*activation)(const T&)>
__global__ void activate_and_multiply(T* __restrict__ out, const T* __restrict__ input, const int d) {
  const int64_t token = blockIdx.x;
  for (int64_t i = threadIdx.x; i < d; i += blockDim.x) {
    const T x = input[token * 2 * d + i], y = input[token * 2 * d + d + i];
    out[token * d + i] = activation(x) * y;
  }
}
template <typename T>
__device__ __forceinline__ T swish(const T& x) {
  return (T)(((float)x) / (1.0f + expf((float)-x)));
}

void loss(at::Tensor scores, at::Tensor target, at::Tensor weight, at::Tensor out, float gamma) {
  auto stream = at::cuda::getCurrentCUDAStream();
  const int rows = scores.size(0);
  DISPATCH_REDUCED(scores.scalar_type(), "focal_loss", [&] {
    FLAG_SWITCH(weight.numel() > 0, kWeighted, [&] {
      focal_loss<scalar_t, kWeighted><<<BLOCKS(rows), THREADS, 0, stream>>>(
          rows, scores.data_ptr<scalar_t>(), target.data_ptr<int64_t>(), weight.data_ptr<scalar_t>(),
          out.data_ptr<scalar_t>(), gamma, scores.size(1));
    });
  });
}

void swish_and_multiply(torch::Tensor& out, torch::Tensor& input) {
  const int d = input.size(-1) / 2;
  const int64_t tokens = input.numel() / input.size(-1);
  dim3 grid(tokens), block(std::min(d, 1024));
  DISPATCH_REDUCED(input.scalar_type(), "activate_and_multiply", [&] {
    activate_and_multiply<scalar_t, swish<scalar_t>><<<grid, block>>>(out.data_ptr<scalar_t>(), input.data_ptr<scalar_t>(), d);
  });
}
