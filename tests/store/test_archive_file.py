"""An archive returns its contents unchanged, and is only read if every byte is as we would write it."""

import hashlib
import io
import json
import lzma
import tarfile
from pathlib import Path

import pytest

from noughts.store import archive_file
from noughts.store.archive_file import MANIFEST, ArchiveError, read_archive, write_archive

KIND = "a kind"
MEMBERS = {"b.txt": b"second" * 200, "a.txt": b"", "folder/c.bin": bytes(512)}
BLOCK = 512


def unpacked(path: Path) -> bytes:
    return lzma.decompress(path.read_bytes())


def refusal(tmp_path: Path, content: bytes) -> str:
    """The error for an archive of this content."""
    path = tmp_path / "changed.tar.xz"
    path.write_bytes(lzma.compress(content))
    with pytest.raises(ArchiveError) as caught:
        read_archive(path, KIND, lambda name: True)
    assert str(caught.value).startswith(f"{path} is refused: ")
    return str(caught.value)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "some.tar.xz"
    write_archive(path, KIND, {"said": [1, "two"]}, MEMBERS)
    return path


def test_packed_contents_are_unpacked_by_us_and_any_tar(archive: Path, tmp_path: Path) -> None:
    content = read_archive(archive, KIND, lambda name: True)
    assert content.members == MEMBERS
    assert content.facts == {"said": [1, "two"]}
    with tarfile.open(archive) as tar:
        assert tar.getnames() == [MANIFEST, *sorted(MEMBERS)]
        assert all(tar.extractfile(name).read() == held for name, held in MEMBERS.items())  # type: ignore[union-attr]
        manifest = json.load(tar.extractfile(MANIFEST))  # type: ignore[arg-type]
    assert manifest["members"]["b.txt"] == {"bytes": 1200, "sha256": hashlib.sha256(MEMBERS["b.txt"]).hexdigest()}
    write_archive(tmp_path / "again.tar.xz", KIND, {"said": [1, "two"]}, dict(reversed(MEMBERS.items())))
    assert (tmp_path / "again.tar.xz").read_bytes() == archive.read_bytes()


def test_every_changed_byte_of_a_header_or_the_end_is_rejected(archive: Path, tmp_path: Path) -> None:
    content = unpacked(archive)
    second = BLOCK + -(-int(content[124:136].rstrip(b"\0 "), 8) // BLOCK) * BLOCK  # the place of the next header
    for place in (0, 100, 124, 135, 148, 156, 257, 345, 511, second, second + 300, second + 511, len(content) - 1):
        changed = bytearray(content)
        changed[place] ^= 1
        assert "damaged" in refusal(tmp_path, bytes(changed)) or place == len(content) - 1
    assert f"it holds more than its {MANIFEST} lists" in refusal(tmp_path, content + b"\0")
    assert f"it holds more than its {MANIFEST} lists" in refusal(tmp_path, content[:-1])


def test_a_changed_or_forbidden_member_is_named(archive: Path, tmp_path: Path) -> None:
    content = unpacked(archive)
    assert "b.txt" in refusal(tmp_path, content.replace(b"secondsecond", b"secondsecons"))
    with pytest.raises(ArchiveError, match=r"it may hold no member called 'folder/c\.bin'"):
        read_archive(archive, KIND, lambda name: "/" not in name)
    with pytest.raises(ArchiveError, match="it is no other kind"):
        read_archive(archive, "other kind", lambda name: True)
    with pytest.raises(ArchiveError, match="cannot be read: No such file"):
        read_archive(tmp_path / "none.tar.xz", KIND, lambda name: True)
    (tmp_path / "cut.tar.xz").write_bytes(archive.read_bytes()[:-20])
    with pytest.raises(ArchiveError, match=r"it is no whole \.xz file"):
        read_archive(tmp_path / "cut.tar.xz", KIND, lambda name: True)


def test_the_total_size_is_limited(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = sum(map(len, MEMBERS.values()))
    monkeypatch.setattr(archive_file, "MOST_BYTES", whole)
    assert read_archive(archive, KIND, lambda name: True).members == MEMBERS
    monkeypatch.setattr(archive_file, "MOST_BYTES", whole - 1)
    with pytest.raises(ArchiveError, match="its members would be more than"):
        read_archive(archive, KIND, lambda name: True)


def test_names_may_have_a_hundred_bytes(tmp_path: Path) -> None:
    long = "n" * 100
    write_archive(tmp_path / "long.tar.xz", KIND, {}, {long: b"x"})
    assert read_archive(tmp_path / "long.tar.xz", KIND, lambda name: True).members == {long: b"x"}
    for longer in (long + "n", "f/" + "n" * 99):  # another tar would write the second in two parts
        with pytest.raises(ValueError, match="too long"):
            write_archive(tmp_path / "longer.tar.xz", KIND, {}, {longer: b"x"})


def test_a_file_that_is_no_archive_is_refused(tmp_path: Path) -> None:
    other = io.BytesIO()
    with tarfile.open(fileobj=other, mode="w") as tar:
        tar.addfile(tarfile.TarInfo("something"))
    assert f"it does not begin with a {MANIFEST}" in refusal(tmp_path, other.getvalue())
    for content in (b"", bytes(1 << 24)):  # reading stops at its first header
        assert "a member's header is none that archives have" in refusal(tmp_path, content)
