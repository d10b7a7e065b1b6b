"""Building one side of a unit, taking out what does not build and saying why, until the rest does.

What a finding left unsettled is a stub from the start. Then the compiler is asked; each error is laid to the function
or declaration it stands in, which is taken out with the error as its reason. A few rounds of that, never silently:
whoever reaches a stub is not checked, and each reason is reported.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from musify_ai.backends.diagnostics import Diagnostic, missing_header
from musify_ai.backends.emulated import MAIN, BuildFailure, Built, Emulated, Side, Unit
from musify_ai.emulator import pytorch
from musify_ai.kernels.functions import FunctionSpan
from musify_ai.source import tokens, words
from musify_ai.verify.absence import explained
from musify_ai.verify.branches import Watched, build_watched
from musify_ai.verify.closures import includes
from musify_ai.verify.patches import BUILD, STAND_IN, FileParts, Mentions, Patch, Reason, apply, base_name, refuse_asm
from musify_ai.verify.told import specialisation, told_classes
from musify_ai.verify.variables import Variable, device_variables

ROUNDS = 12

CHANGES_MEANING = "changes meaning of"
"""What g++ says of ``using Reducer = ns::Reducer<T>`` in a class that named the outer one before. The language asks for
no diagnostic (C++17, [basic.scope.class] 2), and neither clang nor the front ends of devices' compilers give one."""
PERMISSIVE = ("-fpermissive",)

_STAND_IN: dict[Side, bytes] = {
    "cuda": b"#pragma once\n#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n",
    "musa": b"#pragma once\n#include <musa_fp16.h>\n#include <musa_bf16.h>\n",
}
_OF_PYTORCH = f"#include <{pytorch.MAIN}>\n".encode()


class Registration(NamedTuple):
    """A kernel as the driver's text names it: an id without blanks, its name, and the expression of its address.

    ``arguments`` are its template arguments and ``label`` those of the original, without blanks; ``types`` what its
    parameters' types are made of, as text. A ``spare`` one is one of several guesses at how a kernel is instantiated.
    """

    id: str
    name: str
    expression: str
    arguments: tuple[str, ...] = ()
    label: str = ""
    types: tuple[str, ...] = ()
    spare: bool = False


class Unsettled(NamedTuple):
    """Bytes of a translated file that a finding with this code left unsettled."""

    start: int
    end: int
    code: str


class SideSource(NamedTuple):
    """One side of a unit: its path, the files it takes in by path, folders searched for includes, and ``defines`` as
    options of a compiler."""

    unit: str
    files: Mapping[str, FileParts]
    include_dirs: tuple[str, ...]
    defines: tuple[str, ...] = ()


class SideBuild(NamedTuple):
    """What came of it. ``stubbed`` are functions taken out, by base name; ``dropped`` registrations that the compiler
    refused, by id; ``erased`` declarations taken out, by path and line. ``failure`` where nothing could be built, else
    ``unit`` is what was; ``watched`` where ``built`` is of a text that notes what it reaches."""

    built: Built | None
    failure: str = ""
    stubbed: Mapping[bytes, Reason] = {}
    dropped: Mapping[str, Reason] = {}
    erased: Mapping[tuple[str, int], Reason] = {}
    left_out_headers: frozenset[tuple[str, int]] = frozenset()
    unit: Unit | None = None
    watched: Watched | None = None


def build_side(
    backend: Emulated,
    side: Side,
    macro: int,
    source: SideSource,
    registrations: Sequence[Registration],
    *,
    unsettled: Mapping[str, Sequence[Unsettled]] | None = None,
    original: SideBuild | None = None,
) -> SideBuild:
    """Build a side; ``original`` is the other side's result when this is the translation: what that lacks too (a
    header, a function) is no fault of the translation."""
    return _Builder(backend, side, macro, source, registrations, unsettled or {}, original).run()


