"""Which module a name of a Python file stands for, where it stands: imports, and what hides them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_MAKERS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class _Scope:
    """What a scope binds: names to modules by imports, and names to anything else."""

    def __init__(self, outer: _Scope | None, *, is_class: bool = False, is_comprehension: bool = False) -> None:
        self.outer = outer
        self.is_class = is_class
        self.is_comprehension = is_comprehension
        self.modules: dict[str, str] = {}
        self.others: set[str] = set()
        self.elsewhere: dict[str, str] = {}  # names declared global or nonlocal


# What `from torch import *` and its kin bring, of the names that rules ask for.
_OF_TORCH = frozenset(
    ("cuda", "backends", "distributed", "device", "version", "library", "profiler", "nn", "utils", "amp")
)


class Scopes:
    """The scopes of a file. ``imported`` holds the full name of everything that it imports; ``stars`` are the modules
    of which it imports everything, with their dots.

    Behind such an import a name that nothing binds is one of that module's: `torch` itself is taken for PyTorch there,
    and below `from torch import *` its submodules are.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.imported: set[str] = set()
        self.stars: list[str] = []
        self._of: dict[ast.Name, _Scope] = {}
        self._module = _Scope(None)
        # Not by recursion: a file may nest deeper than Python's own stack.
        pending: list[tuple[ast.AST, _Scope]] = [(each, self._module) for each in tree.body]
        while pending:
            pending += self._entered(*pending.pop())
        if self.stars and any(self.module_of(name) == "torch" for name in self._of if name.id == "torch"):
            self.imported.add("torch")

    def module_of(self, node: ast.Name) -> str:
        """The full name of what an import bound to a name, as seen from where it stands; empty for anything else."""
        bound = self._bound(node)
        return self._by_star(node.id) if bound is None else bound

    def is_from_star(self, node: ast.Name) -> bool:
        """Whether nothing but an import of everything can have brought a name that stands for a module."""
        return self._bound(node) is None and bool(self._by_star(node.id))

    def is_unbound(self, node: ast.Name) -> bool:
        """Whether nothing in the file binds a name as seen from where it stands."""
        return self._bound(node) is None

    def _bound(self, node: ast.Name) -> str | None:
        scope: _Scope | None = self._of.get(node)
        first = scope
        while scope is not None:
            hidden = scope.is_class and scope is not first  # functions in a class do not see its names
            declared = scope.elsewhere.get(node.id)
            if declared == "global":
                scope = self._module if scope is not self._module else None
                continue
            if not hidden and declared is None:
                if node.id in scope.others:
                    return ""
                if node.id in scope.modules:
                    return scope.modules[node.id]
            scope = scope.outer
        return None

    def _by_star(self, name: str) -> str:
        """What a name that no scope binds stands for."""
        if not self.stars:
            return ""
        if name == "torch":
            return "torch"
        if "torch" in self.stars and name in _OF_TORCH:
            return f"torch.{name}"
        return ""

    def _entered(self, node: ast.AST, scope: _Scope) -> Iterator[tuple[ast.AST, _Scope]]:
        """Take a node's own bindings in; the nodes below it, each with the scope that it stands in."""
        if isinstance(node, ast.Import | ast.ImportFrom):
            self._import(node, scope)
        elif isinstance(node, ast.Name):
            self._of[node] = scope
            if not isinstance(node.ctx, ast.Load):
                self._bind(node.id, scope)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            kind = "global" if isinstance(node, ast.Global) else "nonlocal"
            scope.elsewhere.update(dict.fromkeys(node.names, kind))
        elif (isinstance(node, ast.ExceptHandler) and node.name) or (
            isinstance(node, ast.MatchAs | ast.MatchStar) and node.name
        ):
            scope.others.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            scope.others.add(node.rest)
        elif isinstance(node, ast.Assign) and _stands_in(node):
            # `try: import torch` with `except ImportError: torch = None` leaves torch a module wherever it is used.
            yield node.value, scope
            return
        elif isinstance(node, ast.Assign) and (module := _loaded(node)):
            target = node.targets[0]
            assert isinstance(target, ast.Name)
            self.imported.add(module)
            self._of[target] = scope
            if scope.modules.setdefault(target.id, module) != module:
                scope.others.add(target.id)
            return
        elif isinstance(node, ast.NamedExpr):
            # It binds in the function around a comprehension, not in the comprehension.
            around = scope
            while around.is_comprehension and around.outer is not None:
                around = around.outer
            self._bind(node.target.id, around)
            yield node.value, scope
            return
        if isinstance(node, _FUNCTIONS):
            yield from self._function(node, scope)
        elif isinstance(node, ast.ClassDef):
            scope.others.add(node.name)
            inner = _Scope(scope, is_class=True)
            for each in (*node.decorator_list, *node.bases, *node.keywords):
                yield each, scope
            for each in node.body:
                yield each, inner
        elif isinstance(node, _MAKERS):
            inner = _Scope(scope, is_comprehension=True)
            for child in ast.iter_child_nodes(node):
                yield child, inner
        else:
            for child in ast.iter_child_nodes(node):
                yield child, scope

    def _bind(self, name: str, scope: _Scope) -> None:
        """Bind a name to something that is no module: where it is declared to belong, else here."""
        declared = scope.elsewhere.get(name)
        if declared == "global":
            self._module.others.add(name)
            return
        scope.others.add(name)
        outer = scope.outer
        while declared == "nonlocal" and outer is not None:  # one of those around; nothing is sure of any of them
            outer.others.add(name)
            outer = outer.outer

    def _function(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: _Scope
    ) -> Iterator[tuple[ast.AST, _Scope]]:
        inner = _Scope(scope)
        given = node.args
        every = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
        inner.others.update(each.arg for each in every if each is not None)
        for default in (*given.defaults, *given.kw_defaults):
            if default is not None:
                yield default, scope
        for each in every:
            if each is not None and each.annotation is not None:
                yield each.annotation, scope
        if isinstance(node, ast.Lambda):
            yield node.body, inner
            return
        scope.others.add(node.name)
        for decorator in node.decorator_list:
            yield decorator, scope
        if node.returns is not None:
            yield node.returns, scope
        for statement in node.body:
            yield statement, inner

    def _import(self, node: ast.Import | ast.ImportFrom, scope: _Scope) -> None:
        for each in node.names:
            name = each.asname or each.name.partition(".")[0]
            place = self._module if scope.elsewhere.get(name) == "global" else scope
            if isinstance(node, ast.Import):
                self.imported.add(each.name)
                whole = each.name if each.asname else each.name.partition(".")[0]
                bound = each.asname or whole
            else:
                if each.name == "*":
                    self.stars.append("." * node.level + (node.module or ""))
                    if not node.level:
                        self.imported.add(node.module or "")
                    continue
                if node.level:  # of the project's own
                    place.others.add(each.asname or each.name)
                    continue
                whole = f"{node.module}.{each.name}"
                self.imported.add(whole)
                bound = each.asname or each.name
            known = place.modules.setdefault(bound, whole)
            if known != whole:  # two branches import different things by one name: nobody knows which holds
                place.others.add(bound)


def _stands_in(node: ast.Assign) -> bool:
    """Whether an assignment gives None to plain names, as where an import failed."""
    value = node.value
    return (
        isinstance(value, ast.Constant)
        and value.value in (None, False)
        and all(isinstance(target, ast.Name) for target in node.targets)
    )


def _loaded(node: ast.Assign) -> str:
    """The module that an assignment loads by its name: ``torch = pytest.importorskip("torch")`` and its kind."""
    value = node.value
    if not (isinstance(value, ast.Call) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)):
        return ""
    name = value.func.attr if isinstance(value.func, ast.Attribute) else getattr(value.func, "id", "")
    first = value.args[0] if value.args else None
    if name in ("importorskip", "import_module", "__import__") and isinstance(first, ast.Constant):
        return first.value if isinstance(first.value, str) else ""
    return ""
