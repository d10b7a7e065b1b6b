// Products of matrices that a warp makes together. All lanes meet; the first that goes on computes for all of them, in
// the frames in which they wait.
//
// What the ISA leaves open: the order of the sums and how they are rounded inside. Here the products are exact and are
// added to C one after another, k ascending, each sum rounded to f32 (f64 for f64; f16 accumulators are rounded once,
// at the end). Where the magnitudes are such that no order could round anything, nothing rests on that; elsewhere it is
// the assumption `mma-accumulation`.
#include "../include/musify_emu/matrices.h"

#include <cmath>

#include "../include/musify_emu/eight_formats.h"
#include "scheduler.h"
#include "settings.h"

namespace emu {

namespace {
constexpr int kMost = 32 * 256;  // elements of a matrix

struct Part {
  const Product* product;
  const void *a, *b, *c;
  void* d;
  bool done;
};

int bits_of(Number n) {
  switch (n) {
    case Number::b1: return 1;
    case Number::s4: case Number::u4: return 4;
    case Number::e4m3: case Number::e5m2: case Number::s8: case Number::u8: return 8;
    case Number::f16: case Number::bf16: return 16;
    case Number::f64: return 64;
    default: return 32;
  }
}
bool whole(Number n) { return n == Number::s4 || n == Number::u4 || n == Number::s8 || n == Number::u8 || n == Number::b1; }

// `extra`: whether a tf32 register has bits below those that count; the hardware passes over them.
double decode(Number kind, const void* from, int i, bool* extra) {
  const unsigned char* bytes = static_cast<const unsigned char*>(from);
  uint16_t h;
  uint32_t w;
  switch (kind) {
    case Number::b1: return bytes[i / 8] >> (i % 8) & 1;
    case Number::u4: return bytes[i / 2] >> (4 * (i % 2)) & 15;
    case Number::s4: {
      int v = bytes[i / 2] >> (4 * (i % 2)) & 15;
      return v < 8 ? v : v - 16;
    }
    case Number::u8: return bytes[i];
    case Number::s8: return static_cast<signed char>(bytes[i]);
    case Number::e4m3: return eight_value(bytes[i], Eight::e4m3);
    case Number::e5m2: return eight_value(bytes[i], Eight::e5m2);
    case Number::f16: memcpy(&h, bytes + 2 * i, 2); return static_cast<double>(Half16::decode(h));
    case Number::bf16: memcpy(&h, bytes + 2 * i, 2); return static_cast<double>(BFloat16::decode(h));
    case Number::f64: {
      double v;
      memcpy(&v, bytes + 8 * i, 8);
      return v;
    }
    case Number::s32: {
      int32_t v;
      memcpy(&v, bytes + 4 * i, 4);
      return v;
    }
    default: break;
  }
  memcpy(&w, bytes + 4 * i, 4);
  if (kind == Number::tf32) {
    if (w & 0x1fff) *extra = true;
    w &= 0xffffe000u;
  }
  float f;
  memcpy(&f, &w, 4);
  return static_cast<double>(f);
}

// Row and column of a lane's i-th element of A; of B with the roles of both exchanged.
void place_factor(Number kind, int outer, int lane, int i, int* o, int* k) {
  const int each = kind == Number::f64 ? 1 : 32 / bits_of(kind), halves = outer / 8;
  const int in = i % each, reg = i / each;
  *o = lane / 4 + 8 * (reg % halves);
  *k = lane % 4 * each + in + reg / halves * 4 * each;
}

struct Matrix {
  double v[kMost];  // what an earlier product left is written over
  double largest = 0;
  int lowest = 4096;  // exponent of the lowest bit that is set in any element
  bool extra = false, finite = true;

