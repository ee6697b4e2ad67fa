"""The threat search equals a slow, readable one, and never misses an immediate win or loss."""

from itertools import islice
from random import Random

import pytest

from noughts.agents import build_agent, parse_agent
from noughts.agents.asking import analyse
from noughts.positions import EMPTY, FIRST_MARK, Outcome, Position, Rng, Side
from noughts.rules import IllegalMoveError, Rules, line_table, parse_rules
from noughts.search.result import Kind
from noughts.search.threat_search import (
    _BRANCHES,
    _CHAIN,
    MOST_DEPTH,
    WIDTH,
    _value,
    refusal,
    threat_search,
    threat_search_stepwise,
)
from noughts.solvers import Budget
from noughts.solvers.fours import Fours
from tests.positions.reached import at, wandered

GAMES = [
    *map(parse_rules, ("tic-tac-toe", "mnk(4,4,3)", "mnk(4,5,4,bricks=B3)", "mnk(6,6,5)", "mnk(3,3,1)", "mnk(5,5,2)")),
    Rules(rows=4, cols=5, k=3, wrap="columns", full="second"),
    Rules(rows=5, cols=4, k=4, wrap="both", bricks=(3,)),
    Rules(rows=1, cols=7, k=3, full="first"),
]


class Slow:
    """The same search without incremental state: every query reads every line again."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def lines(self, position: Position, side: Side) -> list[tuple[tuple[int, ...], int]]:
        """The lines without a mark of the other side, each with the number of own marks."""
        mark, other = FIRST_MARK + side, FIRST_MARK + side.other
        found = []
        for line in line_table(self.rules).cells:
            held = [position.cells[cell] for cell in line]
            if other not in held:
                found.append((line, held.count(mark)))
        return found

    def reaching(self, position: Position, side: Side, lacking: int) -> set[int]:
        """Cells after which a side lacks at most this many cells of a line."""
        return {
            cell
            for line, marks in self.lines(position, side)
            for cell in line
            if marks + 1 >= self.rules.k - lacking and position.cells[cell] == EMPTY
        }

    def completing(self, position: Position, side: Side) -> set[int]:
        """Cells that complete a line of a side."""
        return self.reaching(position, side, 0)

    def worth(self, position: Position, side: Side, cell: int) -> int:
        rows, cols, k = self.rules.rows, self.rules.cols, self.rules.k
        total = 15 - int(max(abs(cell // cols - (rows - 1) / 2), abs(cell % cols - (cols - 1) / 2)))
        for line, marks in self.lines(position, side):
            if cell in line:
                total += 1 << 44 if marks == k - 1 else 1 << 32 if marks == k - 2 else 16 * 6**marks
        return total

    def candidates(self, position: Position, depth: int) -> list[int]:
        """The moves to search, best first."""
        side = position.to_move
        wins, must = self.completing(position, side), self.completing(position, side.other)
        wanted = wins or must or (set(position.legal_moves) if depth > 0 else self.reaching(position, side, 1))

        def key(cell: int) -> tuple[int, int]:
            return -2 * self.worth(position, side, cell) - self.worth(position, side.other, cell), cell

        return sorted(wanted, key=key)[: WIDTH if depth > 0 else _BRANCHES]

    def score(self, position: Position, depth: int, alpha: int, beta: int, ply: int) -> int:
        side, won = position.to_move, 1 << 60
        if position.is_over:
            return (won - ply) * (1 if position.outcome == 1 + side else 0 if position.outcome is Outcome.DRAW else -1)
        if self.completing(position, side):
            return won - ply - 1
        forced = bool(self.completing(position, side.other))
        best = -won
        if depth <= 0 and not forced:
            mine, theirs = (sum(int(6**marks) for _, marks in self.lines(position, who)) for who in (side, side.other))
            best = 3 * mine - 2 * theirs
            if best >= beta or depth <= -_CHAIN:
                return best
        left = depth if forced else depth - 1
        for move in self.candidates(position, 1 if forced else depth):
            best = max(best, -self.score(position.play(move), left, -beta, -max(alpha, best), ply + 1))
            if best >= beta:
                break
        return best

    def best(self, position: Position, depth: int) -> tuple[int, int]:
        """The best move after all depths up to this one, and its score."""
        scores = dict.fromkeys(self.candidates(position, MOST_DEPTH), 0)
        for plies in range(depth if position.ply else 0):
            found, scores = -(1 << 60), dict(sorted(scores.items(), key=lambda pair: -pair[1]))
            for move in scores:
                scores[move] = -self.score(position.play(move), plies, -(1 << 60), -found, 1)
                found = max(found, scores[move])
            if abs(found) > (1 << 60) - 10_000 or len(scores) == 1:
                break
        move = max(scores, key=lambda move: scores[move])
        return move, scores[move]


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_it_equals_the_slow_search(rules: Rules) -> None:
    rng = Random(5)
    for position in [wandered(rules, rng.randrange(rules.size), rng) for _ in range(8)]:
        for depth in (0, 1, 2):
            found = list(islice(threat_search_stepwise(position, 10**6, lambda: False), depth + 1))[-1]
            move, score = Slow(rules).best(position, depth)
            assert (found.move, found.value) == (move, _value(score)), (position, depth)


def test_a_line_is_completed_or_the_opponents_is_blocked() -> None:
    for moves, right in (("H8 A1 H9 A2 H10 A3 H11 A4", {"H7", "H12"}), ("A1 H8 A3 H9 A5 H10 A7 H11 H7", {"H12"})):
        position = at("gomoku", moves)
        for nodes in (1, 1000):
            assert position.rules.name_of(threat_search(position, nodes).move) in right


def test_wins_by_fours_are_played_and_proved() -> None:
    rules = parse_rules("mnk(9,9,5)")
    agent, solver, rng, seen = build_agent(parse_agent("threats:nodes=1")), Fours(rules, 1 << 24), Random(1), 0
    for position in [wandered(rules, rng.randrange(rules.size), rng) for _ in range(200)]:
        win = solver.win(position)
        if win is not None and win[0] > 1:
            seen += 1
            found = analyse(agent, position, Rng())
            assert (found.value, found.kind) == (1, Kind.EXACT)
            assert Fours(rules, 1 << 24).prove(position.play(found.move), Budget()).value == -1
    assert seen > 20


def test_finished_games_and_rules_without_winning_lines_are_rejected() -> None:
    assert refusal(parse_rules("gomoku")) is None
    for game in ("notakto(3)", "misere-tic-tac-toe"):
        assert refusal(parse_rules(game)) is not None
    position = Position.start(parse_rules("mnk(1,1,1)")).play(0)
    with pytest.raises(IllegalMoveError):
        threat_search(position, 10)
