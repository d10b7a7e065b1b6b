"""What is known of a ``__global__`` function before anything is run."""

from typing import NamedTuple


class Parameter(NamedTuple):
    """One parameter: ``type`` as written, ``canonical`` with typedefs resolved (empty where nothing resolved it).

    ``pointee`` is the canonical element type of a pointer parameter, else empty; ``const`` says that the pointee (or
    the value) is const.
    """

    name: str
    type: str
    canonical: str = ""
    pointee: str = ""
    const: bool = False


class Instantiation(NamedTuple):
    """One set of template arguments, as source text (``("float", "16")``), and where it was seen."""

    arguments: tuple[str, ...]
    line: int = 0
    how: str = "launch"  # launch, explicit, function-pointer


class Launch(NamedTuple):
    """A ``<<<>>>`` seen in source: expressions as text, spans in bytes of the file that holds it."""

    path: str
    line: int
    start: int
    end: int
    callee: str
    grid: str
    block: str
    shared: str
    stream: str
    arguments: tuple[str, ...]


class Kernel(NamedTuple):
    """A ``__global__`` function definition.

    ``[start, end)`` spans the definition with its template header, ``[body_start, body_end)`` the body with its
    braces. ``name`` is qualified (``ns::saxpy``). ``template`` holds the template parameters as written, empty for a
    plain function. ``calls`` are the names called in the body, as written.
    """

    path: str
    name: str
    line: int
    start: int
    end: int
    body_start: int
    body_end: int
    parameters: tuple[Parameter, ...]
    template: tuple[str, ...] = ()
    instantiations: tuple[Instantiation, ...] = ()
    launches: tuple[Launch, ...] = ()
    calls: tuple[str, ...] = ()
