"""The compiled table that translating reads: flat, and loaded in about two milliseconds for 13,000 names.

It is a file of plain text blocks, not a pickle or a module: nothing in it is executed, and a folder that cannot be
written to costs no bytecode compilation on each start.
"""

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, cast

from musify_ai.rules.sdks import CURRENT, Ranged, in_range
from musify_ai.rules.treatments import RENAMED, Treatment

if TYPE_CHECKING:
    from musify_ai.rules.reading import Row

MAGIC = b"musify-rules 3"
_FIRST_CLASS = 33  # class numbers are stored as printable bytes, so that no block holds a separator
_MOST_CLASSES = 222


class Label(NamedTuple):
    """What all names of one class share."""

    treatment: Treatment
    library: str
    code: str


class Header(NamedTuple):
    """An include token's treatment and what stands there on MUSA (empty where nothing does)."""

    treatment: Treatment
    musa: bytes
    library: str
    note: str


class TableInvalid(Exception):
    """Bytes that are no table of this version."""


class Rules:
    """Everything that the name tier asks for.

    ``names`` maps each renamed CUDA name to its MUSA name; ``classes`` maps each name that is renamed or reported to
    an index into ``labels``; ``headers`` maps include tokens. ``version`` is a digest of the files it was made from.
    As read it is for the current SDK; `at` gives the table for another. ``own`` are the names that the project's own
    rules rename, wherever they are defined.
    """

    __slots__ = (
        "__dict__",
        "_headers",
        "_notes",
        "_ranges",
        "classes",
        "labels",
        "names",
        "own",
        "signature",
        "version",
    )

    def __init__(self, blob: bytes) -> None:
        """Reads what `pack` wrote; raises `TableInvalid` for anything else."""
        blocks = blob.split(b"\0")
        if len(blocks) != 8:
            raise TableInvalid("not a rules table")
        top, labels, names, targets, classes, self._headers, self._notes, self._ranges = blocks
        lines = top.split(b"\n")
        if len(lines) != 3 or lines[0] != MAGIC:
            raise TableInvalid("a rules table of another version")
        self.version = lines[1].decode()
        self.signature = lines[2].decode()
        self.own: frozenset[bytes] = frozenset()
        self.labels = tuple(_label(line) for line in labels.decode().split("\n")) if labels else ()
        keys = names.split(b"\n") if names else []
        values = targets.split(b"\n") if targets else []
        if len(values) > len(keys) or len(classes) != len(keys):
            raise TableInvalid("a rules table cut short")
        # Renamed names come first, so that the targets are as long as they are.
        self.names: dict[bytes, bytes] = dict(zip(keys, values, strict=False))
        self.classes: dict[bytes, int] = dict(zip(keys, classes, strict=True))

    def at(self, sdk: str) -> "Rules":
        """The table for an SDK: the rows whose range it is in, and for a name that has none of these, a finding."""
        if sdk == CURRENT or not self._ranges:
            return self
        changed = self.copy()
        by_name: dict[bytes, list[Ranged]] = {}
        for row in self.ranged:
            by_name.setdefault(row.name, []).append(row)
        for name, rows in by_name.items():
            holding = [each for each in rows if each.holds(sdk)]
            if holding:
                row = holding[0]
                changed.change(name, Label(cast(Treatment, row.treatment), row.library, row.code), row.musa, row.note)
            else:
                changed.change(name, Label("differs", rows[0].library, ""), b"", rows[0].instead())
        return changed

    def copy(self) -> "Rules":
        """A table of its own, to be changed."""
        made = Rules.__new__(Rules)
        for slot in ("_headers", "_notes", "_ranges", "labels", "own", "signature", "version"):
            setattr(made, slot, getattr(self, slot))
        made.names, made.classes = dict(self.names), dict(self.classes)
        made.__dict__["_details"] = dict(self._details)
        return made

    def change(self, name: bytes, label: Label, musa: bytes, note: str) -> None:
        """Another treatment of a name; only for a copy."""
        if label not in self.labels:
            self.labels = (*self.labels, label)
        self.classes[name] = self.labels.index(label) + _FIRST_CLASS
        renamed = label.treatment in RENAMED
        if renamed:
            self.names[name] = musa
        else:
            self.names.pop(name, None)
        self._details[name] = ("" if renamed else musa.decode(), note)

    @cached_property
    def ranged(self) -> tuple[Ranged, ...]:
        """The rows that are for some SDKs only."""
        found = []
        for line in self._ranges.split(b"\n") if self._ranges else []:
            name, *told, musa, note, outside = line.split(b"\t")
            since, until, treatment, library, code = (each.decode() for each in told)
            row = Ranged(name, since, until, treatment, library, code, musa, note.decode(), outside.decode())
            found.append(row)
        return tuple(found)

    def label(self, name: bytes) -> Label:
        """The class of a name that is in ``classes``."""
        return self.labels[self.classes[name] - _FIRST_CLASS]

    @cached_property
    def headers(self) -> dict[bytes, Header]:
        """Include tokens as written between the delimiters."""
        found: dict[bytes, Header] = {}
        for line in self._headers.split(b"\n") if self._headers else []:
            token, treatment, musa, library, note = line.split(b"\t")
            found[token] = Header(cast(Treatment, treatment.decode()), musa, library.decode(), note.decode())
        return found

    @cached_property
    def header_words(self) -> frozenset[bytes]:
        """The first word of each include token, for a prefilter."""
        return frozenset(_first_word(token) for token in self.headers)

    @cached_property
    def _details(self) -> dict[bytes, tuple[str, str]]:
        lines = (line.split(b"\t", 2) for line in self._notes.split(b"\n") if line)
        return {name: (near.decode(), note.decode()) for name, near, note in lines}

    def note(self, name: bytes) -> str:
        """What the rules say of a name besides its target; often empty."""
        return self._details.get(name, ("", ""))[1]

    def nearest(self, name: bytes) -> str:
        """The MUSA name nearest to one that is not renamed; often empty."""
        return self._details.get(name, ("", ""))[0]


