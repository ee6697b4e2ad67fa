"""`Evolution`: the trainer. One iteration is a generation: all candidates play, and the strategy learns their ranks.

BetaZero by CMA-ES, "Fitness" and "Optimization". A candidate's fitness is how often it loses to an omniscient adversary
that simulates the best so far in its place.
"""

import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import NamedTuple

import numpy as np
import safetensors.numpy
from numpy.typing import NDArray

from noughts.networks.value_network import VALUE_WEIGHTS, ValueNetwork, hidden_widths, parameter_count, save_values
from noughts.positions import derive_seed
from noughts.training.evolution.config import EvolutionConfig
from noughts.training.evolution.direct import NetworkStack
from noughts.training.evolution.fitness import Playing, Rounds
from noughts.training.evolution.rounds import OpponentSettings, RoundTally
from noughts.training.evolution.strategies import make_strategy
from noughts.training.evolution.strength import EvolutionStrength

_CHAMPIONS, _COUNTERS = "champions.safetensors", "counters.json"
_MEAN = -1  # the number of the mean, next to those of the candidates, when rounds are drawn for each

HALL_SIZE = 1000
"""The number of latest former bests in a hall of fame."""


class EvolutionState(NamedTuple):
    """The state of a run between two iterations, besides the strategy.

    Attributes:
        iteration: Generations done.
        positions: Positions seen in games; the adversary's simulations are not counted.
        champions: float64 [bests so far that may still play the other side, parameters], the latest last.
        replaced: How often the best so far was replaced.
        rounds: Rounds for each candidate in the next generation.
    """

    iteration: int
    positions: int
    champions: NDArray[np.float64]
    replaced: int
    rounds: int


