"""``llm plan``: what would be asked, before anything is."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from musify_ai.rewrite.budget import Prices, estimated
from musify_ai.rewrite.loop import Policy, shown_to_model
from musify_ai.rewrite.prompting import request_for
from musify_ai.rewrite.providers.protocol import Request, Sampling
from musify_ai.rewrite.store import Store
from musify_ai.rewrite.surveying import Survey
from musify_ai.rewrite.units import WorkUnit
from musify_ai.rewrite.working import grouped


class Group(NamedTuple):
    """Equal constructs: the first of them, how many there are, the request that would be sent for all, and whether the
    store has an accepted rewrite already."""

    unit: WorkUnit
    places: int
    request: Request
    known: bool


class Plan(NamedTuple):
    """What would be asked. ``tokens_in`` and ``tokens_out`` are estimates of the first requests alone; ``most_calls``
    is the number of calls if every attempt of the policy were needed, ``money`` the cost of the first ones."""

    groups: tuple[Group, ...]
    left: tuple[tuple[str, int], ...]
    tokens_in: int
    tokens_out: int
    most_calls: int
    money: float

    @property
    def open(self) -> int:
        """The distinct constructs that a model would be asked about."""
        return sum(not group.known for group in self.groups)


def planned(survey: Survey, store: Store | None, policy: Policy, prices: Prices, *, redact: bool = False) -> Plan:
    """The plan for a survey. Nothing is sent."""
    groups = []
    for group in grouped(survey.units):
        unit, known = group[0]
        request = request_for(shown_to_model(unit, redact=redact), Sampling(max_tokens=policy.max_tokens))
        accepted = store is not None and store.accepted(known.key) is not None
        groups.append(Group(unit, len(group), request, accepted))
    usages = [estimated(group.request) for group in groups if not group.known]
    left = Counter(each.why.partition(":")[0] for each in survey.left)
    return Plan(
        tuple(groups),
        tuple(sorted(left.items())),
        sum(usage.tokens_in for usage in usages),
        sum(usage.tokens_out for usage in usages),
        len(usages) * (1 + policy.repairs + policy.samples),
        sum(prices.of(usage) for usage in usages),
    )


def kinds(groups: Sequence[Group]) -> list[tuple[str, int, int]]:
    """For each kind its distinct constructs and its places, the most first."""
    distinct: Counter[str] = Counter(group.unit.kind for group in groups)
    places: Counter[str] = Counter()
    for group in groups:
        places[group.unit.kind] += group.places
    return [(kind, number, places[kind]) for kind, number in distinct.most_common()]