def as_first_built(source: SideSource, unsettled: Mapping[str, Sequence[Unsettled]], side: Side) -> dict[str, bytes]:
    """The files of a side as the first attempt builds them: what is unsettled is a stub or left out, no more."""
    patches: dict[str, dict[tuple[int, int], Patch]] = {path: {} for path in source.files}
    for parts, span, reason in unsettled_headers(source.files, unsettled):
        patches[parts.path][span] = Patch(*span, "blank", reason)
    for parts, function, reason in functions_to_stub(source.files, unsettled):
        body = (function.body_start, function.body_end)
        patches[parts.path].setdefault(body, Patch(*body, "stub", reason))
    texts = {path: apply(parts.src, patches[path]) for path, parts in source.files.items()}
    return {path: refuse_asm(source.files[path], text) for path, text in texts.items()} if side == "musa" else texts


def unsettled_headers(
    files: Mapping[str, FileParts], unsettled: Mapping[str, Sequence[Unsettled]]
) -> Iterator[tuple[FileParts, tuple[int, int], Reason]]:
    """Includes that a finding left in."""
    for path, spans in unsettled.items():
        parts = files.get(path)
        for each in includes(parts.src) if parts is not None else ():
            code = next((s.code for s in spans if each.start <= s.start < each.end), "")
            if code and parts is not None:
                yield parts, (each.start, each.end), Reason(code)


def functions_to_stub(
    files: Mapping[str, FileParts], unsettled: Mapping[str, Sequence[Unsettled]]
) -> list[tuple[FileParts, FunctionSpan, Reason]]:
    """Every function that holds an unsettled span, or uses a macro that does, each once."""
    out: dict[tuple[str, int], tuple[FileParts, FunctionSpan, Reason]] = {}
    names: dict[bytes, Reason] = {}
    for path, spans in unsettled.items():
        parts = files.get(path)
        if parts is None:
            continue
        for span in spans:
            reason = Reason(span.code)
            holding = [f for f in parts.functions if f.start <= span.start < f.end]
            if holding:
                inner = min(holding, key=lambda f: f.end - f.start)
                out.setdefault((path, inner.start), (parts, inner, reason))
                continue
            for name, (start, end) in parts.macros.items():
                if start <= span.start < end:
                    names.setdefault(name, reason)
    mentions = Mentions(files) if names else None
    for path, parts in files.items() if mentions is not None else ():
        for function in parts.functions:
            body = words(parts.src[function.body_start : function.body_end])
            for name, reason in names.items():
                if mentions is not None and (name in body or _through_macros(name, body, files, mentions)):
                    out.setdefault((path, function.start), (parts, function, reason))
    return list(out.values())


def _through_macros(name: bytes, body: set[bytes], files: Mapping[str, FileParts], mentions: Mentions) -> bool:
    macros = {each for parts in files.values() for each in parts.macros}
    return any(name in mentions.reached(each) for each in body & macros)


# By this attribute of a kernel a program asks for more than 48 KiB of dynamic shared memory, in any of the four APIs.
_ASKS_FOR_SHARED = re.compile(rb"\w+(?:AttributeMaxDynamicSharedMemorySize|_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)\b")


def main_text(source: SideSource, registrations: Sequence[Registration]) -> tuple[str, dict[int, str]]:
    """The text that includes a unit and registers its kernels and variables, and the id on each of its lines."""
    lines = [
        "#define main musify_user_main",
        f'#include "{source.unit}"',
        "#undef main",
    ]
    ids: dict[int, str] = {}
    for told in told_classes(source.files, [text for each in registrations for text in each.types]):
        lines.append(specialisation(told))
        ids[len(lines)] = f"class {told.name}"
    lines.append("static const int musify_registered[] = {0,")
    if any(_ASKS_FOR_SHARED.search(parts.src) for parts in source.files.values()):
        lines.append("::musify_check::musify_allow_shared(),")
    for each in registrations:
        lines.append(f'::musify_check::musify_add_kernel("{each.id}", {each.expression}),')
        ids[len(lines)] = each.id
    seen: set[str] = set()
    for path in sorted(source.files):
        for variable in device_variables(source.files[path].src):
            if variable.name in seen:
                continue
            seen.add(variable.name)
            flags = f"{str(variable.constant).lower()}, {str(variable.initialized).lower()}"
            for label, name in _named(variable, registrations):
                lines.append(f'::musify_check::musify_add_symbol("{label}", {name}, {flags}),')
                ids[len(lines)] = f"variable {label}"
    lines.append("};")
    return "\n".join(lines) + "\n", ids


