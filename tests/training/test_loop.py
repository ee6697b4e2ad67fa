"""A session steps, measures and saves as planned; stopped at any moment, it resumes as if undisturbed."""

import errno
import itertools
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock, Mock

import pytest

from noughts.machine import Recorder
from noughts.machine import disk as writing
from noughts.rules import ComputeError, NoughtsError, StoreError
from noughts.store.hashed import without_hash
from noughts.store.run_folder import RunFolder
from noughts.training.events import Event, Finished, Iterated, Resumed, Saved, StrengthMeasured
from noughts.training.loop import train
from noughts.training.registry import METHODS
from noughts.training.schedule import Schedule
from noughts.training.settings import resume_run
from tests.training.toy import METHOD, Toy, ToyConfig, new_run

UNTIL = "proved:raw,as=both,stable=2"


def new_clock() -> Callable[[], float]:
    """A clock that advances one second at each call."""
    return itertools.count(1.0).__next__


def config(**schedule: Any) -> ToyConfig:
    return ToyConfig(schedule=Schedule(**{"measure_minutes": None, "checkpoint_seconds": 1e9, **schedule}))


def session(run: RunFolder, **schedule: Any) -> Iterator[Event]:
    chosen = config(**schedule)
    return train(Toy(chosen), run, chosen.schedule, new_clock())


def outcome(run: RunFolder) -> tuple[Any, ...]:
    """Everything that a run leaves, except what depends on the clock."""
    lines = [(line.kind, line.iteration, line.positions, line.metrics) for line in run.metrics.lines()]
    last, _ = run.checkpoints.latest()
    assert last is not None
    weights = {iteration: run.weights_hash(iteration) for iteration in run.iterations()}
    return lines, last.iteration, last.digest, weights


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    """An untrained run; each session gives its schedule."""
    return new_run(tmp_path / "run", ToyConfig())


def whole(folder: Path, **schedule: Any) -> tuple[Any, ...]:
    """The result of an uninterrupted run."""
    run = new_run(folder, config(**schedule))
    list(session(run, **schedule))
    return outcome(run)


def test_events_and_files_of_a_run(run: RunFolder) -> None:
    events = list(session(run, iterations=5, measure_iterations=2))
    kinds = [type(event).__name__ for event in events]
    steps = ["Iterated", "Iterated", "StrengthMeasured"]
    assert kinds == ["Started", *steps, *steps, "Iterated", "StrengthMeasured", "Saved", "Finished"]
    iterated = [event for event in events if isinstance(event, Iterated)]
    assert [event.iteration for event in iterated] == [1, 2, 3, 4, 5]
    assert [event.positions for event in iterated] == [10, 20, 30, 40, 50]
    assert all(event.rate > 0 for event in iterated)
    wins = [event.metrics["wins"] for event in events if isinstance(event, StrengthMeasured)]
    assert wins == [1 - 1 / 3, 0.8, 1 - 1 / 6]
    end = events[-1]
    assert isinstance(end, Finished)
    assert (end.iteration, end.positions, end.limit) == (5, 50, "iterations")
    assert run.iterations() == (2, 4, 5)
    assert [line.iteration for line in run.metrics.lines() if line.kind == "measurement"] == [2, 4, 5]
    status = run.status()
    assert (status.state, status.iterations, status.positions) == ("finished", 5, 50)
    assert status.schedule is not None
    assert Schedule(**status.schedule).iterations == 5


@pytest.mark.parametrize(
    ("schedule", "limit", "iterations"),
    [
        ({"iterations": 3}, "iterations", 3),
        ({"positions": 25}, "positions", 3),
        ({"iterations": 100, "positions": 20, "minutes": 60}, "positions", 2),
    ],
)
def test_the_first_limit_reached_ends_it(run: RunFolder, schedule: dict[str, Any], limit: str, iterations: int) -> None:
    *_, end = session(run, **schedule)
    assert isinstance(end, Finished)
    assert (end.limit, end.iteration) == (limit, iterations)


