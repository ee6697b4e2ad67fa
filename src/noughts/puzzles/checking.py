"""A check of puzzles by the rules and lines of the independent checker of certificates, which shares nothing with our solvers.

A certificate proves a game from its empty board; a puzzle begins in its middle and claims something about every legal move,
so files would make no sense. What is claimed is walked here instead, as `noughts.solvers.verify` walks a file: for the side of
which something is claimed one move, which a solver may propose and is not trusted; for the other side every legal move; from
the puzzle to the end of every game. Lines, legal moves and endings come from `verify.Game` alone.

    a solution that wins        the mover wins, the first of the line within the plies that the puzzle names
    a solution that draws       the mover never loses, and neither does the other side
    any other move of a win     the other side never loses
    any other move of a draw    the other side wins

That no solution wins sooner is not checked: the solver is trusted there.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from noughts.positions import Position
from noughts.puzzles.puzzle import Puzzle
from noughts.rules import NoughtsError, Rules, format_game
from noughts.solvers import verify
from noughts.solvers.verify import DRAW, FIRST, OTHER, PLAYERS, SECOND

MOST_POSITIONS = 60_000
"""Positions that are walked for one puzzle, unless more are allowed."""

Adviser = Callable[[Position, bool, int | None], int | None]
"""Proposes a move of the side to move: with which it wins (within so many plies), or else never loses; None if it knows none."""


class WrongPuzzle(NoughtsError):  # noqa: N818 # it is named by what was found
    """A puzzle that claims what is not so; the message names the place."""


class LongPuzzle(NoughtsError):  # noqa: N818 # it is named by what was found
    """A puzzle that takes more positions to check than are allowed, or more work to propose moves; nothing is known about it."""


@dataclass(frozen=True, slots=True)
class _Claim:
    """That `side` wins, or else never loses; within so many plies of the whole game, if that is not None."""

    side: str
    wins: bool
    until: int | None = None


class PuzzleChecker:
    """Checks puzzles of one game. What was walked for one of them is known for the others."""

    def __init__(self, rules: Rules, adviser: Adviser) -> None:
        """Begin.

        Args:
            rules: The game.
            adviser: Proposes moves; they are checked.
        """
        fields = rules.model_dump(mode="json")
        self.rules, self._adviser = rules, adviser
        self._game = verify.Game(fields, 2, symmetric=False)
        self._held: dict[_Claim, set[int]] = {}
        self.walked = 0

    def check(self, puzzle: Puzzle, most: int = MOST_POSITIONS) -> int:
        """How many positions were walked to see that a puzzle is right; 0 where all was known.

        Raises:
            WrongPuzzle: it is not.
            LongPuzzle: it takes more positions than `most`.
        """
        if puzzle.rules != self.rules:
            raise WrongPuzzle(f"{puzzle.text} is no puzzle of {self.rules}")
        before = self.walked
        self._most = before + most
        game, position = self._game, puzzle.position
        mover = PLAYERS[position.ply % 2]
        other = OTHER[mover]
        cells, ends = game.endings(game.after(puzzle.moves)[0], mover)
        solutions = set(puzzle.solutions)
        if not solutions or not all(cells >> cell & 1 for cell in solutions):
            raise WrongPuzzle(f"{puzzle.text}: its solutions are no legal moves")
        if puzzle.line and puzzle.line[0] not in solutions:
            raise WrongPuzzle(f"{puzzle.text}: its line begins with no solution")
        for cell in cells_of(cells):
            right = cell in solutions
            if puzzle.value == 1:
                soonest = puzzle.line[:1] == (cell,)
                until = None if puzzle.plies is None or not soonest else position.ply + puzzle.plies
                claims = [_Claim(mover, True, until)] if right else [_Claim(other, False)]
            else:
                claims = [_Claim(mover, False), _Claim(other, False)] if right else [_Claim(other, True)]
            ended = _ending(ends, cell)
            for claim in claims:
                if ended:
                    self._end(claim, ended, position, cell)
                else:
                    self._walk(claim, position.play(cell))
        return self.walked - before

    def _walk(self, claim: _Claim, start: Position) -> None:
        """Every game from a position on, by a stack: for the claim's side the move that is proposed, for the other all."""
        known = self._held.setdefault(claim, set())
        met: list[int] = []
        waiting = [start]
        while waiting:
            position = waiting.pop()
            marks = self._game.after(position.moves)[0]
            if marks in known:
                continue
            known.add(marks)
            met.append(marks)
            self.walked += 1
            try:
                if self.walked > self._most:
                    raise LongPuzzle(f"{_named(start)} takes more positions to check than are allowed")
                waiting += self._after(claim, position, marks)
            except NoughtsError:
                known.difference_update(met)  # they were begun, and not found to hold
                raise

    def _after(self, claim: _Claim, position: Position, marks: int) -> list[Position]:
        """The positions that a claim leads to; WrongPuzzle if the game ends otherwise."""
        side = PLAYERS[position.ply % 2]
        cells, ends = self._game.endings(marks, side)
        if side == claim.side:
            if ends[side]:  # it wins at once, which fulfils every claim
                self._end(claim, side, position, next(cells_of(ends[side])))
                return []
            left = None if claim.until is None else claim.until - position.ply
            move = self._adviser(position, claim.wins, left)
            if move is None:
                raise LongPuzzle(f"no move was found by which {claim.side} {_does(claim)} after {_named(position)}")
            if not cells >> move & 1:
                raise WrongPuzzle(f"the move proposed after {_named(position)} is not legal")
            cells = 1 << move
        else:
            cells &= self._worth_walking(claim, position, marks, ends)
        after = []
        for cell in cells_of(cells):
            if ended := _ending(ends, cell):
                self._end(claim, ended, position, cell)
            else:
                after.append(position.play(cell))
        return after

    def _worth_walking(self, claim: _Claim, position: Position, marks: int, ends: dict[str, int]) -> int:
        """The replies that need a walk. Where the claim's side threatens to win at once, others neither end the game nor stop it."""
        late = claim.until is not None and position.ply + 2 > claim.until
        if late or self._game.shared or not self._game.line_wins:
            return -1
        threats = self._game.endings(marks, claim.side)[1][claim.side]
        if not threats:
            return -1
        stops = 0 if threats & (threats - 1) else threats
        return stops | ends[FIRST] | ends[SECOND] | ends[DRAW]

    def _end(self, claim: _Claim, ended: str, position: Position, cell: int) -> None:
        """WrongPuzzle if a game that ends so is not as claimed."""
        late = claim.until is not None and position.ply + 1 > claim.until
        if late or ended == OTHER[claim.side] or (claim.wins and ended == DRAW):
            how = "too late" if late else f"with {ended}"
            where = f"{_named(position)} {self.rules.name_of(cell)}"
            raise WrongPuzzle(f"not so that {claim.side} {_does(claim)}: {where} ends {how}")


def cells_of(cells: int) -> Iterator[int]:
    """The cells of a set, ascending."""
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest


def _ending(ends: dict[str, int], cell: int) -> str:
    """How the game ends with a move on a cell; empty if it goes on."""
    return next((winner for winner, cells in ends.items() if cells >> cell & 1), "")


def _does(claim: _Claim) -> str:
    return "wins" if claim.wins else "never loses"


def _named(position: Position) -> str:
    return format_game(position.rules, position.moves)
