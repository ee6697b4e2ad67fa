"""A file is written completely or not at all, and no other file is left in its folder."""

import os
import socket
from pathlib import Path
from unittest.mock import Mock

import pytest

from noughts.machine import disk as writing
from noughts.rules import StoreError
from noughts.store.files import SMALL_BYTES, make_folder, read_small, require_new, write_atomically
from tests.store.conftest import refused
from tests.store.power import FailingDisk


@pytest.mark.parametrize("data", [b"", b"\x00\xff" * 1000, "text é\r\n", ""])
def test_a_file_contains_what_was_written(tmp_path: Path, data: bytes | str) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    write_atomically(path, data)
    assert path.read_bytes() == (data.encode() if isinstance(data, str) else data)
    write_atomically(str(path), "again")
    assert path.read_text() == "again"
    assert list(tmp_path.iterdir()) == [path]


def test_a_relative_path_and_a_long_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_atomically("x" * 255, "long")
    assert (tmp_path / ("x" * 255)).read_text() == "long"


@pytest.mark.skipif(os.name == "nt", reason="POSIX modes")
def test_a_file_has_the_usual_permissions(tmp_path: Path) -> None:
    write_atomically(tmp_path / "ours", "")
    (tmp_path / "plain").touch()
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_an_unwritable_file_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "missing" / "file"
    assert refused(write_atomically, missing, "new") == f"{missing} cannot be written: No such file or directory"
    (tmp_path / "file").touch()
    below = tmp_path / "file" / "below"
    assert refused(write_atomically, below, "new") == f"{below} cannot be written: Not a directory"
    folder = tmp_path / "folder"
    folder.mkdir()
    assert refused(write_atomically, folder, "new") == f"{folder} cannot be written: Is a directory"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


def test_a_link_is_kept_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target = tmp_path / "there" / "target.csv"
    (tmp_path / "one").symlink_to(tmp_path / "two")
    (tmp_path / "two").symlink_to(target)
    for content in ("made through the link", "written over through it"):
        write_atomically(tmp_path / "one", content)
        assert target.read_text() == content
        assert (tmp_path / "one").is_symlink()
        assert (tmp_path / "two").is_symlink()
    assert list((tmp_path / "there").iterdir()) == [target]
    ring = tmp_path / "ring"
    ring.symlink_to(ring)
    assert "cannot be written: Too many levels of symbolic links" in refused(write_atomically, ring, "new")
    assert ring.is_symlink()


@pytest.mark.skipif(os.name == "nt", reason="POSIX files")
def test_pipes_devices_and_sockets_are_left_alone(tmp_path: Path) -> None:
    pipe, link, door = tmp_path / "pipe", tmp_path / "link", tmp_path / "door"
    os.mkfifo(pipe)
    link.symlink_to("/dev/null")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(door))
        for path in (pipe, link, door):
            before = os.stat(path)
            for write in (write_atomically, lambda path, _: require_new(path, force=True)):
                with pytest.raises(StoreError, match="is a pipe, a device or the like, which is not written over"):
                    write(path, "new")
            assert (os.stat(path).st_ino, os.stat(path).st_mode) == (before.st_ino, before.st_mode)


def test_a_dash_without_standard_output_is_rejected() -> None:
    with pytest.raises(StoreError, match=r"^- is no standard output here"):
        require_new(Path("-"), force=True)


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    monkeypatch.setattr(writing, "DISK", FailingDisk(tmp_path, 0, "torn"))
    assert refused(write_atomically, path, "new") == f"{path} cannot be written: No space left on device"
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_at_any_step_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException
) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    monkeypatch.setattr(os, step, Mock(side_effect=error))
    with pytest.raises(KeyboardInterrupt if isinstance(error, KeyboardInterrupt) else StoreError):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_above_the_size_limit_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "small"
    path.write_bytes(b"x" * SMALL_BYTES)
    assert len(read_small(path, "the list")) == SMALL_BYTES
    path.write_bytes(b"x" * (SMALL_BYTES + 1))
    with pytest.raises(StoreError, match="too large: at most 4 MiB are allowed"):
        read_small(path, "the list")
    with pytest.raises(StoreError, match=r"the list .*missing cannot be read: No such file"):
        read_small(tmp_path / "missing", "the list")
    path.write_bytes(b"\xc3")
    with pytest.raises(StoreError, match="small is not a text in UTF-8: save it with that encoding"):
        read_small(path, "the list")
    for no_file in (Path("/dev/zero"), tmp_path):
        with pytest.raises(StoreError, match="is no regular file"):
            read_small(no_file, "the list")


def test_a_folder_below_a_file_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"^the folder \S+/file/below cannot be made: Not a directory$"):
        make_folder(tmp_path / "file" / "below")
