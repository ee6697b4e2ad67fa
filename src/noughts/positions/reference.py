"""The reference implementation: a slow backend that is obviously right, for checking the others.

It stores nothing between moves and uses no line table. After every move it searches every row, column and
diagonal of the whole board for k equal marks. Over joined edges, it continues on the opposite side.
"""

from collections.abc import Iterable

from noughts.positions.position import BRICK, EMPTY, FIRST_MARK, SECOND_MARK, Outcome, Side
from noughts.rules import IllegalMoveError, Rules

_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class ReferencePosition:
    """A mutable board, in plain Python."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.moves: list[int] = []
        self.content = {
            (board, row, col): BRICK if row * rules.cols + col in rules.bricks else EMPTY
            for board in range(rules.boards)
            for row in range(rules.rows)
            for col in range(rules.cols)
        }

    @property
    def to_move(self) -> Side:
        """The side to move: the sides alternate, the first player first."""
        return Side.FIRST if len(self.moves) % 2 == 0 else Side.SECOND

    @property
    def cells(self) -> tuple[int, ...]:
        """The content of each cell, in order of cell indices."""
        return tuple(self.content[place] for place in sorted(self.content))

    def holds_line(self, board: int) -> bool:
        """Whether a board contains k equal marks in a row, in any direction."""
        rules = self.rules
        if rules.k > max(rules.rows, rules.cols):
            return False
        for (on_board, row, col), mark in self.content.items():
            if on_board == board and mark in (FIRST_MARK, SECOND_MARK):
                for down, right in _DIRECTIONS:
                    places = [(board, *_over_edges(rules, row + down * i, col + right * i)) for i in range(rules.k)]
                    if len(set(places)) == rules.k and all(self.content.get(place) == mark for place in places):
                        return True
        return False

    @property
    def outcome(self) -> Outcome:
        """A line on every board decides for or against the last mover; else a full board, by `Rules.full`."""
        rules = self.rules
        living = [board for board in range(rules.boards) if not self.holds_line(board)]
        if not living:
            last_mover = self.to_move.other
            return Outcome.line_by(last_mover, rules)
        if not any(content == EMPTY for (board, _, _), content in self.content.items() if board in living):
            return Outcome.full_board(rules)
        return Outcome.ONGOING

    @property
    def legal_moves(self) -> tuple[int, ...]:
        """Every empty cell of a board without a line, until the game is over."""
        if self.outcome is not Outcome.ONGOING:
            return ()
        living = {board for board in range(self.rules.boards) if not self.holds_line(board)}
        places = sorted(self.content)
        return tuple(i for i, place in enumerate(places) if self.content[place] == EMPTY and place[0] in living)

    def play(self, cell: int) -> None:
        """Mark a cell for the side to move; the caller ensures that it is legal."""
        mark = SECOND_MARK if self.rules.marks == "own" and self.to_move is Side.SECOND else FIRST_MARK
        self.content[sorted(self.content)[cell]] = mark
        self.moves.append(cell)

    def undo(self) -> None:
        """Remove the last mark."""
        self.content[sorted(self.content)[self.moves.pop()]] = EMPTY


def outcome_after(rules: Rules, moves: Iterable[int]) -> Outcome:
    """Return the outcome after these moves, given as cell indices, without the other backends.

    It checks only the four directions through the last move, so it is fast enough for every saved game.

    Raises:
        IllegalMoveError: a move is off the board, on a taken cell or a closed board, or comes after the end.
    """
    marks = dict.fromkeys(rules.brick_cells, BRICK)
    free = [rules.board_size - len(rules.bricks)] * rules.boards
    living, outcome = set(range(rules.boards)), Outcome.ONGOING
    for ply, cell in enumerate(moves):
        board = cell // rules.board_size
        if outcome is not Outcome.ONGOING or cell in marks or board not in living:
            raise IllegalMoveError(f"move {ply + 1} of the game is illegal")
        side = Side(ply % 2)
        marks[cell] = SECOND_MARK if rules.marks == "own" and side is Side.SECOND else FIRST_MARK
        free[board] -= 1
        if _makes_line(rules, marks, cell):
            living.remove(board)
        if not living:
            outcome = Outcome.line_by(side, rules)
        elif not any(free[board] for board in living):
            outcome = Outcome.full_board(rules)
    return outcome


def _makes_line(rules: Rules, marks: dict[int, int], cell: int) -> bool:
    """Whether a run of at least k marks like the one in a cell goes through it."""
    if rules.k > max(rules.rows, rules.cols):
        return False
    start = cell - cell % rules.board_size
    row, col = divmod(cell - start, rules.cols)
    for down, right in _DIRECTIONS:
        run = {(row, col)}
        for way in (1, -1):
            r, c = _over_edges(rules, row + way * down, col + way * right)
            while (
                (r, c) not in run  # over joined edges a row may return to its start
                and 0 <= r < rules.rows
                and 0 <= c < rules.cols
                and marks.get(start + r * rules.cols + c) == marks[cell]
            ):
                run.add((r, c))
                r, c = _over_edges(rules, r + way * down, c + way * right)
        if len(run) >= rules.k:
            return True
    return False


def _over_edges(rules: Rules, row: int, col: int) -> tuple[int, int]:
    """Row and column of a place that may be past a joined edge; past any other edge it stays off the board."""
    if rules.wrap in ("rows", "both"):
        row %= rules.rows
    if rules.wrap in ("columns", "both"):
        col %= rules.cols
    return row, col
