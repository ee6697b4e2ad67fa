"""The rule book: the slow backend that is obviously right, and that the others are checked against.

It keeps nothing between moves and uses no line table: after every move it looks along every row, column and
diagonal of the whole board for k equal marks.
"""

from noughts.positions.position import BRICK, EMPTY, FIRST_MARK, SECOND_MARK, Outcome, Side
from noughts.rules import Rules


class ReferencePosition:
    """A board one can play on, in plain Python."""

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
        """The sides take turns, the first player first."""
        return Side.FIRST if len(self.moves) % 2 == 0 else Side.SECOND

    @property
    def cells(self) -> tuple[int, ...]:
        """What each cell holds, in the order of cell indices."""
        return tuple(self.content[place] for place in sorted(self.content))

    def holds_line(self, board: int) -> bool:
        """Whether k equal marks stand in a row on a board, in any direction."""
        for (on_board, row, col), mark in self.content.items():
            if on_board == board and mark in (FIRST_MARK, SECOND_MARK):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    places = [(board, row + down * i, col + right * i) for i in range(self.rules.k)]
                    if all(self.content.get(place) == mark for place in places):
                        return True
        return False

    @property
    def outcome(self) -> Outcome:
        """A line on every board decides for or against the last mover; else a full board, as the rules say."""
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
        """Every empty cell of a board without a line, while the game goes on."""
        if self.outcome is not Outcome.ONGOING:
            return ()
        living = {board for board in range(self.rules.boards) if not self.holds_line(board)}
        places = sorted(self.content)
        return tuple(i for i, place in enumerate(places) if self.content[place] == EMPTY and place[0] in living)

    def play(self, cell: int) -> None:
        """The side to move marks a cell; the caller checks that it is legal."""
        mark = SECOND_MARK if self.rules.marks == "own" and self.to_move is Side.SECOND else FIRST_MARK
        self.content[sorted(self.content)[cell]] = mark
        self.moves.append(cell)

    def undo(self) -> None:
        """Take the last mark away."""
        self.content[sorted(self.content)[self.moves.pop()]] = EMPTY
