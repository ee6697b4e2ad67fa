"""Agents that try to change games, each in its own way. Used as ``python:tests.questions.hostile:Name``.

They may damage their own process, which others must not notice. Each plays the first free cell afterwards, as far as it
gets.
"""

import contextlib
import ctypes
import gc
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import noughts.machine.worker
import noughts.play.playthrough
import noughts.store.records
from noughts.positions import Outcome, Position, Rng
from noughts.rules import parse_rules


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


class KeepsPositions(Hostile):
    kept: list[Position] = []

    def harm(self, position: Position, rng: Rng) -> None:
        self.kept.append(position)
        for old in self.kept:
            _set(old, "moves", ())
            _set(old, "outcome", Outcome.SECOND)


class CannotSayWhetherItIsShared(Hostile):
    @property
    def shared(self) -> bool:
        raise RuntimeError("who knows")

    def decide(self, positions: Any, rngs: Any, want: Any = None) -> Any:
        raise RuntimeError("not this either")


class _Strange(BaseException):
    pass


class _UnspeakableError(Exception):
    def __str__(self) -> str:
        raise _Strange


class Spins(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        while True:
            with contextlib.suppress(BaseException):
                position.legal_moves  # noqa: B018


class HangsWhenMade(Hostile):
    def __init__(self) -> None:
        time.sleep(1000)


class Prints(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # the test's own output stays short
        print("x" * 3_000_000)


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


class PatchesRecords(Hostile):
    """Claims games that were never played."""

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
    """Searches the stack for the referee."""

    def harm(self, position: Position, rng: Rng) -> None:
        frame: Any = sys._getframe()
        while frame is not None:
            game = frame.f_locals.get("game")
            if isinstance(game, noughts.play.playthrough.OpenGame):
                game.position = Position.start(position.rules, (0, 3, 1, 4, 2))
                game.seconds = [float("inf"), -1.0]
            frame = frame.f_back


class Collects(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        gc.disable()
        for thing in gc.get_objects():
            if type(thing) is Rng:
                thing.seed(0)
            if type(thing) is noughts.play.playthrough.OpenGame:
                thing.__dict__.clear()


class WipesTheSlate(Hostile):
    """Marks its job as not begun, with an unreadable note; then it hangs or dies."""

    def harm(self, position: Position, rng: Rng) -> None:
        for thing in gc.get_objects():
            if type(thing) is noughts.machine.worker.Slate:
                thing.note("[" * 10_000)
                thing._begun[0] = 0
        if position.ply % 2:
            os._exit(1)
        time.sleep(1000)


class EmptiesModules(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        for name in [name for name in sys.modules if name.startswith(("noughts.", "json", "pydantic"))]:
            sys.modules[name] = None  # type: ignore[assignment]


def _raise(error: BaseException) -> None:
    raise error


HARMS: dict[str, Callable[[Position, Rng], object]] = {
    "EndsTheGame": lambda position, rng: _set(position, "outcome", Outcome.FIRST),
    "ClosesTheBoard": lambda position, rng: _set(position, "closed", frozenset({0})),
    "SwapsRules": lambda position, rng: _set(position, "rules", parse_rules("misere-tic-tac-toe")),
    "EditsRules": lambda position, rng: position.rules.__dict__.update(k=2, line="loses", full="first"),
    "Reseeds": lambda position, rng: rng.seed(0),
    "SpoilsItsGenerator": lambda position, rng: _put(rng, "_state", "nowhere"),
    "RaisesStrange": lambda position, rng: _raise(_Strange("x" * 1_000_000)),
    "RaisesUnspeakable": lambda position, rng: _raise(_UnspeakableError()),
    "Interrupts": lambda position, rng: _raise(KeyboardInterrupt()),
    "StopsIteration": lambda position, rng: _raise(StopIteration(position.legal_moves[0])),
    "ExitsGenerators": lambda position, rng: _raise(GeneratorExit()),
    "Exits": lambda position, rng: sys.exit(0),
    "Dies": lambda position, rng: os._exit(0),
    "KillsItself": lambda position, rng: os.kill(os.getpid(), signal.SIGKILL),
    "ClosesEverything": lambda position, rng: os.closerange(3, 256),
    "Scribbles": lambda position, rng: _write_everywhere(b"x" * 64),
    "Forks": lambda position, rng: os.fork(),
    "PatchesPlay": lambda position, rng: _put(Position, "play", lambda self, cell: self),
    "PatchesJson": lambda position, rng: _put(json, "dumps", lambda *things, **more: "[" * 100_000),
    "Crashes": lambda position, rng: ctypes.string_at(0),
    "Sleeps": lambda position, rng: time.sleep(1000),
}
"""Single calls, by the name of the agent that makes them before each move."""

SAID: dict[str, Callable[[Position], object]] = {
    "SaysNothing": lambda position: None,
    "SaysHuge": lambda position: 10**5000,
    "SaysNegative": lambda position: -1,
    "SaysBool": lambda position: True,
    "SaysFloat": lambda position: 4.0,
}
"""Answers, by the name of the agent."""

for _name, _harm in HARMS.items():
    globals()[_name] = type(_name, (Hostile,), {"harm": lambda self, position, rng, harm=_harm: harm(position, rng)})
for _name, _say in SAID.items():
    globals()[_name] = type(_name, (), {"choose": lambda self, position, rng, say=_say: say(position)})

KINDS = sorted(
    name
    for name, kind in globals().items()
    if isinstance(kind, type)
    and kind.__module__ == __name__
    and (hasattr(kind, "choose") or hasattr(kind, "decide"))
    and kind is not Hostile
    and not name.startswith("_")
)
"""All their names."""