def _named(variable: Variable, registrations: Sequence[Registration]) -> list[tuple[str, str]]:
    """What a variable is called, for people and in C++; a template's, by the arguments of the kernels beside it."""
    if not variable.parameters:
        return [(variable.name, variable.name)]
    found = {
        f"{variable.name}<{each.label}>": f"{variable.name}<{', '.join(each.arguments)}>"
        for each in registrations
        if len(each.arguments) == variable.parameters
    }
    return list(found.items())


class _Builder:
    def __init__(
        self, backend: Emulated, side: Side, macro: int, source: SideSource, registrations: Sequence[Registration],
        unsettled: Mapping[str, Sequence[Unsettled]], original: SideBuild | None,
    ) -> None:  # fmt: skip
        self.backend, self.side, self.macro, self.source = backend, side, macro, source
        self.registrations = list(registrations)
        self.unsettled = unsettled
        self.original = original
        self.patches: dict[str, dict[tuple[int, int], Patch]] = {path: {} for path in source.files}
        self.stubbed: dict[bytes, Reason] = {}
        self.dropped: dict[str, Reason] = {}
        self.erased: dict[tuple[str, int], Reason] = {}
        self.headers: set[tuple[str, int]] = set()
        self.absent: dict[str, bool] = {}
        self.tainted: dict[bytes, Reason] = {}
        self.plain = False
        self.permissive = False

    def run(self) -> SideBuild:
        self._leave_out_unsettled_headers()
        self._stub_unsettled()
        text, ids = main_text(self.source, self.registrations)
        for number in range(ROUNDS):
            unit = self._unit(text, ids)
            watched = self._watched(unit) if number == 0 else None
            if watched is not None:
                return self._done(watched.built, "")._replace(unit=unit, watched=watched)
            result = self.backend.build(unit, self.side, self.macro)
            if isinstance(result, Built):
                # Only what had to be taken out stood in the way, or the notes do not go with this text.
                watched = self._watched(unit) if number else None
                built = result if watched is None else watched.built
                return self._done(built, "")._replace(unit=unit, watched=watched)
            if not self.permissive and any(CHANGES_MEANING in each.message for each in result.diagnostics):
                self.permissive = True
                continue
            failure = self._take_out(result, ids)
            if failure:
                return self._done(None, failure)
        return self._done(None, f"does not build after {ROUNDS} attempts: {first_error(result)}")

    def _watched(self, unit: Unit) -> Watched | None:
        return build_watched(self.backend, unit, self.side, self.macro, self.source.files)

    def _done(self, built: Built | None, failure: str) -> SideBuild:
        return SideBuild(built, failure, self.stubbed, self.dropped, self.erased, frozenset(self.headers))

    def _unit(self, text: str, ids: Mapping[int, str]) -> Unit:
        lines = text.split("\n")
        for number, name in ids.items():
            if name in self.dropped:
                lines[number - 1] = ""
        sources = {path: apply(parts.src, self.patches[path]) for path, parts in self.source.files.items()}
        if self.side == "musa":
            sources = {path: refuse_asm(self.source.files[path], src) for path, src in sources.items()}
        include_dirs = self.source.include_dirs
        if self.headers:
            of_pytorch = any(pytorch.is_pytorch(header) for header in self.absent)
            sources[STAND_IN] = _STAND_IN[self.side] + (_OF_PYTORCH if of_pytorch else b"")
            include_dirs = (*include_dirs, ".")
        defines = (*self.source.defines, *(("-DMUSIFY_CHECK_PLAIN",) if self.plain else ()))
        defines = (*defines, *(PERMISSIVE if self.permissive else ()))
        return Unit(sources, "\n".join(lines), include_dirs, defines)

    def _leave_out_unsettled_headers(self) -> None:
        """Take out includes that a finding left in: what the unit needs of them is then missing by name, kernel by
        kernel, and the rest is checked."""
        for parts, span, reason in unsettled_headers(self.source.files, self.unsettled):
            self.patches[parts.path][span] = Patch(*span, "blank", reason)

    def _stub_unsettled(self) -> None:
        for parts, function, reason in functions_to_stub(self.source.files, self.unsettled):
            self._stub(parts, function, reason)

    def _stub(self, parts: FileParts, function: FunctionSpan, reason: Reason) -> bool:
        """Take a function's body out; the whole function if that was done before. False where nothing is left."""
        patches = self.patches[parts.path]
        body, whole = (function.body_start, function.body_end), (function.start, function.end)
        name = base_name(function.name)
        if whole in patches:
            return False
        if body in patches:
            patches[whole] = Patch(*whole, "blank", patches[body].reason)
            self.tainted.setdefault(name, patches[body].reason)
            return True
        patches[body] = Patch(*body, "stub", reason)
        self.stubbed.setdefault(name, reason)
        return True

    def _take_out(self, failure: BuildFailure, ids: Mapping[int, str]) -> str:
        """Take out what the errors stand in; the reason why nothing can be built, or nothing."""
        acted = False
        touched: set[tuple[str, int]] = set()
        for diagnostic in failure.diagnostics:
            header = missing_header(diagnostic)
            if header is not None:
                refused = self._leave_out_header(diagnostic, header)
                if refused:
                    return refused
                acted = True
                continue
            spare = self._spare(diagnostic, ids)
            if spare:
                self.dropped[spare] = Reason("", f"{diagnostic.file}:{diagnostic.line}: {diagnostic.message}")
                acted = True
                continue
            place = self._place(diagnostic)
            if place is None:
                continue
            path, line = place
            if path == MAIN:
                name = ids.get(line)
                if name is not None and name not in self.dropped:
                    self.dropped[name] = self._inherited(self._words_of(name), _dropped_text(diagnostic.message))
                    acted = True
                continue
            acted = self._take_out_at(path, line, diagnostic, touched) or acted
        if acted:
            return ""
        if not self.plain and "musify_check.h" in failure.text:
            self.plain = True
            return ""
        return first_error(failure)

    def _spare(self, diagnostic: Diagnostic, ids: Mapping[int, str]) -> str:
        """The guess that an error is about, as long as there is another for its kernel: what it instantiates is not at
        fault."""
        needed = next((ids[line] for path, line in diagnostic.needed_by if path == MAIN and line in ids), "")
        left = {each.id: each.name for each in self.registrations if each.spare and each.id not in self.dropped}
        return needed if needed in left and list(left.values()).count(left[needed]) > 1 else ""

    def _words_of(self, name: str) -> set[bytes]:
        return {base_name(next((each.name for each in self.registrations if each.id == name), name))}

    def _place(self, diagnostic: Diagnostic) -> tuple[str, int] | None:
        """Where in the unit an error is: where it stands, else what needed it."""
        for path, line in ((diagnostic.file, diagnostic.line), *diagnostic.needed_by):
            if path in self.source.files or path == MAIN:
                return path, line
        return None

    def _take_out_at(self, path: str, line: int, diagnostic: Diagnostic, touched: set[tuple[str, int]]) -> bool:
        parts = self.source.files[path]
        function = parts.function_at_line(line)
        if function is not None:
            key = (path, function.start)
            if key in touched:
                return True
            touched.add(key)
            body = words(parts.src[function.start : function.end]) - {base_name(function.name)}
            reason = self._inherited(body, f"{path}:{line}: {diagnostic.message}")
            if self.original is not None and not reason.code and not reason.shared:
                other = self.original.stubbed.get(base_name(function.name))
                reason = reason._replace(shared=other is not None)
            in_head = line < parts.line_of(function.body_start)
            done = self._stub(parts, function, reason)
            if in_head and done and (function.start, function.end) not in self.patches[path]:
                self._stub(parts, function, reason)
            return done
        directive = parts.directive_at_line(line)
        span = parts.declaration_at_line(line) if directive is None else directive[:2]
        if span is None or (path, span[0]) in touched:
            return span is not None
        touched.add((path, span[0]))
        if span in self.patches[path] or (directive is not None and not self._may_erase_directive(path, line)):
            return False
        return self._erase(parts, span, line, diagnostic)

    def _may_erase_directive(self, path: str, line: int) -> bool:
        """An ``#error`` of the translation counts, unless the original has it too."""
        return self.original is None or (path, line) in self.original.erased

    def _erase(self, parts: FileParts, span: tuple[int, int], line: int, diagnostic: Diagnostic) -> bool:
        text = f"{parts.path}:{line}: {diagnostic.message}"
        reason = self._inherited(words(parts.src[span[0] : span[1]]), text)
        for each in self.unsettled.get(parts.path, ()):
            if each.start < span[1] and each.end > span[0]:
                reason = Reason(each.code)
        if self.original is not None and not reason.code:
            reason = reason._replace(shared=any(where == (parts.path, line) for where in self.original.erased))
        self.patches[parts.path][span] = Patch(*span, "blank", reason)
        self.erased[(parts.path, line)] = reason
        for name in _declared(parts.src[span[0] : span[1]]):
            self.tainted.setdefault(name, reason)
        return True

    def _inherited(self, names: set[bytes], message: str) -> Reason:
        """The reason of something taken out before that these names mention; else the message itself."""
        for name in sorted(names & self.tainted.keys()):
            return self.tainted[name]
        for name in sorted(names & self.stubbed.keys()):
            if self.stubbed[name].code:
                return self.stubbed[name]
        return Reason("", explained(message, self.absent))

    def _leave_out_header(self, diagnostic: Diagnostic, header: str) -> str:
        parts = self.source.files.get(diagnostic.file)
        if parts is None:
            return f"{header}: no such header ({diagnostic.file})"
        found = includes(parts.src)
        number = next((i for i, each in enumerate(found) if parts.line_of(each.start) == diagnostic.line), -1)
        if number < 0:
            return f"{diagnostic.file}:{diagnostic.line}: {diagnostic.message}"
        if self.original is not None and (diagnostic.file, number) not in self.original.left_out_headers:
            return f"{diagnostic.file}:{diagnostic.line}: {header}: MUSA has no such header here"
        include = found[number]
        span = (include.start, include.end)
        if span in self.patches[diagnostic.file]:
            return f"{diagnostic.file}:{diagnostic.line}: {diagnostic.message}"
        self.patches[diagnostic.file][span] = Patch(*span, "header", Reason("", f"{header} is not here"))
        self.absent[header] = include.quoted
        self.headers.add((diagnostic.file, number))
        return ""


def _dropped_text(message: str) -> str:
    """Why a kernel could not be registered. One that is not declared although nothing was taken out is left out by a
    condition of the preprocessor."""
    if "was not declared" in message or "undeclared identifier" in message:
        return f"a condition leaves it out of the unit ({message})"
    return message


def _declared(src: bytes) -> list[bytes]:
    """The names that a declaration's text may declare: those that a declarator's end follows."""
    toks = tokens(src)
    following = (b";", b"=", b"[", b",", b"(", b"{")
    return [a.text for a, b in pairwise(toks) if a.kind == "identifier" and b.text in following]


def first_error(failure: BuildFailure | Built) -> str:
    """The first error of a failed build, with its place."""
    if isinstance(failure, Built) or not failure.diagnostics:
        return "no message"
    first = failure.diagnostics[0]
    return f"{first.file}:{first.line}: {first.message}" if first.line else first.message


__all__ = ["BUILD", "Registration", "SideBuild", "SideSource", "Unsettled", "build_side", "main_text"]
