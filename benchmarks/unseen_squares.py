"""How many games a trained agent wins against Minimax on brick squares it never saw: ``python -m benchmarks.unseen_squares RUN...``.

Ten games on each of the 49 squares of 7x7, and one on each of the 81 squares of 9x9, the agent moving first.
"""

import argparse
import sys
import time
from collections.abc import Sequence

from noughts.play.lockstep import play_together
from noughts.play.playthrough import GamePlan
from noughts.positions import derive_seed
from noughts.rules import format_rules, parse_task
from noughts.store.records import GameRecord

BOARDS = {"7x7": ("bttt(*)", 10), "9x9": ("mnk(9,9,4,bricks=*,full=second)", 1)}
"""A task, and games for each of its squares."""
OPPONENT = "minimax:depth=2"


def main(words: Sequence[str] | None = None) -> int:
    """Play and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.unseen_squares", description=__doc__)
    parser.add_argument("runs", nargs="+", metavar="RUN", help="training runs, by name or folder")
    parser.add_argument("--sims", type=int, nargs="+", default=[100, 0], help="simulations a move")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(words)
    for run in options.runs:
        for sims in options.sims:
            for board, (task, games) in BOARDS.items():
                began = time.perf_counter()
                records = play_squares(f"az:{run},sims={sims}", task, games, options.seed)
                won = [record for record in records if record.ending == "first"]
                lost = {record.rules for record in records if record.ending != "first"}
                squares = len({record.rules for record in records})
                different = len({(record.rules, record.moves) for record in records})
                sys.stdout.write(
                    f"{run}, {sims} simulations, {board}: won {len(won)} of {len(records)} games, all on "
                    f"{squares - len(lost)} of {squares} squares; {different} different games; "
                    f"{time.perf_counter() - began:.1f} s\n"
                )
    return 0


def play_squares(agent: str, task: str, games: int, seed: int) -> list[GameRecord]:
    """So many games of the agent on each square of a task, the agent moving first."""
    plans = [
        GamePlan(
            key=f"{rules} / {number}", rules=rules, first=agent, second=OPPONENT, seed=derive_seed(seed, rules, number)
        )
        for rules in map(format_rules, parse_task(task).rules)
        for number in range(games)
    ]
    return play_together(plans)


if __name__ == "__main__":
    sys.exit(main())
