"""Making puzzles: play careless games, and solve their positions from the end backwards.

A position is a puzzle if one or two of its moves are optimal, several others are not, no move wins at once, some agent of
the panel misses it, and the check agrees with the solver. Positions that take the solver or the check too long are left
out, so large games have few early puzzles. On boards of more than 64 cells, fours prove a puzzle: after one or two moves
the side to move wins by continuous fours, and after any other move the other side does.
"""

from collections.abc import Collection, Iterator
from functools import lru_cache

from noughts.agents import Agent, build_agent, choose
from noughts.machine.memory import GIB
from noughts.positions import Position, Rng, derive_seed
from noughts.puzzles.checking import LongPuzzle, PuzzleChecker
from noughts.puzzles.puzzle import PANEL, Grade, Puzzle
from noughts.rules import NoughtsError, Rules, SolverError
from noughts.rules.symmetry import symmetries
from noughts.solvers.playthrough import best_line, drawing_line
from noughts.solvers.solution import Budget
from noughts.solvers.solve import Truth

MOST_SOLUTIONS = 2
_FEWEST_WRONG = 3
"""The fewest moves that are not optimal."""
_PROOF_NODES = 8_000
"""A solver's node budget for one position."""
_LINE_NODES = 200_000
"""A solver's node budget for one move of the line that is shown."""
_WALKED = 6_000
"""The most positions in the check of one puzzle."""
_FROM_ONE_GAME = 2
_GAMES_FOR_EACH = 150
"""The search for puzzles ends after this many games in a row without one."""

_TIMES_ASKED = 8
"""How often each agent of the panel plays a position."""
_REFUSED_GAMES = 3
"""The search fails after this many games in a row in which no solver supports any position."""

_Key = tuple[tuple[int, ...], tuple[int, ...]]


class PuzzleMaker:
    """Makes puzzles of one game, one after another, none twice or symmetric to another.

    Attributes:
        games: The number of careless games played so far.
    """

    def __init__(self, rules: Rules, seed: int = 0, grade: Grade | None = None, memory: int = GIB) -> None:
        """Prepare to make puzzles.

        Args:
            rules: The game.
            seed: Seeds all random numbers.
            grade: Only puzzles of this grade are made; None for all.
            memory: Bytes that each solver's tables may take.

        Raises:
            CertificateError: the check does not support the game.
        """
        self.rules, self.seed, self.grade, self.games = rules, seed, grade, 0
        self.truth = Truth(rules, memory)
        self.checker = PuzzleChecker(rules, self._advise)
        self._seen: set[_Key] = set()
        self._covered = 0  # positions that some solver supports
        self._unsettled = 0  # those of them that took the solver too long
        self._images = tuple(symmetry.image for symmetry in symmetries(rules))

    def puzzles(self) -> Iterator[Puzzle | None]:
        """Yield each puzzle as it is found, and None after each game without one; end after too many such games in a row.

        Raises:
            SolverError: no solver supports any of the positions.
        """
        vain = refused = 0
        while vain < _GAMES_FOR_EACH:
            found = False
            positions = careless_game(self.rules, Rng(derive_seed(self.seed, "puzzles", str(self.rules), self.games)))
            self.games += 1
            before = self._covered
            for puzzle in self._among(positions):
                found = True
                yield puzzle
            refused = refused + 1 if self._covered == before else 0
            if refused == _REFUSED_GAMES:
                self.truth.solver(Position.start(self.rules))  # its error does not contain the moves of a game
            if not found:
                yield None
            vain = 0 if found else vain + 1

    def at(self, position: Position) -> Puzzle | None:
        """Make a puzzle of a position; None if it is not one, or if that took too long to decide.

        Raises:
            SolverError: no solver supports it.
        """
        solved = self._solved(position)
        if solved is None:
            return None
        value, otherwise, solutions = solved
        missed = missed_by_panel(position, solutions)
        if not any(missed):
            return None
        puzzle = self._told(position, value, otherwise, solutions, missed)
        try:
            self.checker.check(puzzle, _WALKED)
        except LongPuzzle:
            return None
        return puzzle

    def _among(self, positions: list[Position]) -> Iterator[Puzzle]:
        """The puzzles of one game, from its end backwards."""
        found, unsettled = 0, self._unsettled
        for position in reversed(positions):
            key = self._key(position)
            if key in self._seen:
                continue
            self._seen.add(key)
            try:
                puzzle = self.at(position)
            except SolverError:  # earlier positions may be solvable, where fours decide
                continue
            self._covered += 1
            if puzzle is not None and self.grade in (None, puzzle.grade):
                found += 1
                yield puzzle
            if found == _FROM_ONE_GAME or self._unsettled > unsettled:  # earlier positions take even longer
                return

    def _solved(self, position: Position) -> tuple[int, int | None, tuple[int, ...]] | None:
        """The value, that of the best other move, and the optimal moves; None for no puzzle, or if it takes too long."""
        legal = position.legal_moves
        if len(legal) < 1 + _FEWEST_WRONG:
            return None
        proof = self.truth.prove(position, Budget(_PROOF_NODES))
        if proof.value is None:
            self._unsettled += 1
        if proof.value is None or proof.value < 0:
            return None
        solutions, others = [], []
        for move in sorted(legal, key=lambda move: (move != proof.move, not _touches(position, move))):
            reply = position.play(move)
            if reply.is_over:
                if reply.outcome.value(position.to_move) == 1:
                    return None  # won at once
                low = high = reply.outcome.value(position.to_move)
            else:
                answer = self.truth.prove(reply, Budget(_PROOF_NODES))
                low, high = -answer.high, -answer.low
            if low == proof.value:
                solutions.append(move)
            elif high < proof.value:
                others.append((low, high))
            else:
                self._unsettled += 1
                return None
            if len(solutions) > MOST_SOLUTIONS or len(solutions) + _FEWEST_WRONG > len(legal):
                return None
        best = max(others)
        solutions.sort()
        otherwise = best[0] if all(low == high for low, high in others) else None
        return (proof.value, otherwise, tuple(solutions)) if solutions else None

    def _told(
        self,
        position: Position,
        value: int,
        otherwise: int | None,
        solutions: tuple[int, ...],
        missed: tuple[float, ...],
    ) -> Puzzle:
        """Make the puzzle with its line of play; if there are two solutions, the line that wins sooner."""
        line = (best_line if value else drawing_line)(self.truth, position, nodes=_LINE_NODES)
        ended = Position.start(self.rules, (*position.moves, *line)).is_over
        soonest = bool(value and ended) and self._soonest(position) == len(line)
        return Puzzle.model_validate(
            {
                "rules": self.rules,
                "moves": position.moves,
                "value": value,
                "otherwise": otherwise,
                "solutions": solutions,
                "plies": len(line) if soonest else None,
                "line": line,
                "missed": missed,
            }
        )

    def _soonest(self, position: Position) -> int | None:
        """The fewest plies in which the side to move can force a win; None if that is not proved."""
        return self.truth.span(position, position.to_move, Budget(_LINE_NODES)).plies

    def _advise(self, position: Position, wins: bool, plies: int | None) -> int | None:
        """Propose a move to the check, with the solver."""
        if wins:
            return self.truth.winning_move(position, plies, Budget(_PROOF_NODES))
        proof = self.truth.prove(position, Budget(_PROOF_NODES))
        return proof.move if proof.low >= 0 else None

    def _key(self, position: Position) -> _Key:
        """A key that is equal for symmetric positions."""
        shared = self.rules.marks == "shared"
        sides = (position.moves, ()) if shared else (position.moves[::2], position.moves[1::2])
        return min(
            (tuple(sorted(image[cell] for cell in sides[0])), tuple(sorted(image[cell] for cell in sides[1])))
            for image in self._images
        )


