"""The strength of a value network in training: games against minimax.

This is the paper's external benchmark, which does not influence training.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from noughts.agents import parse_agent
from noughts.agents.evolved import ValueAgent
from noughts.networks.value_network import Parameters, ValueNetwork
from noughts.play.playthrough import SIDES
from noughts.play.score import Player, Score
from noughts.positions import derive_seed
from noughts.positions.graph import game_graph, is_small
from noughts.rules import Rules
from noughts.search.best_moves import best_moves
from noughts.search.lookahead import LookAhead
from noughts.search.patterns import PATTERN_TABLES
from noughts.store.records import GameRecord
from noughts.training.evolution.config import EvolutionConfig
from noughts.training.evolution.rounds import OpponentSettings, RoundTally
from noughts.training.evolution.table import Masks, memoized_network, play_table
from noughts.training.sparring import spar

_SHALLOW = parse_agent("minimax:depth=2")


class EvolutionStrength:
    """Measures a run's networks."""

    def __init__(self, config: EvolutionConfig, widths: tuple[int, ...]) -> None:
        self._config, self._widths, self._games = config, widths, config.games.rules
        self._exact: dict[Rules, Masks] = {rules: _exact_masks(rules) for rules in self._games if is_small(rules)}

    def measure(self, parameters: Parameters) -> Mapping[str, float]:
        """Measure one network.

        ``lost_rounds``: of 100 rounds of two games each, a game counting a half, against minimax. In a small game minimax
        searches to the end, with random ties among the quickest wins; otherwise its depth is 2. ``drawn_rounds``: draws.
        """
        rounds = self._config.measure_rounds
        tallies = [
            self._small(parameters, rules, rounds) if rules in self._exact else self._large(parameters, rules, rounds)
            for rules in self._games
        ]
        total = sum(tallies, RoundTally())
        scale = 100 / (2 * rounds * len(self._games))
        return {"lost_rounds": scale * total.losses, "drawn_rounds": scale * total.draws}

    def counts(self) -> dict[str, int]:
        """The number of games behind each share of rounds."""
        played = 2 * self._config.measure_rounds * len(self._games)
        return {"lost_rounds": played, "drawn_rounds": played}

    def _small(self, parameters: Parameters, rules: Rules, rounds: int) -> RoundTally:
        tally = np.zeros(4, np.int64)
        memoized = memoized_network(rules, self._widths, parameters, self._config.tie_tolerance)
        settings = OpponentSettings(own=False, omniscient=False, simulations=1, random_moves=0.0)
        play_table(rules, memoized, self._exact[rules][None], settings, self._seeds(rules, rounds), tally)
        return RoundTally(*map(int, tally))

    def _large(self, parameters: Parameters, rules: Rules, rounds: int) -> RoundTally:
        network = ValueNetwork(self._widths, parameters)
        agent = ValueAgent(LookAhead(network, self._config.tie_tolerance))
        sparring = [(rules, int(seed)) for seed in self._seeds(rules, rounds)]
        return sum((_tally(spar(agent, side, _SHALLOW, sparring), side) for side in SIDES), start=RoundTally())

    def _seeds(self, rules: Rules, rounds: int) -> Any:
        generator = np.random.Generator(np.random.PCG64(derive_seed(self._config.seed, "strength", str(rules))))
        return generator.integers(0, 1 << 63, rounds, dtype=np.uint64)


def _tally(records: Sequence[GameRecord], side: Player) -> RoundTally:
    score = Score.of(records, side)
    lost = len(records) - score.wins - score.draws  # also by an error
    return RoundTally(score.wins, score.draws, lost, sum(len(record.moves) for record in records))


def _exact_masks(rules: Rules) -> Masks:
    """The moves that the papers' minimax player may choose in every position of a small game."""
    _, positions = game_graph(rules)
    asked = [number for number, position in enumerate(positions) if not position.is_over]
    best = best_moves([positions[number] for number in asked], rules.size, PATTERN_TABLES["none"](rules))
    masks = np.zeros(len(positions), np.int32)
    for number, moves in zip(asked, best, strict=True):
        legal = positions[number].legal_moves
        masks[number] = sum(1 << place for place, move in enumerate(legal) if move in moves)
    return masks
