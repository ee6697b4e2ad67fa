"""Self-play that is shared out gives the same bits whoever plays it, when, and however often one of them dies over it."""

import json
import os
import signal
import time
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from benchmarks.pretended import PretendedFabric
from noughts.machine.cluster import RayCluster
from noughts.machine.cluster_worker import Reply
from noughts.machine.executor import Executor, LocalWorkers, StandingWorkers, ThisProcess
from noughts.machine.fabric import Answer
from noughts.machine.jobs import Failed, Job
from noughts.rules import ComputeError, NoughtsError
from noughts.store.run_folder import RunFolder
from noughts.training.actors import Actors, train_with_actors
from noughts.training.alphazero.train import AlphaZero
from noughts.training.events import Event, Iterated
from noughts.training.loop import train
from noughts.training.muzero.train import MuZero
from tests.machine.process_fabric import ProcessFabric
from tests.training.alphazero.tiny import tiny
from tests.training.muzero.tiny import tiny as tiny_muzero
from tests.training.small_runs import limited, make_run

ITERATIONS = 3
TINY: dict[str, Any] = {"actors": 2, "games": 8, "network": "mlp:widths=16"}


def run_of(folder: Path, lag: int = 0) -> RunFolder:
    return make_run(folder, "az", tiny(**TINY, lag=lag))


def outcome(run: RunFolder) -> tuple[str, list[Any]]:
    """All bits of the last checkpoint, and what was told of every iteration."""
    latest = run.checkpoints.latest()
    assert latest.checkpoint is not None
    lines = [line for line in run.lines() if line.kind == "iteration"]
    return latest.checkpoint.digest, [(line.iteration, line.positions, line.metrics) for line in lines]


def trained(run: RunFolder, executor: Executor | None, iterations: int = ITERATIONS) -> tuple[str, list[Any]]:
    """A run, trained further by these; by this process alone if there are none."""
    trainer = AlphaZero(tiny(**run.description.config))
    schedule = limited(iterations)
    if executor is None:
        list(train(trainer, run, schedule, time.monotonic))
    else:
        list(train_with_actors(trainer, run, schedule, time.monotonic, executor))
    assert not (run.folder / "acting.safetensors").exists()
    return outcome(run)


@pytest.mark.heavy
def test_workers_of_this_machine_play_the_same_bits_also_after_an_interruption(tmp_path: Path) -> None:
    expected = trained(run_of(tmp_path / "here"), None)
    assert {(metrics["actors"], metrics["lag"]) for _, _, metrics in expected[1]} == {(2, 0)}
    run = run_of(tmp_path / "there")
    trained(run, LocalWorkers(), 2)
    assert trained(run, None) == expected


@pytest.mark.heavy
def test_a_cluster_plays_the_same_bits_with_a_lag_and_a_share_whose_machine_dies_is_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = trained(run_of(tmp_path / "here", lag=1), None)
    assert [metrics["lag"] for _, _, metrics in expected[1]] == [0, 1, 1]
    stopped = run_of(tmp_path / "stopped", lag=1)
    with closing(train(AlphaZero(tiny(**stopped.description.config)), stopped, limited(9), time.monotonic)) as events:
        stop_after(events, 2)
    assert trained(stopped, None) == expected
    fabric = ProcessFabric(2)
    take = fabric.take

    def take_and_die(worker: Any, files: Any, jobs: list[Job]) -> None:
        take(worker, files, jobs)
        of_the_second = any(json.loads(job.argument)["iteration"] == 1 for job in jobs)
        node = fabric.begun[-1][1]
        if of_the_second and len(fabric.nodes()) == 2 and "new" not in {each.id for each in fabric.nodes()}:
            fabric.kill(node, instead="new")

    monkeypatch.setattr(fabric, "take", take_and_die)
    cluster = RayCluster("auto", None, tmp_path / "store", fabric=fabric)
    assert trained(run_of(tmp_path / "there", lag=1), cluster) == expected
    assert "new" in {node.id for node in fabric.nodes()}
    shares = 2 * (ITERATIONS + 1)  # the one after the last was begun, and is not waited for
    assert shares - 1 <= len(fabric.begun) <= shares + 2, (
        "what the lost machine had, one share or two, was played twice"
    )
    sent = [path for path in fabric.sent if path.endswith("acting.safetensors")]
    assert len(sent) <= 2 * (ITERATIONS + 1) + 1, "weights go once to a node for an iteration"


