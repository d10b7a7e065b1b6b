"""Wrong versions that survive and yet say nothing against a check, since they mean the same.

An operator that becomes another one often changes nothing: ``lane % 4`` and ``lane + 4`` name the same lane of 32, a
shift by ``16 * (k % 2)`` is one by ``16 * (k + 2)`` on most machines. Whether the value matters is seen at what it is
made of: where wrong versions of the operands are noticed, so is the value, and the other operator gives the same one.
Comparisons are not taken for that: a bound that no input comes to is what such a survivor tells. But for one: the
condition of a compare-and-swap's loop, whose rounds are all alike (`musify_ai.rewrite.gates.rounds`).
"""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from musify_ai.kernels import function_at
from musify_ai.rewrite.gates.protocol import Candidate
from musify_ai.rewrite.gates.rounds import starts_anew
from musify_ai.syntax.tree import parse
from musify_ai.verify.mutation.places import Site
from musify_ai.verify.mutation.sites import sites_in
from musify_ai.verify.patches import FileParts

if TYPE_CHECKING:
    from tree_sitter import Node

_VALUES = frozenset(("plus", "minus", "times", "over", "rest", "both", "either", "one_of", "left", "right"))


def without_equal(candidate: Candidate, survivors: Sequence[str]) -> list[str]:
    """The survivors (as `musify_ai.records.Mutants` describes them) but those that are known to mean the same."""
    texts = candidate.texts()
    equal: set[str] = set()
    for number, piece in enumerate(candidate.unit.pieces):
        place, lines = candidate.lines(number)
        src = texts[place]
        at = sum(len(line) + 1 for line in src.split(b"\n")[: lines[0] - 1])
        function = function_at(FileParts(place, src).functions, at + len(piece.head) - 1)
        if function is None:
            continue
        root = parse(src).root_node
        sites = sites_in(root, src, function.body_start, function.body_end, kernel=False)
        named = [(_described(place, site, src), site) for site in sites]
        for text in dict.fromkeys(each for each, _ in named):
            same = [other for each, other in named if each == text]
            if text in survivors and all(_means_the_same(other, named, survivors, root, src) for other in same):
                equal.add(text)
    return [text for text in survivors if text not in equal]


def _means_the_same(
    site: Site, named: Sequence[tuple[str, Site]], survivors: Collection[str], root: "Node", src: bytes
) -> bool:
    if (site.kind, site.call) == ("condition", "never"):
        compared = root.descendant_for_byte_range(site.start, site.end)
        return compared is not None and starts_anew(compared, src)
    if site.kind == "width":  # narrower, and all that the lanes ask for is within: the lane's own mutant is noticed
        lanes = [(text, each) for text, each in named if each.kind == "lane" and each.end <= site.start]
        return bool(lanes) and max(lanes, key=lambda each: each[1].end)[0] not in survivors
    if site.kind != "operator" or site.call not in _VALUES:
        return False
    first, last = site.operator
    seen = 0
    for start, end in ((site.start, first), (last, site.end)):
        inside = [text for text, each in named if start <= each.start and each.end <= end and each.kind != "narrow"]
        noticed = sum(text not in survivors for text in inside)
        if inside and not noticed:
            return False
        seen += noticed
    return seen > 0


def _described(path: str, site: Site, src: bytes) -> str:
    """A site in the words of `musify_ai.verify.mutation.writing.described`."""
    text = src[site.start : site.end].split(b"\n", 1)[0][:60]
    way = "" if site.moved < 0 else " down" if site.moved > site.start else " up"
    return f"{path}:{site.line}: {site.kind}{way} ({text.decode('utf-8', 'replace').strip()})"