class Evolution:
    """A run of evolution: a `Trainer`.

    Equal configurations give equal runs, bit for bit, on the same machine, for any number of threads.

    Attributes:
        config: The configuration.
        widths: The widths of the network's layers.
    """

    def __init__(self, config: EvolutionConfig, threads: int | None = None) -> None:
        """Prepare a run before its first iteration; `threads` as in `Playing`. NoughtsError if it cannot be made."""
        self.config = config
        self.task = config.games
        self.widths = hidden_widths(config.hidden, self.task.rules[0])
        parameters = parameter_count(self.widths)
        self._strategy = make_strategy(config, parameters, derive_seed(config.seed, "strategy"))
        settings = OpponentSettings(
            config.opponent == "self", config.omniscient, config.simulations, config.random_moves
        )
        self._kept = {"hall": HALL_SIZE, "recent": config.recent}.get(config.opponent, 1)
        self._playing = Playing(self.task.rules, self.widths, config.tie_tolerance, settings, threads)
        self._advancing = ThreadPoolExecutor(1, "strategy")
        self._advancing.submit(_nothing).result()  # starts its one thread now
        self._now = EvolutionState(0, 0, np.zeros((1, parameters)), 0, config.rounds)

    @property
    def iteration(self) -> int:
        """Generations done."""
        return self._now.iteration

    @property
    def positions(self) -> int:
        """Positions seen in games."""
        return self._now.positions

    @property
    def mean(self) -> ValueNetwork:
        """The distribution's mean."""
        return ValueNetwork(self.widths, self._strategy.mean)

    @property
    def best(self) -> ValueNetwork:
        """The best so far."""
        return ValueNetwork(self.widths, self._now.champions[-1])

    def step(self) -> Mapping[str, float]:
        """Run one generation: the candidates and their mean play, and the strategy learns."""
        config, now = self.config, self._now
        mean, candidates = self._strategy.mean, self._strategy.candidates
        playing = np.concatenate([candidates, mean[None]])
        tallies = self._playing.tallies(playing, self._rounds(len(candidates)), self._opponents())
        *others, own = tallies
        lost = _lost_rounds(own, now.rounds)
        is_better = lost < config.threshold
        # "When # losses fell below 10" in the paper: a count, so it is harder to reach with more rounds.
        grows = config.growth > 0 and own.losses / 2 < config.threshold
        grown = max(1, round(config.growth * now.rounds)) if grows else 0
        champions = np.concatenate([now.champions, mean[None]])[-self._kept :] if is_better else now.champions
        following = EvolutionState(
            now.iteration + 1,
            now.positions + sum(tally.plies for tally in tallies),
            champions,
            now.replaced + is_better,
            min(now.rounds + grown, max(now.rounds, config.most_rounds)),
        )
        self._advance(np.array([self._fitness(tally) for tally in others]), following)
        losses = [_lost_rounds(tally, now.rounds) for tally in others]
        return {
            "lost_by_mean": lost,
            "lost_by_median": float(np.median(losses)),
            "lost_by_least": min(losses),
            "sigma": self._strategy.sigma,
            "replaced": float(following.replaced),
            "rounds": float(now.rounds),
        }

    def measure(self) -> Mapping[str, float]:
        """Measure the strength of the mean, and that of the best so far under names with the prefix ``best_``."""
        best = {f"best_{name}": value for name, value in self._strength.measure(self.best.parameters).items()}
        return {**self._strength.measure(self.mean.parameters), **best}

    def measured_counts(self) -> Mapping[str, int]:
        """The number of games in the mean of each measurement."""
        found = self._strength.counts()
        return found | {f"best_{name}": count for name, count in found.items()}

    @cached_property
    def _strength(self) -> EvolutionStrength:
        return EvolutionStrength(self.config, self.widths)

    def weights(self) -> dict[str, bytes]:
        """The file of weights for agents."""
        about = {
            "method": "es",
            "task": self.config.task,
            "iteration": self.iteration,
            "positions": self.positions,
            "tie_tolerance": self.config.tie_tolerance,
        }
        return {VALUE_WEIGHTS: save_values({"mean": self.mean, "best": self.best}, about)}

    def state(self) -> dict[str, bytes]:
        """The whole state, from which `restore` resumes bit for bit."""
        now = self._now
        counters = {
            "iteration": now.iteration,
            "positions": now.positions,
            "replaced": now.replaced,
            "rounds": now.rounds,
        }
        return {
            **self._strategy.state(),
            _CHAMPIONS: safetensors.numpy.save({"champions": now.champions}),
            _COUNTERS: json.dumps(counters).encode(),
        }

    def restore(self, files: Mapping[str, bytes]) -> None:
        """Resume from the result of `state`."""
        counters = json.loads(files[_COUNTERS])
        champions = safetensors.numpy.load(files[_CHAMPIONS])["champions"]
        self._strategy.restore(files)
        self._now = EvolutionState(champions=champions, **counters)

    def _rounds(self, candidates: int) -> list[Rounds]:
        """The rounds for each candidate, and last those for the mean."""
        now, config = self._now, self.config
        generation = 0 if config.seeds == "fixed" else 1 + now.iteration
        if config.seeds != "own":
            return [self._draw(now.rounds, generation, 0)] * (candidates + 1)
        return [self._draw(now.rounds, generation, number) for number in (*range(candidates), _MEAN)]

    def _draw(self, rounds: int, *keys: int) -> Rounds:
        """The first `rounds` rounds of the random sequence that `keys` seed."""
        seeds, games = (
            np.random.Generator(np.random.PCG64(derive_seed(self.config.seed, name, *keys)))
            for name in ("rounds", "games")
        )
        weights = np.array(self.task.weights)
        drawn = np.searchsorted(np.cumsum(weights / weights.sum()), games.random(rounds), side="right")
        return Rounds(
            seeds.integers(0, 1 << 63, rounds, dtype=np.uint64),
            np.minimum(drawn, len(weights) - 1).astype(np.int64),
        )

    def _opponents(self) -> NetworkStack:
        """The networks that may play the other side. A champion's number is its place in the sequence of bests, from 1 on."""
        now, config = self._now, self.config
        champions = now.champions[:0] if config.opponent == "random" else now.champions
        end = now.replaced + 2
        numbers = np.arange(end - len(champions), end)
        return NetworkStack(np.array(self.widths), champions, numbers, config.tie_tolerance)

    def _fitness(self, tally: RoundTally) -> float:
        return float(tally.losses if self.config.objective == "losses" else tally.losses - tally.wins)

    def _advance(self, fitness: NDArray[np.float64], following: EvolutionState) -> None:
        """Let the strategy learn and set the new state: both or neither, even if Ctrl-C comes in between."""

        def both() -> None:
            self._strategy.advance(fitness)
            self._now = following

        # KeyboardInterrupt is raised only in the main thread, so another thread does both without interruption.
        try:
            self._advancing.submit(both).result()
        except KeyboardInterrupt:
            self._advancing.submit(_nothing).result()  # waits: with one thread, `both` is done before this
            raise


def _nothing() -> None:
    """Do nothing. In a pool of one thread, waiting for this waits for all jobs submitted before."""


def _lost_rounds(tally: RoundTally, rounds: int) -> float:
    """Lost rounds of 100, with half a round per game."""
    return 50.0 * tally.losses / rounds
