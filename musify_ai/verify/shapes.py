"""Choices of inputs for a kernel, best first: launch shape, values of scalars, buffers. The original decides among
them by running: a choice under which it faults, ends badly or writes nothing is passed over.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from musify_ai.records import Kernel, Launch
from musify_ai.verify.described import DescribedKernel, Slot, Symbol
from musify_ai.verify.given import Given
from musify_ai.verify.hostvalues import Definitions, Dim, Unknown, evaluate
from musify_ai.verify.launch_shapes import launch_shapes, sane
from musify_ai.verify.lists import CHOICE, CHOICES, blocks_of, lists_of, made
from musify_ai.verify.results import Place
from musify_ai.verify.roles import ELEMENTS, fill_of, float_range, is_block_size, roles_of, values_of
from musify_ai.verify.tensors import choices, layout, slot_names_of, tensors_of

MOST_BYTES = 1 << 20
MOST_GROWN = 1 << 24
"""Bytes of a buffer that a kernel went past the end of."""
MOST_LEARNT = 1 << 26
"""Bytes of a buffer as a run of the program had it."""
ENUMERATION = "value of "
"""What stands before an enumeration's name in a choice of values that says which it has; others are drawn."""
ENUMERATORS = (1, 2, 3, 4, 5, 6, 7, 0)


class Shape(NamedTuple):
    """One choice. ``slots`` and ``symbols`` are lines of the driver's plan, in the order of the description.

    ``values`` are those of the integer parameters, ``bound`` is what small integers stay below, ``turn`` says which of
    the kernel's launches it is, ``integers`` are the slots that are buffers with integers, ``constants`` numbers of its
    text, ``grown`` slots that are larger than at first, since the kernel went past their end.
    """

    grid: Dim
    block: Dim
    shared: int
    slots: tuple[str, ...]
    symbols: tuple[str, ...]
    elements: tuple[int, ...]
    values: tuple[tuple[str, int], ...] = ()
    bound: int = 61
    turn: int = 0
    integers: tuple[int, ...] = ()
    constants: tuple[str, ...] = ()
    grown: tuple[int, ...] = ()

    def begun(self) -> "Shape":
        """The same, but counters and locks begin with anything instead of zero."""
        texts = [f"{text.removesuffix(' zero')} random" if text.endswith(" zero") else text for text in self.slots]
        return self._replace(slots=tuple(texts))

    def narrow(self, slots: Sequence[int]) -> "Shape":
        """This shape with small integers in some buffers, whatever the mode."""
        texts = [f"{text} narrow" if index in slots else text for index, text in enumerate(self.slots)]
        return self._replace(slots=tuple(texts))

    def grow(self, slot: int, elements: int) -> "Shape":
        """This shape with a buffer of so many elements at least."""
        if self.elements[slot] >= elements:
            return self
        _, _, rest = self.slots[slot].split(" ", 2)
        slots, counts = list(self.slots), list(self.elements)
        slots[slot], counts[slot] = f"buffer {elements} {rest}", elements
        return self._replace(slots=tuple(slots), elements=tuple(counts), grown=(*self.grown, slot))

    def plan(self) -> list[str]:
        """The plan's lines for this choice."""
        lines = [
            "grid {} {} {}".format(*self.grid),
            "block {} {} {}".format(*self.block),
            f"shared {self.shared}",
        ]
        lines += [f"slot {index} {text}" for index, text in enumerate(self.slots)]
        return [*lines, *self.symbols, *(f"constant {each}" for each in self.constants)]


class Unfillable(Exception):
    """No input can be made for a parameter; the message names it and says why."""


def slot_names(kernel: Kernel, described: DescribedKernel) -> list[str]:
    """A name for each slot: the parameter's, with a number where a parameter has several."""
    per: dict[int, int] = {}
    for slot in described.slots:
        per[slot.parameter] = per.get(slot.parameter, 0) + 1
    seen: dict[int, int] = {}
    repeated: dict[str, int] = {}
    out = []
    parameters = [_parameter_name(kernel, index) for index in range(len(described.types))]
    of_tensor = {each.parameter: slot_names_of(each) for each in tensors_of(parameters, described)}
    for slot in described.slots:
        index = slot.parameter
        if index in of_tensor:
            out.append(of_tensor[index].pop(0))
            continue
        name = parameters[index]
        if slot.member:
            name = f"{name}.{slot.member}"
            repeated[name] = repeated.get(name, -1) + 1
            name = f"{name}.{repeated[name]}" if repeated[name] else name
        elif per[index] > 1:
            name = f"{name}.{seen.get(index, 0)}"
            seen[index] = seen.get(index, 0) + 1
        out.append(name)
    return out


