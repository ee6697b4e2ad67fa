"""A training on another machine is the same training, its events are told here, and stopping it loses nothing."""

import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from noughts.machine.cluster import RayCluster
from noughts.machine.executor import LocalWorkers
from noughts.rules import ComputeError, StoreError
from noughts.store.run_folder import RunFolder
from noughts.training.elsewhere import train_elsewhere
from noughts.training.events import Finished, Iterated, StrengthMeasured
from noughts.training.evolution.config import EvolutionConfig
from noughts.training.loop import train
from noughts.training.registry import find_method
from noughts.training.schedule import Schedule
from tests.machine.process_fabric import ProcessFabric

SCHEDULE = Schedule(iterations=2, measure_iterations=1)


def run_in(folder: Path, schedule: Schedule = SCHEDULE) -> RunFolder:
    config = EvolutionConfig(task="tic-tac-toe", rounds=4, schedule=schedule)
    return RunFolder.create(
        folder,
        method="es",
        task="tic-tac-toe",
        config=config.model_dump(mode="json"),
        seed=0,
        created=datetime(2020, 1, 2, tzinfo=UTC),
    )


@pytest.mark.heavy
def test_the_weights_are_the_same_and_the_end_is_told(tmp_path: Path) -> None:
    here, there = run_in(tmp_path / "here"), run_in(tmp_path / "there")
    method = find_method("es")
    trainer = method.make_trainer(method.read_config(here.description.config), None)
    expected = list(train(trainer, here, SCHEDULE, lambda: 0.0))
    events = list(train_elsewhere(LocalWorkers(1), there, SCHEDULE, None))
    assert here.iterations() == there.iterations() == (1, 2)
    assert [here.weights_hash(number) for number in (1, 2)] == [there.weights_hash(number) for number in (1, 2)]
    assert there.status().state == "finished"
    for kind in (StrengthMeasured, Finished):
        told = [event.iteration for event in events if isinstance(event, kind)]
        assert told == [event.iteration for event in expected if isinstance(event, kind)]


@pytest.mark.heavy
def test_what_fails_there_is_said_here(tmp_path: Path) -> None:
    run = run_in(tmp_path / "run")
    with run.locked(), pytest.raises(ComputeError, match="is in use by another process"):
        list(train_elsewhere(LocalWorkers(1), run, SCHEDULE, None))


def elsewhere(tmp_path: Path) -> RayCluster:
    """A machine that shares no files with this one."""
    return RayCluster("auto", None, tmp_path / "store", fabric=ProcessFabric())


@pytest.mark.heavy
def test_one_run_is_trained_by_one_driver_at_a_time(tmp_path: Path) -> None:
    """Whether it is trained here or elsewhere, whoever comes second is told the same."""
    schedule = Schedule(iterations=10_000, measure_minutes=None)
    run = run_in(tmp_path / "run", schedule)
    said = f"the run in {run.folder} is in use by another process: wait until it ends, or stop it"
    method = find_method("es")
    with closing(train_elsewhere(elsewhere(tmp_path), run, schedule, None)) as first:
        next(first)
        with pytest.raises(StoreError) as refused:
            next(train_elsewhere(elsewhere(tmp_path), run, schedule, None))
        assert str(refused.value) == said
        trainer = method.make_trainer(method.read_config(run.description.config), None)
        with pytest.raises(StoreError) as refused:
            next(train(trainer, run, schedule, time.monotonic))
        assert str(refused.value) == said
    with run.locked():
        pass  # it is free again


@pytest.mark.heavy
def test_what_is_stopped_elsewhere_has_lost_nothing_and_goes_on(tmp_path: Path) -> None:
    """Its last checkpoint is one of the moment of stopping, though a minute has not passed since it began."""
    schedule = Schedule(minutes=10, measure_minutes=None)
    run = run_in(tmp_path / "run", schedule)
    last = 0
    with closing(train_elsewhere(elsewhere(tmp_path), run, schedule, None)) as events:
        for event in events:
            if isinstance(event, Iterated):
                last = event.iteration
                if event.seconds > 1:
                    break
        begun = time.monotonic()
    took = time.monotonic() - begun
    print(f"stopped within {took:.2f} s")
    assert took < 2.5  # two seconds, and some for a busy machine
    status = run.status()
    assert status.state == "stopped"
    assert status.iterations >= last > 0
    latest = run.checkpoints.latest()
    assert latest.checkpoint is not None
    assert latest.checkpoint.iteration == status.iterations
    assert run.lines()[-1].iteration == status.iterations
    method = find_method("es")
    trainer = method.make_trainer(method.read_config(run.description.config), None)
    more = Schedule(iterations=status.iterations + 1, measure_minutes=None)
    assert list(train(trainer, run, more, time.monotonic))[-1].iteration == status.iterations + 1  # type: ignore[union-attr]
