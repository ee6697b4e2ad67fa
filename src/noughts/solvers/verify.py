"""An independent checker of certificates. It needs nothing but Python: ``python verify.py FILE`` works anywhere.

A certificate claims that one side wins a game against every reply. It is a table: in this position, make this
move. The checker believes none of it. It reads the rules, works out the lines and the symmetries of the board by
itself, and then plays: for the winner the move in the table, for the other side every legal move, from the empty
board to the end of every game. The claim is true if the winner has won all these games. Nothing here was taken
from the programs that made the certificate.

A position is two numbers, used as sets of cells: bit ``row * cols + col`` of the first is set where the first
player has a mark, of the second where the second player has one; with shared marks all are in the first. The
boards of a game with several follow one another. The table holds each position as the least of its mirror images
and rotations, so all of these are kept together: ``images[0]`` is the position itself, and ``min(images)`` is
what stands in the table, with the winner's move as it is there. Positions in which the winner can win at once are
not in the table; the checker sees these wins by itself.

The file: one line of JSON, then the table. Each record is the two numbers, 8 bytes each with the low byte first,
and the number of the cell to be played, 1 byte; the records ascend. The SHA-256 in the header is that of
everything else in the file: the header without it, a line feed, the records.
"""

import argparse
import hashlib
import json
import struct
import sys
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

FORMAT, VERSION = "noughts certificate", 1
FIELDS = ("format", "version", "noughts", "game", "rules", "winner", "entries", "sha256")
RULES = ("rows", "cols", "k", "bricks", "marks", "line", "full", "boards", "lineless")
RECORD = struct.Struct("<QQB")
MAX_CELLS = 64
MAX_HEADER = 10_000
"""Bytes. A header is read no further, whatever the file may hold."""
MAX_RECORDS = 2_000_000

FIRST, SECOND, DRAW = "first", "second", "draw"
OTHER = {FIRST: SECOND, SECOND: FIRST}

Images = list[tuple[int, int]]
"""The marks of both sides, once for each symmetry of the game."""
Moves = tuple[int, ...]
"""The cells played since the start."""


class BadCertificate(ValueError):  # noqa: N818 # it says what was found, not what went wrong here
    """A file that proves nothing; the message says why, and names the first bad position if there is one."""


@dataclass(frozen=True)
class Report:
    """A claim that holds.

    Attributes:
        winner: ``first`` or ``second``.
        rules: The fields of the rules, as in the header.
        game: What the header calls them: a name that was not checked.
        positions: Positions in which the table was asked, up to symmetry.
        replies: Replies to all these moves.
        unused: Records of the table that were never asked for. They do no harm.
        longest: Most moves in any game, when the winner takes a win at once where it has one.
    """

    winner: str
    rules: dict[str, Any]
    game: str
    positions: int
    replies: int
    unused: int
    longest: int


# --- The rules --------------------------------------------------------------------------------------------------


