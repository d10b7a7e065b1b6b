// From addresses of code to lines of the user's files.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "../include/musify_emu/core.h"

namespace emu {

struct Line {
  std::string file;
  int number = 0;
};
uintptr_t program_base();  // where the program was loaded: 0 unless it can be moved
// The innermost line of the user's for each return address, from that base.
std::map<uint32_t, Line> lines_of(const std::vector<uint32_t>& pcs);
// The first of some return addresses, innermost first, that is a line of the user's.
Site first_line_of_user(const std::vector<uintptr_t>& pcs);

}  // namespace emu
