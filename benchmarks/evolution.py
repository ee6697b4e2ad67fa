"""The time of a generation of evolution: ``uv run python -m benchmarks.evolution``.

The setting is BetaZero's: 23 candidates and their mean, 100 rounds each, from the start of training, including the strategy's
update. Numbers of threads alternate, so that other load on the machine affects all alike.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from statistics import median

from noughts.machine.environment import usable_cores
from noughts.training.evolution.config import EvolutionConfig
from noughts.training.evolution.train import Evolution
from noughts.training.schedule import Schedule


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print; exit with code 2 for invalid options."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evolution", description=__doc__)
    parser.add_argument("--task", default="tic-tac-toe", help="what is played")
    parser.add_argument("--generations", type=int, default=200, help="from the start of training, each time")
    parser.add_argument("--repeats", type=int, default=5, help="of each number of threads")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2, 4], help="numbers of them")
    options = parser.parse_args(words)
    if min(options.generations, options.repeats, *options.threads) < 1:
        sys.stderr.write("generations, repeats and threads are whole numbers from 1 on\n")
        return 2
    config = EvolutionConfig(task=options.task, schedule=Schedule(iterations=options.generations))
    run(config, 1, 1)  # compiles
    taken: dict[int, list[float]] = {threads: [] for threads in options.threads}
    for number in range(options.repeats):
        for threads in options.threads:
            sys.stderr.write(f"round {number + 1} of {options.repeats}: {threads} threads\n")
            taken[threads].append(run(config, threads, options.generations))
    print(
        f"a generation of {options.task}: milliseconds, median of {options.repeats} x {options.generations} generations, {usable_cores()} cores"
    )
    for threads, seconds in taken.items():
        each = [1e3 * value for value in seconds]
        print(f"  {threads} threads  {median(each):6.1f}   ({min(each):.1f} to {max(each):.1f})")
    return 0


def run(config: EvolutionConfig, threads: int, generations: int) -> float:
    """Seconds per generation on this many threads, from the start of training."""
    trainer = Evolution(config, threads)
    begun = time.perf_counter()
    for _ in range(generations):
        trainer.step()
    return (time.perf_counter() - begun) / generations


if __name__ == "__main__":
    sys.exit(main())
