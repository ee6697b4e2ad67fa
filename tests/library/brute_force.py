"""Compare random small games with brute force without symmetries: ``python -m tests.library.brute_force --games 3000 --seed 0``.

Games have up to 12 cells and use all fields; joined edges, several boards and lines as long as a side are more frequent than usual.
For each game, exhaustive search computes the truth (`tests.solvers.brute_force`), and an agent decides every position that it
can meet, one by one. Compared are values, lengths and moves of positions in a dataset, proofs, lost games, counts of games, loss
rates, scores, and puzzles. Each fault is printed on a line, and counted at the end.
"""

import argparse
import atexit
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from multiprocessing import get_context
from random import Random

import noughts
from noughts.agents import build_agent
from noughts.agents.asking import possible_moves
from noughts.library.asking import read_agent
from noughts.play.playthrough import SIDES
from noughts.positions import FIRST_MARK, SECOND_MARK, Outcome, Position, Side
from noughts.rules import NoughtsError, Rules
from noughts.rules.squares import WRAPS, lines_on_board
from tests.solvers.brute_force import NO_DISTANCE, every_position

SHAPES = [
    (rows, cols, boards)
    for boards in (1, 2, 3)
    for rows in range(1, 7)
    for cols in range(1, 7)
    if rows * cols * boards <= 12
]
AGENTS = (
    "minimax:depth=1",
    "minimax:depth=2",
    "minimax:depth=3,ties=first",
    "minimax:depth=2,eval=none",
    "perfect",
    "perfect:ties=first",
    "az:example,sims=0,view=canonical",
    "az:example,sims=0",
    "python:tests.questions.agents:Symmetric",
    "python:tests.questions.agents:OnlySaysSo",
    "python:tests.agents.alone:WorseAlone",
)
REFUSED = AGENTS[-1]  # it may be detected and rejected, but never proved
MOST_SCORED = 1500  # positions per game in which an agent is scored
SAMPLED = 12  # labelled positions per game

Truth = dict[tuple[int, int], tuple[int, int | None]]


def draw_rules(rng: Random) -> Rules:
    """A small game; half of them have joined edges, and half have lines as long as a side."""
    rows, cols, boards = rng.choice(
        SHAPES if rng.random() < 0.3 else [shape for shape in SHAPES if shape[0] * shape[1] >= 4]
    )
    k = rng.choice([rows, cols, max(rows, cols), rng.randint(1, max(rows, cols))])
    bricks = set(rng.sample(range(rows * cols), rng.choice([0, 0, 1, 1, 2]) if rows * cols > 2 else 0))
    wrap = rng.choice(["none", *WRAPS, "both"])
    return Rules(
        rows=rows,
        cols=cols,
        k=k,
        bricks=tuple(sorted(bricks)),
        marks="shared" if boards > 1 else rng.choice(["own", "own", "shared"]),
        line=rng.choice(["wins", "loses"]),
        full=rng.choice(["draw", "first", "second"]),
        boards=boards,
        wrap=wrap,
        lineless=not any(lines_on_board(rows, cols, k, bricks, wrap)),
    )


def marks_of(position: Position) -> tuple[int, int]:
    """The key of a position in a `Truth`."""
    first, second = (
        sum(1 << cell for cell, held in enumerate(position.cells) if held == mark) for mark in (FIRST_MARK, SECOND_MARK)
    )
    return first, second


def truth_of(rules: Rules) -> Truth:
    """Value for the side to move, and plies to the end, of every unfinished position."""
    found = every_position(rules)
    each = zip(found.first.tolist(), found.second.tolist(), found.value.tolist(), found.distance.tolist(), strict=True)
    return {(a, b): (value, None if plies == NO_DISTANCE else plies) for a, b, value, plies in each}


def value_after(truth: Truth, position: Position, move: int) -> tuple[int, int | None]:
    """The value of a move for the player who makes it, and the remaining length of the game."""
    after = position.play(move)
    if after.is_over:
        worth = after.outcome.value(position.to_move)
        return worth, None if worth == 0 else 1
    value, plies = truth[marks_of(after)]
    return -value, None if plies is None else plies + 1