def _parameter_name(kernel: Kernel, index: int) -> str:
    name = kernel.parameters[index].name if index < len(kernel.parameters) else ""
    return name or f"parameter {index + 1}"


def places_of(names: Sequence[str], described: DescribedKernel, symbols: Sequence[Symbol], shape: Shape) -> list[Place]:
    """The buffers that the driver reports, in its order."""
    out = []
    for index, slot in enumerate(described.slots):
        if slot.pointer and shape.elements[index]:
            out.append(Place(names[index], shape.elements[index], slot.size, slot.leaves, slot.const))
    for symbol in symbols:
        size = max(symbol.slot.size, 1)
        out.append(Place(symbol.name, symbol.bytes // size, size, symbol.slot.leaves, symbol.constant))
    return out


class Shaping:
    """What a kernel's shapes are made from. Raises `Unfillable` where a parameter cannot be given a value."""

    def __init__(
        self, kernel: Kernel, described: DescribedKernel, symbols: Sequence[Symbol], body: bytes,
        launches: Sequence[Launch], definitions: Mapping[str, Definitions], threads: int = 0,
        given: Given | None = None, constants: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        self.given, self.constants = given, constants
        self.kernel, self.described, self.symbols, self.body = kernel, described, symbols, body
        self.launches, self.definitions, self.threads = launches, definitions, threads
        self.names = slot_names(kernel, described)
        for name, slot in zip(self.names, described.slots, strict=True):
            if "p" in slot.kinds:
                what = "points to what holds pointers" if slot.pointer else "is a pointer to pointers"
                raise Unfillable(f"parameter {name} {what}")
        parameters = [_parameter_name(kernel, index) for index in range(len(described.types))]
        self.tensors = tensors_of(parameters, described)
        self.lists = lists_of(self.names, described)
        own = {each.parameter for each in self.tensors}
        listed = self.lists.slots if self.lists is not None else ()
        slots = [
            (name, slot)
            for index, (name, slot) in enumerate(zip(self.names, described.slots, strict=True))
            if not slot.pointer and slot.parameter not in own and index not in listed
        ]
        self.scalars = roles_of([name for name, slot in slots if slot.kinds in ("i", "u")])
        self.enums = [name for name, slot in slots if slot.kinds == "e"]
        self.learnt = _learnt(kernel, self.names, described, launches, definitions)
        if given is not None:
            self.learnt |= {name: value for name, value in given.values.items() if name in self.names}

    def candidates(self) -> list[Shape]:
        """The choices, best first; only the one that was given, where one was."""
        out: dict[Shape, None] = {}
        if self.given is not None:
            out[self._of_person(self.given)] = None
            if not self.given.learnt:
                return list(out)
        for limit in (61, 7):
            tried = [
                (values, self.launched(values))
                for row in values_of(self.scalars, self.learnt)
                for each in (*choices(self.tensors), *({CHOICE: n} for n in range(1, len(CHOICES)) if self.lists))
                for values in [self._with_elements({**row, **each})]
            ]
            # The launch that the program makes comes first under every choice of sizes, then other launches.
            for turn in range(max((len(launched) for _, launched in tried), default=0)):
                for values, launched in tried:
                    if turn < len(launched):
                        out.setdefault(self.shape(values, limit, launched[turn], turn))
        found = list(out)
        return [*found[:4], *self._by_enum(), *found[4:]] if self.enums else found

    def _by_enum(self) -> list[Shape]:
        """Choices with each value of enumerations in turn: most often a kernel takes few of them."""
        values = values_of(self.scalars, self.learnt)[0] | choices(self.tensors)[0]
        launch = self.launched(values)[0]
        return [self.shape(values | self.enumerated(value), 61, launch, 0) for value in ENUMERATORS]

    def enumerated(self, value: int) -> dict[str, int]:
        """A choice of values in which all enumerations have this one."""
        return dict.fromkeys((f"{ENUMERATION}{name}" for name in self.enums), value)

    def _with_elements(self, values: dict[str, int]) -> dict[str, int]:
        """The values, the first size being how many elements the smallest tensor has: kernels count these."""
        sizes = [each.name for each in self.scalars if each.role == "size"]
        if self.tensors and sizes:
            values[sizes[0]] = min(layout(self.tensors, values)[1].values())
        return values

    def launched(self, values: Mapping[str, int]) -> list[tuple[Dim, Dim, int]]:
        """Grid, block and dynamic shared memory with these values of the scalars, the program's own launches first."""
        found = launch_shapes(self.kernel, values, self.body, self.launches, self.definitions, self.threads)
        if self.lists is None:
            return found
        return list(dict.fromkeys(((blocks_of(values), 1, 1), block, shared) for _, block, shared in found))

    def shape(
        self, values: Mapping[str, int], limit: int, launch: tuple[Dim, Dim, int], turn: int, elements: int = ELEMENTS
    ) -> Shape:
        """A shape of these values under a launch, which is the ``turn``-th of its kind; buffers of so many elements."""
        shape = _shape(self.names, self.described, self.symbols, values, limit, launch, turn, elements)
        shape = self._with_lists(self._with_tensors(shape, values), values)
        shape = shape._replace(constants=self.constants)
        return shape if self.given is None else self._as_given(shape, self.given)

    def _with_tensors(self, shape: Shape, values: Mapping[str, int]) -> Shape:
        """A shape whose tensors have sizes that go together and just the memory for them."""
        if not self.tensors:
            return shape
        scalars, memory = layout(self.tensors, values)
        slots, elements = list(shape.slots), list(shape.elements)
        for index, name in enumerate(self.names):
            if name in scalars:
                slots[index] = f"int {scalars[name]}"
            elif name in memory:
                _, _, bound, fill = slots[index].split()
                # Integers are mostly indices, into any dimension.
                bound = str(max(2, min(int(bound), *(v for n, v in scalars.items() if ".size(" in n))))
                slots[index], elements[index] = f"buffer {memory[name]} {bound} {fill}", memory[name]
        return shape._replace(slots=tuple(slots), elements=tuple(elements))

    def _with_lists(self, shape: Shape, values: Mapping[str, int]) -> Shape:
        """A shape whose lists go together, and without memory for the pointers that no tensor has."""
        if self.lists is None:
            return shape
        numbers, idle = made(self.lists, values)
        slots, elements = list(shape.slots), list(shape.elements)
        for index, value in numbers.items():
            slots[index] = f"int {value}"
        for index in idle:
            _, _, rest = slots[index].split(" ", 2)
            slots[index], elements[index] = f"buffer 0 {rest}", 0
        return shape._replace(slots=tuple(slots), elements=tuple(elements))

    def _of_person(self, given: Given) -> Shape:
        """The shape that somebody gave, with what was left out as it would be chosen."""
        values = values_of(self.scalars, self.learnt)[0] | {n: v for n, v in given.values.items() if n in self.names}
        grid, block, shared = self.launched(values)[0]
        launch = (given.grid or grid, given.block or block, shared if given.shared is None else given.shared)
        return self.shape(values, 61, launch, 0)

    def _as_given(self, shape: Shape, given: Given) -> Shape:
        """A shape with the given contents of buffers and ranges of floats."""
        slots, elements = list(shape.slots), list(shape.elements)
        for index, (name, slot) in enumerate(zip(self.names, self.described.slots, strict=True)):
            if name in given.ranges and not slot.pointer and slot.kinds in ("f", "h", "b"):
                slots[index] = "float {!r} {!r}".format(*given.ranges[name])
            if name not in given.buffers or not slot.pointer:
                continue
            wanted = given.buffers[name]
            _, count, bound, fill = slots[index].split()
            size = max(slot.size, 1)
            # A launch log knows bytes (negative), a person elements.
            asked = wanted.elements if wanted.elements > 0 else min(-wanted.elements, MOST_LEARNT) // size
            elements[index] = asked or int(count)
            slots[index] = f"buffer {elements[index]} {wanted.below or bound} {wanted.fill or fill}"
        return shape._replace(slots=tuple(slots), elements=tuple(elements))


def shapes(
    kernel: Kernel,
    described: DescribedKernel,
    symbols: Sequence[Symbol],
    body: bytes,
    launches: Sequence[Launch],
    definitions: Mapping[str, Definitions],
    threads: int = 0,
) -> list[Shape]:
    """The choices for a kernel. ``threads`` is the block size that its template arguments tell it, 0 where they do not.

    Raises `Unfillable` where a parameter cannot be given a value.
    """
    return Shaping(kernel, described, symbols, body, launches, definitions, threads).candidates()


def threads_of(template: Sequence[str], arguments: Sequence[str]) -> int:
    """The block size among template arguments, by the parameter's name; 0 where there is none."""
    for parameter, argument in zip(template, arguments, strict=False):
        name = parameter.split("=", 1)[0].split()[-1:]
        digits = argument.strip().rstrip("uUlL")
        if name and is_block_size(name[0]) and digits.isdigit() and sane((1, 1, 1), (int(digits), 1, 1)):
            return int(digits)
    return 0


def _learnt(
    kernel: Kernel, names: Sequence[str], described: DescribedKernel, launches: Sequence[Launch],
    definitions: Mapping[str, Definitions],
) -> dict[str, int]:  # fmt: skip
    """Values that the launches give to scalar parameters, where the text tells them."""
    out: dict[str, int] = {}
    for launch in launches:
        known = definitions.get(launch.path)
        if known is None or len(launch.arguments) != len(described.types):
            continue
        for name, slot in zip(names, described.slots, strict=True):
            if slot.pointer or slot.kinds not in ("i", "u") or name in out or "." in name:
                continue
            try:
                value = evaluate(launch.arguments[slot.parameter], {}, known, launch.start)
            except (Unknown, RecursionError):
                continue
            if isinstance(value, int):
                out[name] = value
    return out


def _shape(
    names: Sequence[str], described: DescribedKernel, symbols: Sequence[Symbol], values: Mapping[str, int],
    limit: int, launch: tuple[Dim, Dim, int], turn: int, room: int,
) -> Shape:  # fmt: skip
    grid, block, shared = launch
    # Integers are often indices: no larger than the smallest size, so that they stay inside whatever they index.
    values = {name: block[0] * block[1] * block[2] if is_block_size(name) else v for name, v in values.items()}
    # A name with a blank is none of a parameter: it tells of a choice.
    positive = [value for name, value in values.items() if value > 1 and " " not in name]
    bound = max(2, min([limit, *positive]))
    slots: list[str] = []
    elements: list[int] = []
    for name, slot in zip(names, described.slots, strict=True):
        count = 0
        if slot.pointer:
            count = max(64, min(room, MOST_BYTES // max(slot.size, 1)))
            slots.append(f"buffer {count} {bound} {fill_of(name, slot.kinds, const=slot.const)}")
        else:
            slots.append(_scalar(name, slot, values, bound))
        elements.append(count)
    lines = tuple(_symbol(each, bound) for each in symbols)
    integers = tuple(i for i, slot in enumerate(described.slots) if slot.pointer and set(slot.kinds) & {"i", "u"})
    return Shape(
        grid, block, shared, tuple(slots), lines, tuple(elements), tuple(values.items()), bound, turn, integers
    )


def _scalar(name: str, slot: Slot, values: Mapping[str, int], bound: int) -> str:
    kind = slot.kinds
    if kind in ("i", "u"):
        return f"int {values.get(name, bound - 1)}"
    if kind in ("f", "h", "b"):
        return "float {:g} {:g}".format(*float_range(name))
    if kind == "B":
        return "bool"
    if f"{ENUMERATION}{name}" in values:
        return f"int {values[ENUMERATION + name]}"
    return "made"


def _symbol(symbol: Symbol, bound: int) -> str:
    kinds = set(symbol.slot.kinds)
    if symbol.initialized or "p" in kinds:
        how = "keep"
    elif symbol.constant or (symbol.bytes > 16 and kinds & set("fhb")):
        how = "random"
    else:
        how = "zero"  # as the language has it; a counter in device memory counts on it
    return f"symbol {symbol.name} {bound} {how}"
