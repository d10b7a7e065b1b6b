"""It fits the declarations: libclang reads the new code against MUSA's names as we have them, before anything is built.

What it says of other functions is no matter of the answer's: a header may be missing here, and then what depends on it
is unknown in the new lines too, so that the build has to decide.
"""

from musify_ai.records import ARCHS
from musify_ai.rewrite.gates.protocol import Candidate, Passed, Refused, Said
from musify_ai.rewrite.including import visible


def check(candidate: Candidate) -> Said:
    """Refused (``compile``) with what does not fit in new lines, where everything else of the unit does."""
    from musify_ai.verify.typegate import check_types

    unit, site = candidate.unit, candidate.site
    texts = {**site.texts, **candidate.texts()}
    numbers = range(len(candidate.codes))
    new = {(place, line) for place, lines in map(candidate.new_lines, numbers) for line in lines}
    own = {(place, line) for place, lines in map(candidate.lines, numbers) for line in lines}
    for path in unit.kernel_paths:
        main = site.files[path]
        sources = {place: texts[place] for place in visible(main, texts)}
        typed = check_types(
            sources, main, include_dirs=(*site.options.includes, "."), defines=site.options.defines,
            macro=ARCHS[unit.archs[0]].macro,
        )  # fmt: skip
        inside = [mistake for mistake in typed.mistakes if (mistake.path, mistake.line) in new]
        if inside and all((mistake.path, mistake.line) in own for mistake in typed.mistakes):
            report = "\n".join(str(mistake) for mistake in inside[:3])
            return Refused("compile", f"it does not fit MUSA's declarations: {inside[0]}", report)
    return Passed()
