// The devices that a unit can be compiled for. Figures that a program can ask for, and that decide what fits.
//
// mp_21, mp_22, mp_31: compute capability and warp width as ggml-musa and the SDK report them (S80/S3000 2.1 and 128
// lanes, S4000 2.2 and 128, S5000 3.1 and 32). What nobody has published (multiprocessors, clocks, registers, shared
// memory of an SM) is a plausible figure of ours and stands here only so that size arithmetic has something to divide.
// sm_80, sm_90: the CUDA C++ Programming Guide's table of compute capabilities. Multiprocessors are 4 everywhere, so
// that programs which scale with the device stay small, and so is the memory.
#include <cstdlib>

#include "scheduler.h"

namespace emu {

namespace {
constexpr size_t kKiB = 1024, kGiB = 1024 * 1024 * 1024;
constexpr Model kModels[] = {
    {800, "emulated sm_80", 8, 0, 32, 4, 2048, 32, 8 * kGiB, 48 * kKiB, 164 * kKiB, 163 * kKiB, 65536, 65536, 1410000,
     1215000, 5120, 40 << 20},
    {900, "emulated sm_90", 9, 0, 32, 4, 2048, 32, 8 * kGiB, 48 * kKiB, 228 * kKiB, 227 * kKiB, 65536, 65536, 1785000,
     2619000, 5120, 50 << 20},
    {210, "emulated mp_21", 2, 1, 128, 4, 1024, 16, 8 * kGiB, 48 * kKiB, 72 * kKiB, 72 * kKiB, 65536, 65536, 1800000,
     7000000, 256, 4 << 20},
    {220, "emulated mp_22", 2, 2, 128, 4, 1024, 16, 8 * kGiB, 48 * kKiB, 72 * kKiB, 72 * kKiB, 65536, 65536, 1800000,
     8000000, 384, 4 << 20},
    {310, "emulated mp_31", 3, 1, 32, 4, 2048, 32, 8 * kGiB, 48 * kKiB, 192 * kKiB, 192 * kKiB, 65536, 65536, 1750000,
     1600000, 5120, 32 << 20},
};
constexpr int kCount = sizeof kModels / sizeof kModels[0];

int index_of(int arch) {
  for (int i = 0; i < kCount; ++i)
    if (kModels[i].arch == arch) return i;
  return 0;
}

// MUSIFY_EMU_FIGURES=arch: a device that reports, and keeps to, the figures of another. What a program then sizes by
// them comes out as on that one; what the device is (its name, its capability, its lanes) stays, but for
// MUSIFY_EMU_CAPABILITY=arch, by which it reports the other's compute capability.
const Model* with_figures() {
  static Model models[kCount];
  const char* text = getenv("MUSIFY_EMU_FIGURES");
  const char* capability = getenv("MUSIFY_EMU_CAPABILITY");
  for (int i = 0; i < kCount; ++i) {
    models[i] = text ? kModels[index_of(atoi(text))] : kModels[i];
    models[i].arch = kModels[i].arch;
    models[i].name = kModels[i].name;
    const Model& capable = kModels[capability ? index_of(atoi(capability)) : i];
    models[i].major = capable.major;
    models[i].minor = capable.minor;
    models[i].lanes = kModels[i].lanes;
  }
  return models;
}
}  // namespace

const Model& model(int arch) {
  static const Model* models = with_figures();
  return models[index_of(arch)];
}

int active_blocks(int arch, int threads, size_t shared) {
  if (threads <= 0 || threads > 1024) return 0;
  const Model& m = model(arch);
  int warps = (threads + m.lanes - 1) / m.lanes;
  int blocks = m.threads_per_multiprocessor / (warps * m.lanes);
  if (blocks > m.blocks_per_multiprocessor) blocks = m.blocks_per_multiprocessor;
  if (shared) {
    int fit = static_cast<int>(m.shared_per_multiprocessor / (shared + 1024));
    if (shared > m.shared_per_block_optin) fit = 0;
    else if (fit == 0) fit = 1;
    if (fit < blocks) blocks = fit;
  }
  return blocks;
}

}  // namespace emu
