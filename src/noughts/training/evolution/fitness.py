"""`Playing`: the games of a generation, on all cores.

Every candidate is a separate job, and all randomness in a game comes from its round's seed, so the tallies do not
depend on the number of threads.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from threading import Event
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.machine.environment import usable_cores
from noughts.networks.value_network import Parameters
from noughts.positions.graph import is_small
from noughts.rules import NoughtsError, Rules
from noughts.training.evolution.direct import NetworkStack, Room, new_room, play_direct
from noughts.training.evolution.rounds import OpponentSettings, RoundTally
from noughts.training.evolution.table import (
    EVERYTHING,
    Masks,
    all_masks,
    memoized_network,
    play_table,
    seen,
)

_LOOKED_UP = 20  # rounds between two checks for an interrupt


class Rounds(NamedTuple):
    """The rounds of a candidate: uint64 [rounds] seeds, and the index of each round's game in the task, [rounds]."""

    seeds: NDArray[np.uint64]
    games: NDArray[np.int64]


class Playing:
    """Plays candidates of one shape against opponents in the games of a task.

    Attributes:
        threads: The number of threads that play.
    """

    def __init__(
        self,
        games: Sequence[Rules],
        widths: tuple[int, ...],
        tolerance: float,
        settings: OpponentSettings,
        threads: int | None = None,
    ) -> None:
        """NoughtsError for an invalid number of threads; None means one for each core that this process may use."""
        if threads is not None and not 1 <= threads <= 1024:
            raise NoughtsError(f"devices={threads} is not allowed: give a whole number from 1 to 1024")
        self._games, self._widths, self._tolerance, self._settings = tuple(games), widths, tolerance, settings
        self.threads = threads or usable_cores()
        self._pool = ThreadPoolExecutor(self.threads, "rounds")
        self._small = all(map(is_small, self._games))
        self._masks: dict[tuple[Rules, int], Masks] = {}
        self._rooms = SimpleQueue[dict[Rules, Room]]()
        for _ in range(self.threads):
            self._rooms.put({})
        self._candidates = 0
        if self._small:
            for rules in self._games:
                seen(rules)

    def tallies(self, candidates: Parameters, rounds: Sequence[Rounds], opponents: NetworkStack) -> list[RoundTally]:
        """The results of each candidate, [candidates, parameters], in its rounds.

        The `owners` of opponents are numbers from 1 on, never reused for other parameters.
        """
        masks = self._masks_of(opponents) if self._small else {}
        first, stopped = self._candidates, Event()
        self._candidates += len(candidates)

        def play(number: int) -> RoundTally:
            return self._play(candidates[number], -1 - first - number, rounds[number], opponents, masks, stopped)

        try:
            return list(self._pool.map(play, range(len(candidates))))
        except BaseException:
            stopped.set()
            raise

    def _play(
        self,
        parameters: Parameters,
        owner: int,
        rounds: Rounds,
        opponents: NetworkStack,
        masks: Mapping[Rules, Masks],
        stopped: Event,
    ) -> RoundTally:
        """Play all rounds of a candidate. Ends early if `stopped` is set, because the result is not used then."""
        tally = np.zeros(4, np.int64)
        for game, rules in enumerate(self._games):
            seeds = rounds.seeds[rounds.games == game] if len(self._games) > 1 else rounds.seeds
            if not len(seeds):
                continue
            if self._small:
                network = memoized_network(rules, self._widths, parameters, self._tolerance)
                for some in _slices(seeds, _LOOKED_UP, stopped):
                    play_table(rules, network, masks[rules], self._settings, some, tally)
            else:
                self._play_direct(rules, parameters, owner, _slices(seeds, 1, stopped), opponents, tally)
        return RoundTally(*map(int, tally))

    def _play_direct(
        self,
        rules: Rules,
        parameters: Parameters,
        owner: int,
        slices: Iterable[NDArray[np.uint64]],
        opponents: NetworkStack,
        tally: NDArray[np.int64],
    ) -> None:
        rooms = self._rooms.get()
        try:
            if rules not in rooms:
                rooms[rules] = new_room(rules, self._widths)
            candidate = opponents._replace(parameters=parameters[None], owners=np.array([owner], np.int64))
            for some in slices:
                play_direct(rules, candidate, opponents, self._settings, some, rooms[rules], tally)
        finally:
            self._rooms.put(rooms)

    def _masks_of(self, opponents: NetworkStack) -> dict[Rules, Masks]:
        """The possible moves of each opponent in every position of each game, [networks, positions]. Drops former opponents
        from the cache."""
        numbers: list[int] = opponents.owners.tolist() or [0]
        wanted = {(rules, number) for rules in self._games for number in numbers}
        self._masks = {key: masks for key, masks in self._masks.items() if key in wanted}
        for rules in self._games:
            if not opponents.owners.size and (rules, 0) not in self._masks:
                positions = len(seen(rules).first) - 1
                self._masks[rules, 0] = np.full(positions, EVERYTHING, np.int32)
            for number, parameters in zip(opponents.owners.tolist(), opponents.parameters, strict=True):
                if (rules, number) not in self._masks:
                    self._masks[rules, number] = all_masks(rules, self._widths, parameters, self._tolerance)
        return {rules: np.stack([self._masks[rules, n] for n in numbers]) for rules in self._games}


def _slices(seeds: NDArray[np.uint64], size: int, stopped: Event) -> Iterator[NDArray[np.uint64]]:
    """Yield `size` seeds at a time until `stopped` is set. A kernel cannot be interrupted, so each call is short."""
    for start in range(0, len(seeds), size):
        if stopped.is_set():
            return
        yield seeds[start : start + size]
