// Random sequences: far jumps, compiled once with the device's core.
#pragma once

namespace emu {
namespace random {

// Moves the state of Marsaglia's xorshift of 160 bits on by `count` times 2^`power` steps.
void xorshift_skip(unsigned v[5], unsigned long long count, int power);
// The same for L'Ecuyer's MRG32k3a, the three last values of each component, the oldest first.
void mrg_skip(unsigned s1[3], unsigned s2[3], unsigned long long count, int power);

}  // namespace random
}  // namespace emu
