#include "lines.h"

#include <link.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace emu {

namespace {
std::string program() {
  char path[4096];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  return n > 0 ? std::string(path, static_cast<size_t>(n)) : "";
}

// The device's own headers, and what comes with the compiler: the line meant is the one that called them.
bool is_users(const std::string& file) {
  static const char* const kOthers[] = {"/musify_emu/", "/device/ptx/", "/usr/include/", "/usr/lib/", "_runtime.h",
                                        "_fp16.h",      "_bf16.h",      "cooperative_groups"};
  if (file.empty() || file[0] == '?') return false;
  for (const char* other : kOthers)
    if (file.find(other) != std::string::npos) return false;
  return true;
}

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

// addr2line comes with the linker; LLVM's symbolizer can be called by that name too.
std::map<uint32_t, Line> lines_of(const std::vector<uint32_t>& pcs) {
  std::map<uint32_t, Line> found;
  std::string tail = " -a -i -e " + quoted(program());
  for (uint32_t pc : pcs) {
    char hex[24];
    snprintf(hex, sizeof hex, " 0x%x", pc - 1);  // the call, not what follows it
    tail += hex;
  }
  for (const char* tool : {"addr2line", "llvm-addr2line", "llvm-symbolizer --output-style=GNU"}) {
    FILE* pipe = popen((tool + tail + " 2>/dev/null").c_str(), "r");
    if (!pipe) continue;
    char text[4096];
    uint32_t pc = 0;
    while (fgets(text, sizeof text, pipe)) {
      if (strncmp(text, "0x", 2) == 0) {
        pc = static_cast<uint32_t>(strtoull(text, nullptr, 16)) + 1;
        continue;
      }
      std::string line(text);
      size_t colon = line.rfind(':');
      if (colon == std::string::npos) continue;
      std::string file = line.substr(0, colon);
      int number = atoi(line.c_str() + colon + 1);
      while (file.compare(0, 2, "./") == 0) file.erase(0, 2);
      Line& entry = found[pc];
      if (entry.number == 0 && number > 0 && is_users(file)) entry = {file, number};
    }
    pclose(pipe);
    // GNU's tool does not read all of what clang says of inlined calls: the next is asked for what is left.
    bool complete = !found.empty();
    for (const auto& each : found) complete = complete && each.second.number > 0;
    if (complete) break;
  }
  return found;
}

uintptr_t program_base() {
  static const uintptr_t base = [] {  // 0 where the program's addresses are fixed
    uintptr_t at = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* info, size_t, void* out) {
          *static_cast<uintptr_t*>(out) = info->dlpi_addr;
          return 1;
        },
        &at);
    return at;
  }();
  return base;
}

Site first_line_of_user(const std::vector<uintptr_t>& pcs) {
  std::vector<uint32_t> near;  // of the program itself: libraries lie far from it
  for (uintptr_t pc : pcs)
    if (pc - program_base() < UINT32_MAX) near.push_back(static_cast<uint32_t>(pc - program_base()));
  if (near.empty()) return Site{"", 0};
  const std::map<uint32_t, Line> lines = lines_of(near);
  for (uint32_t pc : near) {
    auto found = lines.find(pc);
    if (found == lines.end() || found->second.number == 0) continue;
    static std::string file;
    file = found->second.file;
    return Site{file.c_str(), found->second.number};
  }
  return Site{"", 0};
}

}  // namespace emu
