"""SHA-256 of bytes, without loading OpenSSL for it: that takes longer than hashing what a hook is given."""

from contextlib import suppress
from importlib import import_module
from typing import Any


def _made() -> Any:
    # Python's own implementation, named `_sha2` from 3.12 on; an interpreter may be built without it.
    for name in ("_sha2", "_sha256"):
        with suppress(ImportError):
            return import_module(name).sha256
    return import_module("hashlib").sha256


_SHA256 = _made()


def sha256(data: bytes) -> str:
    """The digest in hexadecimal, as `hashlib.sha256` gives it."""
    digest: str = _SHA256(data).hexdigest()
    return digest
