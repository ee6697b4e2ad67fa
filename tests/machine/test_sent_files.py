"""Sent files: each has a place on its machine, arrives complete, and the files that a job wrote are returned."""

import os
from pathlib import Path
from unittest.mock import Mock

import pytest

from noughts.machine.sent_files import Places, SentFile, bring, changes_in, read_file, receive
from noughts.rules import ComputeError


def test_files_below_the_working_folder_or_the_store_can_be_sent(tmp_path: Path) -> None:
    places = Places(tmp_path / "work", tmp_path / "kept", shared=False)
    assert places.of(str(tmp_path / "work" / "agents" / "mine.py")) == "work/agents/mine.py"
    assert places.of(str(tmp_path / "kept" / "training" / "run")) == "store/training/run"
    with pytest.raises(ComputeError, match="is not below the working folder, so other machines cannot find it"):
        places.of("/elsewhere/mine.py")


def test_a_store_in_the_working_folder_keeps_its_place(tmp_path: Path) -> None:
    places = Places(tmp_path, tmp_path / "kept", shared=False)
    assert places.store == "work/kept"
    assert places.of(str(tmp_path / "kept" / "run")) == "work/kept/run"


def test_shared_files_keep_their_place(tmp_path: Path) -> None:
    places = Places(tmp_path, tmp_path / "kept", shared=True)
    assert (places.folder, places.store) == (str(tmp_path), str(tmp_path / "kept"))


def test_a_sent_file_is_written_once(tmp_path: Path) -> None:
    sent = [SentFile("work/a", b"key", True)]
    bring(tmp_path, sent)
    assert read_file(tmp_path / "work" / "a", "work/a") == sent[0]
    written = (tmp_path / "work" / "a").stat().st_mtime_ns
    bring(tmp_path, sent)
    assert (tmp_path / "work" / "a").stat().st_mtime_ns == written


def test_files_of_a_folder_are_returned_in_order(tmp_path: Path) -> None:
    root, here = tmp_path / "root", tmp_path / "here"
    there = root / "work" / "run"
    sent = [SentFile(f"work/{name}", b"old", False) for name in ("beside", "run/old/state", "run/same")]
    bring(root, sent)
    (there / "old" / "state").unlink()
    bring(there, [SentFile("new/state", b"new", True), SentFile("z", b"first", False), SentFile("lock", b"", False)])
    bring(there, [SentFile(".hidden/file", b"", False)])
    os.utime(there / "z", ns=(0, 0))
    written, gone = changes_in(root, "work/run", sent)
    assert written == [SentFile("z", b"first", False), SentFile("new/state", b"new", True)]
    assert gone == ["old/state"]
    bring(here, [SentFile("old/state", b"old", False), SentFile("of another job", b"", False)])
    receive(here, written, gone)
    assert sorted(here.rglob("*")) == [here / "new", here / "new" / "state", here / "of another job", here / "z"]
    assert (here / "new" / "state").read_bytes() == b"new"


def test_a_file_that_cannot_be_written_whole_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bring(tmp_path, [SentFile("a", b"before", False)])
    monkeypatch.setattr("os.fsync", Mock(side_effect=OSError("the disk is full")))
    with pytest.raises(ComputeError, match="cannot be saved: the disk is full"):
        receive(tmp_path, [SentFile("a", b"after", False)], [])
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_bytes() == b"before"
