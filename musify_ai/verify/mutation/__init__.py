"""Whether a check would have noticed: each kernel's mutants, wrong on purpose, must come out different.

`sites` says what can be mutated in a function's text, `writing` puts all of it into a unit behind a run-time switch
(`templates/harness/musify_mutants.h`), `trying` builds that and has the driver run it, `teeth` says what it means.
"""
