"""An order of work: a file after the files that it includes, and among those that may be next, what most wait for."""

from collections.abc import Collection, Mapping


def levels(work: Collection[str], includes: Mapping[str, Collection[str]]) -> dict[str, int]:
    """For each file with work the step in which it can be done: 1 where nothing that it includes, at any remove, has
    work of its own. Files that include each other are of one step."""
    component = _components(includes)
    members: dict[int, list[str]] = {}
    for path, number in component.items():
        members.setdefault(number, []).append(path)
    step: dict[int, int] = {}
    # Tarjan numbers a component after those that it leads to.
    for number in sorted(members):
        below = {
            component[other]
            for path in members[number]
            for other in includes.get(path, ())
            if component[other] != number
        }
        has_work = any(path in work for path in members[number])
        step[number] = max((step[each] for each in below), default=0) + has_work
    return {path: step[component[path]] if path in component else 1 for path in work}


def waiting(includes: Mapping[str, Collection[str]]) -> dict[str, int]:
    """For each file how many include it, at any remove."""
    includers: dict[str, set[str]] = {}
    for path, others in includes.items():
        for other in others:
            includers.setdefault(other, set()).add(path)
    found = {}
    for path in includers:
        seen: set[str] = set()
        pending = [path]
        while pending:
            more = includers.get(pending.pop(), set()) - seen
            seen |= more
            pending += more
        found[path] = len(seen - {path})
    return found


def _components(includes: Mapping[str, Collection[str]]) -> dict[str, int]:
    """The strongly connected component of each file, numbered in the order in which they are completed (Tarjan)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    found: dict[str, int] = {}
    stack: list[str] = []
    count = 0
    for root in includes:
        if root in order:
            continue
        order[root] = low[root] = len(order)
        stack.append(root)
        path = [(root, iter(includes.get(root, ())))]
        while path:
            node, others = path[-1]
            for other in others:
                if other not in order:
                    order[other] = low[other] = len(order)
                    stack.append(other)
                    path.append((other, iter(includes.get(other, ()))))
                    break
                if other not in found:
                    low[node] = min(low[node], order[other])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[node])
                if low[node] == order[node]:
                    while node not in found:
                        found[stack.pop()] = count
                    count += 1
    return found
