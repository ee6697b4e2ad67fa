"""The training loop: it steps a trainer until its schedule ends, measures it, and saves everything in its run folder.

If the process is killed, the next session resumes from the last checkpoint. If training is stopped in the regular way (by
closing the generator, by KeyboardInterrupt, or by a stop request to a worker process), it first saves the last whole
iteration, so that nothing is lost.
"""

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from noughts.machine.interrupts import ignored_interrupts_raised
from noughts.machine.jobs import Recorder
from noughts.rules import ComputeError, StoreError
from noughts.store.run_folder import RunFolder, State, Status
from noughts.training.events import Event, Finished, Iterated, Resumed, Saved, Started, StrengthMeasured
from noughts.training.registry import depends_on
from noughts.training.schedule import Limit, Schedule
from noughts.training.tensorboard import add_metrics, require_tensorboard
from noughts.training.trainer import Trainer

if TYPE_CHECKING:
    from noughts.training.proving import RunProver

_RATE_ITERATIONS = 20
_LOOK_SECONDS = 0.05  # between two checks for a stop request to a worker


def train(
    trainer: Trainer,
    run: RunFolder,
    schedule: Schedule,
    clock: Callable[[], float],
    notes: Recorder | None = None,
    removed: tuple[str, ...] = (),
) -> Generator[Event, None, None]:
    """Train until a limit of the schedule is reached; resume from the run's last checkpoint if there is one.

    A run that has reached its limits continues under a schedule with higher ones, as if these had been its limits from
    the start.

    Args:
        trainer: A trainer that has not been stepped.
        clock: Seconds that never go back, such as `time.monotonic`.
        notes: The recorder of the job that this is part of, if any. A stop request stops training even during an iteration.
        removed: What `RunFolder.mend` returned, for the event that training resumes.

    Raises:
        ComputeError: the job received a stop request.
        StoreError: the folder is in use, cannot be read or written, or none of its checkpoints can be read.
        NoughtsError: the schedule needs TensorBoard, which is not installed.
    """
    writer = require_tensorboard().SummaryWriter(str(run.folder / "tensorboard")) if schedule.tensorboard else None
    with run.locked(), writer or contextlib.nullcontext():
        sitting = _Sitting(trainer, run, schedule, clock, writer)
        begun = sitting.begin(removed)
        try:
            with _stopped_when_told(sitting, notes):
                yield begun
                while True:
                    if sitting.measuring_is_due():
                        yield _heard(sitting.measure)
                    if sitting.saving_is_due():
                        yield sitting.save()
                    if sitting.limit is not None:
                        break
                    yield _heard(sitting.step)
                if sitting.saved != trainer.iteration:
                    yield sitting.save()
        except (KeyboardInterrupt, GeneratorExit):
            sitting.leave("stopped")
            raise
        except BaseException:
            with contextlib.suppress(StoreError):  # the first error is more useful
                sitting.leave("stopped")
            raise
        limit = sitting.limit
        sitting.leave("finished")
    yield Finished(trainer.iteration, trainer.positions, sitting.seconds, limit)


def _heard(work: Callable[[], Event]) -> Event:
    """Do the work and return its event. A KeyboardInterrupt that the work had to ignore is raised at its end."""
    with ignored_interrupts_raised():
        return work()


@contextlib.contextmanager
def _stopped_when_told(sitting: "_Sitting", notes: Recorder | None) -> Iterator[None]:
    """During the block, a second thread saves and leaves the sitting as soon as the job receives a stop request.

    An iteration may spend seconds outside Python, and the process may be killed before it ends.
    """
    if notes is None or not notes.heed_stop():
        yield
        return
    over = threading.Event()

    def watch() -> None:
        while not over.wait(_LOOK_SECONDS):
            if notes.told_to_stop:
                with contextlib.suppress(StoreError):  # the requester waits in any case
                    sitting.leave("stopped")
                notes.record_kept()
                return

    watching = threading.Thread(target=watch, name="noughts-stop", daemon=True)
    watching.start()
    try:
        yield
    finally:
        over.set()
        watching.join()


class _Whole(NamedTuple):
    """The state of a trainer after a whole iteration, for a checkpoint."""

    iteration: int
    positions: int
    files: Mapping[str, bytes]


