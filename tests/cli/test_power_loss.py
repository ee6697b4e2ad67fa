"""Power is lost at every step of writing: acknowledged data is there, and nothing is unreadable."""

import random
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from noughts.machine import disk as writing
from noughts.rules import StoreError
from noughts.solvers.certificate import write_certificate
from noughts.solvers.verify import verify
from noughts.store.run_folder import RunFolder
from noughts.training.events import Finished, Saved, StrengthMeasured
from noughts.training.loop import train
from noughts.training.schedule import Schedule
from tests.cli.belongings import SCHEDULE, won
from tests.store.power import FailingDisk, Failure, PowerLost, emptied
from tests.training.test_loop import new_clock, outcome
from tests.training.toy import Toy, ToyConfig, new_run

CONFIG = ToyConfig(schedule=Schedule(**SCHEDULE))


def trained(place: Path) -> list[Any]:
    """The events of a training, until it ends or power is lost."""
    seen: list[Any] = []
    folder = place / "training" / "run"
    with suppress(PowerLost, StoreError):
        there = (folder / "run.json").exists()
        run = RunFolder.open(folder) if there else new_run(folder, CONFIG)
        for event in train(Toy(CONFIG), run, CONFIG.schedule, new_clock()):
            seen.append(event)
    return seen


@pytest.mark.parametrize("share", [pytest.param(7, marks=pytest.mark.heavy), pytest.param(1, marks=pytest.mark.slow)])
def test_losing_power_at_any_step_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: int) -> None:
    whole = FailingDisk(emptied(tmp_path / "whole"))
    monkeypatch.setattr(writing, "DISK", whole)
    assert isinstance(trained(whole.folder)[-1], Finished)
    expected = outcome(RunFolder.open(whole.folder / "training" / "run"))
    for step in range(0, whole.steps, share):
        place, found = emptied(tmp_path / "place"), tmp_path / f"found {step}"
        disk = FailingDisk(place, fails_at=step)
        monkeypatch.setattr(writing, "DISK", disk)
        seen = trained(place)
        disk.after_loss(found, random.Random(step))
        monkeypatch.setattr(writing, "DISK", writing.Disk())
        folder = found / "training" / "run"
        if seen:
            run = RunFolder.open(folder)
            assert run.mend() == ()
            saved = max((event.iteration for event in seen if isinstance(event, Saved)), default=0)
            latest, damaged = run.checkpoints.latest()
            assert damaged == ()
            assert saved == 0 or (latest is not None and latest.iteration >= saved)
            measured = {event.iteration for event in seen if isinstance(event, StrengthMeasured)}
            assert measured <= set(run.iterations())  # undamaged, as checked above
            assert {line.iteration for line in run.lines() if line.iteration <= saved} == set(range(1, saved + 1))
            if isinstance(seen[-1], Finished):
                assert run.status().state == "finished"
        trained(found)
        assert outcome(RunFolder.open(folder)) == expected


@pytest.mark.parametrize("failure", ["power", "error", "torn"])
def test_a_certificate_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: Failure) -> None:
    place = tmp_path / "place"
    for before, step, turn in product((False, True), range(6), range(4)):
        disk = FailingDisk(emptied(place), fails_at=step, failure=failure)
        if before:
            (place / "won.proof").write_bytes(b"old")
            writing.DISK.sync_folder(place)
            disk._names[place] = {"won.proof": place / "won.proof"}
        monkeypatch.setattr(writing, "DISK", disk)
        acknowledged = False
        with suppress(PowerLost, StoreError):
            write_certificate(place / "won.proof", won())
            acknowledged = True
        monkeypatch.setattr(writing, "DISK", writing.Disk())
        found = emptied(tmp_path / "found") / "after"
        disk.after_loss(found, random.Random(turn))
        file = found / "won.proof"
        if acknowledged:
            assert disk.steps <= step or failure != "power"
            assert verify(file).side == "first"
        elif file.exists() and file.read_bytes() != b"old":
            assert verify(file).side == "first"
        else:
            assert file.exists() == before
    assert disk.steps == 4  # create, sync, rename, sync of the folder
