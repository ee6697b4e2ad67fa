"""Files on their way: each has a place where its machine finds it, comes whole, and what a job has written comes back."""

import os
from pathlib import Path

import pytest

from noughts.machine.sent_files import Places, SentFile, bring, changed_files, receive, states_in, write_whole
from noughts.rules import ComputeError


def test_what_is_below_the_working_folder_or_the_store_has_a_place(tmp_path: Path) -> None:
    places = Places(tmp_path / "work", tmp_path / "kept", shared=False)
    assert places.of(str(tmp_path / "work" / "agents" / "mine.py")) == "work/agents/mine.py"
    assert places.of(str(tmp_path / "kept" / "training" / "run")) == "store/training/run"
    with pytest.raises(ComputeError, match="is not below the working folder, so other machines cannot find it"):
        places.of("/elsewhere/mine.py")


def test_a_store_in_the_working_folder_stays_there(tmp_path: Path) -> None:
    places = Places(tmp_path, tmp_path / "kept", shared=False)
    assert places.store == "work/kept"
    assert places.of(str(tmp_path / "kept" / "run")) == "work/kept/run"


def test_where_files_are_shared_all_stay_where_they_are(tmp_path: Path) -> None:
    places = Places(tmp_path, tmp_path / "kept", shared=True)
    assert (places.folder, places.store) == (str(tmp_path), str(tmp_path / "kept"))


def test_what_was_sent_is_written_once(tmp_path: Path) -> None:
    digest = "2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683"  # of b"key"
    sent = [(SentFile("work/a", digest, True), b"key")]
    bring(tmp_path, sent)
    assert (tmp_path / "work" / "a").read_bytes() == b"key"
    assert os.access(tmp_path / "work" / "a", os.X_OK)
    written = (tmp_path / "work" / "a").stat().st_mtime_ns
    bring(tmp_path, sent)
    assert (tmp_path / "work" / "a").stat().st_mtime_ns == written


def test_a_folder_comes_back_in_order(tmp_path: Path) -> None:
    there, here = tmp_path / "there", tmp_path / "here"
    for folder in (there, here):
        write_whole(folder / "old" / "state", b"old", runs=False)
        write_whole(folder / "lock", b"", runs=False)
    before = states_in(there)
    assert list(before) == ["old/state"]
    (there / "old" / "state").unlink()
    write_whole(there / "z", b"first", runs=False)
    os.utime(there / "z", ns=(0, 0))
    write_whole(there / "new" / "state", b"new", runs=True)
    written, gone = changed_files(there, before)
    assert written == (("z", b"first", False), ("new/state", b"new", True))
    assert gone == ("old/state",)
    receive(here, written, gone)
    assert list(states_in(here)) == ["z", "new/state"]
    assert not (here / "old").exists()


def test_a_file_that_cannot_be_written_whole_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_whole(tmp_path / "a", b"before", runs=False)

    def full(_: int) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(ComputeError, match="cannot be kept: the disk is full"):
        receive(tmp_path, [("a", b"after", False)], [])
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_bytes() == b"before"
