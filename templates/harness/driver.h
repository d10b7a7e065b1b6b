// What the driver's parts share: kernels and variables as they are described, plans, and what a case reports.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace musify_check {
using Launch = void (*)(void*, void**, const unsigned (&)[3], const unsigned (&)[3], std::size_t);

struct Leaf { std::size_t offset, size; char kind; std::string type; };
// A place to be filled: a scalar inside a parameter, or a pointer inside one with the layout of what it points at.
struct Slot {
    int parameter = -1;
    std::size_t offset = 0, element = 0;
    bool pointer = false, constant = false;
    std::string type, member;
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

// registry.cpp: what the unit has registered before main.
std::vector<Kernel>& kernels();
std::vector<Symbol>& symbols();
int describe_all(const char* path);

// values.cpp: what inputs are like. Each kind of value has its own way of going wrong, and one kind hides another: a
// NaN or a large value drowns a sum, a positive value a maximum that starts at zero.
enum Mode { SMALL, EDGE, WIDE, TIES, NEGATIVE, LARGE, SPECIAL, CONSTANTS };
Mode mode_of(const char* name);
// The numbers in the kernel's text, by which mode CONSTANTS chooses values.
struct Constants { std::vector<long long> whole; std::vector<double> all; };
extern Constants constants;
// Fills a slot's bytes for a seed; ``number`` is the slot's.
void fill(Slot& slot, unsigned char* to, std::size_t bytes, std::uint64_t seed, std::uint64_t number, Mode mode);
// A scalar parameter's bytes.
void fill_scalar(Slot& slot, std::uint64_t seed, std::uint64_t number, Mode mode);
bool is_nan(const unsigned char* at, const Leaf& l);
void make_plain_nan(unsigned char* at, const Leaf& l);
std::uint64_t mix(std::uint64_t x);
std::uint64_t hash_of(const unsigned char* data, std::size_t bytes);

// registry.cpp
std::string quoted(const std::string& text);

// plan.cpp
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
bool read_plan(std::FILE* file, Plan& plan);

// cases.cpp: one case, in a child of its own. What the child tells its parent lies in memory that both share.
constexpr std::size_t most_places = 64, most_text = 48 * 1024;
struct Report {
    volatile int done;
    unsigned long long threads;
    std::uint64_t printed;  // the lines that the kernel printed, in any order, addresses apart
    char state[32], message[1024], findings[most_text];
    std::uint64_t hash[most_places], bag[most_places], written[most_places], nan[most_places];
};
extern Report* report;
struct Place { Slot* slot; unsigned char* memory; std::size_t bytes; unsigned char* kept; };
extern std::vector<Place> places;
// Memory with a guard on either side; it ends at the guard, as far as its alignment (of cudaMalloc's) allows.
extern std::size_t alignment;
unsigned char* guarded(std::size_t bytes);
void give_back(unsigned char* memory, std::size_t bytes);
void run_case(const Plan& plan, const std::string& schedule, unsigned poison, bool keep, const char* dump, int mutant = 0);
void print_case(std::FILE* out, unsigned section, unsigned long long seed, const std::string& schedule, unsigned poison);

// sections.cpp: the cases of a plan's section
constexpr int finished = -1;  // run_plan: a case ended badly and the plan says to stop there
void place_buffers(Plan& plan);
void give_buffers_back(Plan& plan);
void make_inputs(Plan& plan, std::size_t at);
int run_plan(Plan& plan, std::FILE* out, const char* dump);

// mutants.cpp
struct LaunchShape { unsigned grid[3], block[3]; std::vector<unsigned char*> memory; };  // a buffer for each slot
void mutate(int mutant, LaunchShape& shape);
int run_mutants(std::FILE* plans, std::FILE* out);
}  // namespace musify_check
