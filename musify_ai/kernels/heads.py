"""What the tokens of a declaration's head name: the parameter list among its groups, the function, the class."""

from itertools import pairwise
from typing import NamedTuple

from musify_ai.kernels.view import View


class Group(NamedTuple):
    """A parenthesised group of a declaration's head: indices of its brackets, and of the token before it."""

    before: int
    opening: int
    closing: int


# Words before a parenthesis that make it no parameter list.
NOT_NAMES = frozenset(
    b"__attribute__ __attribute __launch_bounds__ __cluster_dims__ __block_size__ __maxnreg__ __align__ alignas "
    b"decltype noexcept throw __declspec explicit requires asm __asm__ __asm typeof __typeof__ sizeof static_assert "
    b"_Static_assert if for while switch catch return do else case goto new delete __pragma _Pragma "
    b"void int float double char bool long short unsigned signed auto const volatile".split()
)
# Words that may follow a parameter list.
TRAILERS = frozenset(
    b"const volatile noexcept override final mutable try requires throw __attribute__ __attribute asm __asm__".split()
)


def class_name(view: View, class_key: int, brace: int) -> tuple[int, int]:
    """Token range of a class's name: the last word before its base clause, with template arguments if any."""
    name = end = -1
    index = class_key + 1
    while index < brace:
        text = view.word(index)
        if text == b":":
            break
        if view.is_word(index) and text not in (b"final", b"alignas", b"__align__"):
            if view.word(index - 1) != b"::" or name < 0:
                name = index
            end = index + 1
        elif text == b"<" and (close := view.angle(index)) > 0:
            end = index = close
            end += 1
        elif view.match[index] > index:
            index = view.match[index]
        index += 1
    return name, end


def parameter_list(view: View, groups: list[Group], operator: int) -> Group | None:
    """Which of a head's groups is the parameter list."""
    found: Group | None = None
    for number, group in enumerate(groups):
        before = view.tokens[group.before] if group.before >= 0 else None
        if operator >= 0:
            if group.opening > operator:
                return group
            continue
        if before is None or (view.word(group.closing + 1) == b"(" and number + 1 < len(groups)):
            # NAME(x)(parameters): the next group is the list, unless this one is an attribute's.
            continue
        named = before.kind == "identifier" and before.text not in NOT_NAMES
        named = named or before.text in (b">", b">>", b">>>")
        if before.text == b")":
            opening = view.match[group.before]
            named = view.is_word(opening - 1) and view.word(opening - 1) not in NOT_NAMES
        if not named:
            continue
        found = group
        following = view.tokens[group.closing + 1] if group.closing + 1 < len(view.tokens) else None
        later = groups[number + 1 :]
        if following is None or following.kind != "identifier" or following.text in TRAILERS or not later:
            return group
        if later[0].before == group.closing + 1 and not _is_decorator(view, group):
            return group
    return found


def _is_decorator(view: View, group: Group) -> bool:
    """Whether ``NAME(...)`` is a macro in front of a function's name rather than the function itself."""
    if not view.word(group.before).isupper() or len(view.word(group.before)) < 3:
        return False
    inner = view.tokens[group.opening + 1 : group.closing]
    pairs = pairwise(inner)
    return bool(inner) and not any(
        a.kind == "identifier" and (b.kind == "identifier" or b.text in (b"*", b"&")) for a, b in pairs
    )


def name_start(view: View, group: Group, operator: int) -> int:
    """Index of the first token of a function's name, qualifiers included."""
    index = operator if operator >= 0 else group.before
    if view.word(index) == b")":
        index = view.match[index] - 1
    while index >= 0:
        if view.tokens[index].kind == "punct" and view.word(index) in (b">", b">>", b">>>"):
            index = view.angle_open(index) - 1
        if view.word(index - 1) == b"~":
            index -= 1
        if view.word(index - 1) != b"::":
            break
        if view.is_word(index - 2) or view.word(index - 2) in (b">", b">>", b">>>"):
            index -= 2
        else:
            index -= 1
            break
    return max(index, 0)
