// The cases of a section: the same kernel and shape under several seeds, schedules and fillings of fresh memory.
#include "driver.h"
#include "musify_seen.h"

#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

// Bytes of whole pages, so that they can be shared: cases run in children of their own.
extern "C" { alignas(4096) unsigned char musify_seen_bytes[musify_most_seen]; }

namespace musify_check {
namespace {
void share_what_is_seen() {
    static bool shared = false;
    if (shared) return;
    shared = true;
    if (mmap(musify_seen_bytes, sizeof musify_seen_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
        std::perror("musify_check: mmap");  // nothing is seen then
}
}  // namespace

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
        fill_scalar(slot, seed, number, mode);
    }
    for (Symbol& s : symbols()) {
        ++number;
        s.slot.pristine.resize(s.bytes);
        if (s.slot.fill != "keep") { fill(s.slot, s.slot.pristine.data(), s.bytes, seed, number, mode); std::memcpy(s.address, s.slot.pristine.data(), s.bytes); }
        else std::memcpy(s.slot.pristine.data(), s.address, s.bytes);
    }
}

void place_buffers(Plan& plan) {
    if (!report) report = static_cast<Report*>(mmap(nullptr, sizeof(Report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    places.clear();
    for (Slot& slot : plan.kernel->slots)
        if (slot.pointer) {
            // A pointer to nothing needs no room of its own: hundreds of them would leave none for the rest.
            static unsigned char* const nothing = guarded(0);
            slot.memory = slot.elements ? guarded(slot.elements * slot.element) : nothing;
            if (places.size() < most_places && slot.elements) places.push_back({&slot, slot.memory, slot.elements * slot.element, nullptr});
        }
    for (Symbol& s : symbols())
        if (places.size() < most_places) places.push_back({&s.slot, static_cast<unsigned char*>(s.address), s.bytes, nullptr});
}

void give_buffers_back(Plan& plan) {
    for (const Slot& slot : plan.kernel->slots) if (slot.pointer && slot.elements) give_back(slot.memory, slot.elements * slot.element);
}

int run_plan(Plan& plan, std::FILE* out, const char* dump) {
    std::vector<std::vector<unsigned char*>> kept(plan.seeds.size());
    std::vector<std::vector<std::vector<unsigned char>>> before(plan.seeds.size());
    place_buffers(plan);
    share_what_is_seen();
    std::memset(musify_seen_bytes, 0, sizeof musify_seen_bytes);
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
    std::fprintf(out, "], \"seen\": [");
    const char* comma = "";
    for (int k = 0; k < musify_most_seen; ++k)
        if (musify_seen_bytes[k]) { std::fprintf(out, "%s%d", comma, k); comma = ","; }
    std::fprintf(out, "], \"stopped\": %s}\n", stopped ? "true" : "false");
    for (const Place& place : places)
        for (const auto& each : kept) if (!each.empty()) munmap(each[static_cast<std::size_t>(&place - places.data())], place.bytes + 1);
    give_buffers_back(plan);
    return stopped ? finished : 0;
}
}  // namespace musify_check
