#include "findings.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "scheduler.h"

namespace emu {

namespace {
constexpr int kEach = 3;  // of one kind in one kernel; a shuffle in a loop would say the same a million times
struct Noted {
  std::vector<Finding> pending;
  std::map<std::pair<std::string, std::string>, int> counts;
  std::set<std::pair<std::string, std::string>> assumed, messages;
};
// Never destroyed: static objects of the program may still free memory after main.
Noted& noted() {
  static Noted* all = new Noted;
  return *all;
}
bool taken = false;  // a harness reads them, so stderr need not

FILE* file() {
  static FILE* stream = [] {
    const char* path = getenv("MUSIFY_EMU_FINDINGS");
    FILE* opened = path && *path ? fopen(path, "a") : nullptr;
    if (path && *path && !opened) fprintf(stderr, "musify-emu: cannot write findings to %s\n", path);
    return opened;
  }();
  return stream;
}
}  // namespace

std::string json_text(const char* text) {
  std::string out = "\"";
  for (; *text; text++) {
    unsigned char c = static_cast<unsigned char>(*text);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c < 0x20 || c >= 0x7f) {
      char escaped[8];
      snprintf(escaped, sizeof escaped, "\\u%04x", c);
      out += escaped;
    } else {
      out += static_cast<char>(c);
    }
  }
  return out + "\"";
}

void write_finding(const Finding& f) {
  std::string key = f.kind;
  if (!f.assumption.empty()) key += "/" + f.assumption;
  if (f.other_line) key += "/" + f.variable;
  int& count = noted().counts[{f.kernel, key}];
  if (count >= kEach) return;
  if (!noted().messages.insert({f.kernel, key + "/" + f.message + "/" + std::to_string(f.line)}).second) return;
  count++;
  noted().pending.push_back(f);
  if (FILE* out = file()) {
    std::string assumption = f.assumption.empty() ? "null" : json_text(f.assumption.c_str());
    fprintf(out, "{\"kind\":%s,\"kernel\":%s,\"message\":%s,\"assumption\":%s,\"file\":%s,\"line\":%d",
            json_text(f.kind.c_str()).c_str(), json_text(f.kernel.c_str()).c_str(),
            json_text(f.message.c_str()).c_str(), assumption.c_str(), json_text(f.file.c_str()).c_str(), f.line);
    if (f.other_line)
      fprintf(out, ",\"other_file\":%s,\"other_line\":%d,\"variable\":%s,\"argument\":%d",
              json_text(f.other_file.c_str()).c_str(), f.other_line, json_text(f.variable.c_str()).c_str(), f.argument);
    fprintf(out, "}\n");
    fflush(out);
  } else if (!taken && f.assumption.empty()) {
    fprintf(stderr, "musify-emu: %s: %s%s%s (%s:%d)\n", f.kind.c_str(), f.message.c_str(),
            f.kernel.empty() ? "" : ", kernel ", f.kernel.c_str(), f.file.c_str(), f.line);
  }
}

void finding(const char* kind, const char* assumption, Site site, const char* format, ...) {
  Critical section;
  char message[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  write_finding({kind, kernel_of_launch(), message, assumption ? assumption : "", site.file ? site.file : "", site.line});
}

void assume(const char* assumption, const char* message, Site site) {
  Critical section;
  if (!noted().assumed.insert({kernel_of_launch(), assumption}).second) return;
  write_finding({"assumption", kernel_of_launch(), message, assumption, site.file ? site.file : "", site.line});
}

std::vector<Finding> take_findings() {
  taken = true;
  std::vector<Finding> out;
  out.swap(noted().pending);
  noted().counts.clear();
  noted().assumed.clear();
  noted().messages.clear();
  return out;
}

}  // namespace emu