def walked(rules: Rules, truth: Truth) -> list[Position]:
    """A position for each entry of the truth; the rules are checked to reach no others."""
    seen, open_ones = dict[tuple[int, int], Position](), [Position.start(rules)]
    while open_ones:
        position = open_ones.pop()
        if position.is_over or marks_of(position) in seen:
            continue
        seen[marks_of(position)] = position
        open_ones += map(position.play, position.legal_moves)
    assert seen.keys() == truth.keys(), f"{rules}: {len(seen)} positions go on, and by brute force {len(truth)}"
    return list(seen.values())


class Fate:
    """The results of every reply to an agent that decides each position separately."""

    def __init__(self, agent: str, side: Side) -> None:
        self.agent, self.side = build_agent(read_agent(agent)), side
        self.known: dict[tuple[int, int], tuple[int, int, int, Fraction]] = {}

    def choices(self, position: Position) -> tuple[int, ...]:
        """All its possible moves."""
        return possible_moves(self.agent, [position])[0]

    def of(self, position: Position) -> tuple[int, int, int, Fraction]:
        """Games won, drawn and lost from here, and its loss rate against the best replies."""
        if position.is_over:
            worth = position.outcome.value(self.side)
            return int(worth > 0), int(worth == 0), int(worth < 0), Fraction(worth < 0)
        key = marks_of(position)
        if key not in self.known:
            own = position.to_move == self.side
            moves = self.choices(position) if own else position.legal_moves
            below = [self.of(position.play(move)) for move in moves]
            won, drawn, lost, chances = zip(*below, strict=True)
            chance = sum(chances, Fraction(0)) / len(moves) if own else max(chances)
            self.known[key] = sum(won), sum(drawn), sum(lost), chance
        return self.known[key]


def labels(rules: Rules, truth: Truth, positions: list[Position], rng: Random) -> Iterator[str]:
    """Faults in the values, lengths and moves of a dataset."""
    some = rng.sample(positions, min(SAMPLED, len(positions)))
    made = noughts.dataset(rules, positions=some, nodes=None, workers=0)
    for position, found in zip(made.positions, made.solutions, strict=True):
        value, plies = truth[marks_of(position)]
        if (found.value, found.span.plies if found.span else None) != (value, plies):
            yield f"{position.moves}: value {found.value}, {found.span}; it is {value}, {plies}"
        for move in found.moves:
            expected = value_after(truth, position, move.move)
            if (move.value, move.span.plies if move.span else None) != expected:
                yield f"{position.moves} {move.move}: value {move.value}, {move.span}; it is {expected}"


def proofs(rules: Rules, agent: str, side: Side) -> Iterator[str]:
    """Faults in the proof of an agent and its loss rate."""
    fate, name = Fate(agent, side), SIDES[side]
    won, drawn, lost, chance = fate.of(Position.start(rules))
    try:
        found = noughts.prove(agent, rules, name, workers=0).games[0].result
    except NoughtsError as error:
        if agent != REFUSED:
            yield f"prove as {name}: {error}"
        return
    # If the game ends before the agent moves there is nothing to certify: it is walked, and never called proved.
    if found.walked != (lost == 0) or found.proved != (found.walked and found.decisions > 0):
        yield f"prove as {name}: {found}; it loses {lost} games"
    if found.walked and (found.won, found.drawn, found.lost) != (won, drawn, lost):
        yield f"prove as {name}: {found.won}, {found.drawn}, {found.lost} games; there are {won}, {drawn}, {lost}"
    if found.lost_game is not None:
        position = Position.start(rules)
        for move in found.lost_game:
            if position.to_move == side and move not in fate.choices(position):
                yield f"prove as {name}: it does not play {found.lost_game}"
            position = position.play(move)
        if position.outcome is not (Outcome.SECOND, Outcome.FIRST)[side]:
            yield f"prove as {name}: {found.lost_game} is not lost"
    if not agent.startswith(("minimax", "perfect")):
        return
    low = noughts.losing_chances(agent, rules, name, workers=0).games[0].result.low
    if abs(low - chance) > 1e-9:
        yield f"chance as {name}: {low}; it is {chance}"


