"""The readable reference implementation of a round. The kernels of `table` and `direct` draw the same random numbers.

A round is two games from one seed: the candidate plays first as first and then as second player. All randomness in a
game, including ties and the adversary's simulations, comes from one generator made of that seed, in the order in which
it is drawn here.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from noughts.agents.agent import one_of
from noughts.networks.value_network import ValueNetwork, best_of
from noughts.positions import Position, Rng, Side
from noughts.rules import Rules
from noughts.search.montecarlo import omniscient_adversary

Policy = Callable[[Position, Rng], int]


class RoundTally(NamedTuple):
    """The results of a candidate's games, and the number of moves in them."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    plies: int = 0

    def __add__(self, other: object) -> "RoundTally":
        """Add two tallies."""
        if not isinstance(other, RoundTally):
            return NotImplemented
        return RoundTally(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


class OpponentSettings(NamedTuple):
    """How the other side plays.

    Attributes:
        own: Whether the candidate's own network plays it; otherwise one of the opponents does.
        omniscient, simulations, random_moves: As in `EvolutionConfig`.
    """

    own: bool
    omniscient: bool
    simulations: int
    random_moves: float


def play_round(
    rules: Rules,
    candidate: ValueNetwork,
    opponents: Sequence[ValueNetwork | None],
    settings: OpponentSettings,
    tie_tolerance: float,
    seed: int,
) -> RoundTally:
    """Both games of a round; the arguments are those of `play_game`."""
    first, second = (play_game(rules, candidate, opponents, settings, tie_tolerance, seed, side) for side in Side)
    return first + second


def play_game(
    rules: Rules,
    candidate: ValueNetwork,
    opponents: Sequence[ValueNetwork | None],
    settings: OpponentSettings,
    tie_tolerance: float,
    seed: int,
    side: Side,
) -> RoundTally:
    """One game, the candidate on `side`.

    Args:
        opponents: The networks that may play the other side, of which one is drawn. None stands for random moves.
        tie_tolerance: As in `EvolutionConfig`, for all networks.
    """
    rng = Rng(seed)
    mine = policy(candidate, tie_tolerance)
    if settings.own:
        theirs = mine
    else:
        opponent = one_of(opponents, rng)
        theirs = random_move if opponent is None else policy(opponent, tie_tolerance)
    position = Position.start(rules)
    while not position.is_over:
        if position.to_move == side:
            move = mine(position, rng)
        elif settings.omniscient:
            # It knows the policy `theirs`, and assumes that its opponent plays by it.
            move = omniscient_adversary(position, settings.simulations, theirs, rng).move
        elif settings.random_moves > 0 and rng.random() < settings.random_moves:
            move = random_move(position, rng)
        else:
            move = theirs(position, rng)
        position = position.play(move)
    worth = position.outcome.value(side)
    return RoundTally(int(worth > 0), int(worth == 0), int(worth < 0), position.ply)


def policy(network: ValueNetwork, tie_tolerance: float) -> Policy:
    """A network's policy: a move of best value; of equal ones, one at random."""

    def choose(position: Position, rng: Rng) -> int:
        return one_of(best_of(network.values(position), tie_tolerance), rng)

    return choose


def random_move(position: Position, rng: Rng) -> int:
    """A uniformly random legal move."""
    return one_of(position.legal_moves, rng)
