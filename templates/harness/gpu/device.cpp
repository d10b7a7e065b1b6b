// Runs the kernels of one side on a real device with made inputs, and says what became of every buffer.
//
//   driver describe OUT          as the emulated device's driver does; no device is touched
//   driver device OUT            one JSON line: what the runtime says of the device, and which device files are open
//   driver run PLAN OUT BYTES    the cases of a plan (see plan.cpp), section by section: the device's line, then one line
//                                a case; BYTES gets the contents of every buffer that a case changed
//
// All cases run in one child, since a device's context costs more than a case. A fault takes the context along, and a
// kernel that does not end the child: then the next child goes on with the next case. Schedules have no meaning here: a
// case with another schedule is the same run once more. Fresh memory is filled by nobody.
#include "../driver.h"
#include "names.h"

#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace musify_check {
Report* report = nullptr;

namespace {
using Resolve = int (*)(void** out, void* variable);
std::vector<Resolve>& resolvers() { static std::vector<Resolve> all; return all; }

constexpr std::size_t margin = 4096;  // on either side of a buffer, to see writes past its ends
constexpr unsigned char marked = 0xA5;

struct Progress { volatile unsigned long long done, at; volatile int over; volatile char text[512]; };
Progress* progress = nullptr;

struct Failed { std::string state, message; bool sticky; };
struct Buffer { Slot* slot; unsigned char* base; std::size_t bytes; };  // base: of the memory with its margins

void check(int error, const char* what) {
    if (!error) return;
    const auto code = static_cast<MUSIFY_RT(Error_t)>(error);
    const std::string name = MUSIFY_RT(GetErrorName)(code), text = MUSIFY_RT(GetErrorString)(code);
    std::string state = "fault";
    if (name.find("Assert") != std::string::npos) state = "assert";
    else if (name.find("Timeout") != std::string::npos) state = "time-limit";
    else if (name.find("Configuration") != std::string::npos || name.find("OutOfResources") != std::string::npos ||
             name.find("InvalidValue") != std::string::npos) state = "config";
    else if (name.find("NoKernelImage") != std::string::npos || name.find("NoBinary") != std::string::npos ||
             name.find("InsufficientDriver") != std::string::npos || name.find("NoDevice") != std::string::npos) state = "no-device";
    throw Failed {state, std::string(what) + ": " + name + " (" + text + ")", true};
}

double now() {
    timespec t {};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

// The device files that this process holds open: what a driver of a real device does and nothing else does.
std::string open_files() {
    std::string out = "[";
    if (DIR* folder = opendir("/proc/self/fd")) {
        while (const dirent* entry = readdir(folder)) {
            char target[512];
            const std::string path = std::string("/proc/self/fd/") + entry->d_name;
            const ssize_t size = readlink(path.c_str(), target, sizeof target - 1);
            if (size <= 0) continue;
            target[size] = 0;
            const std::string text = target;
            if (text.rfind("/dev/", 0) == 0 && text != "/dev/null" && text.rfind("/dev/pts", 0) != 0 && out.find(quoted(text)) == std::string::npos)
                out += (out.size() > 1 ? ", " : "") + quoted(text);
        }
        closedir(folder);
    }
    return out + "]";
}

void print_device(std::FILE* out) {
    MUSIFY_RT(DeviceProp) p;
    check(MUSIFY_RT(GetDeviceProperties)(&p, 0), "no device answers");
    void* touched = nullptr;  // makes the context, and with it the driver open the device
    check(MUSIFY_RT(Malloc)(&touched, 256), "the device gives no memory");
    MUSIFY_RT(Free)(touched);
    int driver = 0, runtime = 0;
    MUSIFY_RT(DriverGetVersion)(&driver);
    MUSIFY_RT(RuntimeGetVersion)(&runtime);
#ifdef MUSIFY_EMU_ARCH
    const bool emulated = true;
#else
    const bool emulated = false;
#endif
    std::fprintf(out, "{\"device\": %s, \"major\": %d, \"minor\": %d, \"lanes\": %d, \"driver\": %d, \"runtime\": %d, \"emulated\": %s, \"files\": %s}\n",
                 quoted(p.name).c_str(), p.major, p.minor, p.warpSize, driver, runtime, emulated ? "true" : "false", open_files().c_str());
    std::fflush(out);
}

unsigned char* with_margins(std::size_t bytes) {
    void* base = nullptr;
    check(MUSIFY_RT(Malloc)(&base, bytes + 2 * margin), "memory for a buffer");
    check(MUSIFY_RT(Memset)(base, marked, bytes + 2 * margin), "filling a buffer");
    return static_cast<unsigned char*>(base);
}

bool touched_outside(const Buffer& b) {
    unsigned char edge[margin];
    for (const std::size_t at : {std::size_t(0), margin + b.bytes}) {
        check(MUSIFY_RT(Memcpy)(edge, b.base + at, margin, MUSIFY_RT(MemcpyDeviceToHost)), "reading past a buffer");
        for (const unsigned char each : edge) if (each != marked) return true;
    }
    return false;
}

// What a kernel prints, by its lines in any order and without addresses, as the emulated device's driver takes it.
std::uint64_t hash_of_lines(const std::string& text) {
    std::uint64_t lines = 0, line = 0;
    char before = 0;
    bool address = false;
    for (const char c : text) {
        address = address ? std::isxdigit(static_cast<unsigned char>(c)) != 0 : c == 'x' && before == '0';
        before = c;
        if (c == '\n') { lines += mix(line + 1); line = 0; }
        else if (!address) line = mix(line ^ static_cast<unsigned char>(c));
    }
    return lines + line;
}

struct Stage {  // where a child writes
    std::FILE *out, *bytes;
    int printed;
};

std::string taken_from(int file) {
    std::fflush(stdout);
    std::string text;
    char part[4096];
    lseek(file, 0, SEEK_SET);
    for (ssize_t n; (n = read(file, part, sizeof part)) > 0 && text.size() < (1 << 20);) text.append(part, static_cast<std::size_t>(n));
    if (ftruncate(file, 0)) {}
    lseek(file, 0, SEEK_SET);
    return text;
}

struct Seen { std::uint64_t hash, bag, written, nan; long long at; };

Seen looked_at(Slot& slot, std::vector<unsigned char>& now_there, std::FILE* bytes) {
    Seen seen {0, 0, 0, 0, -1};
    const bool touched = now_there != slot.pristine;
    bool addresses = false;
    for (const Leaf& l : slot.leaves) addresses |= l.kind == 'p';
    const std::size_t count = slot.element ? now_there.size() / slot.element : 0;
    for (std::size_t e = 0; (touched || addresses) && e < count; ++e) {
        unsigned char* at = now_there.data() + e * slot.element;
        seen.written += std::memcmp(at, slot.pristine.data() + e * slot.element, slot.element) != 0;
        for (const Leaf& l : slot.leaves)
            if (l.kind == 'p') std::memset(at + l.offset, 0, l.size);
            else if (is_nan(at + l.offset, l)) { ++seen.nan; make_plain_nan(at + l.offset, l); }
        seen.bag += mix(hash_of(at, slot.element));
    }
    seen.hash = hash_of(now_there.data(), now_there.size());
    if (touched) {
        seen.at = static_cast<long long>(ftell(bytes));
        std::fwrite(now_there.data(), 1, now_there.size(), bytes);
    }
    return seen;
}

void run_one(Plan& plan, std::size_t at, const std::string& schedule, unsigned poison, std::vector<Buffer>& buffers,
             std::vector<void*>& addresses, const std::vector<std::vector<unsigned char>>& initial, Stage& stage) {
    Kernel& kernel = *plan.kernel;
    const unsigned long long seed = plan.seeds[at];
    const Mode mode = plan.modes[at];
    std::uint64_t number = 0;
    std::size_t next = 0;
    for (Slot& slot : kernel.slots) {
        ++number;
        if (!slot.pointer) { fill_scalar(slot, seed, number, mode); continue; }
        slot.pristine.resize(slot.elements * slot.element);
        fill(slot, slot.pristine.data(), slot.pristine.size(), seed, number, mode);
        const Buffer& b = buffers[next++];
        check(MUSIFY_RT(Memcpy)(b.base + margin, slot.pristine.data(), b.bytes, MUSIFY_RT(MemcpyHostToDevice)), "writing a buffer");
    }
    for (std::size_t i = 0; i < symbols().size(); ++i) {
        Symbol& s = symbols()[i];
        ++number;
        s.slot.pristine.resize(s.bytes);
        if (s.slot.fill != "keep") {
            fill(s.slot, s.slot.pristine.data(), s.bytes, seed, number, mode);
            check(MUSIFY_RT(Memcpy)(addresses[i], s.slot.pristine.data(), s.bytes, MUSIFY_RT(MemcpyHostToDevice)), "writing a device variable");
        } else {  // as its definition has it, whatever a case before left there
            s.slot.pristine = initial[i];
            check(MUSIFY_RT(Memcpy)(addresses[i], initial[i].data(), s.bytes, MUSIFY_RT(MemcpyHostToDevice)), "writing a device variable");
        }
    }
    std::vector<std::vector<std::max_align_t>> room;
    std::vector<void*> arguments;
    for (const Parameter& p : kernel.parameters) {
        room.emplace_back((p.size + p.align) / sizeof(std::max_align_t) + 2);
        const auto raw = reinterpret_cast<std::uintptr_t>(room.back().data());
        arguments.push_back(reinterpret_cast<void*>((raw + p.align - 1) / p.align * p.align));
    }
    next = 0;
    for (Slot& slot : kernel.slots) {
        auto* to = static_cast<unsigned char*>(arguments[static_cast<std::size_t>(slot.parameter)]) + slot.offset;
        if (slot.pointer) {
            unsigned char* memory = buffers[next++].base + margin;
            std::memcpy(to, &memory, sizeof memory);
        } else std::memcpy(to, slot.pristine.data(), slot.element);
    }
    kernel.launch(kernel.function, arguments.data(), plan.grid, plan.block, plan.shared);
    check(MUSIFY_RT(GetLastError)(), "the launch");
    check(MUSIFY_RT(DeviceSynchronize)(), "the kernel");
    const std::uint64_t printed = hash_of_lines(taken_from(stage.printed));
    std::string outside, seen;
    for (const Buffer& b : buffers) if (touched_outside(b)) outside = "past an end of a buffer of " + std::to_string(b.bytes) + " bytes";
    const auto note = [&](Slot& slot, const unsigned char* from, std::size_t bytes) {
        std::vector<unsigned char> there(bytes);
        check(MUSIFY_RT(Memcpy)(there.data(), from, bytes, MUSIFY_RT(MemcpyDeviceToHost)), "reading a buffer");
        const Seen s = looked_at(slot, there, stage.bytes);
        char text[160];
        std::snprintf(text, sizeof text, "%s[\"%016llx\", %llu, %llu, \"%016llx\", %lld]", seen.empty() ? "" : ", ", static_cast<unsigned long long>(s.hash),
                      static_cast<unsigned long long>(s.written), static_cast<unsigned long long>(s.nan), static_cast<unsigned long long>(s.bag), s.at);
        seen += text;
    };
    std::size_t places = 0;
    next = 0;
    for (Slot& slot : kernel.slots) {
        if (!slot.pointer) continue;
        const Buffer& b = buffers[next++];
        if (b.bytes && places++ < most_places) note(slot, b.base + margin, b.bytes);
    }
    for (std::size_t i = 0; i < symbols().size() && places < most_places; ++i, ++places)
        note(symbols()[i].slot, static_cast<unsigned char*>(addresses[i]), symbols()[i].bytes);
    const unsigned long long threads = 1ull * plan.grid[0] * plan.grid[1] * plan.grid[2] * plan.block[0] * plan.block[1] * plan.block[2];
    std::fflush(stage.bytes);
    std::fprintf(stage.out, "{\"shape\": %u, \"seed\": %llu, \"schedule\": %s, \"poison\": %u, \"state\": \"ok\", \"message\": \"\", \"threads\": %llu, \"printed\": \"%016llx\", \"findings\": [%s], \"buffers\": [%s]}\n",
                 plan.section, seed, quoted(schedule).c_str(), poison, threads, static_cast<unsigned long long>(printed),
                 outside.empty() ? "" : ("{\"kind\": \"out-of-bounds\", \"message\": " + quoted("writes " + outside) + ", \"assumption\": null}").c_str(), seen.c_str());
    std::fflush(stage.out);
}

void print_ended(std::FILE* out, const Plan& plan, std::size_t at, const std::string& schedule, unsigned poison, const Failed& failed) {
    std::fprintf(out, "{\"shape\": %u, \"seed\": %llu, \"schedule\": %s, \"poison\": %u, \"state\": %s, \"message\": %s, \"threads\": 0, \"printed\": \"0\", \"findings\": [], \"buffers\": []}\n",
                 plan.section, plan.seeds[at], quoted(schedule).c_str(), poison, quoted(failed.state).c_str(), quoted(failed.message).c_str());
    std::fflush(out);
}

// A child: every case from the first that is not done; it ends by itself, or at a case that ends badly.
void work(std::vector<Plan>& plans, const std::vector<std::vector<Slot>>& variables, Stage stage) {
    unsigned long long number = 0;
    bool first = true;
    std::vector<void*> addresses;
    std::vector<std::vector<unsigned char>> initial;
    for (Plan& plan : plans) {
        std::vector<Buffer> buffers;
        bool placed = false;
        for (std::size_t i = 0; i < symbols().size(); ++i) symbols()[i].slot = variables[plan.section][i];
        for (std::size_t at = 0; at < plan.seeds.size(); ++at)
            for (const std::string& schedule : plan.schedules)
                for (const unsigned poison : plan.poisons) {
                    if (number++ < progress->done) continue;
                    progress->at = number;
                    try {
                        if (first && progress->done == 0) print_device(stage.out);
                        first = false;
                        for (std::size_t i = addresses.size(); i < symbols().size(); ++i) {
                            void* found = nullptr;
                            check(resolvers()[i](&found, symbols()[i].address), "a device variable's address");
                            addresses.push_back(found);
                            initial.emplace_back(symbols()[i].bytes);
                            check(MUSIFY_RT(Memcpy)(initial[i].data(), found, symbols()[i].bytes, MUSIFY_RT(MemcpyDeviceToHost)), "reading a device variable");
                        }
                        if (!placed)
                            for (Slot& slot : plan.kernel->slots)
                                if (slot.pointer) buffers.push_back({&slot, with_margins(slot.elements * slot.element), slot.elements * slot.element});
                        placed = true;
                        run_one(plan, at, schedule, poison, buffers, addresses, initial, stage);
                    } catch (const Failed& failed) {
                        print_ended(stage.out, plan, at, schedule, poison, failed);
                        progress->done = number;
                        progress->over = failed.state == "no-device";
                        _exit(0);
                    }
                    progress->done = number;
                }
        for (const Buffer& b : buffers) MUSIFY_RT(Free)(b.base);
    }
    progress->over = 1;
    std::fclose(stage.bytes);
    std::fclose(stage.out);
    _exit(0);
}

struct At { const Plan* plan; std::size_t seed; std::string schedule; unsigned poison; };
At case_number(const std::vector<Plan>& plans, unsigned long long number) {
    for (const Plan& plan : plans)
        for (std::size_t at = 0; at < plan.seeds.size(); ++at)
            for (const std::string& schedule : plan.schedules)
                for (const unsigned poison : plan.poisons)
                    if (number-- == 0) return {&plan, at, schedule, poison};
    return {nullptr, 0, "", 0};
}

int run_plans(std::FILE* file, const char* out_name, const char* bytes_name) {
    std::vector<Plan> plans;
    std::vector<std::vector<Slot>> slots, variables;  // a plan's own, for what is read goes to places that plans share
    unsigned long long cases = 0;
    for (unsigned section = 0;; ++section) {
        Plan plan;
        plan.section = section;
        if (!read_plan(file, plan)) break;
        cases += plan.seeds.size() * plan.schedules.size() * plan.poisons.size();
        plans.push_back(plan);
        slots.push_back(plan.kernel->slots);
        variables.emplace_back();
        for (const Symbol& s : symbols()) variables.back().push_back(s.slot);
    }
    if (plans.empty()) return 2;
    std::vector<std::vector<Kernel>> kept(plans.size());
    for (std::size_t i = 0; i < plans.size(); ++i) {
        kept[i].push_back(*plans[i].kernel);
        kept[i][0].slots = slots[i];
        plans[i].kernel = &kept[i][0];
    }
    progress = static_cast<Progress*>(mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    if (progress == MAP_FAILED) { std::perror("musify_check: mmap"); return 3; }
    std::fclose(std::fopen(out_name, "w"));
    std::fclose(std::fopen(bytes_name, "w"));
    for (unsigned tries = 0; !progress->over && progress->done < cases && tries < cases + 8; ++tries) {
        const unsigned long long before = progress->done;  // before the child is there, which may be quick
        const pid_t child = fork();
        if (child < 0) { std::perror("musify_check: fork"); return 3; }
        if (child == 0) {
            Stage stage {std::fopen(out_name, "a"), std::fopen(bytes_name, "a"), -1};
            if (!stage.out || !stage.bytes) _exit(3);
            std::fseek(stage.bytes, 0, SEEK_END);
            char name[] = "printed-XXXXXX";
            stage.printed = mkstemp(name);
            if (stage.printed < 0) _exit(3);
            unlink(name);
            dup2(stage.printed, 1);
            work(plans, variables, stage);
        }
        int status = 0;
        unsigned long long seen = before;
        double since = now();
        bool late = false;
        for (unsigned pause = 200;; pause = pause < 5000 ? pause * 2 : pause) {
            const pid_t got = waitpid(child, &status, WNOHANG);
            if (got == child || (got < 0 && errno != EINTR)) break;
            if (progress->done != seen) { seen = progress->done; since = now(); }
            const At at = case_number(plans, seen);
            // The first case of a child makes the device's context besides.
            if (at.plan && now() - since > 10.0 + 4.0 * at.plan->cpu + (seen == before ? 50 : 0)) { kill(child, SIGKILL); waitpid(child, &status, 0); late = true; break; }
            usleep(pause);
        }
        if (progress->over || progress->done >= cases) break;
        if (progress->done > before && !late && WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
        const At at = case_number(plans, progress->done);
        if (!at.plan) break;
        std::FILE* out = std::fopen(out_name, "a");
        if (!out) return 3;
        const std::string how = WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status)) : "exit status " + std::to_string(WEXITSTATUS(status));
        print_ended(out, *at.plan, at.seed, at.schedule, at.poison, late ? Failed {"time-limit", std::to_string(at.plan->cpu) + " s", true} : Failed {"died", how, true});
        std::fclose(out);
        progress->done = progress->done + 1;
    }
    return 0;
}
}  // namespace

void musify_symbol_address(int (*resolve)(void**, void*)) { resolvers().push_back(resolve); }
}  // namespace musify_check

int main(int argc, char** argv) {
    using namespace musify_check;
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "describe" && argc == 3) return describe_all(argv[2]);
    if (what == "device" && argc == 3) {
        std::FILE* out = std::fopen(argv[2], "w");
        if (!out) return 3;
        int status = 0;
        try { print_device(out); }
        catch (const Failed& failed) { std::fprintf(stderr, "%s\n", failed.message.c_str()); status = 4; }
        std::fclose(out);
        return status;
    }
    std::FILE* file = what == "run" && argc == 5 ? std::fopen(argv[2], "r") : nullptr;
    if (!file) { std::fprintf(stderr, "musify_check: no plan or no place for its results\n"); return 2; }
    const int status = run_plans(file, argv[3], argv[4]);
    std::fclose(file);
    return status;
}
