"""The way of one source file: translate, decide what is applied, splice, count what is left, and check itself."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from musify_ai.pipeline.places import placed_edit, placed_findings
from musify_ai.pipeline.selection import is_applied, selected
from musify_ai.records import Edit, Failure, FileResult, Finding, Options
from musify_ai.source import Lines, OffsetMap, describe, splice, undo
from musify_ai.source.aside import Aside, bytes_of
from musify_ai.source.digest import sha256
from musify_ai.styles import LEAVING_NAMES, Use

if TYPE_CHECKING:
    from musify_ai.pipeline.stages import Counter, Screen, Span, Translated, Translator


class Processed(NamedTuple):
    """A file after its way: its record, the translated bytes, and places that cannot be built or run as written.

    ``output`` equals the input where nothing is applied, and is None where the file failed. ``unsettled`` are
    ``(start, end, code)`` in the output. ``uses`` are the names in the output that are left to aliases, and ``owned``
    those of the table that the file defines.
    """

    result: FileResult
    kept: bytes | Aside | None
    unsettled: "tuple[Span, ...]" = ()
    failure: Failure | None = None
    uses: tuple[Use, ...] = ()
    owned: frozenset[bytes] = frozenset()

    @property
    def output(self) -> bytes | None:
        """The translated bytes, wherever they are kept."""
        return bytes_of(self.kept)


class _BrokenPromise(Exception):
    """The translator's answer failed the product's own check."""


def process(
    src: bytes,
    path: str,
    options: Options,
    *,
    write: bool = True,
    translator: "Translator | None" = None,
    screen: "Screen | None" = None,
    counter: "Counter | None" = None,
) -> Processed:
    """Take one file through translation.

    ``write`` says that the result is going to be written somewhere: edits are then marked applied and the translation
    is translated once more, which must change nothing. Without it (``check``) nothing is marked. ``screen`` says of a
    translation whether translating it again might change it; where it says no, that is not done. A translator of one's
    own comes with its own screen or with none. Never raises: what goes wrong is a failure of stage ``translate``, and
    the file stays as it is.
    """
    encoding = describe(src)
    result = FileResult(
        path=path,
        output=None,
        status="unchanged",
        encoding="utf-8-sig" if encoding.name in ("utf-8", "ascii") and encoding.bom else encoding.name,
        sha256_before=sha256(src),
    )
    try:
        if translator is None:
            translator = _translator()
            screen = screen or (_screen(options) if write else None)
        return _process(src, result, options, write, translator, screen, counter or _counter(options))
    except _BrokenPromise as broken:
        error = str(broken)
    except Exception as problem:  # a rule's fault must cost this file only, whatever it is
        error = f"internal error: {type(problem).__name__}: {problem}"
    hint = "This is a fault of musify-ai: the file is left as it is. Please report it with the file."
    return Processed(result._replace(status="failed", reason=error), None, (), Failure(path, "translate", error, hint))


def _process(
    src: bytes,
    result: FileResult,
    options: Options,
    write: bool,
    translator: "Translator",
    screen: "Screen | None",
    counter: "Counter",
) -> Processed:
    translation = translator(src, result.path, options)
    applied, findings = _decide(translation, options)
    everything = findings
    left_out: list[tuple[int, int]] = []  # edits that are not made because their rule is not asked for
    if options.select or options.ignore:
        # What is not to be shown is there all the same: it explains names that are left and cannot be built.
        whole_file = translator(src, result.path, options._replace(select=(), ignore=()))
        would, everything = _decide(whole_file, options)
        made_here = {(e.start, e.end) for e in applied}
        left_out = [(e.start, e.end) for e in would if (e.start, e.end) not in made_here]
    output = splice(src, applied)
    if undo(output, applied) != src:
        raise _BrokenPromise("taking the edits back does not give the input")
    if options.style == "dual":
        from musify_ai.styles.branches import as_cuda_sees

        if as_cuda_sees(output) != as_cuda_sees(src):
            raise _BrokenPromise("a build for CUDA would not see the file as it was")
    leaving = options.style in LEAVING_NAMES
    asked = write and applied and (screen is None or screen(output, result.path, options))
    again = translator(output, result.path, options) if leaving or asked else None
    if again is not None and write:
        _refuse_second_change(again, options)
    offsets = OffsetMap([] if leaving else applied)
    if leaving and again is not None:
        # What is left of CUDA's is left on purpose, so it is asked of the output itself.
        from musify_ai.styles.branches import cuda_only

        whole = again
        if options.select or options.ignore:
            whole = translator(output, result.path, options._replace(select=(), ignore=()))
        spans = [(f.start, f.end, f) for f in whole.findings]
        excluded = [*again.excluded, *cuda_only(output), *((use.start, use.end) for use in again.uses)]
    else:
        spans = [(offsets.to_output(f.start), _end_in_output(offsets, f.start, f.end), f) for f in everything]
        excluded = [
            (offsets.to_output(start), _end_in_output(offsets, start, end))
            for start, end in (*translation.excluded, *left_out)
        ]
    residue = counter(output, [*excluded, *((start, end) for start, end, _ in spans)])
    shown = [f for f in findings if selected(f.code, options)]
    lines = Lines(src if shown or translation.edits else b"")  # most files need none
    made = {(e.start, e.end) for e in applied} if write else ()
    edits = [placed_edit(e, lines, applied=(e.start, e.end) in made) for e in translation.edits]
    changed = output != src
    return Processed(
        result._replace(
            status="changed" if changed and write else "unchanged",
            sha256_after=sha256(output) if write else None,
            edits=tuple(edits),
            findings=placed_findings(shown, src, lines),
            residue=tuple(residue.known),
            residue_pattern=tuple(residue.pattern),
        ),
        output,
        tuple(sorted(_unsettled(spans, offsets))),
        uses=again.uses if leaving and again is not None else (),
        owned=translation.owned if leaving else frozenset(),
    )


def _unsettled(spans: list[tuple[int, int, Finding]], offsets: OffsetMap) -> "Iterator[Span]":
    """The places in the output that were not settled: of findings, and of what is related to them in the same file."""
    for start, end, finding in spans:
        if not finding.settled:
            yield start, end, finding.code
            for place in finding.related:
                if not place.path:
                    yield offsets.to_output(place.start), _end_in_output(offsets, place.start, place.end), finding.code


def _decide(translation: "Translated", options: Options) -> tuple[list[Edit], tuple[Finding, ...]]:
    """The edits to make, in order, and the findings that remain.

    A finding whose own suggestion is made is settled by it. One about a name (MUS1xx) stays: that its counterpart
    was derived is worth knowing whether or not it was used.
    """
    made = [e for e in translation.edits if is_applied(e, options)]
    places = {(e.start, e.end, e.new) for e in made}
    remaining = tuple(
        f
        for f in translation.findings
        if f.edit is None or f.code.startswith("MUS1") or (f.edit.start, f.edit.end, f.edit.new) not in places
    )
    return made, remaining


def _refuse_second_change(again: "Translated", options: Options) -> None:
    """A translation that is translated once more must come out as it is.

    Output that includes MUSA's headers gets no edits for that reason alone; the translator then says in a note
    (MUS001) that there would have been some, which counts here as much.
    """
    made, _ = _decide(again, options)
    held_back = [f for f in again.findings if f.code == "MUS001"]
    if made:
        raise _BrokenPromise(
            f"a second run would change the output again ({made[0].rule}: {made[0].old!r} to {made[0].new!r})"
        )
    if held_back:
        raise _BrokenPromise(f"a second run would change the output again ({held_back[0].message})")


def _end_in_output(offsets: OffsetMap, start: int, end: int) -> int:
    """Where a span ends in the output: just after what its last byte became."""
    if end <= start:
        return offsets.to_output(start)
    return max(offsets.to_output(end), offsets.to_output(start))


def _translator() -> "Translator":
    from musify_ai.styles import translate_in_style

    return translate_in_style


def _screen(options: Options) -> "Screen | None":
    from musify_ai.translate.repetition import may_change

    return may_change if options.style == "tokens" else None  # it knows what `translate` alone would do


def _counter(options: Options) -> "Counter":
    from musify_ai.pipeline.residue import Residue, residue

    if options.direction != "c2m":
        return lambda output, explained: Residue((), ())  # CUDA names are what is wanted there

    return residue
