"""Records to plain JSON values and back, by their own annotations."""

import types
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from musify_ai import records

T = TypeVar("T")


def plain(value: Any) -> Any:
    """A record, or a tuple or mapping of records, as lists, objects, strings, numbers and None."""
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(f"{type(value).__name__} is no part of a record that can be kept")


def restored(kind: type[T], value: Any) -> T:
    """The record of a kind that `plain` made a value of. ValueError for a value that no such record gives."""
    try:
        found: T = _restored(kind, value)
    except (TypeError, KeyError, IndexError, AttributeError) as problem:
        raise ValueError(f"no {getattr(kind, '__name__', kind)}: {problem}") from None
    return found


def _restored(kind: Any, value: Any) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        if value is None and type(None) in inner:
            return None
        return _restored(next(each for each in inner if each is not type(None)), value)
    if origin is Literal:
        if value not in inner:
            raise ValueError(f"{value!r} is none of {inner}")
        return value
    if origin is tuple:
        _expect(value, list)
        if len(inner) == 2 and inner[1] is Ellipsis:
            return tuple(_restored(inner[0], each) for each in value)
        if len(inner) != len(value):
            raise ValueError(f"{len(value)} values where there are {len(inner)}")
        return tuple(_restored(each, part) for each, part in zip(inner, value, strict=True))
    if origin is not None and issubclass(origin, Mapping):
        _expect(value, dict)
        return {_restored(inner[0], key): _restored(inner[1], each) for key, each in value.items()}
    if isinstance(kind, type) and issubclass(kind, tuple):
        fields = _fields(kind)
        _expect(value, list)
        if len(value) != len(fields):
            raise ValueError(f"{len(value)} values where {kind.__name__} has {len(fields)}")
        return kind(*(_restored(each, part) for each, part in zip(fields, value, strict=True)))
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    _expect(value, kind)
    return value


def _expect(value: Any, kind: type) -> None:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ValueError(f"{value!r} is no {kind.__name__}")


@cache
def _fields(kind: type) -> tuple[Any, ...]:
    # Some records name others that are imported by nobody who does not make them.
    others = {name: getattr(records, name) for name in records.__all__}
    return tuple(get_type_hints(kind, localns=others).values())
