"""The strength of a network in training: games against Minimax, and its moves compared with exact values.

All random choices derive from the configuration's seed, so that all points of a curve use the same games and positions.
"""

from collections.abc import Mapping, Sequence

from noughts.agents import parse_agent
from noughts.agents.asking import possible_moves
from noughts.agents.learned import NetworkAgent
from noughts.examine.sample import sample_positions
from noughts.machine.memory import GIB
from noughts.play.playthrough import SIDES
from noughts.play.score import Score
from noughts.positions import Position, derive_seed
from noughts.rules import Rules, SolverError, parse_task
from noughts.search.guided import GuidedSearch, Servant
from noughts.search.settings import SearchSettings
from noughts.solvers import Budget
from noughts.solvers.solve import Truth
from noughts.training.self_play_config import SelfPlayConfig
from noughts.training.sparring import spar

_OPPONENT = parse_agent("minimax:depth=2")
_NODES = 5_000  # the solver's budget for a position; those that need more are left out, most of them early ones
_GAMES_WITH_TRUTH = 8


CriticalPosition = tuple[Position, frozenset[int]]
"""A non-trivial position, and its optimal moves."""


class NetworkStrength:
    """Measures a run's networks."""

    def __init__(self, config: SelfPlayConfig) -> None:
        self._config = config
        self._tasks = {"": parse_task(config.task).rules}
        if config.held_out:
            trained = set(self._tasks[""])
            self._tasks["held_out_"] = tuple(r for r in parse_task(config.held_out).rules if r not in trained)
        self._critical = {prefix: critical_positions(games, config) for prefix, games in self._tasks.items()}

    def measure(self, network: Servant) -> Mapping[str, float]:
        """Measure a network, as fractions from 0 to 1 by name; names for held-out games begin with ``held_out_``.

        ``first_score`` and ``second_score``: points against Minimax of depth 2 with random ties, a draw half a point,
        as first and second player. ``policy_optimal``, ``search_optimal``: optimal moves in non-trivial positions,
        without and with search.
        """
        config = self._config
        settings = config.search.model_copy(update={"simulations": config.measure_simulations, "terminal": "result"})
        search, policy = (
            NetworkAgent(GuidedSearch(network, chosen), "the network")
            for chosen in (settings, SearchSettings(simulations=0))
        )
        found: dict[str, float] = {}
        for prefix, games in self._tasks.items():
            servable = [rules for rules in games if network.refusal(rules) is None]
            if servable:
                found |= {prefix + name: score for name, score in _against_minimax(search, servable, config).items()}
            asked = [one for one in self._critical[prefix] if one[0].rules in servable]
            if asked:
                found[prefix + "policy_optimal"] = share_optimal(policy, asked)
                found[prefix + "search_optimal"] = share_optimal(search, asked)
        return found

    def counts(self, network: Servant) -> Mapping[str, int]:
        """The number of games or positions behind each fraction."""
        found: dict[str, int] = {}
        for prefix, games in self._tasks.items():
            servable = [rules for rules in games if network.refusal(rules) is None]
            if servable:
                found |= {f"{prefix}{side}_score": len(servable) * self._config.measure_games for side in SIDES}
            asked = sum(position.rules in servable for position, _ in self._critical[prefix])
            if asked:
                found |= {f"{prefix}{name}_optimal": asked for name in ("policy", "search")}
        return found


def critical_positions(games: Sequence[Rules], config: SelfPlayConfig) -> list[CriticalPosition]:
    """Non-trivial positions of random play, with their optimal moves; empty if no solver covers the games."""
    chosen = games[:: max(1, len(games) // _GAMES_WITH_TRUTH)][:_GAMES_WITH_TRUTH]
    asked: list[CriticalPosition] = []
    for rules in chosen if config.measure_positions else ():
        wanted = -(-config.measure_positions // len(chosen))
        strata = sample_positions(rules, -(-2 * wanted // rules.size), derive_seed(config.seed, "truth"))
        truth, found = Truth(rules, GIB), list[CriticalPosition]()
        for position in (position for stratum in strata for position in stratum.positions):
            if len(found) == wanted:
                break
            try:
                solution = truth.solve(position, Budget(_NODES))
            except SolverError:
                continue
            if solution.value is None or any(move.low != move.high for move in solution.moves):
                continue
            if len(solution.optimal) < len(solution.moves):
                found.append((position, frozenset(solution.optimal)))
        asked += found
    return asked


def share_optimal(agent: NetworkAgent, asked: Sequence[CriticalPosition]) -> float:
    """The fraction of positions in which the agent's move is optimal."""
    choices = possible_moves(agent, [position for position, _ in asked])
    return sum(move in optimal for (move,), (_, optimal) in zip(choices, asked, strict=True)) / len(asked)


def _against_minimax(agent: NetworkAgent, games: Sequence[Rules], config: SelfPlayConfig) -> dict[str, float]:
    scores = {}
    for side in SIDES:
        sparring = [
            (rules, derive_seed(config.seed, "strength", side, str(rules), number))
            for rules in games
            for number in range(config.measure_games)
        ]
        scores[f"{side}_score"] = Score.of(spar(agent, side, _OPPONENT, sparring), side).points
    return scores
