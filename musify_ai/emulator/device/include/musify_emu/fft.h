// What both vendors' FFT headers stand on: plans with their layouts, and running them.
#pragma once
#include <vector>

#include "blas_core.h"
#include "fft_core.h"
#include "library.h"

namespace emu {
namespace fft {

enum Type : int { r2c = 0x2a, c2r = 0x2c, c2c = 0x29, d2z = 0x6a, z2d = 0x6c, z2z = 0x69 };

struct Side {  // where the elements of one side lie
  bool given = false;
  long long embed[3] = {1, 1, 1}, stride = 1, distance = 0;
};
struct Plan {
  bool live = true;
  int type = 0, rank = 0, batch = 1;
  long long n[3] = {1, 1, 1};
  Side in, out;
  host::Stream* stream = nullptr;
};
inline std::vector<Plan>& plans() {
  static std::vector<Plan> all;
  return all;
}
inline Plan* plan_of(int handle) {
  return handle >= 1 && static_cast<size_t>(handle) <= plans().size() && plans()[static_cast<size_t>(handle) - 1].live
             ? &plans()[static_cast<size_t>(handle) - 1]
             : nullptr;
}
inline int new_plan() {
  plans().emplace_back();
  return static_cast<int>(plans().size());
}
inline bool real_in(int type) { return type == r2c || type == d2z; }
inline bool real_out(int type) { return type == c2r || type == z2d; }
inline bool wide(int type) { return type == d2z || type == z2d || type == z2z; }

// Fills a plan; an embedding that is null is the plain layout.
inline bool make(Plan& p, int rank, const int* n, const int* in_embed, int in_stride, int in_distance, const int* out_embed,
                 int out_stride, int out_distance, int type, int batch) {
  if (rank < 1 || rank > 3 || batch < 1) return false;
  for (int d = 0; d < rank; d++)
    if (n[d] < 1) return false;
  p.type = type;
  p.rank = rank;
  p.batch = batch;
  auto side = [&](Side& s, const int* embed, int stride, int distance) {
    s.given = embed != nullptr;
    if (!embed) return;
    for (int d = 0; d < rank; d++) s.embed[d] = embed[d];
    s.stride = stride;
    s.distance = distance;
  };
  for (int d = 0; d < rank; d++) p.n[d] = n[d];
  side(p.in, in_embed && out_embed ? in_embed : nullptr, in_stride, in_distance);
  side(p.out, in_embed && out_embed ? out_embed : nullptr, out_stride, out_distance);
  return true;
}

// How long the last dimension of a side is, and how far apart its rows lie in the plain layout.
inline long long held(const Plan& p, bool half) { return half ? p.n[p.rank - 1] / 2 + 1 : p.n[p.rank - 1]; }
inline Side plain(const Plan& p, bool half, bool real, bool in_place) {
  Side s;
  long long total = 1;
  for (int d = 0; d < p.rank; d++) {
    s.embed[d] = d + 1 < p.rank ? p.n[d] : real && in_place ? 2 * (p.n[d] / 2 + 1) : held(p, half);
    total *= s.embed[d];
  }
  s.distance = total;
  return s;
}

inline void run(const Plan& p, const void* in, void* out, int sign) {
  bool in_place = in == out, from_real = real_in(p.type), to_real = real_out(p.type);
  Side from = p.in.given ? p.in : plain(p, to_real, from_real, in_place);
  Side to = p.out.given ? p.out : plain(p, from_real, to_real, in_place);
  int in_type = wide(p.type) ? (from_real ? blas::f64 : blas::c64) : (from_real ? blas::f32 : blas::c32);
  int out_type = wide(p.type) ? (to_real ? blas::f64 : blas::c64) : (to_real ? blas::f32 : blas::c32);
  long long size[3] = {1, 1, 1};  // right-aligned: a line is of one row of one plane
  long long in_embed[3] = {1, 1, 1}, out_embed[3] = {1, 1, 1};
  for (int d = 0; d < p.rank; d++) {
    size[3 - p.rank + d] = p.n[d];
    in_embed[3 - p.rank + d] = from.embed[d];
    out_embed[3 - p.rank + d] = to.embed[d];
  }
  auto place = [](const Side& s, const long long* embed, long long b, long long x, long long y, long long z) {
    return b * s.distance + ((x * embed[1] + y) * embed[2] + z) * s.stride;
  };
  long long half = size[2] / 2 + 1;
  std::vector<double> data(static_cast<size_t>(size[0] * size[1] * size[2]) * 2);
  for (long long b = 0; b < p.batch; b++) {
    size_t at = 0;
    for (long long x = 0; x < size[0]; x++)
      for (long long y = 0; y < size[1]; y++)
        for (long long z = 0; z < size[2]; z++, at += 2) {
          bool mirrored = to_real && z >= half;  // the half that is not stored
          long long mx = mirrored ? (size[0] - x) % size[0] : x, my = mirrored ? (size[1] - y) % size[1] : y;
          blas::Value v = blas::load(in, in_type, place(from, in_embed, b, mx, my, mirrored ? size[2] - z : z));
          data[at] = v.re;
          data[at + 1] = mirrored ? -v.im : v.im;
        }
    transform(data.data(), size, 3, sign);
    at = 0;
    for (long long x = 0; x < size[0]; x++)
      for (long long y = 0; y < size[1]; y++)
        for (long long z = 0; z < size[2]; z++, at += 2)
          if (!from_real || z < half)
            blas::store(out, out_type, place(to, out_embed, b, x, y, z), {data[at], data[at + 1]});
  }
}

}  // namespace fft
}  // namespace emu
