"""Checks puzzles with the rules and lines of the independent checker of certificates, which shares no code with our solvers.

A certificate proves a game from its empty board. A puzzle begins in the middle and makes a claim about every legal move, so its
proof is not a file. Instead its claims are walked here, as `noughts.solvers.verify` walks a file, from the puzzle to the end of
every game: the claim's side makes one move, which a solver proposes but which is not trusted; the other side makes every legal
move. Lines, legal moves and endings come from `verify.Game` alone.

    a solution that wins        the mover wins, and with the first move of the line within the puzzle's plies
    a solution that draws       neither side ever loses
    any other move of a win     the other side never loses
    any other move of a draw    the other side wins

One claim is not checked: that no solution wins sooner. There the solver is trusted.
"""

from collections.abc import Callable
from dataclasses import dataclass

from noughts.positions import Position
from noughts.puzzles.puzzle import Puzzle
from noughts.rules import NoughtsError, Rules, format_game
from noughts.solvers import verify
from noughts.solvers.verify import DRAW, FIRST, OTHER, PLAYERS, SECOND, cells_of

MOST_POSITIONS = 60_000
"""The default limit on positions that are walked for one puzzle."""

Adviser = Callable[[Position, bool, int | None], int | None]
"""Proposes a move of the side to move that wins (within this many plies), or else never loses; None if it finds none."""


class WrongPuzzle(NoughtsError):  # noqa: N818 # it is named by the finding
    """A puzzle with a false claim; the message names the position."""


class LongPuzzle(NoughtsError):  # noqa: N818 # it is named by the finding
    """A puzzle that needs more positions, or more work to propose moves, than allowed, so it is neither right nor wrong."""


@dataclass(frozen=True, slots=True)
class _Claim:
    """`side` wins or, if `wins` is false, never loses; at the latest in ply `until` of the whole game, if that is not None."""

    side: str
    wins: bool
    until: int | None = None


class PuzzleChecker:
    """Checks puzzles of one game. Positions that were walked for one puzzle need no walk for others."""

    def __init__(self, rules: Rules, adviser: Adviser) -> None:
        """Prepare to check puzzles.

        Args:
            rules: The game.
            adviser: Proposes moves, which are checked.
        """
        fields = rules.model_dump(mode="json")
        self.rules, self._adviser = rules, adviser
        self._game = verify.Game(fields, 2, symmetric=False)
        self._held: dict[_Claim, set[int]] = {}
        self.walked = 0

    def check(self, puzzle: Puzzle, most: int = MOST_POSITIONS) -> int:
        """Check a puzzle; return how many positions were walked, 0 if all were walked before.

        Raises:
            WrongPuzzle: a claim is false.
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
        """Walk every game from a position, with a stack: the claim's side makes the proposed move, the other side every move."""
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
                known.difference_update(met)  # their walk is not complete
                raise

    def _after(self, claim: _Claim, position: Position, marks: int) -> list[Position]:
        """The positions after the moves to walk; WrongPuzzle if a game ends contrary to the claim."""
        side = PLAYERS[position.ply % 2]
        cells, ends = self._game.endings(marks, side)
        if side == claim.side:
            if ends[side]:  # winning at once fulfils every claim
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
        """The replies to walk: if the claim's side threatens to win at once, only those that end the game or stop the threat."""
        late = claim.until is not None and position.ply + 2 > claim.until
        if late or self._game.shared or not self._game.line_wins:
            return -1
        threats = self._game.endings(marks, claim.side)[1][claim.side]
        if not threats:
            return -1
        stops = 0 if threats & (threats - 1) else threats
        return stops | ends[FIRST] | ends[SECOND] | ends[DRAW]

    def _end(self, claim: _Claim, ended: str, position: Position, cell: int) -> None:
        """Raise WrongPuzzle if an ending contradicts a claim."""
        late = claim.until is not None and position.ply + 1 > claim.until
        if late or ended == OTHER[claim.side] or (claim.wins and ended == DRAW):
            how = "too late" if late else f"with {ended}"
            where = f"{_named(position)} {self.rules.name_of(cell)}"
            raise WrongPuzzle(f"not so that {claim.side} {_does(claim)}: {where} ends {how}")


def _ending(ends: dict[str, int], cell: int) -> str:
    """The winner, or a draw, if a move on a cell ends the game; else empty."""
    return next((winner for winner, cells in ends.items() if cells >> cell & 1), "")


def _does(claim: _Claim) -> str:
    return "wins" if claim.wins else "never loses"


def _named(position: Position) -> str:
    return format_game(position.rules, position.moves)
