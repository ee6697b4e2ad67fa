"""Agents that try to change games, each in its own way. Used as ``python:tests.questions.hostile:Name``.

What they do to the process that they run in, they do: others must not notice. Each plays the first free cell afterwards,
as far as it gets. What an agent is given, answers and raises is tested with agents, and how a worker ends with workers.
"""

import contextlib
import json
import os
import signal
import sys
import threading
import time
from typing import Any

import noughts.agents.basic
import noughts.play.playthrough
import noughts.store.records
from noughts.positions import Outcome, Position, Rng


class Hostile:
    """Does harm before each move."""

    def choose(self, position: Position, rng: Rng) -> Any:
        move = position.legal_moves[0]
        self.harm(position, rng)
        return move

    def harm(self, position: Position, rng: Rng) -> None:
        raise NotImplementedError


def _set(value: Any, name: str, to: Any) -> None:
    object.__setattr__(value, name, to)


def _put(place: Any, name: str, value: Any) -> None:
    setattr(place, name, value)


class CannotSayWhetherItIsShared(Hostile):
    @property
    def shared(self) -> bool:
        raise RuntimeError("who knows")

    def decide(self, positions: Any, rngs: Any, want: Any = None) -> Any:
        raise RuntimeError("not this either")


class Sleeps(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        while True:
            time.sleep(1)


# The process that it runs in.


class ClosesItsOutput(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        sys.stdout.close()
        sys.stdin = sys.stderr = None
        os.close(1)


def _write_everywhere(text: bytes) -> None:
    for handle in range(3, 64):
        with contextlib.suppress(OSError):
            os.set_blocking(handle, False)
            os.write(handle, text)


class LeavesThreads(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        def go_on() -> None:
            until = time.monotonic() + 1
            while time.monotonic() < until:
                _set(position, "outcome", Outcome.SECOND)
                rng.seed(0)

        threading.Thread(target=go_on).start()


class Moves(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        os.chdir("/")
        os.environ.clear()
        sys.path.clear()


class CatchesSignals(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGIO, signal.SIGALRM):
            signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))


# The project's own code.


class PatchesOutcomes(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        Position.is_over = property(lambda self: True)  # type: ignore[method-assign,assignment]
        Outcome.FIRST._value_ = 2


class PatchesOthers(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        from noughts.agents.searchers import MctsAgent

        for agent in (noughts.agents.basic.RandomAgent, MctsAgent):
            _put(agent, "decide", lambda self, positions, rngs, want=None: [None] * len(positions))


class PatchesRecords(Hostile):
    """Claims games that nobody played."""

    def harm(self, position: Position, rng: Rng) -> None:
        real = noughts.store.records.GameRecord

        def forged(**fields: Any) -> Any:
            return real(**fields | {"moves": (0, 0, 0), "ending": "first", "error": "", "culprit": ""})

        _put(noughts.play.playthrough, "GameRecord", forged)


class PatchesTheClock(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        for name, value in (("perf_counter", float("nan")), ("monotonic", -1e300)):
            setattr(time, name, lambda value=value: value)


class WalksFrames(Hostile):
    """Looks for the referee among its callers."""

    def harm(self, position: Position, rng: Rng) -> None:
        frame: Any = sys._getframe()
        while frame is not None:
            game = frame.f_locals.get("game")
            if isinstance(game, noughts.play.playthrough.OpenGame):
                game.position = Position.start(position.rules, (0, 3, 1, 4, 2))
                game.seconds = [float("inf"), -1.0]
            frame = frame.f_back


class EmptiesModules(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        for name in [name for name in sys.modules if name.startswith(("noughts.", "json", "pydantic"))]:
            sys.modules[name] = None  # type: ignore[assignment]


class EditsRules(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        position.rules.__dict__.update(k=2, line="loses", full="first")


class Scribbles(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        _write_everywhere(b"x" * 64)


class PatchesJson(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        _put(json, "dumps", lambda *things, **more: "[" * 100_000)


KINDS = sorted(kind.__name__ for kind in Hostile.__subclasses__())
"""The names of all of them."""