class _Sitting:
    """One process's part of a run. It writes under a lock, because another thread may leave the sitting.

    Attributes:
        saved: The iteration of the last checkpoint; None before the first.
    """

    def __init__(
        self,
        trainer: Trainer,
        run: RunFolder,
        schedule: Schedule,
        clock: Callable[[], float],
        writer: Any,
    ) -> None:
        self.saved: int | None = None
        self._writing = threading.RLock()
        self._left = False
        takes = getattr(trainer, "uses_refutations", False) and hasattr(trainer, "take_refutations")
        self._refuted: Any = trainer if takes else None
        self._prover: RunProver | None = None
        if schedule.proof is not None:  # import only if needed, because this loads the kernels of walks
            from noughts.training import proving

            self._prover = proving.RunProver(run, schedule.proof, all_games=self._refuted is not None)
        self._trainer, self._run, self._schedule, self._clock, self._writer = trainer, run, schedule, clock, writer
        self._begun = clock()
        self._before = 0.0  # seconds of earlier sittings
        self._measured = 0  # the last iteration at which strength was measured
        self._measured_seconds = 0.0
        self._measured_positions = 0
        self._saved_at = self._begun
        self._pace: deque[tuple[int, float]] = deque(maxlen=_RATE_ITERATIONS)  # positions and seconds of iterations

    @property
    def seconds(self) -> float:
        """Time spent so far, over all sittings."""
        return self._before + self._clock() - self._begun

    @property
    def limit(self) -> Limit | None:
        """The limit that is reached; None if there is none."""
        if self._prover is not None and self._prover.is_done:
            return "proved"
        return self._schedule.reached(self._trainer.iteration, self._trainer.positions, self.seconds)

    def begin(self, removed: tuple[str, ...]) -> Event:
        """Restore the last checkpoint if there is one, and discard what was recorded after it."""
        self._require_same_code()
        checkpoint, damaged = self._run.latest_checkpoint()
        event: Event = Resumed(0, 0, 0.0, removed) if removed else Started()
        lines: int | None = 0
        if checkpoint is not None:
            if checkpoint.about["run"] != self._run.digest:
                raise StoreError(
                    f"run {self._run.name} cannot be resumed: {self._run.folder / 'run.json'} was changed since its checkpoints were saved"
                )
            self._trainer.restore(checkpoint.files)
            self.saved = checkpoint.iteration
            self._before = float(checkpoint.about["seconds"])
            lines = checkpoint.about.get("lines")  # missing in checkpoints of older versions
            event = Resumed(checkpoint.iteration, self._trainer.positions, self._before, removed + damaged)
        self._run.rewind(self._trainer.iteration, lines)
        if self._refuted is not None and lines is not None:  # refutations of a later check are not in the checkpoint
            self._run.metrics.replace(self._run.metrics.lines(lines)[:lines])
        before = self._run.metrics.lines()
        for line in before:
            if line.kind == "measurement":
                self._measured, self._measured_seconds = line.iteration, line.seconds
                self._measured_positions = line.positions
        if self._prover is not None:
            self._prover.remember(before)
        self._tell("running")
        return event

    def _require_same_code(self) -> None:
        """StoreError if third-party code has changed since the run began."""
        described = self._run.description
        now = depends_on(described.method, described.config).versions
        changed = sorted(name for name in {*now, *described.outside} if now.get(name) != described.outside.get(name))
        if changed:
            raise StoreError(
                f"run {self._run.name} cannot be resumed: {', '.join(changed)} has changed since it was begun: put it back as it "
                "was, or begin another run"
            )

    def step(self) -> Event:
        positions, begun = self._trainer.positions, self._clock()
        metrics = self._trainer.step()
        self._pace.append((self._trainer.positions - positions, self._clock() - begun))
        with self._to_write():
            self._append_line(self._trainer.iteration, self._trainer.positions, metrics)
        seen, spent = (sum(column) for column in zip(*self._pace, strict=True))
        rate = seen / spent if spent > 0 else 0.0
        if self._writer is not None:
            add_metrics(self._writer, "train", {**metrics, "positions_a_second": rate}, self._trainer.iteration)
        return Iterated(self._trainer.iteration, self._trainer.positions, self.seconds, metrics, rate)

    def measuring_is_due(self) -> bool:
        """Whether to measure strength now: by the schedule, or because training ends here."""
        if self._trainer.iteration == self._measured:
            return False
        return self._is_scheduled() or self.limit is not None

    def _is_scheduled(self) -> bool:
        since, positions = self.seconds - self._measured_seconds, self._trainer.positions
        return self._schedule.measures_at(self._trainer.iteration, since, positions, self._measured_positions)

    def measure(self) -> Event:
        """Measure strength, save the weights, and try to prove them if a proof ends training."""
        # Refutations of an unscheduled measurement at the end are not used, so that a resumed run equals one that never ended.
        scheduled = self._is_scheduled()
        metrics = self._trainer.measure()
        iteration = self._trainer.iteration
        weights = self._trainer.weights()
        counts: Mapping[str, int] = getattr(self._trainer, "measured_counts", dict)()
        with self._to_write():
            self._run.weights.save(iteration, weights)
        found = None if self._prover is None else self._prover.check(iteration)
        metrics = metrics if found is None else {**metrics, **found.metrics}
        with self._to_write():
            if found is not None and self._refuted is not None and scheduled:
                metrics = {**metrics, "supplied": self._refuted.take_refutations(found.lost)}
                self.saved = None  # a checkpoint of this iteration would lack these refutations
            self._run.metrics.append("measurement", iteration, self._trainer.positions, self.seconds, metrics, counts)
        self._measured, self._measured_seconds = iteration, self.seconds
        self._measured_positions = self._trainer.positions
        if self._writer is not None:
            add_metrics(self._writer, "strength", metrics, iteration)
        return StrengthMeasured(iteration, self._trainer.positions, self._measured_seconds, metrics, counts)

    def saving_is_due(self) -> bool:
        """Whether there is a new iteration, and the last checkpoint is old enough."""
        old = self._clock() - self._saved_at >= self._schedule.checkpoint_seconds
        return old and self._trainer.iteration not in (self.saved, 0)

    def save(self) -> Event:
        with self._to_write():
            return self._save(self._whole())

    def leave(self, state: State) -> None:
        """Save the last whole iteration and how the session ended. Later calls have no effect, and nothing more is written."""
        with self._writing:
            if self._left:
                return
            whole = _Whole(self._trainer.iteration, self._trainer.positions, {})
            if whole.iteration not in (self.saved, 0):
                whole = self._whole()
            if not self._has_line(whole.iteration):  # interrupted between the end of a step and its line
                self._append_line(whole.iteration, whole.positions, {})
            if whole.iteration not in (self.saved, 0):
                self._save(whole)
            self._tell(state, whole)
            self._left = True

    @contextlib.contextmanager
    def _to_write(self) -> Iterator[None]:
        """Hold the lock for writing; ComputeError if the sitting is left."""
        with self._writing:
            if self._left:
                raise ComputeError(f"run {self._run.name} was stopped; its progress is saved")
            yield

    def _whole(self) -> _Whole:
        """The last whole iteration. Reads again if a step in another thread ends meanwhile."""
        while True:
            iteration, positions = self._trainer.iteration, self._trainer.positions
            files = self._trainer.state()
            if self._trainer.iteration == iteration:
                return _Whole(iteration, positions, files)

    def _save(self, whole: _Whole) -> Event:
        about = {
            "lines": self._run.metrics.sync(),  # a checkpoint never outlives the lines that led to it
            "positions": whole.positions,
            "run": self._run.digest,
            "seconds": self.seconds,
        }
        self._run.checkpoints.save(whole.iteration, whole.files, about)
        self.saved, self._saved_at = whole.iteration, self._clock()
        self._tell("running", whole)
        return Saved(self.saved)

    def _has_line(self, iteration: int) -> bool:
        """Whether the metrics file has an iteration. A variable could miss a line whose write an interrupt followed."""
        last = self._run.metrics.last()
        return iteration <= (0 if last is None else last.iteration)

    def _append_line(self, iteration: int, positions: int, metrics: Mapping[str, float]) -> None:
        self._run.metrics.append("iteration", iteration, positions, self.seconds, metrics)

    def _tell(self, state: State, whole: _Whole | None = None) -> None:
        status = Status(
            state=state,
            iterations=self._trainer.iteration if whole is None else whole.iteration,
            positions=self._trainer.positions if whole is None else whole.positions,
            seconds=self.seconds,
            lines=self._run.metrics.sync(),
            schedule=self._schedule.model_dump(mode="json"),
        )
        self._run.write_status(status)
