#include "../include/musify_emu/launching.h"
namespace emu {
int captures = 0;
bool capturing(uintptr_t) { return false; }
int capture_launch(const Kernel&, const Config&, Deferred, const Argument*, int) { return 801; }
}  // namespace emu
