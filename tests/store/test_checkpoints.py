"""Checkpoints are complete or absent: whatever happens to a byte or a process, nothing wrong is read."""

import errno
import os
import random
import time
from pathlib import Path
from unittest.mock import Mock

import pytest

from noughts.machine import disk as writing
from noughts.rules import StoreError
from noughts.store import checkpoints
from noughts.store.checkpoints import Checkpoints
from tests.store.conftest import refused
from tests.store.writers import Writer, files_of, write_checkpoints

FILES = {"weights.safetensors": bytes(range(256)) * 9, "replay": b"\x00" * 1000, "counters.json": b'{"n": 1}', "e": b""}
ABOUT = {"seconds": 1.5, "run": "abc"}


def test_saved_checkpoints_are_read_back(tmp_path: Path) -> None:
    series = Checkpoints(tmp_path / "series")
    assert series.iterations() == ()
    assert series.latest() == (None, ())
    assert refused(series.read, 3) == f"there is no checkpoint of iteration 3 in {tmp_path / 'series'}; there are: none"
    series.save(12, FILES, ABOUT)
    series.save(7, {"only": b"x"})
    found = series.read(12)
    assert (found.files, found.about, found.digest) == (FILES, ABOUT, series.digest(12))
    assert series.iterations() == (7, 12)
    assert series.latest() == (found, ())


def test_the_digest_depends_only_on_names_and_contents(tmp_path: Path) -> None:
    series = Checkpoints(tmp_path)
    series.save(1, {"a": b"x", "b": b"y"}, {"seconds": 1})
    series.save(2, {"b": b"y", "a": b"x"}, {"seconds": 2})
    series.save(3, {"a": b"y", "b": b"x"})
    series.save(4, {"a": b"x", "c": b"y"})
    assert series.digest(2) == series.digest(1)
    assert series.digest(1) not in (series.digest(3), series.digest(4))


def test_the_last_ones_are_kept(tmp_path: Path) -> None:
    series = Checkpoints(tmp_path, keep=2)
    for iteration in (1, 2, 5, 9):
        series.save(iteration, files_of(iteration))
    assert series.iterations() == (5, 9)
    series.save(6, files_of(6))  # after 9 was found damaged, training continued from 5
    assert series.iterations() == (5, 6, 9)
    series.remove_after(5)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["00000005"]
    with pytest.raises(ValueError, match="at least 1"):
        Checkpoints(tmp_path, keep=0)


def test_saving_again_replaces_different_or_damaged_checkpoints(tmp_path: Path) -> None:
    series = Checkpoints(tmp_path)
    series.save(3, files_of(3))
    inode = (tmp_path / "00000003" / "state").stat().st_ino
    series.save(3, files_of(3))
    assert (tmp_path / "00000003" / "state").stat().st_ino == inode  # equal, and left alone
    series.save(3, files_of(4))
    assert series.read(3).files == files_of(4)
    (tmp_path / "00000003" / "state").write_bytes(b"damage")
    series.save(3, files_of(4))
    assert series.read(3).files == files_of(4)
    assert len(list(tmp_path.iterdir())) == 1


def test_damage_is_named_and_the_previous_checkpoint_is_used(tmp_path: Path) -> None:
    series = Checkpoints(tmp_path)
    for iteration in (1, 2, 3, 4, 5):
        series.save(iteration, FILES)
    path = tmp_path / "00000005" / "replay"
    path.write_bytes(b"\x00" * 999)
    assert refused(series.read, 5) == f"{path} is damaged: it has 999 bytes and should have 1000"
    path = tmp_path / "00000004" / "replay"
    path.write_bytes(b"\x00" * 999 + b"\x01")
    assert refused(series.read, 4) == f"{path} is damaged: its content does not have the SHA-256 in manifest.json"
    path = tmp_path / "00000003" / "counters.json"
    path.unlink()
    assert refused(series.read, 3) == f"{path} is missing"
    path = tmp_path / "00000002" / "manifest.json"
    path.write_text("[" * 100_000)
    assert refused(series.read, 2) == f"{path} is damaged: it does not have the SHA-256 that it names"
    latest, damaged = series.latest()
    assert latest == series.read(1)
    assert damaged == tuple(refused(series.read, iteration) for iteration in (5, 4, 3, 2))
    assert refused(series.read, 9) == f"there is no checkpoint of iteration 9 in {tmp_path}; there are: 1, 2, 3, 4, 5"
    os.replace(tmp_path / "00000001", tmp_path / "00000008")
    assert "is of iteration 1: its folder was renamed" in refused(series.read, 8)


