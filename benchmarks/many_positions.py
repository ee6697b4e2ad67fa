"""``uv run python -m benchmarks.many_positions``: solve every move in a thousand random positions, on two cores.

Nothing is saved: the store is a temporary folder.
"""

import argparse
import os
import tempfile
import time
from collections import Counter

import noughts
from noughts.solvers import Solution


def open_moves(solution: Solution) -> int:
    """The number of moves whose value is not proved."""
    return sum(move.value is None for move in solution.moves)


def main() -> None:
    """Solve, and print the time and how many moves stayed unsolved, by ply."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", default="bttt(D4)")
    parser.add_argument("-n", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--nodes", type=int, default=None)
    given = parser.parse_args()
    limit = {} if given.nodes is None else {"nodes": given.nodes}
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NOUGHTS_STORE"] = folder
        positions = noughts.sample(given.rules, given.n, given.seed)
        begun, spent = time.monotonic(), os.times()
        solutions = noughts.solve_many(positions, given.workers, **limit)
        wall, now = time.monotonic() - begun, os.times()
    cpu = sum(now[:4]) - sum(spent[:4])
    found = list(zip(positions, solutions, strict=True))
    left = Counter(position.ply for position, solution in found if open_moves(solution))
    moves = sum(len(solution.moves) for solution in solutions)
    print(f"{len(found)} positions of {given.rules}: {wall:.1f} s, {cpu:.1f} s of processor time")
    print(
        f"every move decided in {len(found) - left.total()}; not in {left.total()}, by ply: {dict(sorted(left.items()))}"
    )
    print(f"moves {moves}, of which open {sum(map(open_moves, solutions))}")
    print(f"positions of no value {sum(solution.value is None for solution in solutions)}")


if __name__ == "__main__":
    main()
