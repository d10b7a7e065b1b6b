// Shared memory: an arena for each live block. Dynamic memory lies at its start; behind it each static variable gets
// a slot when it is first used in a launch. Between slots lie guard bytes.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "sanitizing.h"
#include "scheduler.h"
#include "settings.h"

namespace emu {

char* block_arena = nullptr;
const char* dynamic_name = nullptr;
int arch_of_process();

namespace {
constexpr size_t kGuardBytes = 128;
constexpr unsigned char kGuardByte = 0xFB;
constexpr size_t kBase = 1024;  // so that dynamic memory is aligned as strictly as anyone asks

struct Span {
  size_t offset, bytes;
  const char* described;  // of a static variable
};
size_t dynamic_bytes, used, static_bytes;
std::vector<Span> spans;
std::vector<char*> arenas;  // free ones, all of the same size
size_t capacity;

size_t round_up(size_t value, size_t to) { return (value + to - 1) / to * to; }

void prepare(char* arena, const Span& span) {
  if (span.bytes) memset(arena + span.offset, settings().poison, span.bytes);
  permit(arena + span.offset + span.bytes, kGuardBytes);
  memset(arena + span.offset + span.bytes, kGuardByte, kGuardBytes);
  forbid(arena + span.offset + span.bytes, kGuardBytes);
}
}  // namespace

void open_arena(size_t bytes) {
  dynamic_name = nullptr;
  dynamic_bytes = bytes;
  static_bytes = 0;
  spans.clear();
  spans.push_back({kBase - kGuardBytes, 0, nullptr});  // what lies before the dynamic memory
  used = kBase;
  if (bytes) {
    spans.push_back({kBase, bytes, nullptr});
    used += bytes + kGuardBytes;
  }
  size_t wanted = round_up(kBase + bytes + (1u << 18), 4096);
  if (wanted > capacity) {
    for (char* arena : arenas) free(arena);
    arenas.clear();
    capacity = wanted;
  }
}

void admit_arena(Block* block) {
  if (!block->arena) {
    if (arenas.empty()) {
      block->arena = static_cast<char*>(aligned_alloc(4096, capacity));
    } else {
      block->arena = arenas.back();
      arenas.pop_back();
    }
  }
  permit(block->arena, capacity);
  for (const Span& span : spans) prepare(block->arena, span);
}

void close_arenas() {
  for (Block* block : current.idle) {
    if (block->arena) arenas.push_back(block->arena);
    block->arena = nullptr;
  }
  block_arena = nullptr;
}

size_t place_slot(SharedSlot& slot, size_t size, size_t align, const char* described) {
  if (!current.running) trap("host-call", "a shared variable used outside a kernel");
  if (slot.epoch == launch_epoch) return slot.offset;  // another lane placed it since the caller looked
  size_t limit = model(arch_of_process()).shared_per_block;
  // Without leave to ask for more, the two kinds share what a block has.
  size_t together = static_cast<size_t>(shared_limit_of(current.kernel.function));
  if (together > limit) together = model(arch_of_process()).shared_per_block_optin;
  if (dynamic_bytes && static_bytes + size + dynamic_bytes > together) {
    char text[160];
    snprintf(text, sizeof text, "shared memory of more than %zu bytes: %zu dynamic and %zu static used, %zu more asked for",
             together, dynamic_bytes, static_bytes, size);
    abandon("config", text);
  }
  if (static_bytes + size > limit) {
    char text[160];
    snprintf(text, sizeof text, "static shared memory of more than %zu bytes: %zu used, %zu more asked for", limit,
             static_bytes, size);
    abandon("shared-limit", text);
  }
  Critical section;
  size_t offset = round_up(used, align < 128 ? 128 : align);
  used = offset + size + kGuardBytes;
  static_bytes += size;
  slot.epoch = launch_epoch;
  slot.offset = offset;
  spans.push_back({offset, size, described});
  for (Block* block : current.resident) prepare(block->arena, spans.back());
  return offset;
}

size_t arena_bytes() { return capacity; }

// What describes the variable that lies there, and where it starts.
const char* name_in_arena(size_t offset, size_t* start) {
  *start = kBase;
  for (const Span& span : spans)
    if (offset >= span.offset && offset < span.offset + span.bytes + kGuardBytes) {
      *start = span.offset;
      return span.described;
    }
  return nullptr;
}

void* dynamic_shared() { return block_arena + kBase; }

bool check_arena(const Block* block, std::string* what) {
  if (kSanitized) return true;
  for (const Span& span : spans) {
    const unsigned char* guard = reinterpret_cast<const unsigned char*>(block->arena) + span.offset + span.bytes;
    for (size_t i = 0; i < kGuardBytes; i++)
      if (guard[i] != kGuardByte) {
        const char* which = span.bytes == 0 ? "before the first shared array"
                            : span.offset == kBase && dynamic_bytes ? "past the dynamic shared memory"
                                                                    : "past a shared array";
        *what = "a write " + std::string(which);
        if (span.bytes) *what += " of " + std::to_string(span.bytes) + " bytes, " + std::to_string(i) + " bytes off";
        return false;
      }
  }
  return true;
}

}  // namespace emu
