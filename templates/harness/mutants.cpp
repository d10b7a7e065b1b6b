// Mutants of a kernel: built once (musify_mutants.h), chosen at run time. Case after case is run as it is, then with each
// mutant that it reaches and that no case before has shown. A mutant is shown by another end or another buffer.
#include "driver.h"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <map>
#include <sys/mman.h>

namespace {
constexpr int most_sites = 1 << 16;
unsigned char unused[most_sites];
std::vector<int>& sites() { static std::vector<int> all; return all; }
}  // namespace

extern "C" {
volatile int musify_mutant_active = 0;
unsigned char* musify_mutant_hits = unused;
int musify_mutant_add(int site) { if (site > 0 && site < most_sites) sites().push_back(site); return 1; }
}

namespace musify_check {
namespace {
// Those of the launch have numbers above all sites: a block fewer, half the threads of a block, two buffers swapped.
constexpr int fewer_blocks = most_sites + 1, half_block = most_sites + 2, swapped = most_sites + 16, most_slots = 256;

std::vector<int> launch_mutants(const Plan& plan) {
    std::vector<int> all;
    if (plan.grid[0] > 1) all.push_back(fewer_blocks);
    if (plan.block[0] > 1) all.push_back(half_block);
    const auto& slots = plan.kernel->slots;
    for (int i = 0; i < static_cast<int>(slots.size()) && i < most_slots; ++i)
        for (int j = i + 1; j < static_cast<int>(slots.size()) && j < most_slots; ++j) {
            const Slot &a = slots[static_cast<std::size_t>(i)], &b = slots[static_cast<std::size_t>(j)];
            // Two inputs may well be swapped without a difference: a sum does not mind.
            if (a.pointer && b.pointer && a.type == b.type && !(a.constant && b.constant)) all.push_back(swapped + i * most_slots + j);
        }
    return all;
}

struct End { std::string state; std::vector<std::uint64_t> hashes; };
// What is printed counts like a buffer.
End ended() {
    End end {report->state, {}};
    if (end.state == "ok") {
        end.hashes.assign(report->hash, report->hash + places.size());
        end.hashes.push_back(report->printed);
    }
    return end;
}
// Whether the first case ends well.
bool takes(Plan& plan) {
    if (plan.seeds.empty() || plan.schedules.empty() || plan.poisons.empty()) return true;
    make_inputs(plan, 0);
    run_case(plan, plan.schedules[0], plan.poisons[0], false, nullptr);
    return std::strcmp(report->state, "ok") == 0;
}
double now() {
    timespec t {};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}
}  // namespace

void mutate(int mutant, LaunchShape& shape) {
    musify_mutant_active = mutant;
    if (mutant == fewer_blocks) --shape.grid[0];
    else if (mutant == half_block) shape.block[0] /= 2;
    else if (mutant >= swapped) {
        const auto pair = static_cast<std::size_t>(mutant - swapped);
        std::swap(shape.memory[pair / most_slots], shape.memory[pair % most_slots]);
    }
}

int run_mutants(std::FILE* plans, std::FILE* out) {
    auto* hits = static_cast<unsigned char*>(mmap(nullptr, most_sites, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    if (hits == MAP_FAILED) { std::perror("musify_check: mmap"); return 3; }
    musify_mutant_hits = hits;
    std::sort(sites().begin(), sites().end());
    sites().erase(std::unique(sites().begin(), sites().end()), sites().end());
    std::map<int, bool> alive;  // and whether some case has reached it
    for (const int site : sites()) alive[site] = false;
    std::vector<int> launches;
    for (unsigned section = 0;; ++section) {
        Plan plan;
        plan.section = section;
        if (!read_plan(plans, plan)) { if (section == 0) return 2; break; }
        // Buffers end right at their guards, so that one element too far is seen; not where the kernel needs more of their
        // alignment.
        alignment = 1;
        place_buffers(plan);
        if (!takes(plan)) {
            give_buffers_back(plan);
            alignment = 256;
            place_buffers(plan);
        }
        if (section == 0)
            for (const int mutant : launch_mutants(plan)) { launches.push_back(mutant); alive[mutant] = true; }
        const std::vector<int> possible = launch_mutants(plan);
        for (std::size_t at = 0; at < plan.seeds.size(); ++at) {
            make_inputs(plan, at);
            for (const std::string& schedule : plan.schedules)
                for (const unsigned poison : plan.poisons) {
                    std::memset(hits, 0, most_sites);
                    const double start = now();
                    run_case(plan, schedule, poison, false, nullptr);
                    const double took = now() - start;
                    print_case(out, section, plan.seeds[at], schedule, poison);
                    const End right = ended();
                    if (right.state != "ok") continue;
                    const std::vector<unsigned char> reached(hits, hits + most_sites);
                    Plan brief = plan;  // a mutant that never ends is not waited for as long
                    brief.cpu = std::min(plan.cpu, 1 + static_cast<unsigned>(5 * took));
                    for (auto one = alive.begin(); one != alive.end();) {
                        const int mutant = one->first;
                        const bool here = mutant < most_sites ? reached[static_cast<std::size_t>(mutant)] != 0
                                                              : std::find(possible.begin(), possible.end(), mutant) != possible.end();
                        if (!here) { ++one; continue; }
                        one->second = true;
                        run_case(brief, schedule, poison, false, nullptr, mutant);
                        const End wrong = ended();
                        if (wrong.state == right.state && wrong.hashes == right.hashes) { ++one; continue; }
                        std::fprintf(out, "{\"mutant\": %d, \"killed\": true, \"reached\": true, \"by\": %s, \"section\": %u}\n", mutant,
                                     quoted(wrong.state == "ok" ? "differs" : wrong.state).c_str(), section);
                        one = alive.erase(one);
                    }
                }
        }
        give_buffers_back(plan);
    }
    for (const auto& [mutant, reached] : alive)
        std::fprintf(out, "{\"mutant\": %d, \"killed\": false, \"reached\": %s, \"by\": \"\", \"section\": -1}\n", mutant, reached ? "true" : "false");
    return 0;
}
}  // namespace musify_check
