"""A program that asks a Ray cluster for a match, for tests that kill it: ``python -m tests.library.ray_driver ADDRESS SEED GAMES``.

It prints a line for each answer that is kept. The store is that of NOUGHTS_STORE.
"""

import sys
from collections.abc import Generator

from noughts.agents import parse_agent
from noughts.library.asking import ask
from noughts.machine.executor import executor_of
from noughts.questions.answers import Answers
from noughts.questions.played import Played
from noughts.questions.progress import Progress
from noughts.rules import parse_task
from noughts.store.place import store_folder
from noughts.store.results import Run, Store


def asked(seed: int, games: int) -> Played:
    """Games of some tenths of a second."""
    a, b = parse_agent("mcts:sims=4000"), parse_agent("mcts:sims=3000")
    return Played(task=parse_task("bttt(D4)"), a=a, b=b, games=games, moves_first="a", opening_plies=1, seed=seed)


def told(steps: Generator[Progress, None, None], answers: Answers, run: Run) -> None:
    """A line for each step."""
    for step in steps:
        print(step.done, flush=True)


if __name__ == "__main__":
    address, seed, games = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with Store.open() as place:
        ask(
            [asked(seed, games)],
            place,
            "match",
            f"match {seed}",
            told,
            workers=executor_of(None, address, store_folder()),
        )
    print("done", flush=True)
