"""The speed of the solvers: ``uv run python -m benchmarks.solvers [--large]``. About a minute on one core.

Of the peers only OpenSpiel solves games of the family, small ones; it is timed alternately with ours. The rest are plain
times on this machine, as medians and tails where there are many positions.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Iterator, Sequence

from noughts.machine.memory import GIB
from noughts.positions import Position, Rng, derive_seed
from noughts.rules import Rules, SolverError, parse_rules, parse_task
from noughts.rules.symmetry import image_classes
from noughts.solvers import Budget
from noughts.solvers.retrograde import Retrograde
from noughts.solvers.solve import Truth

POSITIONS = 400
PLIES = (4, 10)
REPEATS = 5
_TABLE_GIB = 9


def main(words: Sequence[str] | None = None) -> int:
    """Print one line for each measurement."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.solvers", description=__doc__)
    parser.add_argument("--large", action="store_true", help="Notakto 6x6 as well: 9 GiB, about a minute")
    large = parser.parse_args(words).large
    for line in (*_beside_openspiel(), *_middle_games(), *_brick_squares(), *_notakto(large)):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    return 0


def _beside_openspiel() -> Iterator[str]:
    """The value of the empty board, by new solvers, alternately; OpenSpiel's is alpha-beta in Python over C++ states."""
    try:
        import pyspiel
        from open_spiel.python.algorithms.minimax import alpha_beta_search
    except ImportError:
        yield "open-spiel is not installed: `uv sync` does it"
        return
    for name, text in (("tic_tac_toe", "tic-tac-toe"), ("misere(game=tic_tac_toe())", "misere-tic-tac-toe")):
        rules = parse_rules(text)
        seconds: dict[str, list[float]] = {"ours": [], "theirs": []}
        for repeat in range(-1, REPEATS):
            begun = time.perf_counter()
            ours = Truth(rules).prove(Position.start(rules)).value
            between = time.perf_counter()
            theirs, _ = alpha_beta_search(pyspiel.load_game(name))
            ended = time.perf_counter()
            assert ours == theirs
            if repeat >= 0:  # the first loads machine code
                seconds["ours"].append(between - begun)
                seconds["theirs"].append(ended - between)
        ratio = statistics.median(b / a for a, b in zip(seconds["ours"], seconds["theirs"], strict=True))
        times = {name: _time(statistics.median(found)) for name, found in seconds.items()}
        yield f"{text}: {times['ours']}; OpenSpiel's alpha_beta_search {times['theirs']}: {ratio:.0f}x"


def _middle_games() -> Iterator[str]:
    """Random positions of Brick Tic-Tac-Toe, each with a new solver."""
    games = parse_task("bttt(*)").rules
    seconds, wins = [], 0
    for number in range(-3, POSITIONS):  # the first three load machine code
        rng = Rng(derive_seed(0, "middle game", number))
        position = _random_position(games[rng.below(len(games))], PLIES[0] + rng.below(PLIES[1] - PLIES[0] + 1), rng)
        truth = Truth(position.rules)
        begun = time.perf_counter()
        proof = truth.prove(position)
        if number >= 0:
            seconds.append(time.perf_counter() - begun)
            wins += proof.value == 1
    cuts = statistics.quantiles(seconds, n=100)
    yield (
        f"bttt, {POSITIONS} random positions of {PLIES[0]} to {PLIES[1]} plies on random squares: median {_time(cuts[49])}, "
        f"p90 {_time(cuts[89])}, p99 {_time(cuts[98])}, most {_time(max(seconds))}; {wins} won for the side to move"
    )


def _random_position(rules: Rules, plies: int, rng: Rng) -> Position:
    while True:
        position = Position.start(rules)
        while not position.is_over and position.ply < plies:
            position = position.play(position.legal_moves[rng.below(len(position.legal_moves))])
        if not position.is_over:
            return position


def _brick_squares() -> Iterator[str]:
    """The empty board of each class of symmetric squares: its value, then the length of its shortest win."""
    value_seconds, span_seconds, nodes, plies = [], [], [], []
    for rules, *_ in image_classes(parse_task("bttt(*)").rules):
        truth, start, budget = Truth(rules), Position.start(rules), Budget()
        begun = time.perf_counter()
        proof = truth.prove(start, budget)
        value_seconds.append(time.perf_counter() - begun)
        nodes.append(budget.spent)
        assert proof.value == 1
        begun = time.perf_counter()
        plies.append(truth.span(start, start.to_move).plies)
        span_seconds.append(time.perf_counter() - begun)
    yield (
        f"bttt, the ten classes of brick squares: all won, {_time(sum(value_seconds))} in all, {_time(min(value_seconds))} to "
        f"{_time(max(value_seconds))} and {min(nodes):,} to {max(nodes):,} nodes each; the shortest wins, of "
        f"{' and '.join(sorted(set(map(str, plies)), key=int))} plies, {_time(sum(span_seconds))} more"
    )


def _notakto(large: bool) -> Iterator[str]:
    """Whole tables by retrograde analysis."""
    for n in range(1, 7 if large else 6):
        rules = parse_rules(f"notakto({n})")
        seconds = []
        for _ in range(1 if n == 6 else REPEATS):
            solver = Retrograde(rules, _TABLE_GIB * GIB)
            begun = time.perf_counter()
            try:
                proof = solver.prove(Position.start(rules), Budget())
            except SolverError as error:
                yield str(error)
                return
            seconds.append(time.perf_counter() - begun)
        winner = "first" if proof.value == 1 else "second"
        assert solver.table is not None
        lost = f"{solver.table.lost:,} of 2^{n * n} sets of marks are unfinished and lost for the side to move"
        yield f"notakto({n}): {winner} wins; {lost}; {_time(statistics.median(seconds))}"


def _time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"


if __name__ == "__main__":
    sys.exit(main())
