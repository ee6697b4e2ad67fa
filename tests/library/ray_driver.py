"""Plays a match on a Ray cluster, for tests that kill it: ``python -m tests.library.ray_driver ADDRESS SEED GAMES``.

It prints a line for each saved answer. The store is that of NOUGHTS_STORE.
"""

import sys

from noughts.agents import parse_agent
from noughts.library.asking import How, ask
from noughts.questions.played import Played
from noughts.rules import parse_task


def asked(seed: int, games: int) -> Played:
    """Games that take some tenths of a second."""
    a, b = parse_agent("mcts:sims=4000"), parse_agent("mcts:sims=3000")
    return Played(task=parse_task("bttt(D4)"), a=a, b=b, games=games, moves_first="a", opening_plies=1, seed=seed)


if __name__ == "__main__":
    address, seed, games = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    how = How(on=address, on_progress=lambda step: print(step.done, flush=True))
    ask([asked(seed, games)], "match", f"match {seed}", how)
    print("done", flush=True)
