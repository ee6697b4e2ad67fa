"""Saved certificates: stored under the hash of their packed content, and only read unchanged."""

import lzma

import pytest

from noughts.rules import StoreError
from noughts.store.certificates import certificate_path, is_kept, keep_certificate, read_certificate_file

pytestmark = pytest.mark.usefixtures("own_store")


def test_equal_certificates_are_saved_once_under_their_hash() -> None:
    digest = keep_certificate(b"what it plays")
    assert digest == keep_certificate(b"what it plays") != keep_certificate(b"what it plays otherwise")
    assert is_kept(digest)
    assert read_certificate_file(digest) == b"what it plays"
    assert len(list(certificate_path(digest).parent.iterdir())) == 2
    assert not is_kept("../../etc/passwd")
    assert not is_kept("0" * 64)


def test_a_damaged_or_missing_certificate_is_rejected_in_one_line() -> None:
    digest = keep_certificate(b"what it plays")
    certificate_path(digest).write_bytes(lzma.compress(b"something else"))
    assert not is_kept(digest)
    with pytest.raises(StoreError, match="is damaged: it is not what was written"):
        read_certificate_file(digest)
    assert keep_certificate(b"what it plays") == digest  # and saved again
    assert read_certificate_file(digest) == b"what it plays"
    certificate_path(digest).write_bytes(b"no xz")
    with pytest.raises(StoreError, match="cannot be read"):
        read_certificate_file(digest)
    certificate_path(digest).unlink()
    with pytest.raises(StoreError, match="cannot be read"):
        read_certificate_file(digest)
