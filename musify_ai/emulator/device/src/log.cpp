// The launch log: one line of JSON for each launch, so that the first line that differs names the kernel.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "findings.h"
#include "scheduler.h"

namespace emu {

namespace {
FILE* stream() {
  static FILE* opened = [] {
    const char* path = getenv("MUSIFY_EMU_LOG");
    FILE* file = path && *path ? fopen(path, "w") : nullptr;
    if (path && *path && !file) fprintf(stderr, "musify-emu: cannot write the launch log to %s\n", path);
    return file;
  }();
  return opened;
}

unsigned long long hash(const unsigned char* p, size_t n) {
  unsigned long long h = 0xcbf29ce484222325ull ^ n;
  for (; n >= 8; n -= 8, p += 8) {
    unsigned long long word;
    memcpy(&word, p, 8);
    h = (h ^ word) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 29;
  }
  for (; n; n--, p++) h = (h ^ *p) * 0x100000001b3ull;
  return h ^ (h >> 32);
}

const char* element_name(Element e) {
  static const char* const kNames[] = {"bytes", "int", "uint", "float", "half", "bfloat16", "void"};
  return kNames[static_cast<int>(e)];
}

void write_value(FILE* out, const Argument& a) {
  if (a.element == Element::floating) {
    double value = 0;
    float narrow;
    if (a.size == 4) {
      memcpy(&narrow, &a.value, 4);
      value = narrow;
    } else {
      memcpy(&value, &a.value, 8);
    }
    if (value - value == 0) fprintf(out, ",\"value\":%.17g", value);
    else fprintf(out, ",\"value\":\"%s\"", value != value ? "nan" : value > 0 ? "inf" : "-inf");
  } else if (a.element == Element::signed_integer) {
    int shift = 64 - 8 * (a.size < 8 ? a.size : 8);
    fprintf(out, ",\"value\":%lld", static_cast<long long>(a.value << shift) >> shift);
  } else if (a.element != Element::bytes) {
    fprintf(out, ",\"value\":%llu", a.value);
  }
}
}  // namespace

bool logging() { return stream() != nullptr; }

void log_launch(const Kernel& kernel, const Config& c, const Argument* arguments, int count, int error,
                const std::string& reason) {
  static long sequence = 0;
  FILE* out = stream();
  fprintf(out, "{\"sequence\":%ld,\"kernel\":%s,\"file\":%s,\"line\":%d,\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"shared\":%zu,",
          sequence++, json_text(kernel.name).c_str(), json_text(kernel.file).c_str(), kernel.line, c.grid.x, c.grid.y,
          c.grid.z, c.block.x, c.block.y, c.block.z, c.shared);
  fprintf(out, "\"cooperative\":%s,\"error\":%d,\"reason\":%s,\"arguments\":[", kernel.cooperative ? "true" : "false", error,
          reason.empty() ? "null" : json_text(reason.c_str()).c_str());
  for (int i = 0; i < count; i++) {
    const Argument& a = arguments[i];
    fprintf(out, "%s{\"kind\":\"%s\",\"size\":%d", i ? "," : "", a.pointer ? "pointer" : element_name(a.element), a.size);
    if (!a.pointer) {
      write_value(out, a);
    } else {
      fprintf(out, ",\"element\":\"%s\",\"const\":%s", element_name(a.element), a.constant ? "true" : "false");
      Owner owner{};
      const unsigned char* p = reinterpret_cast<const unsigned char*>(a.value);
      if (!p) {
        fprintf(out, ",\"null\":true");
      } else if (owner_of(p, &owner)) {
        const unsigned char* base = static_cast<const unsigned char*>(owner.base);
        fprintf(out, ",\"allocation\":%zu,\"offset\":%zu,\"hash\":\"%016llx\"", owner.bytes,
                static_cast<size_t>(p - base), hash(base, owner.bytes));
      }
    }
    fputc('}', out);
  }
  fprintf(out, "]}\n");
  fflush(out);
}

}  // namespace emu
