"""Compare random small games with brute force without symmetries: ``python -m tests.library.brute_force --games 3000 --seed 0``.

Games have up to 12 cells and use all fields; joined edges and several boards are more frequent than usual.
For each game, exhaustive search computes the truth (`tests.solvers.brute_force`), and an agent decides every position that it
can meet, one by one. Compared are values, lengths and moves of positions in a dataset, proofs, lost games, counts of games, loss
rates, scores, and puzzles. Each fault is printed on a line, and counted at the end.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random
from tempfile import TemporaryDirectory

import noughts
from noughts.agents import build_agent
from noughts.agents.asking import possible_moves
from noughts.library.asking import read_agent
from noughts.play.playthrough import SIDES
from noughts.positions import Outcome, Position, Side
from noughts.rules import NoughtsError, Rules
from noughts.rules.squares import WRAPS
from noughts.solvers.bits import words
from tests.examine.walking import fate
from tests.rules.strategies import random_rules
from tests.solvers.brute_force import NO_DISTANCE, Known

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
    "python:tests.questions.agents:WorseAlone",
)
REFUSED = AGENTS[-1]  # it may be detected and rejected, but never proved
MOST_SCORED = 1500  # positions per game in which an agent is scored
SAMPLED = 12  # labelled positions per game


def draw_rules(rng: Random) -> Rules:
    """A small game; half of them have joined edges."""
    shapes = SHAPES if rng.random() < 0.3 else [shape for shape in SHAPES if shape[0] * shape[1] >= 4]
    return random_rules(rng, rng.choice(shapes), ("none", *WRAPS, "both"))


def value_after(known: Known, position: Position, move: int) -> tuple[int, int | None]:
    """The value of a move for the player who makes it, and the remaining length of the game."""
    value, plies = known[position.play(move)]
    return -value, plies + 1 if value else None


def chooser(agent: str) -> Callable[[Position], tuple[int, ...]]:
    """The possible moves of an agent, which decides each position separately."""
    made = build_agent(read_agent(agent))
    return lambda position: possible_moves(made, [position])[0]


def labels(rules: Rules, known: Known, positions: list[Position], rng: Random) -> Iterator[str]:
    """Faults in the values, lengths and moves of a dataset."""
    some = rng.sample(positions, min(SAMPLED, len(positions)))
    made = noughts.dataset(rules, positions=some, nodes=None, workers=0)
    for position, found in zip(made.positions, made.solutions, strict=True):
        value, plies = known[position]
        if (found.value, found.span.plies if found.span else NO_DISTANCE) != (value, plies):
            yield f"{position.moves}: value {found.value}, {found.span}; it is {value}, {plies}"
        for move in found.moves:
            expected = value_after(known, position, move.move)
            if (move.value, move.span.plies if move.span else None) != expected:
                yield f"{position.moves} {move.move}: value {move.value}, {move.span}; it is {expected}"


def proofs(rules: Rules, agent: str, side: Side) -> Iterator[str]:
    """Faults in the proof of an agent and its loss rate."""
    choices, name = chooser(agent), SIDES[side]
    won, drawn, lost, _, chance = fate(rules, side, choices)
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
            if position.to_move == side and move not in choices(position):
                yield f"prove as {name}: it does not play {found.lost_game}"
            position = position.play(move)
        if position.outcome is not (Outcome.SECOND, Outcome.FIRST)[side]:
            yield f"prove as {name}: {found.lost_game} is not lost"
    if not agent.startswith(("minimax", "perfect")):
        return
    low = noughts.losing_chances(agent, rules, name, workers=0).games[0].result.low
    if abs(low - chance) > 1e-9:
        yield f"chance as {name}: {low}; it is {chance}"


def scores(rules: Rules, known: Known, positions: list[Position], agent: str) -> Iterator[str]:
    """Faults in the score of a deterministic agent."""
    chosen, choices, optimal = chooser(agent), 0, 0
    for position in positions:
        values = {move: value_after(known, position, move)[0] for move in position.legal_moves}
        if len(set(values.values())) > 1:
            choices += 1
            optimal += values[chosen(position)[0]] == max(values.values())
    total = noughts.score(agent, rules, nodes=10**9, workers=0).games[0].total
    if (total.positions, total.choices, total.optimal) != (len(positions), choices, optimal):
        yield f"score: {total.positions}, {total.choices}, {total.optimal}; it is {len(positions)}, {choices}, {optimal}"


def puzzles(rules: Rules, known: Known) -> Iterator[str]:
    """Faults in puzzles."""
    for puzzle in noughts.make_puzzles(rules, 2):
        position = Position.start(rules, puzzle.moves)
        values = {move: value_after(known, position, move)[0] for move in position.legal_moves}
        best = max(values.values())
        if puzzle.value != best or set(puzzle.solutions) != {move for move, value in values.items() if value == best}:
            yield f"puzzle {puzzle.moves}: {puzzle.value} by {puzzle.solutions}; it is {values}"


def check_game(game: tuple[Rules, str]) -> tuple[list[str], list[str]]:
    """A line for each fault in a game, and the compared results; the text is the seed."""
    rules, rng = game[0], Random(game[1])
    known, positions = Known(rules), noughts.all_positions(rules)
    assert sorted(map(words, positions)) == sorted(known.answers), f"{rules}: other positions than by brute force"
    agent, side = rng.choice(AGENTS), Side(rng.randrange(2))
    compared = {"labels": labels(rules, known, positions, rng)}
    if not agent.startswith("az") or build_agent(read_agent(agent)).refusal(rules) is None:  # type: ignore[attr-defined]
        compared[f"proof of {agent}"] = proofs(rules, agent, side)
    if len(positions) <= MOST_SCORED and "ties=first" in agent:
        compared[f"score of {agent}"] = scores(rules, known, positions, agent)
    if rng.random() < 0.1:
        compared["puzzles"] = puzzles(rules, known)
    wrong = []
    for what, faults in compared.items():
        try:
            wrong += [f"WRONG {rules}, {what}: {fault}" for fault in faults]
        except Exception as error:  # a crash is no answer
            wrong.append(f"WRONG {rules}, {what}: {type(error).__name__}: {error}")
    return wrong, list(compared)


def main() -> int:
    """Compare, and print the faults."""
    parser = argparse.ArgumentParser(prog="python -m tests.library.brute_force")
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args()
    rng, wrong, counts = Random(asked.seed), 0, Counter[str]()
    games = [(draw_rules(rng), f"{asked.seed} {number}") for number in range(asked.games)]
    with TemporaryDirectory() as store, ProcessPoolExecutor(asked.processes, get_context("spawn")) as pool:
        os.environ["NOUGHTS_STORE"] = store
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
