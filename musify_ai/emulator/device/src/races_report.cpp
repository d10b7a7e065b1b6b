// Says of a race which variable it is about, which threads and which lines of the user's file.
#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "findings.h"
#include "lines.h"
#include "races.h"

namespace emu {

namespace {
// The name of the program's variable at an address, from its symbol table.
std::string symbol_at(uintptr_t address) {
  static const std::vector<char> image = [] {
    std::vector<char> bytes;
    int file = open("/proc/self/exe", O_RDONLY);
    struct stat info;
    if (file >= 0 && fstat(file, &info) == 0) {
      bytes.resize(static_cast<size_t>(info.st_size));
      size_t done = 0;
      while (done < bytes.size()) {
        ssize_t n = read(file, bytes.data() + done, bytes.size() - done);
        if (n <= 0) break;
        done += static_cast<size_t>(n);
      }
    }
    if (file >= 0) close(file);
    return bytes;
  }();
  if (image.size() < sizeof(ElfW(Ehdr)) || memcmp(image.data(), ELFMAG, SELFMAG) != 0) return "";
  const auto* header = reinterpret_cast<const ElfW(Ehdr)*>(image.data());
  const uintptr_t base = program_base();
  const auto* sections = reinterpret_cast<const ElfW(Shdr)*>(image.data() + header->e_shoff);
  for (int i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    const auto* symbols = reinterpret_cast<const ElfW(Sym)*>(image.data() + sections[i].sh_offset);
    const char* names = image.data() + sections[sections[i].sh_link].sh_offset;
    for (size_t k = 0; k < sections[i].sh_size / sizeof(ElfW(Sym)); k++) {
      const auto& symbol = symbols[k];
      if ((symbol.st_info & 15) != STT_OBJECT || address - base - symbol.st_value >= symbol.st_size) continue;
      const char* name = names + symbol.st_name;
      int status = 0;
      char* plain = abi::__cxa_demangle(name, nullptr, nullptr, &status);
      std::string out = status == 0 && plain ? plain : name;
      free(plain);
      return out;
    }
  }
  return "";
}

// "tile" of "... Tag = void multiply() [with T = float]::tile__tag ..."
std::string tag_name(const char* described) {
  const char* end = described ? strstr(described, "__tag") : nullptr;
  if (!end) return "";
  const char* start = end;
  while (start > described && (isalnum(static_cast<unsigned char>(start[-1])) || start[-1] == '_')) start--;
  return std::string(start, end);
}

struct Variable {
  std::string name, words;
  int argument = 0;
};

Variable variable_of(const Race& race, const Argument* arguments, int count) {
  if (race.shared) {
    size_t start = 0;
    size_t offset = race.address;
    const char* described = name_in_arena(offset, &start);
    std::string name = tag_name(described);
    std::string at = " (byte " + std::to_string(offset - start) + ")";
    if (!name.empty()) return {name, "shared variable " + name + at};
    if (dynamic_name) return {dynamic_name, "dynamic shared memory " + std::string(dynamic_name) + at};
    return {"", "dynamic shared memory" + at};
  }
  uintptr_t base = 0, other = 0;
  size_t bytes = 0, others = 0;
  const void* p = reinterpret_cast<const void*>(race.address);
  if (!global_buffer(p, &base, &bytes)) {
    std::string name = symbol_at(race.address);
    return {name, "device variable " + (name.empty() ? "without a name" : name)};
  }
  std::string at = " (byte " + std::to_string(race.address - base) + " of a buffer of " + std::to_string(bytes) + ")";
  for (int i = 0; i < count; i++)
    if (arguments[i].pointer && global_buffer(reinterpret_cast<const void*>(arguments[i].value), &other, &others) &&
        other == base) {
      Variable out{"", "global memory of argument " + std::to_string(i + 1) + at};
      out.argument = i + 1;
      return out;
    }
  return {"", "global memory" + at};
}

std::string who(const Access& a, unsigned long long block, bool name_block) {
  std::string text = "thread " + std::to_string(a.rank);
  return name_block ? text + " of block " + std::to_string(block) : text;
}

const char* did(const Access& a, bool writes) {
  if (a.atomic) return writes ? "updated atomically" : "read atomically";
  return writes ? "written" : "read";
}

std::string place(const Line& line) { return line.file + ":" + std::to_string(line.number); }
}  // namespace

void report_races(const std::vector<Race>& races, const Argument* arguments, int count) {
  Critical section;
  std::vector<uint32_t> pcs;
  for (const Race& race : races)
    for (uint32_t pc : {race.first.pc, race.second.pc}) pcs.push_back(pc);
  std::sort(pcs.begin(), pcs.end());
  pcs.erase(std::unique(pcs.begin(), pcs.end()), pcs.end());
  std::map<uint32_t, Line> lines = lines_of(pcs);
  for (const Race& race : races) {
    Line first = lines[race.first.pc], second = lines[race.second.pc];
    for (Line* line : {&first, &second})
      if (line->number == 0) *line = {current.kernel.file, current.kernel.line};
    Variable variable = variable_of(race, arguments, count);
    bool blocks = race.blocks[0] != race.blocks[1];
    std::string message = variable.words + ": " + did(race.first, race.first_writes) + " by " +
                          who(race.first, race.blocks[0], blocks) + " at " + place(first) + ", " +
                          did(race.second, race.second_writes) + " by " + who(race.second, race.blocks[1], blocks) +
                          " at " + place(second) + ", and nothing orders the two";
    if (!blocks) message += " (block " + std::to_string(race.blocks[0]) + ")";
    Finding found{"race", current.kernel.name, message, "", second.file, second.number};
    found.other_file = first.file;
    found.other_line = first.number;
    found.variable = variable.name;
    found.argument = variable.argument;
    write_finding(found);
  }
}

}  // namespace emu
