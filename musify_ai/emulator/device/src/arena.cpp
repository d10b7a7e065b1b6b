// Shared memory: an arena for each live block. Each static variable gets a slot when it is first used in a launch; the
// dynamic memory ends where the arena ends. Between slots lie guard bytes; behind the arena lies memory that nobody may
// touch, so that a read past the dynamic memory is seen too.
#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "findings.h"
#include "sanitizing.h"
#include "scheduler.h"
#include "settings.h"

extern uint3 threadIdx, blockIdx;

namespace emu {

char* block_arena = nullptr;
const char* dynamic_name = nullptr;
int arch_of_process();

namespace {
constexpr size_t kGuardBytes = 128;
constexpr unsigned char kGuardByte = 0xFB;
constexpr size_t kBase = 1024;            // of the first static variable
constexpr size_t kStrictest = 1024;       // alignment of the dynamic memory, where its size allows
constexpr size_t kBeyond = size_t(1) << 20;  // behind an arena

struct Span {
  size_t offset, bytes;
  const char* described;  // of a static variable
};
size_t dynamic_bytes, dynamic_base, used, static_bytes;
std::vector<Span> spans;
std::vector<char*> arenas;  // free ones, all of the same size
size_t capacity;
std::vector<char*> opened;  // arenas behind which something was touched in this launch

size_t round_up(size_t value, size_t to) { return (value + to - 1) / to * to; }

// The guard bytes behind a span: fewer where the arena ends.
size_t guarded(const Span& span) {
  size_t left = capacity - span.offset - span.bytes;
  return left < kGuardBytes ? left : kGuardBytes;
}

void prepare(char* arena, const Span& span) {
  permit(arena + span.offset, span.bytes);
  if (span.bytes) memset(arena + span.offset, settings().poison, span.bytes);
  size_t guard = guarded(span);
  permit(arena + span.offset + span.bytes, guard);
  memset(arena + span.offset + span.bytes, kGuardByte, guard);
  forbid(arena + span.offset + span.bytes, guard);
}
}  // namespace

// The end of the dynamic memory is the arena's, or less than 128 bytes from it: these are guard bytes.
void open_arena(size_t bytes) {
  dynamic_name = nullptr;
  dynamic_bytes = bytes;
  static_bytes = 0;
  size_t wanted = round_up(kBase + bytes + (1u << 18), 4096);
  if (wanted > capacity) {
    for (char* arena : arenas) {
      permit(arena, capacity + kBeyond);
      munmap(arena, capacity + kBeyond);
    }
    arenas.clear();
    capacity = wanted;
  }
  size_t align = kStrictest;
  while (align > kGuardBytes && bytes % align) align /= 2;
  dynamic_base = capacity - round_up(bytes, align);
  spans.clear();
  spans.push_back({kBase - kGuardBytes, 0, nullptr});  // what lies before the first variable
  used = kBase;
  spans.push_back({dynamic_base - kGuardBytes, 0, nullptr});
  if (bytes) spans.push_back({dynamic_base, bytes, nullptr});
}

void admit_arena(Block* block) {
  if (!block->arena) {
    if (arenas.empty()) {
      void* memory = mmap(nullptr, capacity + kBeyond, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (memory == MAP_FAILED || mprotect(memory, capacity, PROT_READ | PROT_WRITE)) {
        perror("musify-emu: shared memory of a block");
        abort();
      }
      block->arena = static_cast<char*>(memory);
      forbid(block->arena + capacity, kBeyond);
    } else {
      block->arena = arenas.back();
      arenas.pop_back();
    }
  }
  forbid(block->arena, capacity);
  for (const Span& span : spans) prepare(block->arena, span);
}

// An access behind an arena of the running launch: said once a launch, and then let go on, since a GPU would not end the
// kernel either. What is read there is what fresh memory holds.
bool beyond_arena(const void* at) {
  size_t offset = static_cast<size_t>(static_cast<const char*>(at) - block_arena);
  if (!block_arena || offset < capacity || offset >= capacity + kBeyond) return false;
  char* beyond = block_arena + capacity;
  if (mprotect(beyond, kBeyond, PROT_READ | PROT_WRITE)) return false;
  memset(beyond, settings().poison, kBeyond);
  if (opened.empty()) {
    std::string name = dynamic_name ? std::string(" ") + dynamic_name : "";
    finding("shared-out-of-bounds", nullptr, Site{current.kernel.file, current.kernel.line},
            "an access %zu bytes past the end of the dynamic shared memory%s of %zu bytes (block %u,%u,%u thread %u,%u,%u)",
            offset - dynamic_base - dynamic_bytes, name.c_str(), dynamic_bytes, blockIdx.x, blockIdx.y, blockIdx.z,
            threadIdx.x, threadIdx.y, threadIdx.z);
  }
  opened.push_back(block_arena);
  return true;
}

void close_arenas() {
  for (char* arena : opened) {  // whose pages go back
    madvise(arena + capacity, kBeyond, MADV_DONTNEED);
    mprotect(arena + capacity, kBeyond, PROT_NONE);
  }
  opened.clear();
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
  size_t offset = round_up(used, align < 128 ? 128 : align);
  if (offset + size + 2 * kGuardBytes > dynamic_base) abandon("shared-limit", "more shared variables than there is room for");
  Critical section;
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
  *start = dynamic_base;
  for (const Span& span : spans)
    if (span.bytes && offset >= span.offset && offset < span.offset + span.bytes + kGuardBytes) {
      *start = span.offset;
      return span.described;
    }
  return nullptr;
}

void* dynamic_shared() { return block_arena + dynamic_base; }

bool check_arena(const Block* block, std::string* what) {
  if (kSanitized) return true;
  for (const Span& span : spans) {
    const unsigned char* guard = reinterpret_cast<const unsigned char*>(block->arena) + span.offset + span.bytes;
    for (size_t i = 0; i < guarded(span); i++)
      if (guard[i] != kGuardByte) {
        const bool dynamic = span.offset + kGuardBytes >= dynamic_base;
        *what = "a write ";
        if (span.bytes) *what += dynamic ? "past the dynamic shared memory" : "past a shared array";
        else *what += dynamic ? "before the dynamic shared memory" : "before the first shared array";
        if (span.bytes) *what += " of " + std::to_string(span.bytes) + " bytes, " + std::to_string(i) + " bytes off";
        return false;
      }
  }
  return true;
}

}  // namespace emu