def _first_word(token: bytes) -> bytes:
    for index, byte in enumerate(token):
        if not (chr(byte).isalnum() or byte == 0x5F):
            return token[:index]
    return token


def _label(line: str) -> Label:
    treatment, library, code = line.split("\t")
    return Label(cast(Treatment, treatment), library, code)


def pack(rows: "list[Row]", version: str, signature: str) -> bytes:
    """The table of some rows, as `Rules` reads it."""
    told = [row for row in rows if row.kind != "header" and row.treatment not in ("unchanged", "guard", "left-out")]
    wanted = [row for row in told if in_range(CURRENT, row.since, row.until)]
    wanted.sort(key=lambda row: (row.treatment not in RENAMED, row.name))
    labels: dict[str, int] = {}
    classes = bytearray()
    for row in wanted:
        index = labels.setdefault(f"{row.treatment}\t{row.library}\t{row.code}", len(labels))
        classes.append(_FIRST_CLASS + index)
    if len(labels) > _MOST_CLASSES:
        raise TableInvalid(f"more than {_MOST_CLASSES} pairs of library and treatment")
    headers = [
        f"{row.name}\t{row.treatment}\t{row.musa}\t{row.library}\t{row.note}" for row in rows if row.kind == "header"
    ]
    notes = [
        f"{row.name}\t{'' if row.treatment in RENAMED else row.musa}\t{row.note}"
        for row in wanted
        if row.note or row.treatment == "differs"
    ]
    blocks = [
        "\n".join((MAGIC.decode(), version, signature)),
        "\n".join(labels),
        "\n".join(row.name for row in wanted),
        "\n".join(row.musa for row in wanted if row.treatment in RENAMED),
        None,
        "\n".join(headers),
        "\n".join(notes),
        "\n".join("\t".join(_range_fields(row)) for row in told if row.since or row.until),
    ]
    return b"\0".join(bytes(classes) if block is None else block.encode() for block in blocks)


def _range_fields(row: "Row") -> tuple[str, ...]:
    return (
        row.name,
        row.since,
        row.until,
        row.treatment,
        row.library,
        row.code,
        row.musa,
        row.note,
        row.outside,
    )