class Game:
    """The rules of one game, worked out from the header's fields; BadCertificate if they make no game."""

    def __init__(self, rules: Any) -> None:
        if not isinstance(rules, dict) or tuple(rules) != RULES:
            _refuse(f"rules: the fields must be {', '.join(RULES)}")
        self.rows, self.cols, self.k = (_whole(rules, name, 1, 19) for name in ("rows", "cols", "k"))
        self.boards = _whole(rules, "boards", 1, 100)
        self.shared = _choice(rules, "marks", ("own", "shared")) == "shared"
        self.line_wins = _choice(rules, "line", ("wins", "loses")) == "wins"
        self.full = _choice(rules, "full", (DRAW, FIRST, SECOND))
        self.board_size = self.rows * self.cols
        self.size = self.board_size * self.boards
        if self.size > MAX_CELLS:
            _refuse(f"rules: {self.size} cells, and a certificate is for up to {MAX_CELLS}")
        if self.boards > 1 and not self.shared:
            _refuse("rules: several boards need shared marks")
        self.bricks = self._bricks(rules["bricks"])
        offsets = [board * self.board_size for board in range(self.boards)]
        self.board_cells = [_bits(self._no_bricks(), offset) for offset in offsets]
        self.lines = [sorted({_bits(line, offset) for line in self._lines()}) for offset in offsets]
        lineless = not any(self.lines)
        if rules["lineless"] is not lineless:
            _refuse("rules: lineless must be true if no line fits, and false otherwise")
        # For each symmetry: the cell that each cell goes to, as a bit, and the cell that it comes from.
        maps = [[offset + cell for offset in offsets for cell in image] for image in self._symmetries()]
        self.to_bit = [[1 << cell for cell in image] for image in maps]
        self.back = [{to: cell for cell, to in enumerate(image)} for image in maps]
        self.start: Images = [(0, 0) for _ in maps]

    def _bricks(self, names: Any) -> set[int]:
        squares = {self._square(cell): cell for cell in range(self.board_size)}
        if not isinstance(names, list) or not all(isinstance(name, str) and name in squares for name in names):
            _refuse(f"rules: bricks={_show(names)} are not squares of the board")
        if len(set(names)) < len(names) or len(names) == self.board_size:
            _refuse("rules: each brick is named once, and one cell at least has none")
        return {squares[name] for name in names}

    def _no_bricks(self) -> list[int]:
        return [cell for cell in range(self.board_size) if cell not in self.bricks]

    def _lines(self) -> Iterator[list[int]]:
        """Every k cells in a row, column or diagonal of one board, without a brick."""
        for row in range(self.rows):
            for col in range(self.cols):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    squares = [(row + down * i, col + right * i) for i in range(self.k)]
                    if all(0 <= r < self.rows and 0 <= c < self.cols for r, c in squares):
                        line = [r * self.cols + c for r, c in squares]
                        if self.bricks.isdisjoint(line):
                            yield line

    def _symmetries(self) -> Iterator[list[int]]:
        """For each symmetry of the board that keeps its bricks: where each cell goes. The first moves none."""
        for turned in (False, True) if self.rows == self.cols else (False,):
            for up in (False, True):
                for across in (False, True):
                    image = []
                    for cell in range(self.board_size):
                        row, col = divmod(cell, self.cols)
                        row, col = (self.rows - 1 - row if up else row), (self.cols - 1 - col if across else col)
                        row, col = (col, row) if turned else (row, col)
                        image.append(row * self.cols + col)
                    if {image[brick] for brick in self.bricks} == self.bricks:
                        yield image

    def _square(self, cell: int) -> str:
        row, col = divmod(cell, self.cols)
        return f"{'ABCDEFGHIJKLMNOPQRS'[row]}{col + 1}"

    def name(self, cell: int) -> str:
        """D4 for the fourth row from the top and the fourth column from the left; 2.D4 on the second of several boards."""
        board, on_board = divmod(cell, self.board_size)
        return f"{board + 1}.{self._square(on_board)}" if self.boards > 1 else self._square(on_board)

    def play(self, images: Images, side: str, cell: int) -> Images:
        """The position after a move, in all its images."""
        if side == FIRST or self.shared:
            return [(first | bit[cell], second) for (first, second), bit in zip(images, self.to_bit, strict=True)]
        return [(first, second | bit[cell]) for (first, second), bit in zip(images, self.to_bit, strict=True)]

    def completing(self, images: Images, side: str, open_cells: int) -> int:
        """The open cells with which this side completes a line."""
        marks = images[0][0 if side == FIRST or self.shared else 1]
        found = 0
        for lines in self.lines:
            for line in lines:
                missing = line & ~marks
                if not missing & (missing - 1):  # just one cell
                    found |= missing
        return found & open_cells

    def open_cells(self, images: Images) -> tuple[int, int]:
        """The cells that may be played, and how many boards hold no line yet. The game must be going on."""
        first, second = images[0]
        cells = living = 0
        for board, lines in zip(self.board_cells, self.lines, strict=True):
            # On a single board the game would be over with the first line, so there is none to look for.
            if self.boards == 1 or all(line & ~first for line in lines):
                cells |= board
                living += 1
        return cells & ~(first | second), living

    def endings(self, images: Images, side: str) -> tuple[int, dict[str, int]]:
        """The cells that `side`, to move, may play, and those that end the game: by winner, or draw."""
        cells, living = self.open_cells(images)
        completing = self.completing(images, side, cells)
        # A line closes its board, and a line on the last living board ends the game. Otherwise it ends when no cell is
        # left. (Closing one of several boards never does that: their marks are shared, so full ones hold lines too.)
        by_line = completing if living == 1 else 0
        no_room = cells if not cells & (cells - 1) else 0
        ends = {FIRST: 0, SECOND: 0, DRAW: 0}
        ends[side if self.line_wins else OTHER[side]] |= by_line
        ends[self.full] |= no_room & ~by_line
        return cells, ends


# --- The walk ---------------------------------------------------------------------------------------------------


