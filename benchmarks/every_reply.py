"""On which brick squares a trained agent is proved to win: ``python -m benchmarks.every_reply RUN --sims 32``.

Every reply is walked, the agent moving first and seeing positions from one side: then a square stands for all its
images, and ten walks settle all 49. Each takes minutes.
"""

import argparse
import sys
from collections.abc import Sequence

from noughts.agents import parse_agent
from noughts.machine import Done, run_jobs
from noughts.positions import Side
from noughts.rules import format_rules, parse_task
from noughts.rules.symmetry import image_classes
from noughts.studies.examined import Walked, walk_work


def main(words: Sequence[str] | None = None) -> int:
    """Walk and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.every_reply", description=__doc__)
    parser.add_argument("run", metavar="RUN", help="a training run, by name or folder")
    parser.add_argument("--sims", type=int, default=32, help="simulations a move")
    parser.add_argument("--task", default="bttt(*)", help="the games")
    parser.add_argument("--workers", type=int, help="processes; one for each core unless given")
    options = parser.parse_args(words)
    agent = str(parse_agent(f"az:{options.run},sims={options.sims},view=one-side"))
    proved, of = count_proved(agent, options.task, options.workers)
    sys.stdout.write(f"{agent}: proved on {proved} of {of}\n")
    return 0


def count_proved(agent: str, task: str, workers: int | None) -> tuple[int, int]:
    """Walk the classes of a task's games, each as it comes; how many games are proved to be won, and of how many.

    An agent that knows no left from right plays the images of a game alike.
    """
    classes = image_classes(parse_task(task).rules)
    asked = [walk_work(text := format_rules(group[0]), agent, text, Side.FIRST).job() for group in classes]
    sizes, proved = {job.key: len(group) for job, group in zip(asked, classes, strict=True)}, 0
    for result in run_jobs(asked, workers):
        if isinstance(result, Done):
            walked = Walked.from_json(result.value)
            proved += sizes[result.key] * walked.wins
            said = f"{walked}, {walked.decisions:,} decisions"
        else:
            said = f"failed: {result.message}"
        sys.stdout.write(f"{result.key} and {sizes[result.key] - 1} images: {said}\n")
        sys.stdout.flush()
    return proved, sum(sizes.values())


if __name__ == "__main__":
    sys.exit(main())