def test_a_trainer_may_have_a_setting_named_as_ours_and_take_no_refutations(
    run: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempt = Mock(metrics={"proved": 0.0}, lost=())
    monkeypatch.setattr("noughts.training.proving.RunProver.check", Mock(return_value=attempt))
    monkeypatch.setattr(Toy, "uses_refutations", True, raising=False)
    events = list(session(run, iterations=1, measure_iterations=1, until="proved:sims=0"))
    measured = [event.metrics for event in events if isinstance(event, StrengthMeasured)]
    assert measured == [{"wins": 0.5, "proved": 0.0}]


@pytest.mark.parametrize(("proved", "until"), [([0.0], UNTIL), ([1.0], UNTIL), ([1.0, 0.0], UNTIL), ([1.0, 1.0], None)])
def test_more_training_still_ends_with_a_proof_that_is_missing(
    run: RunFolder, proved: list[float], until: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts = [Mock(metrics={"proved": one}, lost=()) for one in proved]
    monkeypatch.setitem(METHODS, "toy", METHOD)
    monkeypatch.setattr("noughts.training.proving.RunProver.check", Mock(side_effect=attempts))
    list(session(run, iterations=len(proved), measure_iterations=1, until=UNTIL))
    _, resumed, _ = resume_run(run, iterations=5)
    assert (resumed.schedule.iterations, resumed.schedule.until) == (len(proved) + 5, until)


def test_it_is_saved_and_measured_by_the_clock(run: RunFolder) -> None:
    schedule: dict[str, Any] = {"iterations": 40, "measure_minutes": 1.0, "checkpoint_seconds": 30}
    events = list(session(run, **schedule))
    measured = [event.seconds for event in events if isinstance(event, StrengthMeasured)]
    saved = [event.iteration for event in events if isinstance(event, Saved)]
    assert len(measured) >= 3
    assert all(60 <= after - before < 90 for before, after in itertools.pairwise(measured[:-1]))
    assert len(saved) > len(measured)
    assert saved == sorted(set(saved))
    assert saved[-1] == 40


@pytest.mark.parametrize("stop_after", range(12))
def test_closing_it_at_any_event_loses_nothing(tmp_path: Path, run: RunFolder, stop_after: int) -> None:
    schedule: dict[str, Any] = {"iterations": 6, "measure_iterations": 2}
    expected = whole(tmp_path / "whole", **schedule)
    steps = session(run, **schedule)
    seen = [next(steps) for _ in range(stop_after + 1)]
    steps.close()  # type: ignore[attr-defined]
    done = max((event.iteration for event in seen if isinstance(event, Iterated)), default=0)
    assert run.status().state == ("finished" if isinstance(seen[-1], Finished) else "stopped")
    first, *rest = session(run, **schedule)
    if done:
        assert isinstance(first, Resumed)
        assert first.iteration == done
        assert first.seconds > 0
    assert [event.iteration for event in rest if isinstance(event, Iterated)] == list(range(done + 1, 7))
    assert outcome(run) == expected


class Loud:
    """Raises an interrupt where Python cannot propagate it."""

    def __del__(self) -> None:
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("where", "error"),
    [
        *((where, KeyboardInterrupt) for where in ("step", "measure", "weights", "state")),
        ("step", ArithmeticError),
        ("step", None),
    ],
)
def test_an_interruption_or_an_error_loses_nothing(
    tmp_path: Path, run: RunFolder, monkeypatch: pytest.MonkeyPatch, where: str, error: type[BaseException] | None
) -> None:
    """None stands for an interrupt that a step cannot propagate, after which it stops."""
    schedule: dict[str, Any] = {"iterations": 6, "measure_iterations": 2}
    expected = whole(tmp_path / "whole", **schedule)
    true = getattr(Toy, where)
    calls: list[int] = []

    def interrupted(self: Toy) -> Mapping[str, Any]:
        if self.iteration and not calls:
            calls.append(self.iteration)
            if error is not None:
                raise error
            Loud()
        return true(self)  # type: ignore[no-any-return]

    monkeypatch.setattr(Toy, where, interrupted)
    with pytest.raises(error or KeyboardInterrupt):
        list(session(run, **schedule))
    assert (run.status().state, run.status().iterations) == ("stopped", calls[0] + (error is None))
    list(session(run, **schedule))
    assert outcome(run) == expected


@pytest.mark.parametrize("written", [False, True])
def test_an_interrupted_step_has_just_one_line(run: RunFolder, monkeypatch: pytest.MonkeyPatch, written: bool) -> None:
    true, calls = writing.DISK.append, []

    def interrupted(path: Path, content: bytes) -> None:
        calls.extend([content] if b'"iteration":2,' in content else [])
        now = len(calls) == 1 and content == calls[0]
        if written or not now:
            true(path, content)
        if now:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(writing.DISK, "append", interrupted)
        with pytest.raises(KeyboardInterrupt):
            list(session(run, iterations=3))
    status = run.status()
    assert (status.state, status.iterations) == ("stopped", 2)
    assert [line.iteration for line in run.metrics.lines(status.lines) if line.kind == "iteration"] == [1, 2]
    assert status.lines == len(run.metrics.lines())
    list(session(run, iterations=3))
    assert [line.iteration for line in run.metrics.lines() if line.kind == "iteration"] == [1, 2, 3]


def test_a_finished_run_resumes_under_a_larger_schedule(tmp_path: Path, run: RunFolder) -> None:
    expected = whole(tmp_path / "whole", iterations=9, measure_iterations=3)
    list(session(run, iterations=6, measure_iterations=3))
    first, last = session(run, iterations=6, measure_iterations=3)
    assert isinstance(first, Resumed)
    assert isinstance(last, Finished)
    list(session(run, iterations=9, measure_iterations=3))
    assert outcome(run) == expected


def test_minutes_count_all_sessions(run: RunFolder) -> None:
    steps = session(run, minutes=2)
    spent = 0.0
    for event in steps:
        if isinstance(event, Iterated) and event.seconds > 70:
            spent = event.seconds
            break
    steps.close()  # type: ignore[attr-defined]
    events = list(session(run, minutes=2))
    assert isinstance(events[0], Resumed)
    assert spent <= events[0].seconds < spent + 10
    assert isinstance(events[-1], Finished)
    assert events[-1].limit == "minutes"
    assert 120 <= events[-1].seconds < 140


def test_a_damaged_checkpoint_is_named_and_the_one_before_used(tmp_path: Path, run: RunFolder) -> None:
    expected = whole(tmp_path / "whole", iterations=6, measure_iterations=2)
    list(session(run, iterations=4, measure_iterations=2, checkpoint_seconds=0))
    damaged = run.folder / "checkpoints" / "00000004" / "hash"
    damaged.write_bytes(damaged.read_bytes()[:-1])
    events = list(session(run, iterations=6, measure_iterations=2))
    assert isinstance(events[0], Resumed)
    assert events[0].iteration == 3
    assert [str(damaged) in line for line in events[0].damaged] == [True]
    assert outcome(run) == expected


def test_a_run_without_a_readable_checkpoint_is_left_unchanged(run: RunFolder) -> None:
    list(session(run, iterations=4, checkpoint_seconds=0))
    for path in run.folder.glob("checkpoints/*/manifest.json"):
        path.write_text("")
    for resume in (run.mend, lambda: list(session(run, iterations=5))):
        said = "cannot be resumed, because no checkpoint can be read: .*00000004.*00000003"
        with pytest.raises(StoreError, match=said):
            resume()
    assert run.weights_at()[0] == 4
    assert len(run.metrics.lines()) == 5


def test_a_damaged_part_is_named_before_the_first_checkpoint_too(run: RunFolder) -> None:
    status = run.folder / "status.json"
    status.write_text("{")
    chosen = config(iterations=2)
    first, *_, last = train(Toy(chosen), run, chosen.schedule, new_clock(), removed=run.mend())
    assert isinstance(first, Resumed)
    assert (first.iteration, [str(status) in line for line in first.damaged]) == (0, [True])
    assert isinstance(last, Finished)


def test_a_run_with_a_changed_description_does_not_resume(run: RunFolder) -> None:
    list(session(run, iterations=2))
    path = run.folder / "run.json"
    described = json.loads(without_hash(path.read_bytes()))
    described["config"]["seed"] = 1
    path.write_text(json.dumps(described))
    with pytest.raises(StoreError, match=r"run\.json was changed since"):
        list(session(RunFolder.open(run.folder), iterations=3))


@pytest.mark.parametrize("full_from", [1, 4, 8, 12])
def test_a_full_disk_ends_it_with_one_line_and_it_resumes_later(
    tmp_path: Path, run: RunFolder, monkeypatch: pytest.MonkeyPatch, full_from: int
) -> None:
    expected = whole(tmp_path / "whole", iterations=4)
    true, calls = os.fsync, []

    def fail(handle: int) -> None:
        calls.append(handle)
        if len(calls) >= full_from:
            raise OSError(errno.ENOSPC, "No space left on device")
        true(handle)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fail)
        with pytest.raises(StoreError, match="cannot be written: No space left on device"):
            list(session(run, iterations=4, checkpoint_seconds=0))
    assert not list(run.folder.rglob(".*"))
    list(session(run, iterations=4))
    assert outcome(run) == expected


