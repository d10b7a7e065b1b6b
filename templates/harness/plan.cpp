// What to run, read from text.
#include "driver.h"

#include <cstring>

namespace musify_check {
// A line is a word and its values: kernel ID; lanes N; grid X Y Z; block X Y Z; shared BYTES; cpu SECONDS; seed N MODE;
// schedule NAME; poison N; slot I buffer ELEMENTS LIMIT FILL [narrow]; slot I int V; slot I float LOW HIGH; slot I bool;
// slot I zero; constant int V; constant float V; symbol NAME LIMIT FILL; stop (at the first case that does not end well); brief (no more of a section
// after a time limit); next (the section ends, another follows).
bool read_plan(std::FILE* file, Plan& plan) {
    char line[4096], word[4096], name[4096], kind[64];
    constants = {};
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
        else if (key == "constant") {
            long long whole = 0;
            double value = 0;
            if (std::sscanf(rest, " int %lld", &whole) == 1) { constants.whole.push_back(whole); constants.all.push_back(static_cast<double>(whole)); }
            else if (std::sscanf(rest, " float %lf", &value) == 1) constants.all.push_back(value);
        }
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
}  // namespace musify_check
