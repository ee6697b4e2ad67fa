"""The evolved agent: a value network from a training run, with a search of one ply."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from noughts.agents.agent import Decision, Want, grouped, one_of
from noughts.agents.trained import read_weights, weights_hash
from noughts.networks.errors import NetworkError
from noughts.networks.value_network import VALUE_WEIGHTS, load_values
from noughts.positions import Position, Rng
from noughts.rules import AgentError, NoughtsError, Rules
from noughts.search.lookahead import LookAhead


class ValueAgent:
    """Plays the move of best value; of equal ones, one at random.

    Attributes:
        called: Its name in errors.
    """

    def __init__(self, look_ahead: LookAhead, called: str = "the network") -> None:
        self._ahead, self.called = look_ahead, called

    def decide(self, positions: Sequence[Position], rngs: Sequence[Rng], want: Want = Want.MOVE) -> list[Decision]:
        """One of the best moves, which are the choices, and their values; AgentError if the network does not support a game."""
        choices = grouped(positions, lambda position: position.rules, self._choices)
        if want is Want.CHOICES:
            return [Decision(moves[0], moves) for moves in choices]
        moves = [one_of(some, rng) for some, rng in zip(choices, rngs, strict=True)]
        if want is Want.MOVE:
            return [Decision(move) for move in moves]
        asked = zip(positions, moves, strict=True)
        return [Decision(move, analysis=self._ahead.search(position, move)) for position, move in asked]

    def _choices(self, positions: Sequence[Position]) -> list[tuple[int, ...]]:
        """All best moves in each position; the positions are of one game."""
        self._require(positions[0])
        return self._ahead.choices(positions)

    def refusal(self, rules: Rules) -> str | None:
        """Why the network does not support a game; None if it does."""
        return self._ahead.network.refusal(rules)

    def _require(self, position: Position) -> None:
        refusal = self.refusal(position.rules)
        if refusal is not None:
            raise AgentError(f"{self.called} cannot play {position.rules}: {refusal}")


def evolved(target: str, which: Literal["mean", "best"], ties: str) -> ValueAgent:
    """The agent of a training run, or of a file of its weights.

    Raises:
        AgentError: there is no such run, iteration or file, or its weights are damaged.
    """
    try:
        ahead = _loaded(target, weights_hash(target), which)
    except NoughtsError as error:
        raise AgentError(f"agent 'es:{target}': {error}") from error
    tolerance = ahead.tolerance if ties == "trained" else float(ties)
    return ValueAgent(LookAhead(ahead.network, tolerance), f"es:{target}")


@lru_cache(maxsize=64)
def _loaded(target: str, digest: str, which: str) -> LookAhead:
    """Load a target's network. `digest` is the hash of its weights, so that replaced weights are loaded again."""
    networks, about = load_values(read_weights(target, VALUE_WEIGHTS))
    if which not in networks:
        raise NetworkError(f"{VALUE_WEIGHTS} has no network {which!r}; it has {', '.join(sorted(networks))}")
    tolerance = about.get("tie_tolerance")
    if not isinstance(tolerance, float | int):
        raise NetworkError(f"{VALUE_WEIGHTS} has no tie_tolerance, below which moves are equal")
    return LookAhead(networks[which], float(tolerance))
