"""Agents for the tests of questions. Used as ``python:tests.questions.agents:Name``."""

from tests.agents.alone import never_loses


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
