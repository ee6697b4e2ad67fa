"""Agents for the tests of questions. Used as ``python:tests.questions.agents:Name``."""

from noughts.positions import Position, Rng


def never_loses(position: Position) -> int:
    from noughts.agents import build_agent
    from noughts.agents.asking import choose

    return choose(build_agent("minimax:depth=9,eval=none,ties=first"), position, Rng())


class Symmetric:
    """Claims symmetry correctly: it takes any of the cells that most lines run through."""

    symmetric = True

    def decide(self, positions, rngs, want):  # type: ignore[no-untyped-def] # as a plugin is written
        from noughts.agents import Decision, Want
        from noughts.rules import line_table

        found = []
        for position, rng in zip(positions, rngs, strict=True):
            through = line_table(position.rules).through
            most = max(len(through[cell]) for cell in position.legal_moves)
            choices = tuple(cell for cell in position.legal_moves if len(through[cell]) == most)
            move = choices[rng.below(len(choices))] if want is not Want.CHOICES else choices[0]
            found.append(Decision(move, choices if want is Want.CHOICES else ()))
        return found


class WorseAlone:
    """Claims to be shared. Never loses if it gets several positions at once, and plays the first free cell for one alone."""

    shared = True

    def decide(self, positions, rngs, want):  # type: ignore[no-untyped-def] # as a plugin is written
        from noughts.agents import Decision

        return [Decision(never_loses(at) if len(positions) > 1 else at.legal_moves[0]) for at in positions]


class WorseInGames:
    """Claims to be shared; plays the first free cell if it saw the game before, and otherwise never loses."""

    shared = True

    def __init__(self) -> None:
        self.least = 99

    def decide(self, positions, rngs, want):  # type: ignore[no-untyped-def] # as a plugin is written
        from noughts.agents import Decision

        self.least = min(self.least, *(at.ply for at in positions), 99)
        return [Decision(at.legal_moves[0] if self.least < at.ply else never_loses(at)) for at in positions]


class OnlySaysNothing:
    """Takes the first of the cells that most lines run through."""

    def choose(self, position, rng):  # type: ignore[no-untyped-def] # as a plugin is written
        from noughts.rules import line_table

        return max(position.legal_moves, key=lambda cell: (len(line_table(position.rules).through[cell]), -cell))


class OnlySaysSo(OnlySaysNothing):
    """The same, and falsely claims to be symmetric."""

    symmetric = True
