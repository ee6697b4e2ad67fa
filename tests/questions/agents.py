"""Agents for the tests of questions. Used as ``python:tests.questions.agents:Name``."""

from noughts.agents import Decision, Want, build_agent
from noughts.agents.agent import OneByOne
from noughts.agents.asking import choose
from noughts.positions import Position, Rng
from noughts.rules import line_table


def never_loses(position: Position) -> int:
    return choose(build_agent("minimax:depth=9,eval=none,ties=first"), position, Rng())


def on_most_lines(position: Position) -> tuple[int, ...]:
    """The free cells that most lines run through."""
    through = line_table(position.rules).through
    most = max(len(through[cell]) for cell in position.legal_moves)
    return tuple(cell for cell in position.legal_moves if len(through[cell]) == most)


class Symmetric(OneByOne):
    """Claims symmetry correctly: it takes any of the cells that most lines run through."""

    symmetric = True

    def decide_one(self, position: Position, rng: Rng, want: Want) -> Decision:
        return Decision(rng.choice(on_most_lines(position)))

    def name_choices(self, position: Position) -> tuple[int, ...]:
        return on_most_lines(position)


class WorseAlone:
    """Claims to be shared. Never loses if it gets several positions at once, and plays the first free cell for one alone."""

    shared = True

    def decide(self, positions, rngs, want):  # type: ignore[no-untyped-def] # as a plugin is written
        return [Decision(never_loses(at) if len(positions) > 1 else at.legal_moves[0]) for at in positions]


class WorseInGames:
    """Claims to be shared; plays the first free cell if it saw the game before, and otherwise never loses."""

    shared = True

    def __init__(self) -> None:
        self.least = 99

    def decide(self, positions, rngs, want):  # type: ignore[no-untyped-def] # as a plugin is written
        self.least = min(self.least, *(at.ply for at in positions), 99)
        return [Decision(at.legal_moves[0] if self.least < at.ply else never_loses(at)) for at in positions]


class OnlySaysNothing:
    """Takes the first of the cells that most lines run through."""

    def choose(self, position, rng):  # type: ignore[no-untyped-def] # as a plugin is written
        return on_most_lines(position)[0]


class OnlySaysSo(OnlySaysNothing):
    """The same, and falsely claims to be symmetric."""

    symmetric = True
