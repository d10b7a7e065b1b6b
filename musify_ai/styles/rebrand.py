"""``rebrand``: besides the API's names the project's own, by word part, and the paths of files that get another name.

Comments, strings and licences stay as they are. A name is the project's own only where the project defines it: what
another library's scope qualifies (``at::cuda``, ``thrust::cuda_cub``) is that library's, and so is a member that no
class of the project has.
"""

from collections.abc import Iterator, Mapping, Sequence

from musify_ai.records import Edit, Finding, Options
from musify_ai.source import resolve
from musify_ai.source.lexing import Occurrence, occurrences
from musify_ai.source.patterns import late_pattern
from musify_ai.source.tokens import Token, tokens
from musify_ai.styles.places import file_names
from musify_ai.styles.plan import Plan
from musify_ai.styles.styled import Styled
from musify_ai.translate import Translation
from musify_ai.translate.names.context import Role, role
from musify_ai.translate.names.includes import include_tokens
from musify_ai.translate.unit import Unit

OF_NAMES = "names.own"
OF_INCLUDES = "headers.own"
NAMED_IN_TEXT = "MUS122"

# Other libraries' scopes, also where a project adds something to one.
_FOREIGN = frozenset(b"at c10 torch std nvcuda nvcuda_wmma cooperative_groups".split())
# What libcu++ has in its namespace `cuda`.
_LIBCUDACXX = frozenset(
    b"std ptx experimental device atomic atomic_ref barrier pipeline latch counting_semaphore binary_semaphore "
    b"memcpy_async thread_scope thread_scope_system thread_scope_device thread_scope_block annotated_ptr mr stream_ref "
    b"make_pipeline pipeline_shared_state aligned_size_t access_property proclaim_return_type".split()
)
_LOOKED_UP = frozenset(
    b"dlsym GetProcAddress cuModuleGetFunction cuModuleGetGlobal cuLibraryGetKernel cudaGetDriverEntryPoint "
    b"muModuleGetFunction nvrtcAddNameExpression nvrtcGetLoweredName".split()
)


def rebranded(translation: Translation, src: bytes, path: str, options: Options, plan: Plan) -> Styled:
    """The translation with the project's own names and include paths changed as the plan says."""
    unit = Unit(path, src, options)
    findings = [*translation.findings, *_notes(unit, plan)]
    if unit.is_musa and options.direction == "c2m":
        return Styled(translation.edits, tuple(findings), translation.excluded)
    own = [*_names(unit, plan), *_includes(unit, plan)]
    findings += _in_text(unit, plan, {each.end for each in own})
    applied = [each for each in translation.edits if each.safety == "safe" or options.unsafe_fixes]
    shown = [each for each in translation.edits if each not in applied]
    kept, _ = resolve([*(_carried(each, plan) for each in applied), *own])
    edits = sorted([*kept, *shown], key=lambda each: (each.start, each.end))
    findings.sort(key=lambda each: (each.start, each.code, each.end, each.name))
    return Styled(tuple(edits), tuple(findings), translation.excluded)


def _names(unit: Unit, plan: Plan) -> Iterator[Edit]:
    names = plan.renames.keys() & unit.words
    if not names:
        return
    src, pasting = unit.src, b"##" in unit.src
    for found in occurrences(src, names, known_regions=unit.regions):
        kind = role(src, found, pasting=pasting)
        if kind is Role.MEMBER and found.name not in plan.members:
            continue
        if _is_foreign(unit, found, plan, qualified=kind is Role.QUALIFIED):
            continue
        yield Edit(
            found.start, found.end, found.name, plan.renames[found.name], OF_NAMES, "rule", "safe", "the project's own"
        )


def _is_foreign(unit: Unit, found: Occurrence, plan: Plan, *, qualified: bool) -> bool:
    """Whether a scope that is not the project's qualifies a name, or the name is libcu++'s namespace."""
    if found.name == b"cuda" and _qualifies_libcudacxx(unit.src, found.end):
        return True
    if not qualified:
        return False
    root = _root(unit.tokens, unit.token_index(found.start))
    return root in _FOREIGN or (root != b"" and root not in plan.scopes)


def _qualifies_libcudacxx(src: bytes, end: int) -> bool:
    following = [token.text for token in tokens(src, end, end + 60)[:2]]
    return len(following) == 2 and following[0] == b"::" and following[1] in _LIBCUDACXX


def _root(toks: Sequence[Token], index: int) -> bytes:
    """The first name of the qualification before a token; empty for none and for the global scope."""
    root = b""
    while index >= 2 and toks[index - 1].text == b"::":
        index -= 2
        if toks[index].text in (b">", b">>", b">>>"):
            index = _before_template(toks, index)
        if index < 0 or toks[index].kind != "identifier":
            return root
        root = toks[index].text
    return root