def scores(rules: Rules, truth: Truth, positions: list[Position], agent: str) -> Iterator[str]:
    """Faults in the score of a deterministic agent."""
    fate, choices, optimal = Fate(agent, Side.FIRST), 0, 0
    for position in positions:
        values = {move: value_after(truth, position, move)[0] for move in position.legal_moves}
        if len(set(values.values())) > 1:
            choices += 1
            optimal += values[fate.choices(position)[0]] == max(values.values())
    total = noughts.score(agent, rules, nodes=10**9, workers=0).games[0].total
    if (total.positions, total.choices, total.optimal) != (len(positions), choices, optimal):
        yield f"score: {total.positions}, {total.choices}, {total.optimal}; it is {len(positions)}, {choices}, {optimal}"


def puzzles(rules: Rules, truth: Truth) -> Iterator[str]:
    """Faults in puzzles."""
    for puzzle in noughts.make_puzzles(rules, 2):
        position = Position.start(rules, puzzle.moves)
        values = {move: value_after(truth, position, move)[0] for move in position.legal_moves}
        best = max(values.values())
        if puzzle.value != best or set(puzzle.solutions) != {move for move, value in values.items() if value == best}:
            yield f"puzzle {puzzle.moves}: {puzzle.value} by {puzzle.solutions}; it is {values}"


def check(rules: Rules, rng: Random) -> Iterator[tuple[str, list[str]]]:
    """The results compared in a game, and its faults."""
    truth = truth_of(rules)
    positions = walked(rules, truth)
    agent, side = rng.choice(AGENTS), Side(rng.randrange(2))
    tried: list[tuple[str, Callable[[], Iterator[str]]]] = [("labels", lambda: labels(rules, truth, positions, rng))]
    if not agent.startswith("az") or build_agent(read_agent(agent)).refusal(rules) is None:  # type: ignore[attr-defined]
        tried.append((f"proof of {agent}", lambda: proofs(rules, agent, side)))
    if len(positions) <= MOST_SCORED and "ties=first" in agent:
        tried.append((f"score of {agent}", lambda: scores(rules, truth, positions, agent)))
    if rng.random() < 0.1:
        tried.append(("puzzles", lambda: puzzles(rules, truth)))
    for what, find in tried:
        try:
            yield what, list(find())
        except Exception as error:  # a crash is no answer
            yield what, [f"{what}: {type(error).__name__}: {error}"]


def check_game(game: tuple[Rules, str]) -> tuple[list[str], list[str]]:
    """A line for each fault in a game, and the compared results; the text is the seed."""
    rules, seed = game
    found = list(check(rules, Random(seed)))
    return [f"WRONG {rules}, {what}: {fault}" for what, faults in found for fault in faults], [
        what for what, _ in found
    ]


def _own_store() -> None:
    store = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, store, ignore_errors=True)
    os.environ["NOUGHTS_STORE"] = store


def main() -> int:
    """Compare, and print the faults."""
    parser = argparse.ArgumentParser(prog="python -m tests.library.brute_force")
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args()
    rng, wrong, counts = Random(asked.seed), 0, Counter[str]()
    games = [(draw_rules(rng), f"{asked.seed} {number}") for number in range(asked.games)]
    with ProcessPoolExecutor(asked.processes, get_context("spawn"), _own_store) as pool:
        for number, (lines, found) in enumerate(pool.map(check_game, games), start=1):
            counts.update(found)
            wrong += len(lines)
            print("".join(f"{line}\n" for line in lines), end="", flush=True)
            if number % 50 == 0:
                print(f"{number} games, wrong = {wrong}", flush=True)
    print("\n".join(f"{count:6} {what}" for what, count in sorted(counts.items())))
    print(f"games = {asked.games}, wrong = {wrong}")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
