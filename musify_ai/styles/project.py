"""``rebrand`` over all files of a run: which of the project's own names and files get another, and which cannot."""

from collections.abc import Collection, Mapping
from functools import lru_cache

from musify_ai.records import Options
from musify_ai.rules import load
from musify_ai.source.lexing import blank, words
from musify_ai.source.patterns import late_pattern
from musify_ai.styles.ownership import Owned, brands_of, owned_in
from musify_ai.styles.parts import Wording
from musify_ai.styles.places import Includes, file_names, moves
from musify_ai.styles.plan import Plan
from musify_ai.translate.registry import RULES
from musify_ai.translate.surroundings import included_tokens
from musify_ai.translate.unit import Unit

NOT_REBRANDED = "MUS120"


def plan_for(
    sources: Mapping[str, bytes],
    options: Options,
    *,
    left: Mapping[str, bytes] | None = None,
    build: Mapping[str, bytes] | None = None,
    others: Collection[str] = (),
    fixed: Collection[str] = (),
    roots: Collection[str] = (),
    foreign: Mapping[str, bytes] | None = None,
) -> Plan:
    """What `rebrand` does over a project.

    ``sources`` are the files that it may change, ``left`` source files that the run leaves alone, ``build`` the build
    files and ``others`` the paths of everything else, which stay where they are with the folders above them: scripts,
    packages and documents find each other by path. ``fixed`` are further paths of which none may change,
    and ``roots`` folders that hold the project. ``foreign`` are files of other languages, which may call what has C's
    linkage by its name.
    """
    left, build = left or {}, build or {}
    back = options.direction == "m2c"
    wording = Wording(brands_of(sources.values(), back=back), back=back)
    units = {path: Unit(path, src, options) for path, src in sources.items()}
    if not back:
        # A file that is MUSA's already, or has a branch for it, is left as everywhere: what it uses keeps its name.
        left = {**left, **{path: unit.src for path, unit in units.items() if unit.is_musa}}
        units = {path: unit for path, unit in units.items() if path not in left}
    owned = {path: owned_in(unit, wording) for path, unit in units.items()}
    renames, why = _renames(units, owned, left, build, options, wording, foreign or {})
    paths = [*dict.fromkeys((*sources, *left)), *build, *others]
    fixed = {*fixed, *left, *others, *_included(left, Includes(paths, {}))}
    moved = moves(paths, units, fixed, wording, roots)
    notes: dict[str, list[tuple[str, bytes, str]]] = {}
    for path, unit in units.items():
        for name in sorted(why.keys() & unit.words):
            if name in owned[path].plain:
                notes.setdefault(path, []).append((NOT_REBRANDED, name, why[name]))
    for path, new in moved.refused.items():
        name = path.rpartition("/")[2].encode("utf-8", "surrogateescape")
        text = f"the file {path} was to become {new}, which another file is or becomes; it keeps its name"
        notes.setdefault(path, []).append((NOT_REBRANDED, name, text))
    return Plan(
        renames=renames,
        members=frozenset().union(*(each.members for each in owned.values())) & renames.keys(),
        scopes=frozenset().union(*(each.scopes for each in owned.values())),
        paths=moved,
        includes=Includes(paths, moved) if moved else None,
        notes={path: tuple(found) for path, found in notes.items()},
        file_names=file_names(moved),
    )


def _included(left: Mapping[str, bytes], includes: Includes) -> set[str]:
    """What files that are left alone include: it has to stay where they look for it."""
    return {
        target
        for path, src in left.items()
        for token in included_tokens(src)
        for target in includes.targets(token.decode("utf-8", "surrogateescape"), path)
    }