def make_puzzles(rules: Rules, count: int, seed: int = 0, grade: Grade | None = None) -> Iterator[Puzzle | None]:
    """Yield `count` puzzles of a game, or fewer if no more are found, and None after each game without one.

    Raises:
        NoughtsError: `count` is below 1.
        SolverError: no solver supports the game.
    """
    if count < 1:
        raise NoughtsError(f"{count} puzzles are not allowed: ask for 1 or more")
    found = 0
    for puzzle in PuzzleMaker(rules, seed, grade).puzzles():
        yield puzzle
        found += puzzle is not None
        if found == count:
            return


def missed_by_panel(position: Position, solutions: Collection[int]) -> tuple[float, ...]:
    """For each agent of the panel, the share of tries, 0 to 1, in which it chose another move than the solutions.

    Random numbers are seeded by the position alone, so that equal puzzles get equal grades.
    """
    return tuple(round(_missed(agent, position, solutions), 3) for agent in PANEL)


def _missed(agent: str, position: Position, solutions: Collection[int]) -> float:
    made = _agent(agent)
    text = " ".join(map(str, position.moves))
    wrong = 0
    for time in range(_TIMES_ASKED):
        rng = Rng(derive_seed(0, "puzzle", str(position.rules), text, agent, time))
        wrong += choose(made, position, rng) not in solutions
    return wrong / _TIMES_ASKED


@lru_cache(maxsize=len(PANEL))
def _agent(text: str) -> Agent:
    return build_agent(text)


def careless_game(rules: Rules, rng: Rng) -> list[Position]:
    """The positions of a game in which both sides usually notice lines that can be completed, and play near other marks."""
    position = Position.start(rules)
    positions = []
    while not position.is_over:
        positions.append(position)
        position = position.play(_careless_move(position, rng))
    return positions


def _careless_move(position: Position, rng: Rng) -> int:
    legal, rules = position.legal_moves, position.rules
    own = position.completing_cells(position.to_move)
    if rules.line == "loses":
        safe = [move for move in legal if move not in own]
        return rng.choice(safe if safe and rng.random() < 0.95 else legal)
    theirs = [cell for cell in position.completing_cells(position.to_move.other) if cell in legal]
    if own and rng.random() < 0.8:
        return rng.choice(own)
    if theirs and rng.random() < 0.8:
        return rng.choice(theirs)
    near = [move for move in legal if _touches(position, move)]
    return rng.choice(near if near and rng.random() < 0.8 else legal)


def _touches(position: Position, cell: int) -> bool:
    row, col = divmod(cell, position.rules.cols)
    return any(
        max(abs(row - other // position.rules.cols), abs(col - other % position.rules.cols)) == 1
        for other in position.moves
    )