class Walk:
    """Every game that the other side can play against the table."""

    def __init__(self, game: Game, winner: str, table: dict[tuple[int, int], int]) -> None:
        self.game = game
        self.winner = winner
        self.loser = OTHER[winner]
        self.table = table
        self.positions = self.replies = self.longest = 0

    def run(self) -> Generator[int, None, None]:
        """Walk ply by ply, so that no bad position comes before the one that is named. Yields how many were met."""
        start = self.game.start
        # Positions of different plies differ in their marks, so what lies behind can be forgotten.
        level: dict[tuple[int, int], tuple[Images, Moves]] = {min(start): (start, ())}
        if self.winner == SECOND:
            level = self._after_replies(start, ())
        while level:
            answered: list[tuple[Images, Moves]] = []
            for images, moves in level.values():
                if self.positions % 1000 == 0:
                    yield self.positions
                answered += self._after_move(images, moves)
            level = {}
            for images, moves in answered:
                for key, reached in self._after_replies(images, moves).items():
                    level.setdefault(key, reached)

    def _after_move(self, images: Images, moves: Moves) -> list[tuple[Images, Moves]]:
        """The winner's turn: where its move leads; nowhere if it wins at once."""
        game = self.game
        cells, ends = game.endings(images, self.winner)
        if ends[self.winner]:
            self._ends_after(len(moves) + 1)
            return []
        key = min(images)
        if key not in self.table:
            self._bad(moves, f"{self.winner} has no move in the table")
        self.positions += 1
        cell = self.table[key]
        if cell >= game.size:
            self._bad(moves, f"the table's move is cell {cell}, which is off the board")
        cell = game.back[images.index(key)][cell]  # from the image in the table to this position
        if not cells >> cell & 1:
            self._bad(moves, f"the table's move {game.name(cell)} is illegal")
        self._must_go_on_or_win(1 << cell, ends, moves, "the table's move")
        return [(game.play(images, self.winner, cell), (*moves, cell))]

    def _after_replies(self, images: Images, moves: Moves) -> dict[tuple[int, int], tuple[Images, Moves]]:
        """The other side's turn: all that its replies lead to, but for those after which the winner wins at once."""
        game = self.game
        cells, ends = game.endings(images, self.loser)
        self._must_go_on_or_win(cells, ends, moves, "the reply")
        self.replies += cells.bit_count()
        if ends[self.winner]:
            self._ends_after(len(moves) + 1)
        follow = cells & ~ends[self.winner]
        # A reply adds no mark of the winner's own. Where the winner threatens to complete a line, the reply must take
        # that cell; where it threatens two, no reply helps.
        threats = game.completing(images, self.winner, cells) if game.line_wins and not game.shared else 0
        if threats:
            hopeless = follow if threats & (threats - 1) else follow & ~threats
            if hopeless:
                self._ends_after(len(moves) + 2)
            follow &= ~hopeless
        reached: dict[tuple[int, int], tuple[Images, Moves]] = {}
        while follow:
            cell = (follow & -follow).bit_length() - 1
            follow &= follow - 1
            after = game.play(images, self.loser, cell)
            reached.setdefault(min(after), (after, (*moves, cell)))
        return reached

    def _must_go_on_or_win(self, cells: int, ends: dict[str, int], moves: Moves, what: str) -> None:
        """Refuse if a move to one of these cells ends the game otherwise than with a win for the winner."""
        for result, how in ((self.loser, f"{self.loser} has won"), (DRAW, "it is drawn")):
            if bad := ends[result] & cells:
                cell = (bad & -bad).bit_length() - 1
                self._bad(moves, f"{what} {self.game.name(cell)} ends the game, and {how}")

    def _ends_after(self, plies: int) -> None:
        self.longest = max(self.longest, plies)

    def _bad(self, moves: Moves, what: str) -> NoReturn:
        played = " ".join(map(self.game.name, moves))
        _refuse(f"after {played}: {what}" if played else f"at the start: {what}")


# --- The file ---------------------------------------------------------------------------------------------------


def check(path: Path | str) -> Generator[tuple[int, int], None, Report]:
    """Check a certificate, yielding now and then how many positions are done, and of how many at most.

    Raises:
        BadCertificate: the file does not prove what it says, or is not the one that was written.
        OSError: it cannot be read.
    """
    with open(path, "rb") as file:
        line = file.readline(MAX_HEADER)
        body = file.read(MAX_RECORDS * RECORD.size + 1)
    header = _header(line)
    game = Game(header["rules"])
    if len(body) > MAX_RECORDS * RECORD.size:
        _refuse(f"it has more than the {MAX_RECORDS:,} records that this checker reads")
    count = len(body) // RECORD.size
    records = RECORD.iter_unpack(body[: count * RECORD.size])
    walk = Walk(game, header["winner"], {(first, second): cell for first, second, cell in records})
    fault = _fault(header, line, body)
    try:
        for positions in walk.run():
            yield positions, count
    except BadCertificate as bad:
        raise BadCertificate(f"{bad} ({fault})" if fault else str(bad)) from None
    if fault:
        _refuse(f"{fault}, though every position that is reached is won")
    unused = count - walk.positions
    return Report(header["winner"], header["rules"], header["game"], walk.positions, walk.replies, unused, walk.longest)


