"""`Position`: the rules and the moves made so far, as an immutable value for agents, matches and users."""

from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from typing import Any, NamedTuple

from noughts.rules import IllegalMoveError, Rules, line_table
from noughts.rules.errors import shortened
from noughts.rules.squares import JOINED_EDGES
from noughts.showing import Shown

EMPTY, FIRST_MARK, SECOND_MARK, BRICK = 0, 1, 2, 3
"""The contents of a cell, on every backend. With shared marks every mark is FIRST_MARK."""

SYMBOLS = ".XO#"
"""How a board prints contents: SYMBOLS[content]."""


_MOST_SHOWN = 50  # characters of an invalid move in an error


class _Told(IntEnum):
    """Integers that print as words: ``first``, not 0; use `int` for the number."""

    def __str__(self) -> str:
        return self.name.lower()

    def __format__(self, form: str) -> str:
        return format(str(self), form)


class Side(_Told):
    """The first or the second player."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> "Side":
        """The opponent."""
        return Side(1 - self)


_SIDES = tuple(Side)  # indexing is much faster than Side(number)


class Outcome(_Told):
    """Whether a game is over, and who won. All backends use its numbers."""

    ONGOING = 0
    FIRST = 1
    SECOND = 2
    DRAW = 3

    def value(self, side: Side) -> int:  # type: ignore[override] # the number is int(outcome); a value belongs to a side
        """+1 if `side` won, -1 if it lost, 0 for a draw.

        Raises:
            ValueError: the game is not over.
        """
        if self is Outcome.ONGOING:
            raise ValueError("the game is not over")
        return 0 if self is Outcome.DRAW else 1 if self == side + 1 else -1

    @staticmethod
    def won_by(side: Side) -> "Outcome":
        """The outcome if `side` wins."""
        return Outcome(side + 1)

    @staticmethod
    def line_by(side: Side, rules: Rules) -> "Outcome":
        """The outcome if `side` completes the deciding line."""
        return Outcome.won_by(side if rules.line == "wins" else side.other)

    @staticmethod
    def full_board(rules: Rules) -> "Outcome":
        """The outcome if no cell is left and no line decided."""
        return {"draw": Outcome.DRAW, "first": Outcome.FIRST, "second": Outcome.SECOND}[rules.full]


_ONGOING = Outcome.ONGOING  # an attribute lookup would take as long as a comparison


class _Game(NamedTuple):
    """What `play` needs of the rules; a lookup by rules would take longer than a move."""

    marks: tuple[bytes, bytes]  # the marks of the first and the second player
    others: tuple[tuple[tuple[int, ...], ...], ...]  # for each cell the other cells of each line through it
    first_line: int  # plies before which no move completes a line
    boards: int
    board_size: int


@dataclass(frozen=True, slots=True)
class Position(Shown):
    """A position, immutable; `play` returns the next one. Positions reached by different moves are equal.

    Attributes:
        rules: The game.
        moves: Cell indices of the moves made, the first player's first.
        cells: The content of each cell: EMPTY, FIRST_MARK, SECOND_MARK or BRICK, one byte each.
        closed: With several boards, those that contain a line, by number from 0.
        outcome: ONGOING until the game is over.
        legal_moves: Cells that can be played, ascending; empty once the game is over.
    """

    rules: Rules
    moves: tuple[int, ...] = field(compare=False)
    cells: bytes
    closed: frozenset[int]
    outcome: Outcome
    legal_moves: tuple[int, ...] = field(init=False, repr=False, compare=False)
    _game: _Game = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compute the fields that `play` then passes on to all later positions."""
        size = self.rules.board_size
        free = [cell for cell, content in enumerate(self.cells) if content == EMPTY and cell // size not in self.closed]
        object.__setattr__(self, "legal_moves", () if self.is_over else tuple(free))
        object.__setattr__(self, "_game", _game_of(self.rules))

    def __hash__(self) -> int:
        """Hash the cells alone, because positions of other games with equal cells are rare."""
        return hash(self.cells)

    def __reduce__(self) -> tuple[type["Position"], tuple[object, ...]]:
        """Support pickling, for other processes."""
        return Position, (self.rules, self.moves, self.cells, self.closed, self.outcome)

    @classmethod
    def start(cls, rules: Rules, moves: tuple[int, ...] = ()) -> "Position":
        """Return the position after `moves` from the empty board; IllegalMoveError names the first illegal move."""
        position = _empty(rules)
        for move in moves:
            position = position.play(move)
        return position

    def __deepcopy__(self, memo: object) -> "Position":
        """Return itself, because it is immutable; some libraries copy everything in their states."""
        return self

    @property
    def ply(self) -> int:
        """Moves made so far."""
        return len(self.moves)

    @property
    def to_move(self) -> Side:
        """The side to move."""
        return _SIDES[len(self.moves) & 1]

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.outcome is not _ONGOING

    def is_legal(self, cell: int) -> bool:
        """Whether `cell` can be played now."""
        return (
            0 <= cell < len(self.cells)
            and self.cells[cell] == EMPTY
            and self.outcome is Outcome.ONGOING
            and not (self.closed and cell // self.rules.board_size in self.closed)
        )

    def require_legal(self, cell: int) -> None:
        """Raise IllegalMoveError, with the reason, unless `cell` can be played now."""
        try:
            legal = self.is_legal(cell)
        except TypeError:  # a text or a fraction; a check before would cost every move
            raise IllegalMoveError(self._no_number(cell)) from None
        if not legal:
            raise IllegalMoveError(self._why_illegal(cell)) from None

    def play(self, cell: int) -> "Position":
        """Return the position after the side to move plays `cell`; raise IllegalMoveError if it is illegal."""
        moves, closed, outcome, legal, game = self.moves, self.closed, _ONGOING, self.legal_moves, self._game
        ply = len(moves)
        mark = game.marks[ply & 1]
        try:
            at = legal.index(cell)
            cells = self.cells[:cell] + mark + self.cells[cell + 1 :]
        except (TypeError, ValueError):  # a fraction may equal a cell, but is not one
            self.require_legal(cell)
            raise
        legal = legal[:at] + legal[at + 1 :]
        if ply >= game.first_line and _makes_line(game, cells, cell, mark[0]):
            board = cell // game.board_size
            closed |= {board}
            legal = tuple([other for other in legal if other // game.board_size != board])
        if closed and len(closed) == game.boards:
            outcome = Outcome.line_by(self.to_move, self.rules)
        elif not legal:
            outcome = Outcome.full_board(self.rules)
        after = _Draft()
        after.rules = self.rules
        after.moves = moves + (cell,)  # noqa: RUF005 # (*moves, cell) takes twice the time
        after.cells = cells
        after.closed = closed
        after.outcome = outcome
        after.legal_moves = legal
        after._game = game
        after.__class__ = Position
        made: Position = after
        return made

    def undo(self) -> "Position":
        """Return the position before the last move; raise IllegalMoveError if there was none."""
        if not self.moves:
            raise IllegalMoveError("there is no move to take back")
        return Position.start(self.rules, self.moves[:-1])

    def winning_lines(self) -> tuple[tuple[int, ...], ...]:
        """The complete lines, each as its cells in order; with several boards, the lines that closed them."""
        return tuple(
            line
            for line in line_table(self.rules).cells
            if self.cells[line[0]] in (FIRST_MARK, SECOND_MARK) and len({self.cells[cell] for cell in line}) == 1
        )

    def completing_cells(self, side: Side) -> tuple[int, ...]:
        """The playable cells with which `side` would complete a line if it were to move, ascending."""
        mark = self._game.marks[side]
        return tuple(cell for cell in self.legal_moves if _makes_line(self._game, self.cells, cell, mark[0]))

    def forking_cells(self, side: Side) -> tuple[int, ...]:
        """The playable cells with which `side`, if it were to move, would threaten to complete lines on two cells at once.

        Cells that complete a line are not included. With shared marks there are no threats, so the result is empty.
        """
        if self.rules.marks == "shared" or self.is_over:
            return ()
        mark, table = FIRST_MARK + side, line_table(self.rules)
        threatened: dict[int, set[int]] = {}
        for line in table.cells:
            left = [cell for cell in line if self.cells[cell] != mark]
            if len(left) == 2 and not any(self.cells[cell] for cell in left):
                for cell, other in (left, reversed(left)):
                    threatened.setdefault(cell, set()).add(other)
        completing = self.completing_cells(side)
        return tuple(cell for cell in self.legal_moves if len(threatened.get(cell, ())) > 1 and cell not in completing)

    def __str__(self) -> str:
        """The boards as text, with lettered rows and numbered columns; a last line names the joined edges, if any."""
        rules = self.rules
        header = "   " + " ".join(f"{col + 1:>2}" for col in range(rules.cols))
        lines = []
        for board in range(rules.boards):
            if rules.boards > 1:
                lines.append(f"board {board + 1}" + (" (closed)" if board in self.closed else ""))
            lines.append(header)
            for row in range(rules.rows):
                start = board * rules.board_size + row * rules.cols
                contents = " ".join(f" {SYMBOLS[content]}" for content in self.cells[start : start + rules.cols])
                lines.append(f" {chr(ord('A') + row)} {contents}")
        if rules.wrap in JOINED_EDGES:
            lines.append(f"   {JOINED_EDGES[rules.wrap]}")
        return "\n".join(lines)

    @property
    def where(self) -> str:
        """Describe the game and its moves so far, for the end of a sentence."""
        return f"in {self.rules} after {' '.join(map(self.rules.name_of, self.moves)) or 'no moves'}"

    def _no_number(self, given: object) -> str:
        shown = shortened(repr(given), _MOST_SHOWN)
        named = f", and position.rules.cell_of({shown}) gives that of a square" if isinstance(given, str) else ""
        return f"move {shown} is no number {self.where}: cells are 0 to {len(self.cells) - 1}{named}"

    def _why_illegal(self, cell: int) -> str:
        where = self.where
        if self.is_over:
            return f"the game is over ({self.outcome}) {where}: no move can be made"
        if not 0 <= cell < len(self.cells):
            return f"move {cell} is off the board {where}: cells are 0 to {len(self.cells) - 1}"
        name = self.rules.name_of(cell)
        if self.cells[cell] == BRICK:
            return f"move {name} is on a brick {where}"
        if self.cells[cell] != EMPTY:
            return f"move {name} is taken by {SYMBOLS[self.cells[cell]]} {where}"
        return f"move {name} is on a closed board {where}"


@lru_cache(maxsize=4096)
def _empty(rules: Rules) -> Position:
    cells = bytes(BRICK if cell in rules.brick_cells else EMPTY for cell in range(rules.size))
    return Position(rules, (), cells, frozenset(), Outcome.ONGOING)


@lru_cache(maxsize=4096)
def _game_of(rules: Rules) -> _Game:
    table = line_table(rules)
    others = tuple(
        tuple(tuple(other for other in table.cells[line] if other != cell) for line, _ in through)
        for cell, through in enumerate(table.through)
    )
    second = FIRST_MARK if rules.marks == "shared" else SECOND_MARK
    marks = (bytes((FIRST_MARK,)), bytes((second,)))
    first_line = rules.k - 1 if rules.marks == "shared" else 2 * (rules.k - 1)
    return _Game(marks, others, first_line, rules.boards, rules.board_size)


def _makes_line(game: _Game, cells: bytes, cell: int, mark: int) -> bool:
    """Whether all other cells of a line through `cell` hold `mark`."""
    for line in game.others[cell]:  # plain loops: generators take twice the time
        for other in line:
            if cells[other] != mark:
                break
        else:
            return True
    return False


_Draft: Any = type("_Draft", (Shown,), {"__slots__": Position.__slots__})
"""A mutable draft of a position. Turning it into a `Position` at the end takes half the time of the constructor."""