def stop_after(events: Generator[Event, None, None], iteration: int) -> None:
    for event in events:
        if isinstance(event, Iterated) and event.iteration == iteration:
            return


@pytest.mark.slow
@pytest.mark.parametrize("method", ["az", "mz"])
def test_one_share_is_what_one_device_plays(method: str) -> None:
    alone, shared = trainer_of(method), trainer_of(method, actors=1)
    assert alone.mesh.size == 1
    metrics = alone.step()
    assert shared.step() == {**metrics, "actors": 1, "lag": 0}
    assert shared.state() == alone.state()


def trainer_of(method: str, **fields: Any) -> Any:
    """One of next to nothing."""
    return AlphaZero(tiny(**fields)) if method == "az" else MuZero(tiny_muzero(**fields))


@pytest.mark.slow
def test_what_was_begun_is_dropped_when_the_trainer_goes_back(tmp_path: Path) -> None:
    """A round of MuZero is shared out as well."""
    fields = {"actors": 2, "lag": 1}
    expected = trainer_of("mz", **fields)
    expected.step()
    half = expected.state()
    expected.step()
    whole = expected.state()
    actors = Actors(ThisProcess(), make_run(tmp_path / "run", "mz", tiny_muzero(**fields)))
    try:
        expected.play_by(actors)
        expected.restore(half)
        assert expected.state() == half
        expected.step()
        assert expected.state() == whole
        expected.restore(half)  # when the one after that is on its way
        expected.step()
        assert expected.state() == whole
    finally:
        actors.close()


def test_workers_of_this_machine_stay_and_those_that_die_are_replaced() -> None:
    workers = StandingWorkers(1)
    with workers.opened():
        pids = [job_value(workers, "process") for _ in range(3)]
        assert len(set(pids)) == 1
        os.kill(int(pids[0]), signal.SIGKILL)
        after = job_value(workers, "process")
        assert after not in pids
    with pytest.raises(ProcessLookupError):
        os.kill(int(after), 0)


def job_value(executor: Executor, function: str) -> str:
    (result,) = list(executor.run([Job("a", f"tests.machine.functions:{function}", "")]))
    value: str = result.value  # type: ignore[union-attr]
    return value


@pytest.mark.parametrize(("reason", "tries"), [("raised", 1), ("died", 3)])
def test_a_share_that_cannot_be_played_ends_the_training_in_one_line(reason: Any, tries: int, tmp_path: Path) -> None:
    asked: list[str] = []

    def fails(fabric: PretendedFabric, worker: str, jobs: list[Job]) -> Answer:
        asked.extend(job.key for job in jobs)
        return Reply(tuple(Failed(job.key, reason, "no such network", "") for job in jobs))

    cluster = RayCluster("auto", None, tmp_path, fabric=PretendedFabric(do=fails))
    with pytest.raises(ComputeError, match=r"^run there: self-play, share \d: no such network$"):
        trained(run_of(tmp_path / "there"), cluster)
    assert asked.count("0") <= tries
    assert max(asked.count(key) for key in ("0", "1")) == tries


def test_who_is_stopped_while_it_waits_for_actors_keeps_what_it_has(tmp_path: Path) -> None:
    """And their workers are ended at once."""
    run = run_of(tmp_path / "run")
    fabric = PretendedFabric(do=lambda *_: Reply(busy=True))  # who never has played
    trainer = AlphaZero(tiny(**run.description.config))
    trained(run, None, 2)
    cluster = RayCluster("auto", None, tmp_path, fabric=fabric)
    waiting = Actors.played

    def interrupted(actors: Actors, iteration: int) -> Any:
        while not fabric.given:
            time.sleep(0.01)
        raise KeyboardInterrupt

    begun = time.monotonic()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Actors, "played", interrupted)
        with pytest.raises(KeyboardInterrupt):
            list(train_with_actors(trainer, run, limited(4), time.monotonic, cluster))
    assert time.monotonic() - begun < 5
    assert Actors.played is waiting
    assert sorted(fabric.ended) == sorted(fabric.node_of)
    assert run.status().state == "stopped"
    assert run.status().iterations == 2


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"actors": 3, "games": 8}, "games=8 cannot be shared out to actors=3"),
        ({"lag": 1}, "lag=1 is of shared self-play: give actors"),
        ({"lag": 2, "actors": 2}, "lag"),
    ],
)
def test_what_cannot_be_shared_out_is_refused(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(NoughtsError, match=said):
        tiny(**fields)
