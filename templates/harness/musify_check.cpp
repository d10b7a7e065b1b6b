// Runs the kernels of one side with made inputs, one forked child a case, and says what became of every buffer.
//
//   driver describe OUT        JSON lines: the kernels and device variables, with their parameters taken apart
//   driver run PLAN OUT        the cases of a plan (see read_plan), section by section; JSON lines, one a case, then a
//                              summary a section
//   driver dump PLAN PREFIX    the same plan, but each buffer of its only case written to PREFIX.<number>
//
// Inputs depend on the seed and the slot's number only, so that both sides get the same bytes.
#include <musify_emu/harness.h>

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace musify_check {
using Launch = void (*)(void*, void**, const unsigned (&)[3], const unsigned (&)[3], std::size_t);

namespace {
struct Leaf { std::size_t offset, size; char kind; std::string type; };
// A place to be filled: a scalar inside a parameter, or a pointer inside one with the layout of what it points at.
struct Slot {
    int parameter = -1;
    std::size_t offset = 0, element = 0;
    bool pointer = false, constant = false;
    std::string type;
    std::vector<Leaf> leaves;
    // from the plan
    std::string fill = "zero";
    std::size_t elements = 0;
    unsigned long long limit = 61;
    double low = 0, high = 0;
    bool narrow = false;  // its integers stay small: something is indexed with them
    // at run time
    unsigned char* memory = nullptr;
    std::vector<unsigned char> pristine;
};
struct Parameter { std::string type; std::size_t size, align; };
struct Kernel { std::string id; void* function; Launch launch; std::vector<Parameter> parameters; std::vector<Slot> slots; };
struct Symbol { std::string name; void* address; std::size_t bytes; bool constant, initialized; Slot slot; };

std::vector<Kernel>& kernels() { static std::vector<Kernel> all; return all; }
std::vector<Symbol>& symbols() { static std::vector<Symbol> all; return all; }
bool in_symbol = false;
Slot* open_pointer = nullptr;

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
    slot.offset = offset; slot.element = size; slot.type = pretty(type);
    slot.leaves.push_back({0, size, kind, pretty(type)});
    kernel.slots.push_back(slot);
}
bool known_by_name(std::size_t offset, std::size_t size, const char* type) {
    const std::string name = pretty(type);
    char kind = 0;
    if (name.find("bfloat16") != std::string::npos) kind = 'b';
    else if (name.find("half") != std::string::npos) kind = 'h';
    if (!kind || size % 2 || size > 16 || name.find('<') != std::string::npos) return false;
    for (std::size_t at = 0; at < size; at += 2) leaf(offset + at, 2, kind, name.c_str());
    return true;
}

namespace {
// ---------------------------------------------------------------- values
std::uint64_t mix(std::uint64_t x) {  // splitmix64's finalizer
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}
struct Random { std::uint64_t state; std::uint64_t next() { return mix(state++); } };

std::uint16_t to_half(float value) {
    std::uint32_t bits; std::memcpy(&bits, &value, 4);
    const std::uint32_t sign = (bits >> 16) & 0x8000u;
    const std::int32_t exponent = static_cast<std::int32_t>((bits >> 23) & 0xff) - 127 + 15;
    std::uint32_t mantissa = bits & 0x7fffffu;
    if (exponent >= 31) return static_cast<std::uint16_t>(sign | 0x7bffu);  // the largest finite value: inputs hold no infinities
    if (exponent <= 0) return static_cast<std::uint16_t>(sign);
    std::uint32_t half = sign | (static_cast<std::uint32_t>(exponent) << 10) | (mantissa >> 13);
    const std::uint32_t rest = mantissa & 0x1fffu;
    if (rest > 0x1000u || (rest == 0x1000u && (half & 1))) ++half;
    return static_cast<std::uint16_t>((half & 0x7fffu) >= 0x7c00u ? sign | 0x7bffu : half);
}
std::uint16_t to_bfloat16(float value) {
    std::uint32_t bits; std::memcpy(&bits, &value, 4);
    bits += 0x7fffu + ((bits >> 16) & 1);
    return static_cast<std::uint16_t>(bits >> 16);
}
// What inputs are like. Each kind of value has its own way of going wrong, and one kind hides another: a NaN or a large
// value drowns a sum, a positive value a maximum that starts at zero.
enum Mode { SMALL, EDGE, WIDE, TIES, NEGATIVE, LARGE, SPECIAL };
const char* const mode_names[] = {"small", "edge", "wide", "ties", "negative", "large", "special"};
Mode mode_of(const char* name) {
    for (int i = 0; i < 7; ++i) if (std::strcmp(name, mode_names[i]) == 0) return static_cast<Mode>(i);
    return SMALL;
}
// Stretches of inputs with something in common, so that votes, ties and runs come about.
enum Stretch { POSITIVE_ONLY, NEGATIVE_ONLY, CONSTANT, MIXED };

double made_float(Random& random, Mode mode, std::size_t size, char kind, Stretch stretch) {
    const std::uint64_t bits = random.next();
    const double unit = static_cast<double>(bits >> 40) / 16777216.0 * 2 - 1;  // [-1, 1), 24 bits: exact in float
    switch (mode) {
        case SMALL: case WIDE: return unit;
        case NEGATIVE: return (unit < 0 ? unit : -unit - 1.0 / 16777216.0) * 4;
        case TIES: {
            static const double steps[] = {0, 0.5, 1, 2, 2, 1.5, 1, 2};
            const double value = steps[stretch == CONSTANT ? 2 : bits & 7];
            return stretch == NEGATIVE_ONLY ? -(value + 0.5) : stretch == POSITIVE_ONLY ? value + 0.5 : bits & 8 ? -value : value;
        }
        case LARGE: {
            if (bits & 7) return unit * 4;
            const int most = size == 8 ? 1020 : 126, least = size == 8 ? -1070 : -148;
            return std::ldexp(unit, least + static_cast<int>((bits >> 8) % static_cast<std::uint64_t>(most - least + 1)));
        }
        case SPECIAL:
            if (bits & 15) return unit * 4;
            switch ((bits >> 4) & 3) {
                case 0: return NAN;
                case 1: return HUGE_VAL;
                case 2: return -HUGE_VAL;
                default: return -0.0;
            }
        default: break;
    }
    switch (bits & 15) {
        case 0: return bits & 16 ? -0.0 : 0.0;
        case 1: return unit * 1024;
        case 2: return size == 8 ? unit * 1e-200 : kind == 'h' ? unit * 6e-5 : unit * 1e-30;
        case 3: return unit * 64;
        case 4: case 5: return std::floor(unit * 16) / 2;  // halves: where ways of rounding part
        default: return unit * 4;
    }
}
std::uint64_t made_integer(Random& random, Mode mode, const Leaf& l, unsigned long long limit, bool narrow, Stretch stretch) {
    const std::uint64_t v = random.next();
    const std::uint64_t few = limit ? limit : 1;
    if (narrow || mode == SMALL || mode == EDGE || mode == TIES || (mode == NEGATIVE && l.kind == 'u')) {
        if (mode == TIES) return stretch == CONSTANT ? 1 % few : (v >> 11) % (few < 3 ? few : 3);
        if (l.size == 1) return v % (l.kind == 'u' ? 256 : 128);
        return (v >> 11) % few;
    }
    if (mode == NEGATIVE) return ~((v >> 11) % (few < 100 ? few : 100));
    if ((mode == LARGE || mode == SPECIAL) && (v & 1)) {  // at a power of two, and at the ends of the type
        const std::uint64_t power = std::uint64_t(1) << ((v >> 8) % (8 * l.size));
        const std::uint64_t near = power + (v >> 16) % 3 - 1;
        return v & 2 ? near : ~near;
    }
    return v;
}
void put(unsigned char* at, const Leaf& l, Random& random, Mode mode, unsigned long long limit, bool narrow, Stretch stretch) {
    switch (l.kind) {
        case 'f': {
            const double value = made_float(random, mode, l.size, 'f', stretch);
            if (l.size == 4) { const float v = static_cast<float>(value); std::memcpy(at, &v, 4); }
            else if (l.size == 8) std::memcpy(at, &value, 8);
            else { const long double v = value; std::memset(at, 0, l.size); std::memcpy(at, &v, 10); }
            break;
        }
        case 'h': case 'b': {
            const double value = made_float(random, mode, 2, l.kind, stretch);
            const std::uint16_t sign = std::signbit(value) ? 0x8000u : 0, infinity = l.kind == 'h' ? 0x7c00 : 0x7f80;
            std::uint16_t v = l.kind == 'h' ? to_half(static_cast<float>(value)) : to_bfloat16(static_cast<float>(value));
            if (std::isnan(value)) v = infinity | 0x40;
            else if (std::isinf(value)) v = sign | infinity;
            else if (mode == LARGE && l.kind == 'h' && std::fabs(value) < 6e-5) v = sign | (random.next() & 0x3ff);  // subnormal
            std::memcpy(at, &v, 2);
            break;
        }
        case 'B': *at = mode == TIES && stretch != MIXED ? stretch == POSITIVE_ONLY : random.next() & 1; break;
        case 'e': { const std::uint64_t v = random.next() % 3; std::memcpy(at, &v, l.size < 8 ? l.size : 8); break; }
        case 'p': std::memset(at, 0, l.size); break;
        case 'x': for (std::size_t i = 0; i < l.size; ++i) at[i] = random.next() & 3; break;
        default: {
            const std::uint64_t v = made_integer(random, mode, l, limit, narrow, stretch);
            std::memcpy(at, &v, l.size < 8 ? l.size : 8);
        }
    }
}
// Votes tell nothing about random words, of which hardly a warp's worth is all zero: in edge mode integers and truth
// values are zero for stretches that hold whole warps.
bool in_zero_stretch(const Leaf& l, Mode mode, std::uint64_t seed, std::size_t element) {
    const bool whole = l.kind == 'i' || l.kind == 'u' || l.kind == 'B';
    return whole && mode == EDGE && ((element + seed * 77) / 200) % 2 == 1;
}
void fill(Slot& slot, unsigned char* to, std::size_t bytes, std::uint64_t seed, std::uint64_t number, Mode mode) {
    Random random{mix(seed * 1000003 + number)};
    std::memset(to, 0, bytes);
    if (slot.fill == "zero") return;
    const std::size_t count = slot.element ? bytes / slot.element : 0;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto stretch = static_cast<Stretch>(mix(seed ^ (i / 64 + number * 4096)) & 3);
        for (const Leaf& l : slot.leaves) {
            unsigned char* at = to + i * slot.element + l.offset;
            if (slot.fill == "monotone" && (l.kind == 'i' || l.kind == 'u')) {
                const std::uint64_t v = sum < count ? sum : count - 1;
                std::memcpy(at, &v, l.size < 8 ? l.size : 8);
                sum += random.next() % 4;
            } else if (slot.fill == "positive" && (l.kind == 'f' || l.kind == 'h' || l.kind == 'b')) {
                put(at, l, random, mode, slot.limit, slot.narrow, stretch);
                at[l.size - 1] &= 0x7f;  // the sign bit: little-endian
            } else if (!in_zero_stretch(l, mode, seed, i)) put(at, l, random, mode, slot.limit, slot.narrow, stretch);
        }
    }
}

bool is_nan(const unsigned char* at, const Leaf& l) {
    if (l.kind == 'h') { std::uint16_t v; std::memcpy(&v, at, 2); return (v & 0x7fff) > 0x7c00; }
    if (l.kind == 'b') { std::uint16_t v; std::memcpy(&v, at, 2); return (v & 0x7fff) > 0x7f80; }
    if (l.kind != 'f') return false;
    if (l.size == 4) { std::uint32_t v; std::memcpy(&v, at, 4); return (v & 0x7fffffffu) > 0x7f800000u; }
    if (l.size == 8) { std::uint64_t v; std::memcpy(&v, at, 8); return (v & 0x7fffffffffffffffull) > 0x7ff0000000000000ull; }
    return false;
}
// NaN is NaN: which operand's payload survives an operation is the compiler's choice, not the kernel's.
void make_plain_nan(unsigned char* at, const Leaf& l) {
    std::memset(at, 0, l.size);
    if (l.kind == 'f' && l.size == 4) { const std::uint32_t v = 0x7fc00000u; std::memcpy(at, &v, 4); }
    else if (l.kind == 'f') { const std::uint64_t v = 0x7ff8000000000000ull; std::memcpy(at, &v, 8); }
    else { const std::uint16_t v = l.kind == 'h' ? 0x7e00 : 0x7fc0; std::memcpy(at, &v, 2); }
}
std::uint64_t hash_of(const unsigned char* data, std::size_t bytes) {
    std::uint64_t h = 0xcbf29ce484222325ull ^ bytes;
    std::size_t i = 0;
    for (; i + 8 <= bytes; i += 8) { std::uint64_t v; std::memcpy(&v, data + i, 8); h = (h ^ v) * 0x9e3779b97f4a7c15ull; h ^= h >> 29; }
    for (; i < bytes; ++i) h = (h ^ data[i]) * 0x100000001b3ull;
    return h;
}

// ---------------------------------------------------------------- JSON
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

// ---------------------------------------------------------------- the plan
struct Plan {
    Kernel* kernel = nullptr;
    int lanes = 32;
    unsigned grid[3] = {1, 1, 1}, block[3] = {32, 1, 1};
    std::size_t shared = 0;
    std::vector<unsigned long long> seeds;
    std::vector<Mode> modes;
    std::vector<std::string> schedules;
    std::vector<unsigned> poisons;
    unsigned cpu = 5;
    bool first_only = false, brief = false;
    unsigned section = 0;
};

// A line is a word and its values: kernel ID; lanes N; grid X Y Z; block X Y Z; shared BYTES; cpu SECONDS; seed N MODE;
// schedule NAME; poison N; slot I buffer ELEMENTS LIMIT FILL [narrow]; slot I int V; slot I float LOW HIGH; slot I bool;
// slot I zero; symbol NAME LIMIT FILL; stop (at the first case that does not end well); brief (no more of a section
// after a time limit); next (the section ends, another follows).
bool read_plan(std::FILE* file, Plan& plan) {
    char line[4096], word[4096], name[4096], kind[64];
    while (std::fgets(line, sizeof line, file)) {
        if (std::sscanf(line, "%4095s", word) != 1) continue;
        const std::string key = word;
        const char* rest = std::strstr(line, word) + std::strlen(word);
        if (key == "kernel") {
            std::sscanf(rest, "%4095s", name);
            for (auto& k : kernels()) if (k.id == name) plan.kernel = &k;
            if (!plan.kernel) return false;
        } else if (key == "lanes") std::sscanf(rest, "%d", &plan.lanes);
        else if (key == "grid") std::sscanf(rest, "%u %u %u", &plan.grid[0], &plan.grid[1], &plan.grid[2]);
        else if (key == "block") std::sscanf(rest, "%u %u %u", &plan.block[0], &plan.block[1], &plan.block[2]);
        else if (key == "shared") std::sscanf(rest, "%zu", &plan.shared);
        else if (key == "cpu") std::sscanf(rest, "%u", &plan.cpu);
        else if (key == "stop") plan.first_only = true;
        else if (key == "brief") plan.brief = true;
        else if (key == "next") break;
        else if (key == "seed") {
            unsigned long long seed = 0;
            if (std::sscanf(rest, "%llu %63s", &seed, kind) != 2) continue;
            plan.seeds.push_back(seed);
            plan.modes.push_back(mode_of(kind));
        } else if (key == "schedule") { std::sscanf(rest, "%4095s", name); plan.schedules.push_back(name); }
        else if (key == "poison") { unsigned p = 0; std::sscanf(rest, "%u", &p); plan.poisons.push_back(p); }
        else if (key == "slot" && plan.kernel) {
            std::size_t index = 0;
            if (std::sscanf(rest, "%zu %63s", &index, kind) != 2 || index >= plan.kernel->slots.size()) continue;
            Slot& slot = plan.kernel->slots[index];
            const char* values = std::strstr(rest, kind) + std::strlen(kind);
            slot.fill = kind;
            if (slot.fill == "buffer") {
                slot.narrow = std::sscanf(values, "%zu %llu %4095s %63s", &slot.elements, &slot.limit, name, kind) == 4;
                slot.fill = name;
            }
            else if (slot.fill == "int") { long long v = 0; std::sscanf(values, "%lld", &v); slot.limit = static_cast<unsigned long long>(v); }
            else if (slot.fill == "float") std::sscanf(values, "%lf %lf", &slot.low, &slot.high);
        } else if (key == "symbol") {
            unsigned long long limit = 61;
            char how[64] = "zero";
            std::sscanf(rest, "%4095s %llu %63s", name, &limit, how);
            for (auto& s : symbols()) if (s.name == name) { s.slot.fill = how; s.slot.limit = limit; }
        }
    }
    return plan.kernel != nullptr;
}

// ---------------------------------------------------------------- memory
constexpr std::size_t guard = std::size_t(16) << 20;  // wild indices land here, not in another buffer

unsigned char* guarded(std::size_t bytes) {
    const std::size_t page = 4096, body = (bytes + page - 1) / page * page;
    auto* base = static_cast<unsigned char*>(mmap(nullptr, body + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (base == MAP_FAILED) { std::perror("musify_check: mmap"); std::exit(3); }
    if (body && mprotect(base + guard, body, PROT_READ | PROT_WRITE)) { std::perror("musify_check: mprotect"); std::exit(3); }
    emu::lend_memory(base + guard, body);
    return base + guard + (body - bytes) / 256 * 256;  // the end of the buffer lies at the guard, as far as 256 allows
}

void give_back(unsigned char* memory, std::size_t bytes) {
    const std::size_t page = 4096, body = (bytes + page - 1) / page * page;
    unsigned char* const start = memory - (body - bytes) / 256 * 256;
    emu::take_memory_back(start);
    munmap(start - guard, body + 2 * guard);
}

// What a child tells its parent; it lies in memory that both share.
constexpr std::size_t most_places = 64, most_text = 48 * 1024;
struct Report {
    volatile int done;
    unsigned long long threads;
    char state[32], message[1024], findings[most_text];
    std::uint64_t hash[most_places], bag[most_places], written[most_places], nan[most_places];
};
Report* report = nullptr;
struct Place { Slot* slot; unsigned char* memory; std::size_t bytes; unsigned char* kept; };
std::vector<Place> places;
Plan* active = nullptr;

void set_text(char* to, std::size_t room, const std::string& text) {
    const std::size_t n = text.size() < room - 1 ? text.size() : room - 1;
    std::memcpy(to, text.data(), n);
    to[n] = 0;
}
// The address of a fault in terms of the buffers: "slot 2 element 65536".
std::string located(std::uintptr_t address) {
    char text[160];
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto start = reinterpret_cast<std::uintptr_t>(places[i].memory);
        if (places[i].slot->parameter < 0 || address < start - guard || address >= start + places[i].bytes + guard) continue;
        const long long byte = static_cast<long long>(address) - static_cast<long long>(start);
        const long long size = static_cast<long long>(places[i].slot->element);
        std::snprintf(text, sizeof text, "place %zu element %lld of %zu", i, byte >= 0 ? byte / size : -((-byte + size - 1) / size), places[i].bytes / places[i].slot->element);
        return text;
    }
    return address < 65536 ? "null" : "elsewhere";
}
void on_fault(int number, siginfo_t* info, void*) {
    const char* name = number == SIGFPE ? "division" : number == SIGILL ? "illegal instruction" : "memory";
    set_text(report->state, sizeof report->state, "fault");
    set_text(report->message, sizeof report->message,
             std::string(name) + (number == SIGSEGV || number == SIGBUS ? " " + located(reinterpret_cast<std::uintptr_t>(info->si_addr)) : ""));
    report->done = 1;
    _exit(0);
}

// The findings as a JSON array, as far as they fit.
std::string findings_text() {
    std::string out = "[";
    for (const emu::Finding& f : emu::take_findings()) {
        const std::string one = "{\"kind\": " + quoted(f.kind) + ", \"message\": " + quoted(f.message) + ", \"assumption\": " +
                                (f.assumption.empty() ? "null" : quoted(f.assumption)) + ", \"file\": " + quoted(f.file) +
                                ", \"line\": " + std::to_string(f.line) + "}";
        if (out.size() + one.size() + 4 > most_text) continue;
        out += (out.size() > 1 ? ", " : "") + one;
    }
    return out + "]";
}

void run_child(const Plan& plan, const std::string& schedule, unsigned poison, bool keep, const char* dump) {
    const int null = open("/dev/null", O_WRONLY);
    if (null >= 0) { dup2(null, 1); dup2(null, 2); }
    struct rlimit limit {plan.cpu + 1, plan.cpu + 2};  // behind the device's own watchdog
    setrlimit(RLIMIT_CPU, &limit);
    static unsigned char stack[64 * 1024];
    stack_t alternate {};
    alternate.ss_sp = stack; alternate.ss_size = sizeof stack;
    sigaltstack(&alternate, nullptr);
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (const int s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigaction(s, &action, nullptr);

    Kernel& kernel = *plan.kernel;
    std::vector<std::vector<std::max_align_t>> room;
    std::vector<void*> arguments;
    for (const Parameter& p : kernel.parameters) {
        room.emplace_back((p.size + p.align) / sizeof(std::max_align_t) + 2);
        const auto raw = reinterpret_cast<std::uintptr_t>(room.back().data());
        arguments.push_back(reinterpret_cast<void*>((raw + p.align - 1) / p.align * p.align));
    }
    for (const Slot& slot : kernel.slots) {
        auto* at = static_cast<unsigned char*>(arguments[static_cast<std::size_t>(slot.parameter)]) + slot.offset;
        if (slot.pointer) std::memcpy(at, &slot.memory, sizeof slot.memory);
        else std::memcpy(at, slot.pristine.data(), slot.element);
    }
    const auto colon = schedule.find(':');
    emu::configure(plan.lanes, schedule.substr(0, colon).c_str(),
                   colon == std::string::npos ? 0 : std::strtoull(schedule.c_str() + colon + 1, nullptr, 10), static_cast<int>(poison));
    emu::set_seconds(plan.cpu);
    emu::clear();
    kernel.launch(kernel.function, arguments.data(), plan.grid, plan.block, plan.shared);
    const emu::Outcome outcome = emu::outcome();
    std::string message = outcome.detail;
    if (outcome.reason == "fault") {
        const auto at = message.find("0x");
        if (at != std::string::npos) message = "memory " + located(std::strtoull(message.c_str() + at, nullptr, 16));
    }
    report->threads = outcome.started;
    set_text(report->state, sizeof report->state, outcome.reason.empty() ? "ok" : outcome.reason);
    set_text(report->message, sizeof report->message, message);
    set_text(report->findings, sizeof report->findings, findings_text());
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Place& place = places[i];
        const Slot& slot = *place.slot;
        const std::size_t count = place.bytes / slot.element;
        std::uint64_t written = 0, nan = 0, bag = 0;
        const bool touched = std::memcmp(place.memory, slot.pristine.data(), place.bytes) != 0;
        for (std::size_t e = 0; touched && e < count; ++e) {
            unsigned char* at = place.memory + e * slot.element;
            written += std::memcmp(at, slot.pristine.data() + e * slot.element, slot.element) != 0;
            for (const Leaf& l : slot.leaves)
                if (is_nan(at + l.offset, l)) { ++nan; make_plain_nan(at + l.offset, l); }
            bag += mix(hash_of(at, slot.element));
        }
        report->bag[i] = bag;
        report->hash[i] = hash_of(place.memory, place.bytes);
        report->written[i] = written;
        report->nan[i] = nan;
        if (keep) std::memcpy(place.kept, place.memory, place.bytes);
        if (dump) {
            std::FILE* file = std::fopen((std::string(dump) + "." + std::to_string(i)).c_str(), "wb");
            if (file) { std::fwrite(place.memory, 1, place.bytes, file); std::fclose(file); }
        }
    }
    report->done = 1;
    _exit(0);
}

void run_case(const Plan& plan, const std::string& schedule, unsigned poison, bool keep, const char* dump) {
    std::memset(static_cast<void*>(report), 0, sizeof *report);
    const pid_t child = fork();
    if (child < 0) { std::perror("musify_check: fork"); std::exit(3); }
    if (child == 0) run_child(plan, schedule, poison, keep, dump);
    int status = 0;
    const std::time_t end = std::time(nullptr) + 60 + 20 * static_cast<std::time_t>(plan.cpu);
    for (unsigned pause = 50;; pause = pause < 2000 ? pause * 2 : pause) {
        const pid_t got = waitpid(child, &status, WNOHANG);
        if (got == child || (got < 0 && errno != EINTR)) break;
        if (std::time(nullptr) > end) { kill(child, SIGKILL); waitpid(child, &status, 0); break; }
        usleep(pause);
    }
    if (report->done) return;
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL)) {
        set_text(report->state, sizeof report->state, "time-limit");
        set_text(report->message, sizeof report->message, std::to_string(plan.cpu) + " s");
    } else {
        set_text(report->state, sizeof report->state, "died");
        set_text(report->message, sizeof report->message,
                 WIFSIGNALED(status) ? std::string("signal ") + std::to_string(WTERMSIG(status)) : std::string("exit status ") + std::to_string(WEXITSTATUS(status)));
    }
}

