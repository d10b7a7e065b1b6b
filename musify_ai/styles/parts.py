"""Words within identifiers and file names: ``myCudaFoo`` is ``my``, ``Cuda``, ``Foo``; ``barracuda`` is one word."""

import re
from collections.abc import Collection

from musify_ai.source.patterns import late_pattern

# From CUDA's words to MUSA's, by the prefix rules that ports follow (torch_musa's mapping, mutlass, CV-CUDA_musa).
WORDS: dict[bytes, bytes] = {
    b"cuda": b"musa",
    b"cudart": b"musart",
    b"cudnn": b"mudnn",
    b"cublas": b"mublas",
    b"cublaslt": b"mublaslt",
    b"cufft": b"mufft",
    b"curand": b"murand",
    b"cusparse": b"musparse",
    b"cusolver": b"musolver",
    b"cupti": b"mupti",
    b"nccl": b"mccl",
    b"nvcc": b"mcc",
    b"nvrtc": b"mtrtc",
    b"nvshmem": b"mtshmem",
}

BRANDS: dict[bytes, bytes] = {b"cutlass": b"mutlass", b"cute": b"mute"}
"""Names of projects, which are a project's own words only where it has a namespace of that name: cute is English."""

_PART = late_pattern(rb"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[^A-Za-z]+")
_SUFFIX = late_pattern(r"\.cu(h?)((?:\.in)?)\Z")
_SUFFIX_BACK = late_pattern(r"\.mu(h?)((?:\.in)?)\Z")


class Wording:
    """Which words become which: CUDA's to MUSA's or back, and the brands among them that the project has."""

    def __init__(self, brands: Collection[bytes] = (), *, back: bool = False) -> None:
        pairs = {**WORDS, **{word: new for word, new in BRANDS.items() if word in brands or new in brands}}
        self.back = back
        self.pairs = {new: word for word, new in pairs.items()} if back else pairs
        self.owned = {word: new for word, new in self.pairs.items() if word in BRANDS or new in BRANDS}
        self.mentioned = re.compile(b"|".join(sorted(self.pairs, reverse=True)), re.I)

    def renamed(self, name: bytes) -> bytes:
        """The name with each of its words replaced, in the same case; the name itself where it has none of them."""
        if self.mentioned.search(name) is None:
            return name
        return b"".join(self._word(part) for part in _PART.findall(name))

    def is_branded(self, name: bytes) -> bool:
        """Whether a name carries a brand that is the project's own."""
        return any(part.lower() in self.owned for part in _PART.findall(name))

    def file_name(self, name: str) -> str:
        """The name of a source file, with its suffix."""
        stem = (_SUFFIX_BACK.sub(r".cu\1\2", name) if self.back else _SUFFIX.sub(r".mu\1\2", name)).encode(
            "utf-8", "surrogateescape"
        )
        return self.renamed(stem).decode("utf-8", "surrogateescape")

    def folder_name(self, name: str) -> str:
        """The name of a folder."""
        return self.renamed(name.encode("utf-8", "surrogateescape")).decode("utf-8", "surrogateescape")

    def path(self, path: str) -> str:
        """A source file's path with every part of it changed."""
        *folders, name = path.split("/")
        return "/".join([*map(self.folder_name, folders), self.file_name(name)])

    def _word(self, part: bytes) -> bytes:
        new = self.pairs.get(part.lower())
        if new is None:
            return part
        if part.islower():
            return new
        return new.upper() if part.isupper() else new.capitalize()
