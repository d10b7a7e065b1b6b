// The kernels and device variables of a unit, as the unit describes them (musify_check.h), and as JSON lines.
#include "driver.h"

#include <cstring>

namespace musify_check {
std::vector<Kernel>& kernels() { static std::vector<Kernel> all; return all; }
std::vector<Symbol>& symbols() { static std::vector<Symbol> all; return all; }

namespace {
bool in_symbol = false;
Slot* open_pointer = nullptr;
std::vector<std::string> open_members;

std::string member() {
    std::string text;
    for (const std::string& each : open_members) text += (text.empty() ? "" : ".") + each;
    return text;
}

std::string pretty(const char* name) {
    std::string text = name;
    auto from = text.find("T = ");
    if (from == std::string::npos) return text;
    text = text.substr(from + 4);
    auto end = text.find_last_of(']');
    if (end != std::string::npos) text.resize(end);
    auto more = text.find("; ");
    if (more != std::string::npos) text.resize(more);
    return text;
}
}  // namespace

void begin_kernel(const char* id, void* function, Launch launch) {
    in_symbol = false;
    kernels().push_back({id, function, launch, {}, {}});
}
void begin_parameter(const char* type, std::size_t size, std::size_t align) {
    kernels().back().parameters.push_back({pretty(type), size, align});
}
void begin_symbol(const char* name, void* address, std::size_t bytes, bool constant, bool initialized) {
    in_symbol = true;
    symbols().push_back({name, address, bytes, constant, initialized, {}});
}
void begin_member(const char* name) { open_members.push_back(name); }
void end_member() { open_members.pop_back(); }
void begin_pointer(std::size_t offset, std::size_t element, bool constant, const char* type) {
    Slot slot;
    slot.offset = offset; slot.element = element; slot.pointer = true; slot.constant = constant; slot.type = pretty(type);
    if (in_symbol) {
        if (open_pointer) return;
        symbols().back().slot = slot;
        open_pointer = &symbols().back().slot;
        return;
    }
    if (open_pointer) {  // a pointer inside what is pointed at: nothing sensible can be made for it
        open_pointer->leaves.push_back({offset, sizeof(void*), 'p', slot.type});
        return;
    }
    auto& kernel = kernels().back();
    slot.parameter = static_cast<int>(kernel.parameters.size()) - 1;
    slot.member = member();
    kernel.slots.push_back(slot);
    open_pointer = &kernel.slots.back();
}
static int pointer_depth = 0;
void end_pointer() { if (pointer_depth > 0) --pointer_depth; else open_pointer = nullptr; }
void leaf(std::size_t offset, std::size_t size, char kind, const char* type) {
    if (open_pointer) { open_pointer->leaves.push_back({offset, size, kind, pretty(type)}); return; }
    auto& kernel = kernels().back();
    Slot slot;
    slot.parameter = static_cast<int>(kernel.parameters.size()) - 1;
    slot.member = member();
    slot.offset = offset; slot.element = size; slot.type = pretty(type);
    slot.leaves.push_back({0, size, kind, pretty(type)});
    kernel.slots.push_back(slot);
}
bool known_by_name(std::size_t offset, std::size_t size, const char* type) {
    const std::string name = pretty(type);
    char kind = 0;
    if (name.find("bfloat16") != std::string::npos || name == "c10::BFloat16") kind = 'b';
    else if (name.find("half") != std::string::npos || name == "c10::Half") kind = 'h';
    if (!kind || size % 2 || size > 16 || name.find('<') != std::string::npos) return false;
    for (std::size_t at = 0; at < size; at += 2) leaf(offset + at, 2, kind, name.c_str());
    return true;
}

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char raw : text) {
        const auto c = static_cast<unsigned char>(raw);
        char escape[8];
        if (c == '"' || c == '\\') { out += '\\'; out += raw; }
        else if (c < 32 || c >= 127) { std::snprintf(escape, sizeof escape, "\\u%04x", c); out += escape; }
        else out += raw;
    }
    return out + "\"";
}

namespace {
void print_slot(std::FILE* out, const Slot& slot) {
    std::fprintf(out, "{\"parameter\": %d, \"offset\": %zu, \"pointer\": %s, \"const\": %s, \"type\": %s, \"member\": %s, \"size\": %zu, \"kinds\": \"",
                 slot.parameter, slot.offset, slot.pointer ? "true" : "false", slot.constant ? "true" : "false", quoted(slot.type).c_str(),
                 quoted(slot.member).c_str(), slot.element);
    for (const Leaf& l : slot.leaves) std::fputc(l.kind, out);
    std::fprintf(out, "\", \"leaves\": [");
    for (std::size_t i = 0; i < slot.leaves.size(); ++i)
        std::fprintf(out, "%s[%zu, %zu, \"%c\"]", i ? ", " : "", slot.leaves[i].offset, slot.leaves[i].size, slot.leaves[i].kind);
    std::fprintf(out, "]}");
}

}  // namespace

int describe_all(const char* path) {
    std::FILE* out = std::fopen(path, "w");
    if (!out) return 3;
    for (const Kernel& kernel : kernels()) {
        std::fprintf(out, "{\"kernel\": %s, \"parameters\": [", quoted(kernel.id).c_str());
        for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
            std::fprintf(out, "%s{\"type\": %s, \"size\": %zu}", i ? ", " : "", quoted(kernel.parameters[i].type).c_str(), kernel.parameters[i].size);
        std::fprintf(out, "], \"slots\": [");
        for (std::size_t i = 0; i < kernel.slots.size(); ++i) { if (i) std::fputs(", ", out); print_slot(out, kernel.slots[i]); }
        std::fprintf(out, "]}\n");
    }
    for (const Symbol& s : symbols()) {
        std::fprintf(out, "{\"symbol\": %s, \"bytes\": %zu, \"constant\": %s, \"initialized\": %s, \"slot\": ", quoted(s.name).c_str(), s.bytes,
                     s.constant ? "true" : "false", s.initialized ? "true" : "false");
        print_slot(out, s.slot);
        std::fprintf(out, "}\n");
    }
    std::fclose(out);
    return 0;
}
}  // namespace musify_check
