"""What a function body calls, by name."""

from musify_ai.kernels.view import View

_NO_CALLS = frozenset(
    b"if for while switch return sizeof alignof decltype asm __asm__ __asm catch static_cast reinterpret_cast "
    b"const_cast dynamic_cast alignas noexcept throw volatile defined typeid __attribute__ and or not else do case "
    b"new delete int float double char bool long short unsigned signed void auto const "
    b"requires static_assert operator".split()
)


def called_names(view: View, opening: int, closing: int) -> tuple[str, ...]:
    """The names called between two braces, qualified as written, template arguments cut off, each once, in order.

    A declaration such as ``float4 v(x)`` counts as a call of ``v``: too many is harmless, too few is not.
    """
    toks = view.tokens
    found: dict[str, None] = {}
    for index in range(opening + 1, closing):
        token = toks[index]
        if token.kind != "identifier" or token.text in _NO_CALLS:
            continue
        following = index + 1
        if toks[following].text == b"<":
            close = view.angle(following)
            if close < 0:
                continue
            following = close + 1
        if following >= len(toks) or toks[following].text not in (b"(", b"<<<"):
            continue
        first = index
        while first > opening + 2 and toks[first - 1].text == b"::" and toks[first - 2].kind == "identifier":
            first -= 2
        found[b"".join(each.text for each in toks[first : index + 1]).decode("utf-8", "replace")] = None
    return tuple(found)