def test_tensorboard_gets_every_number_or_its_extra_is_named(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    module = MagicMock()
    writer = module.SummaryWriter.return_value
    monkeypatch.setitem(sys.modules, "tensorboardX", module)
    list(session(run, iterations=2, tensorboard=True))
    written = [call.args for call in writer.add_scalar.call_args_list]
    assert ("train/loss", 0.5, 2) in written
    assert ("strength/wins", 1 - 1 / 3, 2) in written
    assert any(name == "train/positions_a_second" for name, _, _ in written)
    assert [name for name, _, step in written if step == 1 and name == "train/odd"] == []  # it is NaN
    writer.__exit__.assert_called_once()  # which closes it
    monkeypatch.setitem(sys.modules, "tensorboardX", None)
    with pytest.raises(NoughtsError, match="or uv sync --extra tensorboard, or leave it out"):
        list(session(run, iterations=3, tensorboard=True))


def test_a_stopped_job_saves_the_last_complete_iteration(tmp_path: Path, run: RunFolder) -> None:
    whole_run = whole(tmp_path / "whole", iterations=4)
    chosen, notes = config(iterations=4), Mock(spec=Recorder, told_to_stop=False)
    trainer = Toy(chosen)
    step = trainer.step

    def told_in_a_step() -> Mapping[str, float]:
        if trainer.iteration == 2:
            begun = time.monotonic()
            notes.told_to_stop = True
            while not notes.record_kept.called and time.monotonic() < begun + 30:  # a step that cannot be interrupted
                time.sleep(0.01)
        return step()

    trainer.step = told_in_a_step  # type: ignore[method-assign]
    with pytest.raises(ComputeError, match="was stopped; its progress is saved"):
        list(train(trainer, run, chosen.schedule, new_clock(), notes))
    assert notes.heed_stop.called
    assert notes.record_kept.called
    assert (run.status().state, run.status().iterations) == ("stopped", 2)
    assert trainer.iteration == 3, "which is made again"
    list(session(run, iterations=4))
    assert outcome(run) == whole_run