void print_case(std::FILE* out, unsigned section, unsigned long long seed, const std::string& schedule, unsigned poison) {
    std::fprintf(out, "{\"shape\": %u, \"seed\": %llu, \"schedule\": %s, \"poison\": %u, \"state\": %s, \"message\": %s, \"threads\": %llu, \"findings\": %s, \"buffers\": [",
                 section, seed, quoted(schedule).c_str(), poison, quoted(report->state).c_str(), quoted(report->message).c_str(), report->threads,
                 report->findings[0] ? report->findings : "[]");
    const bool ok = std::strcmp(report->state, "ok") == 0;
    for (std::size_t i = 0; ok && i < places.size(); ++i)
        std::fprintf(out, "%s[\"%016llx\", %llu, %llu, \"%016llx\"]", i ? ", " : "", static_cast<unsigned long long>(report->hash[i]),
                     static_cast<unsigned long long>(report->written[i]), static_cast<unsigned long long>(report->nan[i]),
                     static_cast<unsigned long long>(report->bag[i]));
    std::fprintf(out, "]}\n");
}

void make_inputs(Plan& plan, std::size_t at) {
    const unsigned long long seed = plan.seeds[at];
    const Mode mode = plan.modes[at];
    std::uint64_t number = 0;
    for (Slot& slot : plan.kernel->slots) {
        ++number;
        if (slot.pointer) {
            slot.pristine.resize(slot.elements * slot.element);
            fill(slot, slot.pristine.data(), slot.pristine.size(), seed, number, mode);
            std::memcpy(slot.memory, slot.pristine.data(), slot.pristine.size());
            continue;
        }
        slot.pristine.assign(slot.element, 0);
        Random random{mix(seed * 1000003 + number)};
        if (slot.fill == "int") std::memcpy(slot.pristine.data(), &slot.limit, slot.element < 8 ? slot.element : 8);
        else if (slot.fill == "float") {
            double value = slot.low + (slot.high - slot.low) * (static_cast<double>(random.next() >> 40) / 16777216.0);
            if (slot.low == 0.25) {  // not one of those whose name asks for a range: of any sign and size
                if (mode == TIES) value = number & 1 ? 0 : 1;
                else if (mode == NEGATIVE) value = number & 1 ? -1.5 : 0;
                else if (mode == LARGE) value *= number & 1 ? 0 : -64;
                else if (mode == SPECIAL) value = number & 1 ? -1 : 1;
            }
            const char kind = slot.leaves[0].kind;
            if (kind == 'h' || kind == 'b') { const std::uint16_t v = kind == 'h' ? to_half(static_cast<float>(value)) : to_bfloat16(static_cast<float>(value)); std::memcpy(slot.pristine.data(), &v, 2); }
            else if (slot.element == 4) { const float v = static_cast<float>(value); std::memcpy(slot.pristine.data(), &v, 4); }
            else if (slot.element == 8) std::memcpy(slot.pristine.data(), &value, 8);
        } else if (slot.fill == "bool") slot.pristine[0] = seed & 1;
        else if (slot.fill != "zero") put(slot.pristine.data(), slot.leaves[0], random, SMALL, slot.limit, false, MIXED);
    }
    for (Symbol& s : symbols()) {
        ++number;
        s.slot.pristine.resize(s.bytes);
        if (s.slot.fill != "keep") { fill(s.slot, s.slot.pristine.data(), s.bytes, seed, number, mode); std::memcpy(s.address, s.slot.pristine.data(), s.bytes); }
        else std::memcpy(s.slot.pristine.data(), s.address, s.bytes);
    }
}