  void begin() {
    largest = 0;
    lowest = 4096;
    extra = false;
    finite = true;
  }
  void note(double x) {
    if (x == 0) return;
    if (!std::isfinite(x)) {
      finite = false;
      return;
    }
    const double size = std::fabs(x);
    if (size > largest) largest = size;
    uint64_t pattern;
    memcpy(&pattern, &size, 8);
    const uint64_t fraction = (pattern & ((uint64_t(1) << 52) - 1)) | uint64_t(1) << 52;
    const int bit = static_cast<int>(pattern >> 52) - 1075 + __builtin_ctzll(fraction);
    if (bit < lowest) lowest = bit;
  }
};

// No partial sum in any order needs more than `bits` of mantissa.
bool exact(const Matrix& a, const Matrix& b, const Matrix& c, int k, int bits) {
  if (!a.finite || !b.finite || !c.finite) return true;  // NaN and infinities come out the same in any order
  int unit = a.lowest + b.lowest;
  if (a.lowest == 4096 || b.lowest == 4096) return true;  // nothing is added to C
  if (c.lowest < unit) unit = c.lowest;
  return a.largest * b.largest * k + c.largest < std::ldexp(1.0, bits + unit);
}

int32_t integer_sum(const Product& p, const double* a, const double* b, double c) {
  // Every sum of these fits in 64 bits, and each product in 32.
  int64_t sum = static_cast<int64_t>(c);
  for (int k = 0; k < p.k; k++) {
    const int x = static_cast<int>(a[k]), y = static_cast<int>(b[k * p.n]);
    sum += p.bits == Bits::none ? x * y : p.bits == Bits::differ ? x ^ y : x & y;
  }
  if (p.saturate) sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
  return static_cast<int32_t>(static_cast<uint32_t>(sum));
}

void result(const Product& p, const double* a, const double* b, double c, void* to, int i) {
  char* out = static_cast<char*>(to);
  if (p.d == Number::s32) {
    const int32_t v = integer_sum(p, a, b, c);
    memcpy(out + 4 * i, &v, 4);
  } else if (p.d == Number::f64) {
    double sum = c;
    for (int k = 0; k < p.k; k++) sum = std::fma(a[k], b[k * p.n], sum);
    memcpy(out + 8 * i, &sum, 8);
  } else {
    float sum = static_cast<float>(c);
    for (int k = 0; k < p.k; k++) {
      const float product = static_cast<float>(a[k]) * static_cast<float>(b[k * p.n]);
      sum += product;
    }
    if (p.d == Number::f16) {
      const uint16_t h = Half16::encode(sum);
      memcpy(out + 2 * i, &h, 2);
    } else {
      if (sum != sum) {  // the one NaN that the instruction gives
        const uint32_t nan = 0x7fffffff;
        memcpy(&sum, &nan, 4);
      }
      memcpy(out + 4 * i, &sum, 4);
    }
  }
}

void compute(Part* const (&parts)[32], Site site) {
  static Matrix a, b, c;
  const Product& p = *parts[0]->product;
  a.begin(), b.begin(), c.begin();
  const bool ours = p.placing == Placing::rows;
  for (int lane = 0; lane < 32; lane++) {
    for (int i = 0; i < p.m * p.k / 32; i++) {
      int row, k;
      if (ours) row = (lane * (p.m * p.k / 32) + i) / p.k, k = (lane * (p.m * p.k / 32) + i) % p.k;
      else place_factor(p.a, p.m, lane, i, &row, &k);
      a.note(a.v[row * p.k + k] = decode(p.a, parts[lane]->a, i, &a.extra));
    }
    for (int i = 0; i < p.k * p.n / 32; i++) {
      int column, k;
      if (ours) column = (lane * (p.k * p.n / 32) + i) / p.k, k = (lane * (p.k * p.n / 32) + i) % p.k;
      else place_factor(p.b, p.n, lane, i, &column, &k);
      b.note(b.v[k * p.n + column] = decode(p.b, parts[lane]->b, i, &b.extra));
    }
    for (int i = 0; i < p.m * p.n / 32; i++) c.note(decode(p.c, parts[lane]->c, i, &c.extra));
  }
  // Sums of 8-bit floats were measured to keep 14 bits on one generation of hardware (arXiv 2412.19437, 3.3.2).
  const bool small = p.a == Number::e4m3 || p.a == Number::e5m2;
  const int bits = p.d == Number::f64 ? 53 : p.d == Number::f16 ? 11 : small ? 13 : 24;
  if (!whole(p.a) && !exact(a, b, c, p.k, bits))
    assume("mma-accumulation", "a tensor-core product whose sums are rounded, in an order that is published nowhere", site);
  if (a.extra || b.extra)
    assume("mma-tf32-truncation", "a tf32 operand whose register has bits below its mantissa", site);
  const int each = p.m * p.n / 32;
  for (int lane = 0; lane < 32; lane++)
    for (int i = 0; i < each; i++) {
      int row, column;
      if (ours) row = (lane * each + i) / p.n, column = (lane * each + i) % p.n;
      else row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
      bool extra;
      result(p, a.v + row * p.k, b.v + column, decode(p.c, parts[lane]->c, i, &extra), parts[lane]->d, i);
    }
}

// All lanes of the caller's 32: false where some are missing, which the ISA does not allow.
bool meet(const void* part, const char* who, Site site) {
  if (!current.running) {
    finding("host-call", nullptr, site, "%s was called outside a kernel", who);
    return false;
  }
  self->laid = part;
  const unsigned here = static_cast<unsigned>(warp(Op::meet, true, ~0u, nullptr, 0, 0, 0, site, nullptr));
  if (here == ~0u) return true;
  finding("warp-mask", nullptr, site, "%s by the lanes 0x%08x of a warp: all 32 have to take part", who, here);
  return false;
}
}  // namespace

void multiply(const Product& p, const void* a, const void* b, const void* c, void* d, Site site) {
  Part mine{&p, a, b, c, d, false};
  const unsigned first = thread_rank() & ~31u;
  if (!meet(&mine, "a product of matrices", site)) {
    memset(d, settings().poison, static_cast<size_t>(p.m * p.n / 32 * bits_of(p.d) / 8));
    return;
  }
  if (mine.done) return;
  Part* parts[32];
  for (unsigned i = 0; i < 32; i++) {
    parts[i] = static_cast<Part*>(const_cast<void*>(laid_down(first + i)));
    const Product& other = *parts[i]->product;
    if (other.m != p.m || other.n != p.n || other.k != p.k || other.a != p.a || other.b != p.b || other.d != p.d)
      trap("trap", "lanes of one warp execute different products of matrices");
  }
  compute(parts, site);
  for (Part* part : parts) part->done = true;
}

namespace {
struct Shown {
  uint64_t mine;
  uint64_t* all;
  bool done;
};
}  // namespace

bool exchange(uint64_t mine, uint64_t (&all)[32], const char* who, Site site) {
  Shown shown{mine, all, false};
  const unsigned first = thread_rank() & ~31u;
  if (!meet(&shown, who, site)) return false;
  if (shown.done) return true;
  Shown* others[32];
  for (unsigned i = 0; i < 32; i++) others[i] = static_cast<Shown*>(const_cast<void*>(laid_down(first + i)));
  for (Shown* to : others) {
    for (unsigned i = 0; i < 32; i++) to->all[i] = others[i]->mine;
    to->done = true;
  }
  return true;
}

}  // namespace emu
