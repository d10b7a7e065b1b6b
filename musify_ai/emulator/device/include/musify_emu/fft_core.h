// The discrete Fourier transform of any size and rank, in double, compiled once with the device's core.
#pragma once

namespace emu {
namespace fft {

// Of `rank` dimensions, the last running fastest, in place; complex numbers as pairs; not scaled. `sign`: that of the
// exponent, -1 forwards, 1 back.
void transform(double* data, const long long* sizes, int rank, int sign);

}  // namespace fft
}  // namespace emu