def verify(path: Path | str) -> Report:
    """Check a certificate; the same errors."""
    steps = check(path)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            report: Report = end.value
            return report


def _header(line: bytes) -> dict[str, Any]:
    """The first line of the file, each field of the right type."""
    if not line.endswith(b"\n"):
        _refuse(f"it is not a certificate: it does not begin with a line of JSON of up to {MAX_HEADER} bytes")
    try:
        header = json.loads(line)
        if not isinstance(header, dict) or header.get("format") != FORMAT:
            _refuse(f'it is not a certificate: its first line does not say "format":"{FORMAT}"')
        if tuple(header) != FIELDS:
            _refuse(f"the header's fields must be {', '.join(FIELDS)}")
        if type(header["version"]) is not int or header["version"] != VERSION:
            _refuse(f"it is of version {_show(header['version'])}, and this checker reads version {VERSION}")
        for name in ("noughts", "game", "sha256"):
            if not isinstance(header[name], str):
                _refuse(f"the header's {name}={_show(header[name])} is not text")
        _choice(header, "winner", (FIRST, SECOND))
        _whole(header, "entries", 0, 10**18)
    except BadCertificate:
        raise
    except (ValueError, RecursionError):
        _refuse("it is not a certificate: its first line is not JSON")
    return header


def _fault(header: dict[str, Any], line: bytes, body: bytes) -> str:
    """What shows that this is not the file that was written; empty if nothing does."""
    expected, (count, rest) = header["entries"], divmod(len(body), RECORD.size)
    if len(body) != expected * RECORD.size:
        how = "truncated" if len(body) < expected * RECORD.size else "too long"
        more = f" and {rest} bytes" if rest else ""
        return f"the file is {how}: {expected:,} records expected, {count:,}{more} found"
    before = (-1, -1)
    for number, (first, second, _) in enumerate(RECORD.iter_unpack(body), 1):
        if (first, second) <= before:
            return f"the file is out of order: record {number:,} does not come after the one before it"
        before = (first, second)
    unsigned = {name: value for name, value in header.items() if name != "sha256"}
    if line != _json(header):
        return "the header is not written as certificates write it"
    if hashlib.sha256(_json(unsigned) + body).hexdigest() != header["sha256"]:
        return "the SHA-256 does not match: this is not the file that was written"
    return ""


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii") + b"\n"


def _bits(cells: list[int], offset: int) -> int:
    return sum(1 << (offset + cell) for cell in cells)


def _whole(fields: dict[str, Any], name: str, low: int, high: int) -> int:
    value = fields[name]
    if type(value) is not int or not low <= value <= high:
        _refuse(f"{name}={_show(value)} is not a whole number from {low} to {high}")
    return value


def _choice(fields: dict[str, Any], name: str, allowed: tuple[str, ...]) -> str:
    value = fields[name]
    if not isinstance(value, str) or value not in allowed:
        _refuse(f"{name}={_show(value)} is not one of {', '.join(allowed)}")
    return value


def _show(value: object) -> str:
    """A value from a file that may hold anything, safe to print."""
    try:
        text = ascii(value)
    except (ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


def _refuse(message: str) -> NoReturn:
    raise BadCertificate(message)


def _describe(rules: dict[str, Any]) -> str:
    bricks = f", bricks {'+'.join(rules['bricks'])}" if rules["bricks"] else ""
    boards = f" on {rules['boards']} boards" if rules["boards"] > 1 else ""
    return (
        f"{rules['rows']}x{rules['cols']}{boards}{bricks}, {rules['marks']} marks, "
        f"a line of {rules['k']} {rules['line']}, full board: {rules['full']}"
    )


def main() -> int:
    """Check the files named on the command line; 0 if all hold, 1 if one is refused, 2 if one cannot be read."""
    parser = argparse.ArgumentParser(description="Check certificates of won games by playing every reply.")
    parser.add_argument("files", nargs="+", metavar="FILE")
    code = 0
    for name in parser.parse_args().files:
        try:
            report = verify(name)
        except BadCertificate as bad:
            print(f"{name}: REFUSED: {bad}")
            code = max(code, 1)
        except OSError as error:
            print(f"{name}: cannot be read: {error.strerror or error}")
            code = 2
        else:
            print(
                f"{name}: proved: {report.winner} wins {_describe(report.rules)}, against every reply; "
                f"{report.positions:,} positions, {report.replies:,} replies, longest game {report.longest} moves, "
                f"records not needed: {report.unused:,}"
            )
    return code


if __name__ == "__main__":
    sys.exit(main())
