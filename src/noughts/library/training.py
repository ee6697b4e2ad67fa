"""Functions that train a network, as an iterator of events."""

import time
from collections.abc import Generator, Mapping
from types import TracebackType
from typing import Any, Self

from noughts.library.asking import Games, games_name
from noughts.machine.plugins import require_loaded
from noughts.store.run_folder import RunFolder
from noughts.training.events import Event
from noughts.training.loop import train as carry_out
from noughts.training.method_config import MethodConfig
from noughts.training.registry import agent_text, find_method
from noughts.training.settings import begin_run, make_config, merge, resume_run, small_preset
from noughts.training.trainer import Trainer


class TrainingSession:
    """A training in progress: an iterator of its events, the last of which is `Finished`.

    If it ends early, by `close`, by the end of a ``with`` block or by an interrupt, nothing is lost, because `resume` or
    ``noughts runs resume`` continues it.

    Attributes:
        run: The run's folder, with its metrics and weights so far.
        config: The configuration of the training, with the schedule of this session.
    """

    def __init__(self, run: RunFolder, config: MethodConfig, events: Generator[Event, None, None]) -> None:
        self.run, self.config, self._events = run, config, events

    @property
    def agent(self) -> str:
        """The text of the agent with its last weights, ``az:RUN``."""
        return agent_text(self.run.description.method, self.run.called)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Event:
        return next(self._events)

    def close(self) -> None:
        """Stop the training, and save its progress."""
        self._events.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _first_training(trainer: Trainer, run: RunFolder, config: MethodConfig) -> Generator[Event, None, None]:
    with run.removed_if_it_fails():
        yield from carry_out(trainer, run, config.schedule, time.monotonic)


def train(
    task: Games | None = None,
    *,
    method: str = "az",
    network: str | None = None,
    minutes: float | None = None,
    iterations: int | None = None,
    positions: int | None = None,
    until: str | None = None,
    preset: str | None = None,
    config: Mapping[str, Any] | None = None,
    seed: int | None = None,
    run: str | None = None,
    devices: int | None = None,
) -> TrainingSession:
    """Train a network from scratch, as ``noughts train`` does. Training begins when you request the first event.

    Args:
        task: A game, or a task such as ``bttt(D3|D4)``; None for that in `config`.
        method: ``az`` is AlphaZero, ``mz`` is MuZero, ``es`` is evolution.
        network: A network, such as ``line``; None for the method's default.
        minutes, iterations, positions: When to end; by default the end in `config` or the preset, or else 10 minutes.
        until: ``proved``, to end as soon as no reply beats the agent, with certificates in the run's folder; ``proved:raw,as=first``
            proves the raw policy, and as first player only.
        preset: A named configuration; None for the method's default. On games of up to 9 cells that is ``tic-tac-toe-fast``, or
            ``betazero-unbeatable`` for ``es``, because these learn such games best.
        config: Fields of the method's configuration, nested as mappings: ``{"search": {"simulations": 24}}``. It may also
            contain ``preset``.
        seed: Random seed.
        run: The run's name or folder; None for a free name.
        devices: Number of CPU cores to use; None for all. A process that has used a network already has one core only.

    Raises:
        NoughtsError: the configuration is invalid.
        StoreError: a run of that name exists already, or it cannot be written.
    """
    require_loaded()
    chosen = find_method(method)
    options = {"task": None if task is None else games_name(task), "network": network, "seed": seed}
    given = merge(dict(config or {}), {name: value for name, value in options.items() if value is not None})
    asked = {"minutes": minutes, "iterations": iterations, "positions": positions, "until": until}
    limits: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
    wanted = make_config(chosen, given, limits, small_preset(chosen, given, preset) or preset)
    trainer, made = begin_run(wanted, method, run, devices)
    return TrainingSession(made, wanted, _first_training(trainer, made, wanted))


def resume(
    run: str | RunFolder,
    *,
    minutes: float | None = None,
    iterations: int | None = None,
    positions: int | None = None,
    devices: int | None = None,
) -> TrainingSession:
    """Resume a run that was stopped or killed, as ``noughts runs resume`` does, to its planned end or a new one.

    On the same machine with as many devices, the final weights are bit-for-bit those of an uninterrupted run.

    Args:
        run: Its name or folder, or the attribute ``run`` of a session.
        minutes, iterations, positions: How much longer to train; they replace the planned limits. A proof for which the run
            still trains ends it, too.
        devices: See `train`.

    Raises:
        NoughtsError: it is finished and you gave no new end, or its code has changed since it began.
        StoreError: there is no such run, or another process is training it.
    """
    found = run if isinstance(run, RunFolder) else RunFolder.find(str(run))
    trainer, config, removed = resume_run(found, minutes, iterations, positions, devices)
    events = carry_out(trainer, found, config.schedule, time.monotonic, removed=removed)
    return TrainingSession(found, config, events)
