"""The digest without OpenSSL is the digest."""

import hashlib

from musify_ai.source.digest import sha256


def test_the_digest_is_that_of_hashlib() -> None:
    for data in (b"", b"abc", bytes(range(256)) * 5000):
        assert sha256(data) == hashlib.sha256(data).hexdigest()
