// Jumps in random sequences. One step is a linear map of the state, over GF(2) or modulo a prime; 2^k steps are its
// k-th squaring, which is kept.
#include "../include/musify_emu/random_core.h"

#include <cstring>
#include <vector>

namespace emu {
namespace random {

namespace {
// Column i of a map of 160 bits: where bit i of the state goes.
struct Bits {
  unsigned column[160][5];
  void apply(unsigned v[5]) const {
    unsigned out[5] = {};
    for (int word = 0; word < 5; word++)
      for (unsigned left = v[word]; left; left &= left - 1) {
        const unsigned* from = column[word * 32 + __builtin_ctz(left)];
        for (int i = 0; i < 5; i++) out[i] ^= from[i];
      }
    memcpy(v, out, sizeof out);
  }
};

void xorshift_step(unsigned v[5]) {
  unsigned t = v[0] ^ v[0] >> 2;
  for (int i = 0; i < 4; i++) v[i] = v[i + 1];
  v[4] = (v[4] ^ v[4] << 4) ^ (t ^ t << 1);
}

const Bits& xorshift_power(size_t k) {
  static std::vector<Bits> powers;
  while (powers.size() <= k) {
    Bits next;
    for (int bit = 0; bit < 160; bit++) {
      unsigned v[5] = {};
      v[bit / 32] = 1u << bit % 32;
      if (powers.empty()) {
        xorshift_step(v);
      } else {
        powers.back().apply(v);
        powers.back().apply(v);
      }
      memcpy(next.column[bit], v, sizeof v);
    }
    powers.push_back(next);
  }
  return powers[k];
}

constexpr unsigned long long kModulus[2] = {4294967087ull, 4294944443ull};
struct Matrix {
  unsigned long long at[3][3];
};
Matrix product(const Matrix& a, const Matrix& b, unsigned long long modulus) {
  Matrix out{};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      unsigned __int128 sum = 0;
      for (int k = 0; k < 3; k++) sum += static_cast<unsigned __int128>(a.at[i][k]) * b.at[k][j];
      out.at[i][j] = static_cast<unsigned long long>(sum % modulus);
    }
  return out;
}
const Matrix& mrg_power(int component, size_t k) {
  static std::vector<Matrix> powers[2];
  std::vector<Matrix>& mine = powers[component];
  if (mine.empty()) {
    unsigned long long m = kModulus[component];
    if (component == 0) mine.push_back({{{0, 1, 0}, {0, 0, 1}, {m - 810728, 1403580, 0}}});
    else mine.push_back({{{0, 1, 0}, {0, 0, 1}, {m - 1370589, 0, 527612}}});
  }
  while (mine.size() <= k) mine.push_back(product(mine.back(), mine.back(), kModulus[component]));
  return mine[k];
}
}  // namespace

void xorshift_skip(unsigned v[5], unsigned long long count, int power) {
  for (int bit = 0; count >> bit; bit++) {
    if (count >> bit & 1) xorshift_power(static_cast<size_t>(bit + power)).apply(v);
    if (bit == 63) break;
  }
}

void mrg_skip(unsigned s1[3], unsigned s2[3], unsigned long long count, int power) {
  unsigned* state[2] = {s1, s2};
  for (int component = 0; component < 2; component++)
    for (int bit = 0; count >> bit; bit++) {
      if (count >> bit & 1) {
        const Matrix& m = mrg_power(component, static_cast<size_t>(bit + power));
        unsigned long long out[3];
        for (int i = 0; i < 3; i++) {
          unsigned __int128 sum = 0;
          for (int k = 0; k < 3; k++) sum += static_cast<unsigned __int128>(m.at[i][k]) * state[component][k];
          out[i] = static_cast<unsigned long long>(sum % kModulus[component]);
        }
        for (int i = 0; i < 3; i++) state[component][i] = static_cast<unsigned>(out[i]);
      }
      if (bit == 63) break;
    }
}

}  // namespace random
}  // namespace emu