constexpr int finished = -1;  // run_plan: a case ended badly and the plan says to stop there

int run_plan(Plan& plan, std::FILE* out, const char* dump) {
    std::vector<std::vector<unsigned char*>> kept(plan.seeds.size());
    std::vector<std::vector<std::vector<unsigned char>>> before(plan.seeds.size());
    if (!report) report = static_cast<Report*>(mmap(nullptr, sizeof(Report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    places.clear();
    for (Slot& slot : plan.kernel->slots)
        if (slot.pointer) {
            slot.memory = guarded(slot.elements * slot.element);
            if (places.size() < most_places && slot.elements) places.push_back({&slot, slot.memory, slot.elements * slot.element, nullptr});
        }
    for (Symbol& s : symbols())
        if (places.size() < most_places) places.push_back({&s.slot, static_cast<unsigned char*>(s.address), s.bytes, nullptr});
    active = &plan;
    bool stopped = false;
    for (std::size_t at = 0; at < plan.seeds.size() && !stopped; ++at) {
        make_inputs(plan, at);
        for (Place& place : places) {
            place.kept = static_cast<unsigned char*>(mmap(nullptr, place.bytes + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
            if (place.kept == MAP_FAILED) { std::perror("musify_check: mmap"); return 3; }
            std::memcpy(place.kept, place.slot->pristine.data(), place.bytes);
            kept[at].push_back(place.kept);
            before[at].push_back(place.slot->pristine);
        }
        bool first = true, late = false;
        for (const std::string& schedule : plan.schedules) {
            for (const unsigned poison : plan.poisons) {
                run_case(plan, schedule, poison, first, dump);
                first = false;
                if (out) print_case(out, plan.section, plan.seeds[at], schedule, poison);
                late |= plan.brief && std::strcmp(report->state, "time-limit") == 0;
                if (late) break;
                if (plan.first_only && std::strcmp(report->state, "ok") != 0) { stopped = true; break; }
            }
            if (stopped || late) break;
        }
        if (late) break;
    }
    if (!out) return 0;
    // A buffer varies where bytes that the kernel changed under some seed come out different under different seeds.
    std::fprintf(out, "{\"shape\": %u, \"varies\": [", plan.section);
    for (std::size_t i = 0; i < places.size(); ++i) {
        bool varies = false;
        for (std::size_t b = 0; b < places[i].bytes && !varies; ++b) {
            bool written = false, differs = false;
            for (std::size_t at = 0; at < plan.seeds.size() && !stopped; ++at) {
                if (kept[at].empty()) continue;
                written |= kept[at][i][b] != before[at][i][b];
                differs |= kept[at][i][b] != kept[0][i][b];
            }
            varies = written && differs;
        }
        std::fprintf(out, "%s%s", i ? ", " : "", varies ? "true" : "false");
    }
    std::fprintf(out, "], \"stopped\": %s}\n", stopped ? "true" : "false");
    for (const Place& place : places)
        for (const auto& each : kept) if (!each.empty()) munmap(each[static_cast<std::size_t>(&place - places.data())], place.bytes + 1);
    for (const Slot& slot : plan.kernel->slots) if (slot.pointer) give_back(slot.memory, slot.elements * slot.element);
    return stopped ? finished : 0;
}

void print_slot(std::FILE* out, const Slot& slot) {
    std::fprintf(out, "{\"parameter\": %d, \"offset\": %zu, \"pointer\": %s, \"const\": %s, \"type\": %s, \"size\": %zu, \"kinds\": \"",
                 slot.parameter, slot.offset, slot.pointer ? "true" : "false", slot.constant ? "true" : "false", quoted(slot.type).c_str(), slot.element);
    for (const Leaf& l : slot.leaves) std::fputc(l.kind, out);
    std::fprintf(out, "\", \"leaves\": [");
    for (std::size_t i = 0; i < slot.leaves.size(); ++i)
        std::fprintf(out, "%s[%zu, %zu, \"%c\"]", i ? ", " : "", slot.leaves[i].offset, slot.leaves[i].size, slot.leaves[i].kind);
    std::fprintf(out, "]}");
}

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
}  // namespace
}  // namespace musify_check

int main(int argc, char** argv) {
    using namespace musify_check;
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "describe" && argc == 3) return describe_all(argv[2]);
    std::FILE* file = argc == 4 ? std::fopen(argv[2], "r") : nullptr;
    std::FILE* out = file && what == "run" ? std::fopen(argv[3], "w") : nullptr;
    if (!file || (what != "dump" && !out)) { std::fprintf(stderr, "musify_check: no plan or no place for its results\n"); return 2; }
    int status = 2;
    for (unsigned section = 0;; ++section) {
        Plan plan;
        plan.section = section;
        if (!read_plan(file, plan)) break;
        status = run_plan(plan, out, what == "dump" ? argv[3] : nullptr);
        if (status) break;
    }
    if (out) std::fclose(out);
    std::fclose(file);
    return status == finished ? 0 : status;
}
