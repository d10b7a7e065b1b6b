// The host side of the random library. Results come from many streams in turn, as cuRAND documents and as its own host
// generators show: XORWOW from 4096 streams that lie 2^67 apart, MRG32k3a from 81920 that lie 2^76 apart, one result of
// each (of the normal distribution: a pair); Philox from 65536 subsequences, four results of each.
#pragma once
#include <vector>

#include "library.h"
#include "random.h"

namespace emu {
namespace random {

class Generator {
 public:
  enum Kind : int { xorwow = 101, mrg32k3a = 121, philox = 161 };
  Kind kind;
  bool on_host;
  host::Stream* stream = nullptr;
  Generator(Kind k, bool h) : kind(k), on_host(h) {}

  ~Generator() { host::settle(stream); }  // of what it has still to make
  void set_seed(u64 s) { start(s, position_); }
  void set_offset(u64 n) { start(seed_, n); }

  void bits(unsigned* out, size_t n) {
    each<1>(n, [=](size_t i, auto& g) { out[i] = g.next(); }, [=](size_t i, const uint4* x, unsigned k) { out[i] = (&x[0].x)[k]; });
  }
  void uniforms(float* out, size_t n) {
    each<1>(n, [=](size_t i, auto& g) { out[i] = uniform(&g); },
            [=](size_t i, const uint4* x, unsigned k) { out[i] = uniform_of((&x[0].x)[k]); });
  }
  void uniforms(double* out, size_t n) {
    each<2>(n, [=](size_t i, auto& g) { out[i] = uniform_double(&g); },
            [=](size_t i, const uint4* x, unsigned k) { out[i] = uniform_of((&x[0].x)[2 * k], (&x[0].x)[2 * k + 1]); });
  }
  // `map` makes the result of a normally distributed number. Pairs: `n` is even but for Philox.
  template <class Map>
  void normals(float* out, size_t n, Map map) {
    if (kind != philox) return pairs(n, [=](size_t i, auto& g) { put(out + i, normal2(&g), map); });
    philox_each<1>(n, [=](size_t i, const uint4* x, unsigned k) {
      const unsigned* pair = &x[0].x + k / 2 * 2;
      float2 v = normal_of(pair[0], pair[1]);
      out[i] = map(k % 2 ? v.y : v.x);
    });
  }
  template <class Map>
  void normals(double* out, size_t n, Map map) {
    if (kind != philox) return pairs(n, [=](size_t i, auto& g) { put(out + i, normal2_double(&g), map); });
    philox_each<2>(n, [=](size_t i, const uint4* x, unsigned k) {
      const unsigned* four = &x[k / 2].x;
      double2 v = normal_of(four[0], four[1], four[2], four[3]);
      out[i] = map(k % 2 ? v.y : v.x);
    });
  }

 private:
  template <class T, class Pair, class Map>
  static void put(T* out, const Pair& v, Map map) {
    out[0] = map(v.x);
    out[1] = map(v.y);
  }
  template <class G, size_t most>
  struct Streams {
    std::vector<G> all;
    G& at(size_t i, u64 seed, u64 offset) {
      while (all.size() <= i) {
        G g = first_;
        if (all.empty()) first_.seed(seed), g = first_;
        else first_.skip_subsequences(1), g = first_;
        g.skip(offset / most + (all.size() < offset % most));
        all.push_back(g);
      }
      return all[i];
    }

   private:
    G first_;
  };
  Streams<Xorwow, 4096> xorwows_;
  Streams<Mrg32k3a, 81920> mrgs_;
  u64 seed_ = 0, offset_ = 0, position_ = 0;
  std::vector<u64> blocks_;  // of Philox, used by each subsequence

  void start(u64 seed, u64 offset) {
    host::settle(stream);
    seed_ = seed;
    offset_ = position_ = offset;
    xorwows_.all.clear();
    mrgs_.all.clear();
    blocks_.clear();
  }
  template <int BLOCKS, class Plain, class Counted>
  void each(size_t n, Plain plain, Counted counted) {
    if (kind == philox) return philox_each<BLOCKS>(n, counted);
    for (size_t i = 0; i < n; i++) turn([&](auto& g) { plain(i, g); });
  }
  template <class F>
  void pairs(size_t n, F f) {
    for (size_t i = 0; i < n; i += 2) turn([&](auto& g) { f(i, g); });
  }
  template <class F>
  void turn(F f) {
    u64 at = position_++;
    if (kind == xorwow) f(xorwows_.at(at % 4096, seed_, offset_));
    else f(mrgs_.at(at % 81920, seed_, offset_));
  }
  template <int BLOCKS, class F>
  void philox_each(size_t n, F f) {
    constexpr size_t most = 65536;
    uint4 values[BLOCKS];
    for (size_t i = 0; i < n; i++, position_++) {
      size_t stream = position_ / 4 % most;
      unsigned k = static_cast<unsigned>(position_ % 4);
      while (blocks_.size() <= stream) blocks_.push_back(offset_ / 4 / most + (blocks_.size() < offset_ / 4 % most));
      if (k == 0 || i == 0)
        for (int b = 0; b < BLOCKS; b++) {
          Philox g;
          g.seed(seed_);
          g.counter.z = static_cast<unsigned>(stream);
          g.count(blocks_[stream] + static_cast<u64>(b));
          values[b] = Philox::block(g.counter, g.key);
        }
      f(i, values, k);
      if (k == 3) blocks_[stream] += BLOCKS;
    }
  }
};

// Runs a generation on the device, or on the host for a host generator. `f` is of no state but what it is given.
template <class F>
int generate(Generator* g, const char* name, Site s, F f) {
  if (g->on_host) {
    f();
    return 0;
  }
  return library_work(name, g->stream, s, f);
}

}  // namespace random
}  // namespace emu
