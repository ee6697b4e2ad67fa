"""The overhead of a cluster, and its speed: ``uv run python -m benchmarks.cluster``.

    overhead   2,000 jobs of 5 ms: a Ray cluster of two nodes of one core on this machine, and two local workers
    scaling    games on one node of one core and on two

They need Ray and two idle cores. Rounds alternate, so that other load on the machine affects all alike.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence

from benchmarks.ray_cluster import ray_cluster
from noughts.agents import parse_agent
from noughts.machine import Job
from noughts.machine.executor import Executor, LocalWorkers
from noughts.machine.jobs import Done, Recorder
from noughts.questions.answers import Answers
from noughts.questions.carry_out import carry_out
from noughts.questions.played import Played
from noughts.rules import parse_task

_JOBS = 2000
_JOB_SECONDS = 0.005
_GAMES = 120


def nap(argument: str, recorder: Recorder) -> str:
    """A job that sleeps for `argument` seconds."""
    time.sleep(float(argument))
    return ""


def _timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _jobs() -> list[Job]:
    return [Job(str(number), "benchmarks.cluster:nap", str(_JOB_SECONDS)) for number in range(_JOBS)]


def _warm(executor: Executor) -> None:
    """Start its workers and load what the games need."""
    list(executor.run([Job(f"warm {number}", "benchmarks.cluster:nap", "0.3") for number in range(8)]))


def _play(executor: Executor, seed: int) -> None:
    """Play games of a few hundredths of a second each."""
    agents = parse_agent("mcts:sims=3000"), parse_agent("mcts:sims=2000")
    played = Played(
        task=parse_task("bttt(D4)"), a=agents[0], b=agents[1], games=_GAMES, moves_first="a", opening_plies=2, seed=seed
    )
    for _ in carry_out([played], Answers(), executor):
        pass


def measure_overhead(rounds: int) -> list[str]:
    """Lines of a table: local workers and a cluster, each with workers that are already running."""
    found: dict[str, list[float]] = {"two local workers": [], "two nodes of one core": []}
    with ray_cluster() as cluster:
        executor = cluster.executor()
        with executor.opened():
            _warm(executor)
            for _ in range(rounds):
                found["two local workers"].append(_timed_without_start(LocalWorkers(2)))
                found["two nodes of one core"].append(_timed(lambda: _all_done(executor)))
    local = found["two local workers"]
    return [
        f"| {name} | {statistics.median(times):.2f} | {min(times):.2f} to {max(times):.2f} | "
        f"{statistics.median(time_ / here for time_, here in zip(times, local, strict=True)):.2f} |"
        for name, times in found.items()
    ]


def _all_done(executor: Executor) -> None:
    """Run all jobs; RuntimeError if one fails, because failing takes no time."""
    results = list(executor.run(_jobs()))
    if not all(isinstance(result, Done) for result in results):
        raise RuntimeError(f"a job failed: {results[0]}")


def _timed_without_start(executor: Executor) -> float:
    """Time from the first result on, because local workers start again for each list of jobs."""
    work = executor.run(_jobs())
    next(work)
    return _timed(lambda: list(work)) * _JOBS / (_JOBS - 1)


def measure_scaling(rounds: int) -> list[str]:
    """Lines of a table: the same games on one node and on two, alternately."""
    times: dict[int, list[float]] = {1: [], 2: []}
    with ray_cluster() as cluster:
        executors = {count: cluster.executor(workers=count) for count in times}
        with executors[1].opened():
            _play(executors[1], seed=0)
        for number in range(rounds):
            for count, executor in executors.items():
                with executor.opened():
                    _warm(executor)
                    _play(executor, seed=1000)  # so that the workers have loaded everything
                    times[count].append(_timed(lambda e=executor, s=number: _play(e, s + 1)))  # type: ignore[misc]
    ratios = [one / two for one, two in zip(times[1], times[2], strict=True)]
    lines = [f"| {count} | {_GAMES / statistics.median(some):.1f} | |" for count, some in times.items()]
    lines[1] = lines[1][:-2] + f" {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) |"
    return lines


_HEADS = {
    "overhead": [
        f"| {_JOBS:,} jobs of {1000 * _JOB_SECONDS:.0f} ms | seconds | least to greatest | times as long |",
        "|---|---:|---:|---:|",
    ],
    "scaling": ["| nodes of one core | games a second | times as many |", "|---|---:|---:|"],
}


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print; exit with code 2 for invalid options."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster", description=__doc__)
    parser.add_argument("--part", choices=sorted(_HEADS), action="append", help="only this; may be repeated")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(words)
    parts: dict[str, Callable[[], list[str]]] = {
        "overhead": lambda: measure_overhead(options.rounds),
        "scaling": lambda: measure_scaling(options.rounds),
    }
    for name in options.part or parts:
        table = [*_HEADS[name], *parts[name]()]
        sys.stdout.write("\n".join(table) + "\n\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
