// One case: a kernel run once, in a child of its own, and what became of every buffer.
#include "driver.h"
#include <musify_emu/harness.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace musify_check {
namespace {
constexpr std::size_t guard = std::size_t(16) << 20;  // wild indices land here, not in another buffer
}  // namespace

std::size_t alignment = 256;

unsigned char* guarded(std::size_t bytes) {
    const std::size_t page = 4096, body = (bytes + page - 1) / page * page;
    auto* base = static_cast<unsigned char*>(mmap(nullptr, body + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (base == MAP_FAILED) { std::perror("musify_check: mmap"); std::exit(3); }
    if (body && mprotect(base + guard, body, PROT_READ | PROT_WRITE)) { std::perror("musify_check: mprotect"); std::exit(3); }
    if (body) emu::lend_memory(base + guard, body);
    return base + guard + (body - bytes) / alignment * alignment;
}

void give_back(unsigned char* memory, std::size_t bytes) {
    const std::size_t page = 4096, body = (bytes + page - 1) / page * page;
    unsigned char* const start = memory - (body - bytes) / alignment * alignment;
    emu::take_memory_back(start);
    munmap(start - guard, body + 2 * guard);
}

Report* report = nullptr;
std::vector<Place> places;

namespace {
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

// The findings as a JSON array, as far as they fit; assumptions first, for a verdict rests on them.
std::string findings_text() {
    std::string out = "[";
    auto found = emu::take_findings();
    std::stable_partition(found.begin(), found.end(), [](const emu::Finding& f) { return !f.assumption.empty(); });
    for (const emu::Finding& f : found) {
        const std::string one = "{\"kind\": " + quoted(f.kind) + ", \"message\": " + quoted(f.message) + ", \"assumption\": " +
                                (f.assumption.empty() ? "null" : quoted(f.assumption)) + ", \"file\": " + quoted(f.file) +
                                ", \"line\": " + std::to_string(f.line) + "}";
        if (out.size() + one.size() + 4 > most_text) continue;
        out += (out.size() > 1 ? ", " : "") + one;
    }
    return out + "]";
}

// What the kernel prints is compared by its lines, whose order is the schedule's, and without addresses.
struct Printed { std::uint64_t lines = 0, line = 0; char before = 0; bool address = false; } printed;

[[maybe_unused]] long take_printed(void*, const char* text, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
        const char c = text[i];
        printed.address = printed.address ? std::isxdigit(static_cast<unsigned char>(c)) != 0 : c == 'x' && printed.before == '0';
        printed.before = c;
        if (c == '\n') {
            printed.lines += mix(printed.line + 1);
            printed.line = 0;
        } else if (!printed.address) printed.line = mix(printed.line ^ static_cast<unsigned char>(c));
    }
    return static_cast<long>(size);
}

void listen_to_prints() {
#ifdef __GLIBC__  // elsewhere stdout is no variable
    if (std::FILE* stream = fopencookie(nullptr, "w", {nullptr, take_printed, nullptr, nullptr})) stdout = stream;
#endif
}

void run_child(const Plan& plan, const std::string& schedule, unsigned poison, bool keep, const char* dump, int mutant) {
    const int null = open("/dev/null", O_WRONLY);
    if (null >= 0) { dup2(null, 1); dup2(null, 2); }
    listen_to_prints();
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
    LaunchShape shape = {{plan.grid[0], plan.grid[1], plan.grid[2]}, {plan.block[0], plan.block[1], plan.block[2]}, {}};
    for (const Slot& slot : kernel.slots) shape.memory.push_back(slot.memory);
    mutate(mutant, shape);
    for (std::size_t i = 0; i < kernel.slots.size(); ++i) {
        const Slot& slot = kernel.slots[i];
        auto* at = static_cast<unsigned char*>(arguments[static_cast<std::size_t>(slot.parameter)]) + slot.offset;
        if (slot.pointer) std::memcpy(at, &shape.memory[i], sizeof shape.memory[i]);
        else std::memcpy(at, slot.pristine.data(), slot.element);
    }
    const auto colon = schedule.find(':');
    emu::configure(plan.lanes, schedule.substr(0, colon).c_str(),
                   colon == std::string::npos ? 0 : std::strtoull(schedule.c_str() + colon + 1, nullptr, 10), static_cast<int>(poison));
    emu::set_seconds(plan.cpu);
    emu::clear();
    kernel.launch(kernel.function, arguments.data(), shape.grid, shape.block, plan.shared);
    const emu::Outcome outcome = emu::outcome();
    std::fflush(stdout);
    report->printed = printed.lines + printed.line;
    std::string message = outcome.detail;
    if (outcome.reason == "fault") {
        const std::string where = located(reinterpret_cast<std::uintptr_t>(emu::fault_address()));
        if (where.compare(0, 5, "place") == 0) message = "memory " + where;
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
        // Addresses are each side's own, those of functions in a table of the program's too.
        const bool addresses = std::any_of(slot.leaves.begin(), slot.leaves.end(), [](const Leaf& l) { return l.kind == 'p'; });
        for (std::size_t e = 0; (touched || addresses) && e < count; ++e) {
            unsigned char* at = place.memory + e * slot.element;
            written += std::memcmp(at, slot.pristine.data() + e * slot.element, slot.element) != 0;
            for (const Leaf& l : slot.leaves)
                if (l.kind == 'p') std::memset(at + l.offset, 0, l.size);
                else if (is_nan(at + l.offset, l)) { ++nan; make_plain_nan(at + l.offset, l); }
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

}  // namespace

void run_case(const Plan& plan, const std::string& schedule, unsigned poison, bool keep, const char* dump, int mutant) {
    std::memset(static_cast<void*>(report), 0, sizeof *report);
    const pid_t child = fork();
    if (child < 0) { std::perror("musify_check: fork"); std::exit(3); }
    if (child == 0) run_child(plan, schedule, poison, keep, dump, mutant);
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
    std::fprintf(out, "{\"shape\": %u, \"seed\": %llu, \"schedule\": %s, \"poison\": %u, \"state\": %s, \"message\": %s, \"threads\": %llu, \"printed\": \"%016llx\", \"findings\": %s, \"buffers\": [",
                 section, seed, quoted(schedule).c_str(), poison, quoted(report->state).c_str(), quoted(report->message).c_str(), report->threads,
                 static_cast<unsigned long long>(report->printed), report->findings[0] ? report->findings : "[]");
    const bool ok = std::strcmp(report->state, "ok") == 0;
    for (std::size_t i = 0; ok && i < places.size(); ++i)
        std::fprintf(out, "%s[\"%016llx\", %llu, %llu, \"%016llx\"]", i ? ", " : "", static_cast<unsigned long long>(report->hash[i]),
                     static_cast<unsigned long long>(report->written[i]), static_cast<unsigned long long>(report->nan[i]),
                     static_cast<unsigned long long>(report->bag[i]));
    std::fprintf(out, "]}\n");
}
}  // namespace musify_check
