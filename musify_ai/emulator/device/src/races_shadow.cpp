// Shadow memory of race mode: a cell for each four bytes that a kernel has touched.
#include <link.h>
#include <sys/mman.h>

#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <unordered_map>

#include "../include/musify_emu/harness.h"
#include "races.h"

namespace emu {

namespace {
struct Segment {
  uintptr_t begin = 0, end = 0;
};
// The program's own variables, which is where __device__ ones are.
const std::vector<Segment>& segments() {
  static const std::vector<Segment> found = [] {
    std::vector<Segment> all;
    dl_iterate_phdr(
        [](dl_phdr_info* info, size_t, void* out) {
          for (int i = 0; i < info->dlpi_phnum; i++) {
            const auto& header = info->dlpi_phdr[i];
            if (header.p_type != PT_LOAD || !(header.p_flags & PF_W)) continue;
            uintptr_t begin = info->dlpi_addr + header.p_vaddr;
            static_cast<std::vector<Segment>*>(out)->push_back({begin, begin + header.p_memsz});
          }
          return 1;  // the program itself comes first; libraries hold nothing of a kernel's
        },
        &all);
    return all;
  }();
  return found;
}

bool in_segments(uintptr_t begin, uintptr_t end) {
  for (const Segment& s : segments())
    if (begin < s.end && end > s.begin) return true;
  return false;
}

size_t budget() {
  static const size_t bytes = [] {
    const char* text = getenv("MUSIFY_EMU_RACE_MEMORY");  // MiB
    return (text && atol(text) > 0 ? static_cast<size_t>(atol(text)) : size_t(4096)) << 20;
  }();
  return bytes;
}

size_t used = 0;
bool full = false;
std::unordered_map<uintptr_t, Cell*> pages;  // null: looked at in this launch, and not watched
std::deque<std::unique_ptr<ByteSlots[]>> bytes_of_cells;
constexpr uint32_t kChunk = 4096;
uint32_t splits = 0;

struct Remembered {
  uintptr_t page = ~uintptr_t(0);
  Cell* cells = nullptr;
};
Remembered remembered[256];
}  // namespace

bool shadow_full() { return full; }

static std::map<uintptr_t, size_t>& lent() {
  static auto* all = new std::map<uintptr_t, size_t>;
  return *all;
}

void lend_memory(const void* p, size_t bytes) { lent()[reinterpret_cast<uintptr_t>(p)] = bytes; }
void take_memory_back(const void* p) { lent().erase(reinterpret_cast<uintptr_t>(p)); }

bool global_buffer(const void* p, uintptr_t* begin, size_t* bytes) {
  Owner owner{};
  if (owner_of(p, &owner)) {
    *begin = reinterpret_cast<uintptr_t>(owner.base);
    *bytes = owner.bytes;
    return true;
  }
  uintptr_t at = reinterpret_cast<uintptr_t>(p);
  auto it = lent().upper_bound(at);
  if (it == lent().begin() || at - (--it)->first >= it->second) return false;
  *begin = it->first;
  *bytes = it->second;
  return true;
}

Cell* new_cells(size_t count) {
  size_t bytes = count * sizeof(Cell);
  if (used + bytes > budget()) {
    full = true;
    return nullptr;
  }
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    full = true;
    return nullptr;
  }
  used += bytes;
  return static_cast<Cell*>(memory);
}

bool watched(const void* p, size_t bytes) {
  uintptr_t begin;
  size_t size;
  if (global_buffer(p, &begin, &size)) return true;
  uintptr_t at = reinterpret_cast<uintptr_t>(p);
  return in_segments(at, at + bytes);
}

static bool page_watched(uintptr_t page) {
  uintptr_t begin = page << 12, end = begin + 4096;
  auto it = lent().lower_bound(end);
  if (it != lent().begin() && (--it)->first + it->second > begin) return true;
  return in_segments(begin, end) || any_allocation(reinterpret_cast<char*>(begin), reinterpret_cast<char*>(end));
}

Cell* shadow_page(uintptr_t page) {
  Remembered& entry = remembered[page & 255];
  if (entry.page == page) return entry.cells;
  auto found = pages.find(page);
  Cell* cells = nullptr;
  if (found != pages.end()) {
    cells = found->second;
  } else {
    Critical section;
    if (page_watched(page)) cells = new_cells(kCellsOfPage);
    pages.emplace(page, cells);
  }
  entry = {page, cells};
  return cells;
}

ByteSlots& split_bytes(Cell& cell) {
  if (!cell.split) {
    Critical section;
    if (splits % kChunk == 0) {
      bytes_of_cells.emplace_back(new ByteSlots[kChunk]);
      used += kChunk * sizeof(ByteSlots);
    }
    cell.split = ++splits;
    ByteSlots& fresh = bytes_of_cells.back()[(splits - 1) % kChunk];
    for (Slots& slots : fresh) slots = cell.whole;
  }
  uint32_t index = cell.split - 1;
  return bytes_of_cells[index / kChunk][index % kChunk];
}

void shadow_launch_begins() {
  // what was no allocation may have become one
  for (auto it = pages.begin(); it != pages.end();) it = it->second ? std::next(it) : pages.erase(it);
  for (Remembered& entry : remembered)
    if (!entry.cells) entry = Remembered();
}

}  // namespace emu
