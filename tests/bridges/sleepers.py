"""An agent that cannot be interrupted."""

import time

from noughts.positions import Position, Rng


class Sleeper:
    """Plays at once on an empty board, sleeps for a minute after an even number of moves, and fails after an odd one."""

    def choose(self, position: Position, rng: Rng) -> int:
        if position.ply % 2:
            raise RuntimeError("too tired")
        if position.ply:
            time.sleep(60)
        return position.legal_moves[0]
