"""An agent that plays worse when it decides one position alone. ``python:tests.agents.alone:WorseAlone``."""

from noughts.positions import Position, Rng


def never_loses(position: Position) -> int:
    from noughts.agents import build_agent
    from noughts.agents.asking import choose

    return choose(build_agent("minimax:depth=9,eval=none,ties=first"), position, Rng())


class WorseAlone:
    """Claims to be shared. Never loses if it gets several positions at once, and plays the first free cell for one alone."""

    shared = True

    def decide(self, positions, rngs, want):  # type: ignore[no-untyped-def] # as a plugin is written
        from noughts.agents import Decision

        return [Decision(never_loses(at) if len(positions) > 1 else at.legal_moves[0]) for at in positions]