@pytest.mark.heavy
def test_no_truncation_or_flipped_bit_is_ever_misread(tmp_path: Path) -> None:
    """60 truncations and 340 flipped bits over all files, the manifest among them."""
    series, rng = Checkpoints(tmp_path), random.Random(0)
    series.save(1, {"before": b"whole"}, {})
    series.save(2, FILES, ABOUT)
    paths = sorted((tmp_path / "00000002").iterdir())
    assert len(paths) == len(FILES) + 1
    contents = {path: path.read_bytes() for path in paths}
    detected = 0
    for number in range(400):
        path = rng.choice([path for path in paths if contents[path]])
        content = bytearray(contents[path])
        if number < 60:
            del content[rng.randrange(len(content)) :]
        else:
            content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        path.write_bytes(content)
        latest, damaged = series.latest()
        assert latest is not None
        if damaged:
            detected += 1
            assert str(path) in damaged[0]
            assert (latest.iteration, latest.files) == (1, {"before": b"whole"})
        else:
            assert (latest.files, latest.about) == (FILES, ABOUT)
        path.write_bytes(contents[path])
    assert detected == 400  # a hash covers every byte


@pytest.mark.parametrize("step", ["fsync", "replace", "mkdir"])
@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_keeps_the_earlier_ones_and_leaves_no_other_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, failure: BaseException
) -> None:
    series = Checkpoints(tmp_path, keep=1)
    series.save(1, files_of(1))
    with monkeypatch.context() as patched:
        patched.setattr(os, step, Mock(side_effect=failure))
        with pytest.raises(StoreError if isinstance(failure, OSError) else KeyboardInterrupt) as raised:
            series.save(2, files_of(2))
    if isinstance(failure, OSError):
        assert str(raised.value) == f"the checkpoint {tmp_path / '00000002'} cannot be written: No space left on device"
    assert [path.name for path in tmp_path.iterdir()] == ["00000001"]
    assert series.read(1).files == files_of(1)
    series.save(2, files_of(2))
    assert series.iterations() == (2,)


@pytest.mark.heavy
def test_kill_at_any_moment_leaves_the_earlier_ones(tmp_path: Path) -> None:
    """A process that only saves is killed at random moments; everything it reported as saved is there."""
    rng, cut_off, there = random.Random(0), 0, 0
    series = Checkpoints(tmp_path, keep=2)
    for _ in range(5):
        saver = Writer(write_checkpoints, tmp_path)
        said = [saver.next() for _ in range(2)]  # not a fixed time: the machine may be slow
        time.sleep(rng.uniform(0, 0.02))
        said += saver.kill()
        cut_off += any(path.name.startswith(".") for path in tmp_path.iterdir())
        latest, damaged = series.latest()
        assert damaged == ()
        assert latest is not None
        assert latest.iteration >= said[-1]
        assert latest.files == files_of(latest.iteration)
        there, before = len(series.iterations()), there
        # One more after each kill before the oldest was removed; the next process that saves removes them all.
        assert 2 <= there <= max(before, 2) + 1
    assert cut_off  # otherwise nothing was tested
    series.save(10**6, files_of(1))
    assert not any(path.name.startswith(".") for path in tmp_path.iterdir())


def test_remains_of_a_crash_are_removed_before_the_next_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    series = Checkpoints(tmp_path)
    left = tmp_path / f"{checkpoints._UNFINISHED}0123456789abcdef"
    left.mkdir()
    (left / "half").write_bytes(b"x")
    disk = Mock(wraps=writing.Disk())
    monkeypatch.setattr(writing, "DISK", disk)
    series.save(1, {"a": b"x"})
    assert not left.exists()
    steps = [step for step, *_ in disk.mock_calls]
    assert steps.index("remove") < steps.index("create")  # its disk space may be needed
    assert series.iterations() == (1,)