def _renames(
    units: Mapping[str, Unit],
    owned: Mapping[str, Owned],
    left: Mapping[str, bytes],
    build: Mapping[str, bytes],
    options: Options,
    wording: Wording,
    foreign: Mapping[str, bytes],
) -> tuple[dict[bytes, bytes], dict[bytes, str]]:
    """The names that change with what they become, and those that cannot with the reason."""
    api = _names_of_the_api(options)
    plain = frozenset().union(*(each.plain for each in owned.values())) - api
    used: dict[bytes, str] = {}
    for path, unit in units.items():
        for word in words(blank(unit.src, unit.regions)):
            used.setdefault(word, path)
    if wording.owned:
        plain |= {word for word in used if wording.is_branded(word) and word not in api}
    pasted = frozenset().union(*(each.pasted for each in owned.values()))
    loose = {part for part in pasted if not (wording.is_branded(part) and wording.renamed(part) != part)}
    beginnings = tuple(part for part in loose if len(part) > 2)
    kept = frozenset().union(*(each.kept for each in owned.values()))
    elsewhere: dict[bytes, str] = {}
    for path, src in left.items():
        for word in words(blank(src)) & plain:
            elsewhere.setdefault(word, path)
    linked = frozenset().union(*(_with_c_linkage(unit) for unit in units.values())) & plain if foreign else frozenset()
    for path, src in foreign.items() if linked else ():
        for word in words(src) & linked:
            elsewhere.setdefault(word, path)
    built = {word: path for path, src in build.items() for word in _set_in(src) if word.isupper() and word in plain}
    renames: dict[bytes, bytes] = {}
    why: dict[bytes, str] = {}
    becoming: dict[bytes, list[bytes]] = {}
    for name in sorted(plain):
        becoming.setdefault(wording.renamed(name), []).append(name)
    for new, names in becoming.items():
        for name in names:
            text = name.decode("utf-8", "replace")
            if name == new:
                continue
            if len(names) > 1:
                other = next(each for each in names if each != name).decode("utf-8", "replace")
                why[name] = f"{text} was left: {other} would become {new.decode('utf-8', 'replace')} too"
            elif new in used:
                why[name] = f"{text} was left: {used[new]} has the name {new.decode('utf-8', 'replace')} already"
            elif new in api:
                why[name] = f"{text} was left: {new.decode('utf-8', 'replace')} is a name of the platform's"
            elif name.startswith(beginnings) or name.endswith(beginnings):
                why[name] = f"{text} was left: a part of it is pasted to other parts by a macro"
            elif name in kept:
                why[name] = f"{text} was left: it is used where a comment keeps the tool out"
            elif name in elsewhere:
                why[name] = f"{text} was left: {elsewhere[name]} uses it, which is left as it is"
            elif name in built:
                why[name] = f"{text} was left: {built[name]} sets or asks for it, and build files are not rewritten"
            else:
                renames[name] = new
    # A part of a name beside ## that carries the project's brand changes with every name that it can make.
    renames.update((part, wording.renamed(part)) for part in pasted - loose if part not in why)
    return renames, why


def _with_c_linkage(unit: Unit) -> set[bytes]:
    """The words of a file's declarations with C's linkage: an ``extern "C"`` block whole, or the rest of a head."""
    if b"extern" not in unit.words:
        return set()
    toks, partners = unit.tokens, unit.partners
    found: set[bytes] = set()
    for index, token in enumerate(toks[:-2]):
        if token.text != b"extern" or toks[index + 1].text != b'"C"':
            continue
        end = partners.get(index + 2, len(toks)) if toks[index + 2].text == b"{" else index + 2
        if end == index + 2:
            while end < len(toks) and toks[end].text not in (b"{", b";"):
                end += 1
        found.update(each.text for each in toks[index + 2 : end] if each.kind == "identifier")
    return found


def _set_in(src: bytes) -> set[bytes]:
    """The words of a build file, and the macros that its options define."""
    return words(src) | set(_OPTION.findall(src))


_OPTION = late_pattern(rb"[-/]D[ \t\"']*([A-Za-z_]\w*)")


@lru_cache(maxsize=2)
def _names_of_the_api(options: Options) -> frozenset[bytes]:
    """Names of CUDA's and MUSA's, as far as the rules know any: none of them is a project's own to rename."""
    rules = load("main", options.sdk, options.overlay, options.rules)
    guards: frozenset[bytes] = frozenset().union(*(e.triggers for e in RULES if e.code.startswith("MUS2")))
    return frozenset(rules.classes) | frozenset(rules.names.values()) | guards
