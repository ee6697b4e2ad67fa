"""Agents that try to change games, each in its own way. Used as ``python:tests.questions.hostile:Name``.

What they do to the process that they run in, they do: others must not notice. Each plays the first free cell afterwards,
as far as it gets.
"""

import contextlib
import ctypes
import gc
import itertools
import json
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import noughts.agents.basic
import noughts.machine.worker
import noughts.play.playthrough
import noughts.positions.position
import noughts.positions.rng
import noughts.rules.lines
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


# What it was given.


class TakesMovesBack(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        _set(position, "moves", ())
        _set(position, "cells", bytes(9))


class KeepsPositions(Hostile):
    kept: list[Position] = []

    def harm(self, position: Position, rng: Rng) -> None:
        self.kept.append(position)
        for old in self.kept:
            _set(old, "moves", ())
            _set(old, "outcome", Outcome.SECOND)


class Drains(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        for _ in range(10_000):
            rng.random()


class SwapsItsGenerator(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        rng.__dict__.clear()
        rng.getstate = lambda: ()  # type: ignore[method-assign]


class KeepsGenerators(Hostile):
    kept: list[Rng] = []

    def harm(self, position: Position, rng: Rng) -> None:
        self.kept.append(rng)
        for old in self.kept:
            old.seed(1)


# What it answers.


class SaysGenerator:
    def choose(self, position: Position, rng: Rng) -> Iterator[int]:
        yield from position.legal_moves


class SaysNumpy:
    def choose(self, position: Position, rng: Rng) -> Any:
        import numpy as np

        return np.uint64(position.legal_moves[0])


class Liar(int):
    """A number that says that it is smaller and equal to all others."""

    def __index__(self) -> int:
        return 10**9

    def __eq__(self, other: object) -> bool:
        return True

    def __lt__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


class NeverStopsAnswering:
    def decide(self, positions: Any, rngs: Any, want: Any = None) -> Any:
        return itertools.count()


class CannotSayWhetherItIsShared(Hostile):
    @property
    def shared(self) -> bool:
        raise RuntimeError("who knows")

    def decide(self, positions: Any, rngs: Any, want: Any = None) -> Any:
        raise RuntimeError("not this either")


# What it raises, and how it ends.


class _Strange(BaseException):
    pass


class _UnspeakableError(Exception):
    def __str__(self) -> str:
        raise _Strange


class Recurses(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        self.harm(position, rng)


class Sleeps(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        while True:
            time.sleep(1)


class Spins(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        while True:
            with contextlib.suppress(BaseException):
                position.legal_moves  # noqa: B018


class HangsWhenMade(Hostile):
    def __init__(self) -> None:
        time.sleep(1000)


# The process that it runs in.


class EatsMemory(Hostile):
    eaten: list[bytearray] = []

    def harm(self, position: Position, rng: Rng) -> None:
        if len(self.eaten) < 8:
            self.eaten.append(bytearray(1 << 25))


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


class SaysHalf(Hostile):
    """Promises its parent 64 bytes and sends none."""

    def harm(self, position: Position, rng: Rng) -> None:
        _write_everywhere(b"\0\0\0\x40")
        time.sleep(1000)


class Forges(Hostile):
    """Sends a result of no kind."""

    def harm(self, position: Position, rng: Rng) -> None:
        text = b'["", true, "done", 5, {}]'
        _write_everywhere(len(text).to_bytes(4, "big") + text)


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


class Traces(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        sys.setrecursionlimit(sys.getrecursionlimit() // 2 + 60)
        sys.settrace(lambda *event: None)


# The project's own code.


class PatchesOutcomes(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        Position.is_over = property(lambda self: True)  # type: ignore[method-assign,assignment]
        Outcome.FIRST._value_ = 2


class PatchesLines(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        table = noughts.rules.lines.line_table(parse_rules("tic-tac-toe"))
        _set(table, "through", ((),) * 9)


class PoisonsTheStart(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        _set(Position.start(parse_rules("tic-tac-toe")), "outcome", Outcome.SECOND)
        parse_rules("tic-tac-toe").__dict__["k"] = 1


class PatchesOthers(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        from noughts.agents.searchers import MctsAgent

        for agent in (noughts.agents.basic.RandomAgent, MctsAgent):
            _put(agent, "decide", lambda self, positions, rngs, want=None: [None] * len(positions))


class PatchesGenerators(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        Rng.below = lambda self, n: 0  # type: ignore[method-assign]
        Rng.next64 = lambda self: 0  # type: ignore[method-assign]
        noughts.play.playthrough.derive_seed = lambda *keys: 0  # type: ignore[attr-defined]


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


class Collects(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        gc.disable()
        for thing in gc.get_objects():
            if type(thing) is Rng:
                thing.seed(0)
            if type(thing) is noughts.play.playthrough.OpenGame:
                thing.__dict__.clear()


class WipesTheSlate(Hostile):
    """Says that it has not begun, for ever, with a note that cannot be read; then it hangs or dies."""

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


class Randomises(Hostile):
    def harm(self, position: Position, rng: Rng) -> None:
        random.seed(0)
        random.Random.__init__ = lambda self, *given: None  # type: ignore[method-assign]


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
}
"""What is done by one call, by the name of the agent that does it before each move."""

SAID: dict[str, Callable[[Position], object]] = {
    "SaysNothing": lambda position: None,
    "SaysHuge": lambda position: 10**5000,
    "SaysNegative": lambda position: -1,
    "SaysBool": lambda position: True,
    "SaysFloat": lambda position: 4.0,
    "SaysLiar": lambda position: Liar(position.legal_moves[0]),
}
"""What is answered, by the name of the agent."""

for _name, _harm in HARMS.items():
    globals()[_name] = type(_name, (Hostile,), {"harm": lambda self, position, rng, harm=_harm: harm(position, rng)})
for _name, _say in SAID.items():
    globals()[_name] = type(_name, (), {"choose": lambda self, position, rng, say=_say: say(position)})

KINDS = sorted(
    name
    for name, kind in globals().items()
    if isinstance(kind, type)
    and kind.__module__ == __name__
    and hasattr(kind, "__dict__")
    and (hasattr(kind, "choose") or hasattr(kind, "decide"))
    and kind is not Hostile
    and not name.startswith("_")
)
"""The names of all of them."""
