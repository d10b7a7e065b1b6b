// The generators of the random library: XORWOW (Marsaglia, Xorshift RNGs, 2003), MRG32k3a (L'Ecuyer, 1999) and
// Philox4x32-10 (Salmon et al., 2011), with the seeding, the skips and the conversions that cuRAND's headers have.
#pragma once
#include "arithmetic.h"
#include "random_core.h"
#include "threads.h"
#include "vectors.h"

namespace emu {
namespace random {

using u64 = unsigned long long;

// What the normal distributions leave for the next call: the second of a pair, and of which distribution it is.
struct Spare {
  int kind = 0, kind_double = 0;
  float value = 0;
  double value_double = 0;
};

struct Xorwow {
  unsigned d, v[5];
  Spare spare;
  void seed(u64 s) {
    unsigned low = (static_cast<unsigned>(s) ^ 0xaad26b49u) * 1099087573u;
    unsigned high = (static_cast<unsigned>(s >> 32) ^ 0xf7dcefddu) * 2591861531u;
    d = 6615241u + high + low;
    v[0] = 123456789u + low;
    v[1] = 362436069u ^ low;
    v[2] = 521288629u + high;
    v[3] = 88675123u ^ high;
    v[4] = 5783321u + low;
    spare = Spare();
  }
  void skip(u64 n) {
    xorshift_skip(v, n, 0);
    d += 362437u * static_cast<unsigned>(n);
  }
  void skip_subsequences(u64 n) { xorshift_skip(v, n, 67); }
  unsigned next() {
    unsigned t = v[0] ^ v[0] >> 2;
    for (int i = 0; i < 4; i++) v[i] = v[i + 1];
    v[4] = (v[4] ^ v[4] << 4) ^ (t ^ t << 1);
    d += 362437u;
    return v[4] + d;
  }
};

struct Mrg32k3a {
  unsigned s1[3], s2[3];
  Spare spare;
  void seed(u64 s) {
    constexpr u64 m1 = 4294967087u, m2 = 4294944443u;
    u64 low = static_cast<unsigned>(s) ^ 0x55555555u, high = static_cast<unsigned>(s >> 32) ^ 0xaaaaaaaau;
    for (int i = 0; i < 3; i++) s1[i] = s2[i] = 12345;
    if (s != 0)
      for (int i = 0; i < 3; i++) {
        s1[i] = static_cast<unsigned>((i == 1 ? high : low) * 12345 % m1);
        s2[i] = static_cast<unsigned>((i == 1 ? low : high) * 12345 % m2);
      }
    spare = Spare();
  }
  void skip(u64 n) { mrg_skip(s1, s2, n, 0); }
  void skip_subsequences(u64 n) { mrg_skip(s1, s2, n, 76); }
  void skip_sequences(u64 n) { mrg_skip(s1, s2, n, 127); }
  double raw() {  // 1 to 4294967087
    constexpr u64 m1 = 4294967087u, m2 = 4294944443u;
    u64 a = (1403580ull * s1[1] + 810728ull * (m1 - s1[0])) % m1;
    u64 b = (527612ull * s2[2] + 1370589ull * (m2 - s2[0])) % m2;
    s1[0] = s1[1], s1[1] = s1[2], s1[2] = static_cast<unsigned>(a);
    s2[0] = s2[1], s2[1] = s2[2], s2[2] = static_cast<unsigned>(b);
    return static_cast<double>(a <= b ? a + m1 - b : a - b);
  }
  unsigned next() { return static_cast<unsigned>(raw() * 1.000000048662); }
};

struct Philox {
  uint4 counter, output;
  uint2 key;
  unsigned used;  // of the four outputs
  Spare spare;
  void seed(u64 s) {
    counter = make_uint4(0, 0, 0, 0);
    key = make_uint2(static_cast<unsigned>(s), static_cast<unsigned>(s >> 32));
    used = 0;
    spare = Spare();
    refresh();
  }
  static uint4 block(uint4 c, uint2 k) {
    for (int round = 0; round < 10; round++) {
      u64 a = 0xd2511f53ull * c.x, b = 0xcd9e8d57ull * c.z;
      c = make_uint4(static_cast<unsigned>(b >> 32) ^ c.y ^ k.x, static_cast<unsigned>(b),
                     static_cast<unsigned>(a >> 32) ^ c.w ^ k.y, static_cast<unsigned>(a));
      k.x += 0x9e3779b9u;
      k.y += 0xbb67ae85u;
    }
    return c;
  }
  void refresh() { output = block(counter, key); }
  void count(u64 blocks) {
    u64 low = counter.x | static_cast<u64>(counter.y) << 32, sum = low + blocks;
    counter.x = static_cast<unsigned>(sum);
    counter.y = static_cast<unsigned>(sum >> 32);
    if (sum < low && ++counter.z == 0) ++counter.w;
  }
  void skip(u64 n) {
    u64 ahead = used + (n & 3);
    count(n / 4 + ahead / 4);
    used = static_cast<unsigned>(ahead & 3);
    refresh();
  }
  void skip_subsequences(u64 n) {
    u64 sum = (counter.z | static_cast<u64>(counter.w) << 32) + n;
    counter.z = static_cast<unsigned>(sum);
    counter.w = static_cast<unsigned>(sum >> 32);
    refresh();
  }
  unsigned next() {
    unsigned out = (&output.x)[used++];
    if (used == 4) {
      count(1);
      used = 0;
      refresh();
    }
    return out;
  }
  uint4 next4() { unsigned a = next(), b = next(), c = next(); return make_uint4(a, b, c, next()); }
};

// ---- uniform, in (0, 1]
inline float uniform_of(unsigned x) { return static_cast<float>(x) * 2.3283064e-10f + 2.3283064e-10f / 2.0f; }
inline double uniform_of(unsigned x, unsigned y) {  // of 53 bits
  u64 z = x ^ static_cast<u64>(y) << 21;
  return static_cast<double>(z) * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2.0;
}
template <class G>
float uniform(G* g) { return uniform_of(g->next()); }
inline float uniform(Mrg32k3a* g) { return static_cast<float>(g->raw() * 2.3283065498378288e-10); }
inline double uniform_double(Xorwow* g) {
  unsigned x = g->next();
  return uniform_of(x, g->next());
}
inline double uniform_double(Mrg32k3a* g) { return g->raw() * 2.3283065498378288e-10; }
inline double uniform_double(Philox* g) { return g->next() * 2.3283064365386963e-10 + 2.3283064365386963e-10; }
inline float4 uniform4(Philox* g) {
  uint4 x = g->next4();
  return make_float4(uniform_of(x.x), uniform_of(x.y), uniform_of(x.z), uniform_of(x.w));
}
inline double2 uniform2_double(Philox* g) {
  uint4 x = g->next4();
  return make_double2(uniform_of(x.x, x.y), uniform_of(x.z, x.w));
}

// ---- normal, by Box and Muller
inline float2 normal_pair(float u, float angle) {
  float size = ::sqrtf(-2.0f * ::logf(u));
  return make_float2(::sinf(angle) * size, ::cosf(angle) * size);
}
inline double2 normal_pair(double u, double half_turns) {
  double size = ::sqrt(-2.0 * ::log(u)), sine, cosine;
  device::sincospi(half_turns, &sine, &cosine);
  return make_double2(sine * size, cosine * size);
}
inline float2 normal_of(unsigned x, unsigned y) {
  constexpr float step = 2.3283064e-10f * 6.2831855f;
  return normal_pair(uniform_of(x), static_cast<float>(y) * step + step / 2);
}
inline double2 normal_of(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
  u64 z = y0 ^ static_cast<u64>(y1) << 21;
  return normal_pair(uniform_of(x0, x1), static_cast<double>(z) * (1.1102230246251565e-16 * 2.0) + 1.1102230246251565e-16);
}
template <class G>
float2 normal2(G* g) {
  unsigned x = g->next();
  return normal_of(x, g->next());
}
inline float2 normal2(Mrg32k3a* g) {
  float x = uniform(g);
  return normal_pair(x, uniform(g) * 6.2831855f);
}
template <class G>
double2 normal2_double(G* g) {
  unsigned x0 = g->next(), x1 = g->next(), y0 = g->next();
  return normal_of(x0, x1, y0, g->next());
}
inline double2 normal2_double(Mrg32k3a* g) {
  double x = uniform_double(g);
  return normal_pair(x, uniform_double(g) * 2.0);
}
inline float4 normal4(Philox* g) {
  uint4 x = g->next4();
  float2 a = normal_of(x.x, x.y), b = normal_of(x.z, x.w);
  return make_float4(a.x, a.y, b.x, b.y);
}
enum : int { normal_kind = 1, log_normal_kind = 2 };
// One of a pair now, the other at the next call for the same distribution.
template <class G, class Map>
float one_of_pair(G* g, int kind, Map map) {
  if (g->spare.kind == kind) {
    g->spare.kind = 0;
    return g->spare.value;
  }
  float2 pair = normal2(g);
  g->spare.value = map(pair.y);
  g->spare.kind = kind;
  return map(pair.x);
}
template <class G, class Map>
double one_of_pair_double(G* g, int kind, Map map) {
  if (g->spare.kind_double == kind) {
    g->spare.kind_double = 0;
    return g->spare.value_double;
  }
  double2 pair = normal2_double(g);
  g->spare.value_double = map(pair.y);
  g->spare.kind_double = kind;
  return map(pair.x);
}
template <class G>
float normal(G* g) { return one_of_pair(g, normal_kind, [](float x) { return x; }); }
template <class G>
double normal_double(G* g) { return one_of_pair_double(g, normal_kind, [](double x) { return x; }); }
template <class G>
float log_normal(G* g, float mean, float deviation) {
  return one_of_pair(g, log_normal_kind, [=](float x) { return ::expf(mean + deviation * x); });
}
template <class G>
double log_normal_double(G* g, double mean, double deviation) {
  return one_of_pair_double(g, log_normal_kind, [=](double x) { return ::exp(mean + deviation * x); });
}

// Below 64 by Knuth's product of uniforms, above 4000 from the normal distribution; what lies between is not here.
template <class G>
unsigned poisson(G* g, double lambda, const char* name) {
  if (lambda > 4000) return static_cast<unsigned>(::sqrt(lambda) * normal_double(g) + lambda + 0.5);
  if (!(lambda < 64)) trap("unsupported", name);
  unsigned k = 0;
  float p = ::expf(static_cast<float>(lambda));
  do {
    k++;
    p *= uniform(g);
  } while (p > 1.0f);
  return k - 1;
}

}  // namespace random
}  // namespace emu
