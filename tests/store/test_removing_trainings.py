"""A training run is removed as a whole: a crash at any step leaves it whole or gone, and a run in training stays."""

import random
from pathlib import Path

import pytest

from noughts.machine import disk as writing
from noughts.rules import StoreError
from noughts.store.run_folder import RunFolder, find_folder, list_runs, remove_folder, run_names, training_folder
from tests.store.power import FailingDisk, Failure, PowerLost, emptied
from tests.store.test_run_folder import make as new_run

pytestmark = pytest.mark.usefixtures("own_store")


def make(name: str) -> RunFolder:
    run = new_run(training_folder() / name)
    run.weights.save(1, {"weights.safetensors": b"numbers"})
    return run


def is_whole(folder: Path) -> bool:
    return RunFolder.open(folder).weights_at()[1]["weights.safetensors"] == b"numbers"


def test_a_run_is_removed_and_others_stay() -> None:
    first, second = make("first"), make("second")
    remove_folder(first.folder)
    assert run_names() == ("second",)
    assert [path.name for path in training_folder().iterdir()] == ["second"]
    assert is_whole(second.folder)
    with pytest.raises(StoreError, match="there is no run 'first'"):
        find_folder("first")


def test_a_run_that_is_training_is_not_removed() -> None:
    run = make("first")
    with run.locked(), pytest.raises(StoreError, match=r"the run in .*first is in use by another process"):
        remove_folder(run.folder)
    assert is_whole(run.folder)


@pytest.mark.parametrize("failure", ["power", "error"])
def test_failures_leave_a_run_whole_or_gone(failure: Failure, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = set()
    for step in range(3):
        disk = FailingDisk(emptied(training_folder()), failure=failure)
        with monkeypatch.context() as patched:
            patched.setattr(writing, "DISK", disk)
            run = make("first")
            disk.fails_at = disk.steps + step
            with pytest.raises((PowerLost, StoreError)):
                remove_folder(run.folder)
        for seed in range(8 if failure == "power" else 0):
            after = tmp_path / f"after-{step}-{seed}"
            disk.after_loss(after, random.Random(seed))
            assert not (after / "first").exists() or (is_whole(after / "first") and step < 2)
        if run_names():
            assert is_whole(run.folder)
        else:
            assert list_runs() == ()
        found.add(run_names())
        make("second")
        remove_folder(training_folder() / "second")
        left = [path.name for path in training_folder().iterdir()]
        assert left == list(run_names()), "what a crash left goes with the next removal"
    assert found == {("first",), ()}
