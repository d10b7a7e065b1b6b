// Runs the kernels of one side with made inputs, one forked child a case, and says what became of every buffer.
//
//   driver describe OUT        JSON lines: the kernels and device variables, with their parameters taken apart
//   driver run PLAN OUT        the cases of a plan (see read_plan), section by section; JSON lines, one a case, then a
//                              summary a section
//   driver mutants PLAN OUT    the same plan as it is and with every mutant of the unit (musify_mutants.h)
//   driver dump PLAN PREFIX    the same plan, but each buffer of its only case written to PREFIX.<number>
//
// Inputs depend on the seed and the slot's number only, so that both sides get the same bytes.
#include "driver.h"

#include <cstring>

int main(int argc, char** argv) {
    using namespace musify_check;
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "describe" && argc == 3) return describe_all(argv[2]);
    std::FILE* file = argc == 4 ? std::fopen(argv[2], "r") : nullptr;
    std::FILE* out = file && (what == "run" || what == "mutants") ? std::fopen(argv[3], "w") : nullptr;
    if (!file || (what != "dump" && !out)) { std::fprintf(stderr, "musify_check: no plan or no place for its results\n"); return 2; }
    int status = 2;
    if (what == "mutants") status = run_mutants(file, out);
    else for (unsigned section = 0;; ++section) {
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