def _before_template(toks: Sequence[Token], index: int) -> int:
    """The token before the ``<`` that a ``>`` closes; -1 where none does, or not near."""
    depth = 0
    for position in range(index, max(index - 200, -1), -1):
        text = toks[position].text
        if text in (b">", b">>", b">>>"):
            depth += len(text)
        elif text in (b"<", b"<<", b"<<<"):
            depth -= len(text)
            if depth <= 0:
                return position - 1
        elif text in (b";", b"{", b"}"):
            break
    return -1


def _includes(unit: Unit, plan: Plan) -> Iterator[Edit]:
    if plan.includes is None or b"include" not in unit.src:
        return
    for start, end, token, _ in include_tokens(unit.src, unit.regions, unit.words):
        new = plan.includes.renamed(token.decode("utf-8", "surrogateescape"), unit.path)
        text = new.encode("utf-8", "surrogateescape")
        if text != token:
            yield Edit(start, end, token, text, OF_INCLUDES, "rule", "safe", "the project's own file")


def _carried(edit: Edit, plan: Plan) -> Edit:
    """A rule's edit whose new text carries source on, with the project's names in it changed as everywhere."""
    if edit.rule.startswith(("names.", "headers.")) or not plan.renames:
        return edit
    pieces = [
        plan.renames.get(token.text, token.text) if token.kind == "identifier" else token.text
        for token in tokens(edit.new, trivia=True)
    ]
    return edit._replace(new=b"".join(pieces))


def _notes(unit: Unit, plan: Plan) -> Iterator[Finding]:
    for code, name, message in plan.notes.get(unit.path, ()):
        places = unit.occurrences((name,))
        start, end = (places[0].start, places[0].end) if places else (0, 0)
        yield Finding(
            code, "warning", start, end, f"{message}. Rename one of the two by hand, or leave both.",
            name=name.decode("utf-8", "replace"),
        )  # fmt: skip


def _in_text(unit: Unit, plan: Plan, edited: set[int]) -> Iterator[Finding]:
    """Strings that name a file with another name now, as ``#include`` by a macro or in source inside a string does,
    but for those that end where an edit does (``edited``); and in a file that looks something up by name, strings that
    are a renamed name, also an instantiation of one."""
    if plan.file_names:
        for region in unit.regions:
            if "string" in region.kind and unit.src.find(b".", region.start, region.end) >= 0:
                found = _files_in(unit.src, region.start, region.end, plan.file_names)
                yield from (each for each in found if each.end not in edited)
    if not plan.renames or _LOOKED_UP.isdisjoint(unit.words):
        return
    for region in unit.regions:
        if region.kind != "string":
            continue
        text = unit.src[region.start + 1 : region.end - 1]
        for name in dict.fromkeys(_NAME.findall(text)) if _EXPRESSION.match(text) else ():
            if name in plan.renames:
                new = plan.renames[name].decode("utf-8", "replace")
                yield Finding(
                    NAMED_IN_TEXT, "warning", region.start, region.end,
                    f"this text is the old name of {new}, and the file looks something up by name. Text is not "
                    f"rewritten: write {new} where it means that symbol.",
                    name=name.decode("utf-8", "replace"),
                )  # fmt: skip


def _files_in(src: bytes, start: int, end: int, names: Mapping[bytes, str]) -> Iterator[Finding]:
    for match in _FILE.finditer(src, start, end):
        new = names.get(match[0])
        if new is not None:
            old = match[0].decode("utf-8", "replace")
            yield Finding(
                NAMED_IN_TEXT, "warning", match.start(), match.end(),
                f"this text names the file {old}, which is {new} now. Text is not rewritten: write {new} where a file "
                "is opened or included by it.",
                name=old,
            )  # fmt: skip


_FILE = late_pattern(rb"[\w.\x80-\xff-]+")
_NAME = late_pattern(rb"[A-Za-z_]\w*")
_EXPRESSION = late_pattern(rb"[&\s]*[A-Za-z_][\w:]*\s*(?:<[\w\s:,<>*&]*>)?\s*\Z")


def named_in_build(src: bytes, paths: Mapping[str, str]) -> Finding | None:
    """The files that a build file names and that have another name now."""
    names = file_names(paths)
    found = [name for name in sorted(names) if name in src]
    if not found:
        return None
    start = min(src.find(name) for name in found)
    shown = ", ".join(f"{name.decode('utf-8', 'replace')} (now {names[name]})" for name in found[:5])
    more = f" and {len(found) - 5} more" if len(found) > 5 else ""
    return Finding(
        NAMED_IN_TEXT, "warning", start, start + 1,
        f"this build file names files that have other names now: {shown}{more}. Write the new names.",
        effort="minutes",
    )  # fmt: skip
