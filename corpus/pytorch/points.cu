// Operators over clouds of points, with tensors taken by value.
#include <torch/extension.h>
#include <THC/THCAtomics.cuh>

#include "loops.h"

template <typename scalar_t, size_t N>
using Packed = torch::PackedTensorAccessor32<scalar_t, N, torch::RestrictPtrTraits>;

// The first `most` points within a ball around each center; the first of them fills what is left.
__global__ void points_in_ball(const Packed<float, 3> centers, const Packed<float, 3> points, Packed<int, 3> found,
                               const float radius) {
  const int batch = blockIdx.y, center = blockIdx.x * blockDim.x + threadIdx.x;
  if (batch >= centers.size(0) || center >= centers.size(1)) return;
  int count = 0;
  for (int i = 0; i < points.size(1) && count < found.size(2); ++i) {
    float distance = 0;
    for (int k = 0; k < points.size(2); ++k) {
      const float d = centers[batch][center][k] - points[batch][i][k];
      distance += d * d;
    }
    if (distance < radius * radius) {
      if (count == 0)
        for (int j = 0; j < found.size(2); ++j) found[batch][center][j] = i;
      found[batch][center][count++] = i;
    }
  }
}

// features[b][c][index[b][p][s]] for all samples of all points.
template <typename scalar_t>
__global__ void group_points(const Packed<scalar_t, 3> features, const Packed<int64_t, 3> index, Packed<scalar_t, 4> out) {
  const int batch = blockIdx.z, channel = blockIdx.y;
  const int at = blockIdx.x * blockDim.x + threadIdx.x, samples = index.size(2);
  if (batch >= features.size(0) || channel >= features.size(1) || at >= index.size(1) * samples) return;
  out[batch][channel][at / samples][at % samples] = features[batch][channel][index[batch][at / samples][at % samples]];
}

// Sums of the features of the points in each voxel, and how many there are.
template <typename T>
__global__ void gather_voxels(torch::PackedTensorAccessor64<T, 2> features, torch::PackedTensorAccessor64<int64_t, 1> voxel,
                              torch::PackedTensorAccessor64<T, 2> sums, torch::PackedTensorAccessor64<int, 1> counts) {
  const int64_t point = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (point >= features.size(0)) return;
  const int64_t to = voxel[point];
  if (to < 0) return;
  atomicAdd(&counts[to], 1);
  for (int64_t c = 0; c < features.size(1); ++c) gpuAtomicAdd(&sums[to][c], features[point][c]);
}

void query(at::Tensor centers, at::Tensor points, at::Tensor found, float radius) {
  const dim3 blocks((centers.size(1) + 63) / 64, centers.size(0));
  points_in_ball<<<blocks, 64>>>(
      centers.packed_accessor32<float, 3, torch::RestrictPtrTraits>(),
      points.packed_accessor32<float, 3, torch::RestrictPtrTraits>(),
      found.packed_accessor32<int, 3, torch::RestrictPtrTraits>(), radius);
}

void group(at::Tensor features, at::Tensor index, at::Tensor out) {
  const dim3 blocks((index.size(1) * index.size(2) + 127) / 128, features.size(1), features.size(0));
  AT_DISPATCH_ALL_TYPES_AND(at::ScalarType::Half, features.scalar_type(), "group_points", [&] {
    group_points<scalar_t><<<blocks, 128>>>(features.packed_accessor32<scalar_t, 3, torch::RestrictPtrTraits>(),
                                            index.packed_accessor32<int64_t, 3, torch::RestrictPtrTraits>(),
                                            out.packed_accessor32<scalar_t, 4, torch::RestrictPtrTraits>());
  });
}

void gather(at::Tensor features, at::Tensor voxel, at::Tensor sums, at::Tensor counts) {
  AT_DISPATCH_FLOATING_TYPES(features.scalar_type(), "gather_voxels", [&] {
    gather_voxels<scalar_t><<<(features.size(0) + 127) / 128, 128>>>(
        features.packed_accessor64<scalar_t, 2>(), voxel.packed_accessor64<int64_t, 1>(), sums.packed_accessor64<scalar_t, 2>(),
        counts.packed_accessor64<int, 1>());
  });
}
