// Virtual memory: ranges of addresses, pieces of memory, and which piece is seen at which range.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "../include/musify_emu/memories.h"
#include "scheduler.h"
#include "settings.h"

namespace emu {

void adopt(void* start, size_t bytes, Memory);  // heap.cpp
void disown(void* start);

namespace host {

namespace {
struct Piece {
  int file;
  size_t bytes;
  int mapped;
  bool released;
};
struct Range {
  size_t bytes;
};
std::map<unsigned long long, Piece>& pieces() {
  static auto* all = new std::map<unsigned long long, Piece>;
  return *all;
}
std::map<char*, Range>& ranges() {
  static auto* all = new std::map<char*, Range>;
  return *all;
}
struct Mapped {
  size_t bytes;
  unsigned long long piece;
};
std::map<char*, Mapped>& mapped() {
  static auto* all = new std::map<char*, Mapped>;
  return *all;
}
unsigned long long next_piece = 1;

int temporary_file(size_t bytes) {
  const char* folder = getenv("TMPDIR");
  std::string name = std::string(folder && *folder ? folder : P_tmpdir) + "/musify-emu-XXXXXX";
  int file = mkstemp(&name[0]);
  if (file < 0) return -1;
  unlink(name.c_str());
  if (ftruncate(file, static_cast<off_t>(bytes)) != 0) {
    close(file);
    return -1;
  }
  return file;
}

void close_piece(std::map<unsigned long long, Piece>::iterator it) {
  if (!it->second.released || it->second.mapped) return;
  close(it->second.file);
  pieces().erase(it);
}
}  // namespace

int reserve_addresses(void** out, size_t bytes, size_t alignment) {
  if (!out || !bytes || bytes % kGranularity || (alignment & (alignment - 1))) return raise(invalid_value);
  const size_t align = alignment > kGranularity ? alignment : kGranularity;
  char* p = static_cast<char*>(mmap(nullptr, bytes + align, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  if (p == MAP_FAILED) return raise(out_of_memory);
  char* start = reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(p) + align - 1) / align * align);
  if (start > p) munmap(p, static_cast<size_t>(start - p));
  munmap(start + bytes, static_cast<size_t>(p + align - start));
  ranges()[start] = {bytes};
  *out = start;
  return ok;
}
int free_addresses(void* p, size_t bytes) {
  auto it = ranges().find(static_cast<char*>(p));
  if (it == ranges().end() || it->second.bytes != bytes) return raise(invalid_value);
  auto inside = mapped().lower_bound(it->first);
  if (inside != mapped().end() && inside->first < it->first + bytes) return raise(invalid_value);
  munmap(p, bytes);
  ranges().erase(it);
  return ok;
}
int make_piece(unsigned long long* out, size_t bytes) {
  if (!out || !bytes || bytes % kGranularity) return raise(invalid_value);
  size_t available, total;
  free_bytes(&available, &total);
  if (bytes > available) return raise(out_of_memory);
  int file = temporary_file(bytes);
  if (file < 0) return raise(out_of_memory);
  *out = next_piece++;
  pieces()[*out] = {file, bytes, 0, false};
  return ok;
}
int release_piece(unsigned long long piece) {
  auto it = pieces().find(piece);
  if (it == pieces().end() || it->second.released) return raise(invalid_value);
  it->second.released = true;  // lives on where it is mapped
  close_piece(it);
  return ok;
}
int map_piece(void* p, size_t bytes, size_t offset, unsigned long long piece) {
  char* start = static_cast<char*>(p);
  auto it = pieces().find(piece);
  auto range = ranges().upper_bound(start);
  if (it == pieces().end() || it->second.released || range == ranges().begin() || offset || bytes != it->second.bytes)
    return raise(invalid_value);
  --range;
  if (start + bytes > range->first + range->second.bytes) return raise(invalid_value);
  auto next = mapped().lower_bound(start);
  if (next != mapped().end() && next->first < start + bytes) return raise(invalid_value);
  if (mmap(start, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, it->second.file, 0) == MAP_FAILED) return raise(out_of_memory);
  it->second.mapped++;
  mapped()[start] = {bytes, piece};
  adopt(start, bytes, Memory::device);
  return ok;
}
int unmap_piece(void* p, size_t bytes) {
  char* start = static_cast<char*>(p);
  for (char* at = start; at < start + bytes;) {
    auto it = mapped().find(at);
    if (it == mapped().end() || at + it->second.bytes > start + bytes) return raise(invalid_value);
    at += it->second.bytes;
    disown(it->first);
    mmap(it->first, it->second.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    auto piece = pieces().find(it->second.piece);
    piece->second.mapped--;
    close_piece(piece);
    mapped().erase(it);
  }
  return ok;
}
// flags: 0 none, 1 read, 3 read and write. Without leave an access is a fault.
int allow_access(void* p, size_t bytes, int flags) {
  char* start = static_cast<char*>(p);
  for (char* at = start; at < start + bytes;) {
    auto it = mapped().find(at);
    if (it == mapped().end()) return raise(invalid_value);
    at += it->second.bytes;
  }
  mprotect(start, bytes, flags == 3 ? PROT_READ | PROT_WRITE : flags == 1 ? PROT_READ : PROT_NONE);
  return ok;
}

}  // namespace host
}  // namespace emu
