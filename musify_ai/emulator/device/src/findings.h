// What was noticed, and the launch it belongs to.
#pragma once
#include "../include/musify_emu/harness.h"

namespace emu {

void write_finding(const Finding&);
const char* kernel_of_launch();           // empty on the host
std::string json_text(const char* text);  // quoted

}  // namespace emu
