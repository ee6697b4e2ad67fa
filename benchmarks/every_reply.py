"""On which brick squares a trained agent is proved to win: ``python -m benchmarks.every_reply RUN --sims 32``.

Every reply is walked, the agent moving first and seeing positions from one side: then a square stands for all its
images, and ten walks settle all 49. Each takes minutes.
"""

import argparse
import multiprocessing
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from noughts.agents import build_agent
from noughts.matches.walk import walk_until_lost
from noughts.positions import Side
from noughts.rules import format_rules, parse_rules, parse_task
from noughts.rules.symmetry import image_classes


def main(words: Sequence[str] | None = None) -> int:
    """Walk and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.every_reply", description=__doc__)
    parser.add_argument("run", metavar="RUN", help="a training run, by name or folder")
    parser.add_argument("--sims", type=int, default=32, help="simulations a move")
    parser.add_argument("--task", default="bttt(*)", help="the games")
    parser.add_argument("--workers", type=int, default=4)
    options = parser.parse_args(words)
    agent = f"az:{options.run},sims={options.sims},view=one-side"
    classes = image_classes(parse_task(options.task).rules)
    proved, spawned = 0, multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(options.workers, mp_context=spawned) as pool:
        asked = [(agent, format_rules(group[0])) for group in classes]
        for group, line in zip(classes, pool.map(walk, asked), strict=True):
            proved += len(group) * line.startswith("proved")
            sys.stdout.write(f"{format_rules(group[0])} and {len(group) - 1} images: {line}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{agent}: proved on {proved} of {sum(map(len, classes))}\n")
    return 0


def walk(asked: tuple[str, str]) -> str:
    """What the walk of one game found, in words."""
    agent, text = asked
    rules, began = parse_rules(text), time.perf_counter()
    found = walk_until_lost(lambda: build_agent(agent), rules, Side.FIRST)
    spent = f"{found.decisions:,} decisions, {time.perf_counter() - began:.0f} s"
    if found.lost_game is not None:
        return f"beaten by {' '.join(map(rules.name_of, found.lost_game))}; {spent}"
    if found.drawn:
        return f"never beaten, and not always a win; {spent}"
    return f"proved to win in at most {found.longest} plies; {spent}"


if __name__ == "__main__":
    sys.exit(main())
