"""An independent checker of certificates. It needs nothing but Python: ``python verify.py FILE`` works anywhere.

A certificate claims that one side wins a game against every reply, or that it never loses. It is a table: for each
position, the move to make, or the moves that may be made. The checker trusts none of it. It reads the rules, and computes
the lines and the symmetries of the board itself. Then it plays from the empty board to the end of every game: for that
side every move in the table, for the other side every legal move. The claim is true if all these games end as claimed.
The checker shares no code with the programs that make certificates, so that it does not share their bugs.

A position is one number: the first player's marks, shifted to the left, and the second player's marks, each a set of
cells with bit ``row * cols + col`` for a cell. Shared marks all count as the first player's. The boards of a game
with several follow one another. A table may contain only one of several positions that are equivalent under symmetry
(mirror images, rotations, moves over joined edges), namely the least. So the checker keeps them together: ``images[0]``
is the position itself, and ``min(images)`` is the one in the table, whose moves are those in that image.

The file: one line of JSON, then the records, which ascend by position. The SHA-256 in the header covers
everything else in the file: the header without it, a line feed, the records. Numbers are stored low byte first.

    version 1   how to win a game: both players' marks, 8 bytes each, and the cell to play, 1 byte. Positions are
                least images. The table leaves out positions in which the winner can win at once, because the checker
                finds these wins itself. If several images are least, any of them gives the move.
    version 2   how an agent plays: both players' marks and the set of moves that it may choose, ceil(size / 8) bytes
                each. The table has every position in which the agent moves, and the agent plays only these moves.
                If `symmetric` is true, positions are least images, and the moves must be the same by all of them.
"""

import argparse
import hashlib
import json
import lzma
import sys
from bisect import bisect_left
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from itertools import pairwise, product
from operator import or_
from pathlib import Path
from typing import Any, NoReturn

FORMAT = "noughts certificate"
PACKED = ".xz"
"""Suffix of a certificate that is packed with xz."""
FIELDS = {
    1: ("format", "version", "noughts", "game", "rules", "winner", "entries", "sha256"),
    2: ("format", "version", "noughts", "game", "rules", "side", "claim", "agent", "symmetric", "entries", "sha256"),
}
"""The header's fields in each version, in order."""
RULES = ("rows", "cols", "k", "bricks", "marks", "line", "full", "boards", "lineless")
"""The fields of the rules, in order. If edges are joined, and only then, "wrap" follows."""
JOINED = ("rows", "columns", "both")
"""``rows``: the top and the bottom edge. ``columns``: the left and the right edge."""
MAX_CELLS = {1: 64, 2: 361}
MAX_HEADER = 20_000
"""In bytes; limits what is read of any file's header."""
MAX_AGENT = 500
"""Most characters of an agent's name."""
MAX_RECORDS = 20_000_000
PIECE = 1 << 20  # bytes, at first; a read never exceeds what was read before

FIRST, SECOND, DRAW = "first", "second", "draw"
PLAYERS = (FIRST, SECOND)
OTHER = {FIRST: SECOND, SECOND: FIRST}
WINS, NEVER_LOSES = "wins", "never loses"

Images = list[int]
"""A position, once for each symmetry of the game."""
Moves = tuple[int, ...]
"""The cells played since the start."""


class BadCertificate(ValueError):  # noqa: N818 # it describes a finding, not a failure of this program
    """A file that proves nothing; the message gives the reason, with the first bad position if there is one."""


@dataclass(frozen=True)
class Report:
    """A claim that holds.

    Attributes:
        side: ``first`` or ``second``: the side whose moves are in the table.
        claim: ``wins`` or ``never loses``.
        agent: The name of the agent that plays these moves, which was not checked. Empty in version 1.
        rules: The fields of the rules, as in the header.
        game: The game's name in the header, which was not checked.
        positions: Positions looked up in the table, up to symmetry if the table is.
        replies: Replies to all these moves.
        unused: Records of the table that no game reached. They do no harm.
        longest: Most moves in any game; in version 1, if the winner always takes an immediate win.
        sha256: Of the whole file, unpacked if it was packed.
    """

    side: str
    claim: str
    agent: str
    rules: dict[str, Any]
    game: str
    positions: int
    replies: int
    unused: int
    longest: int
    sha256: str

    @property
    def claimed(self) -> str:
        """The claim in words: ``first wins``, or ``random as second player never loses``."""
        return f"{self.agent} as {self.side} player {self.claim}" if self.agent else f"{self.side} {self.claim}"


# --- The rules --------------------------------------------------------------------------------------------------


class Game:
    """The rules of one game, computed from the header's fields; raises BadCertificate if they are not valid.

    Args:
        rules: The fields.
        version: Version of the file.
        symmetric: Whether to treat symmetric positions as one.
    """

    def __init__(self, rules: Any, version: int, symmetric: bool) -> None:
        if not isinstance(rules, dict) or tuple(rules) not in (RULES, (*RULES, "wrap")):
            _refuse(f"rules: the fields must be {', '.join(RULES)}, and wrap if edges are joined")
        wrap = _choice(rules, "wrap", JOINED) if "wrap" in rules else ""
        self.round_rows, self.round_cols = wrap in ("rows", "both"), wrap in ("columns", "both")
        self.rows, self.cols, self.k = (_whole(rules, name, 1, 19) for name in ("rows", "cols", "k"))
        self.boards = _whole(rules, "boards", 1, 100)
        self.shared = _choice(rules, "marks", ("own", "shared")) == "shared"
        self.line_wins = _choice(rules, "line", ("wins", "loses")) == "wins"
        self.full = _choice(rules, "full", (DRAW, FIRST, SECOND))
        self.board_size = self.rows * self.cols
        self.size = self.board_size * self.boards
        if self.size > MAX_CELLS[version]:
            _refuse(f"rules: {self.size} cells, and a certificate is for up to {MAX_CELLS[version]}")
        if self.boards > 1 and not self.shared:
            _refuse("rules: several boards need shared marks")
        self.bricks = self._bricks(rules["bricks"])
        offsets = [board * self.board_size for board in range(self.boards)]
        free = [cell for cell in range(self.board_size) if cell not in self.bricks]
        self.board_cells = [_bits(free, offset) for offset in offsets]
        # By shape: the offsets of a line's cells from its lowest cell, and the lowest cells of all lines of that shape.
        self.lines: dict[tuple[int, ...], int] = {}
        for line in sorted({tuple(sorted(line)) for line in self._lines()}):
            places = tuple(cell - line[0] for cell in line)
            self.lines[places] = self.lines.get(places, 0) | _bits(offsets, line[0])
        lineless = not self.lines
        if rules["lineless"] is not lineless:
            _refuse("rules: lineless must be true if no line fits, and false otherwise")
        self.width = 8 if version == 1 else (self.size + 7) // 8  # bytes for the marks of one player
        maps = [[offset + cell for offset in offsets for cell in image] for image in self._symmetries()]
        maps = maps if symmetric else maps[:1]
        # Where each player's marks are in a position, and for each player and cell: its mark in all images.
        self.shifts = (8 * self.width, 8 * self.width if self.shared else 0)
        self.marks = [[[1 << shift + to[cell] for to in maps] for cell in range(self.size)] for shift in self.shifts]
        # For each symmetry: the cell that it maps to each cell.
        self.back = [{to: cell for cell, to in enumerate(image)} for image in maps]

    def _bricks(self, names: Any) -> set[int]:
        squares = {self._square(cell): cell for cell in range(self.board_size)}
        if not isinstance(names, list) or not all(isinstance(name, str) and name in squares for name in names):
            _refuse(f"rules: bricks={_show(names)} are not squares of the board")
        if len(set(names)) < len(names) or len(names) == self.board_size:
            _refuse("rules: each brick is named once, and one cell at least has none")
        return {squares[name] for name in names}

    def _lines(self) -> Iterator[list[int]]:
        """Yield every k cells in a row, column or diagonal of one board without a brick, some more than once.

        Over a joined edge a line continues on the other side. It has no cell twice, and is no longer than the longer side.
        """
        if self.k > max(self.rows, self.cols):
            return
        for row in range(self.rows):
            for col in range(self.cols):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    squares = [self._on_board(row + down * i, col + right * i) for i in range(self.k)]
                    if all(0 <= r < self.rows and 0 <= c < self.cols for r, c in squares):
                        line = [r * self.cols + c for r, c in squares]
                        if self.bricks.isdisjoint(line) and len(set(line)) == self.k:
                            yield line

    def _on_board(self, row: int, col: int) -> tuple[int, int]:
        """The square on the board of one that may be past a joined edge."""
        return row % self.rows if self.round_rows else row, col % self.cols if self.round_cols else col

    def _symmetries(self) -> Iterator[list[int]]:
        """Yield, for each symmetry of the board that keeps its bricks, the image of each cell; the identity first.

        Some symmetries repeat on small boards, which does no harm.
        """
        turns = (False, True) if self.rows == self.cols and self.round_rows == self.round_cols else (False,)
        downs = range(self.rows if self.round_rows else 1)
        rights = range(self.cols if self.round_cols else 1)
        for down, right, turned, up, across in product(downs, rights, turns, (False, True), (False, True)):
            image = []
            for cell in range(self.board_size):
                row, col = divmod(cell, self.cols)
                row, col = (self.rows - 1 - row if up else row), (self.cols - 1 - col if across else col)
                row, col = (col, row) if turned else (row, col)
                image.append((row + down) % self.rows * self.cols + (col + right) % self.cols)
            if {image[brick] for brick in self.bricks} == self.bricks:
                yield image

    def _square(self, cell: int) -> str:
        row, col = divmod(cell, self.cols)
        return f"{'ABCDEFGHIJKLMNOPQRS'[row]}{col + 1}"

    def name(self, cell: int) -> str:
        """The name of a cell: D4 is in the fourth row and the fourth column; 2.D4 is on the second of several boards."""
        board, on_board = divmod(cell, self.board_size)
        return f"{board + 1}.{self._square(on_board)}" if self.boards > 1 else self._square(on_board)

    def after(self, moves: Moves) -> Images:
        """The position after these moves, in all its images."""
        marks = [self.marks[ply % 2][cell] for ply, cell in enumerate(moves)]
        return list(map(sum, zip([0] * len(self.back), *marks, strict=True)))

    def complete(self, position: int, side: str) -> tuple[int, int]:
        """The first cells of this side's complete lines, and the cells, open or not, that would complete another one."""
        marks = position >> self.shifts[PLAYERS.index(side)]
        complete = completing = 0
        for places, first_cells in self.lines.items():  # all lines of one shape at a time
            whole, one_missing = first_cells, 0
            for place in places:
                held = marks >> place
                one_missing = one_missing & held | whole & ~held
                whole &= held
            complete |= whole
            for place in places if one_missing else ():
                completing |= (one_missing & ~(marks >> place)) << place
        return complete, completing

    def open_cells(self, position: int) -> tuple[int, int]:
        """The legal cells, and the number of boards without a line. The game must not be over."""
        # On a single board the first line ends the game, so there is none to find.
        closed = self.complete(position, FIRST)[0] if self.boards > 1 else 0
        living = [board for board in self.board_cells if not board & closed]
        return sum(living) & ~(position >> self.shifts[0] | position), len(living)

    def endings(self, position: int, side: str) -> tuple[int, dict[str, int]]:
        """The legal cells of `side`, to move, and those that end the game: by winner, or draw."""
        cells, living = self.open_cells(position)
        completing = self.complete(position, side)[1] & cells
        # A line closes its board, and a line on the last open board ends the game. Otherwise the game ends when no cell
        # is left. (Closing one of several boards never does that: with shared marks, full boards contain lines too.)
        by_line = completing if living == 1 else 0
        no_room = cells if not cells & (cells - 1) else 0
        ends = {FIRST: 0, SECOND: 0, DRAW: 0}
        ends[side if self.line_wins else OTHER[side]] |= by_line
        ends[self.full] |= no_room & ~by_line
        return cells, ends


# --- The walk ---------------------------------------------------------------------------------------------------


class MoveTable:
    """The records of a file, found by their positions, which must ascend.

    Args:
        game: The game.
        version: Version of the file.
        body: Everything after the header; an incomplete record at the end is ignored.

    Attributes:
        positions: Those of the records.
    """

    def __init__(self, game: Game, version: int, body: bytes) -> None:
        self.body, self.width, self.version = body, game.width, version
        self.record = 2 * game.width + (1 if version == 1 else game.width)  # bytes per record
        starts = range(0, len(body) - self.record + 1, self.record)
        self.positions = [self._marks(at) << 8 * self.width | self._marks(at + self.width) for at in starts]

    def __len__(self) -> int:
        return len(self.positions)

    def moves(self, position: int) -> int | None:
        """The set of moves in a position, as in the table; None if it has no record."""
        number = bisect_left(self.positions, position)
        if number == len(self) or self.positions[number] != position:
            return None
        if self.version == 1:
            return 1 << self.body[number * self.record + 2 * self.width]
        return self._marks(number * self.record + 2 * self.width)

    def _marks(self, at: int) -> int:
        return int.from_bytes(self.body[at : at + self.width], "little")


class StrategyWalk:
    """An exhaustive check of the games that the other side can play against the table."""

    def __init__(self, game: Game, side: str, claim: str, table: MoveTable) -> None:
        self.game, self.side, self.other, self.table = game, side, OTHER[side], table
        self.bad_ends = {self.other: f"{self.other} has won"} | ({DRAW: "it is drawn"} if claim == WINS else {})
        self.wins_left_out = table.version == 1
        self.positions = self.replies = self.longest = 0

    def run(self) -> Generator[int, None, None]:
        """Search ply by ply, so that the first error reported is the earliest. Yields the number of positions so far."""
        # Positions of different plies have different numbers of marks, so earlier levels can be dropped. A position is
        # stored as the moves that lead to it, because its images would take ten times the memory.
        level: dict[int, Moves] = {0: ()}
        ply = 0
        while level:
            own, marks = PLAYERS[ply % 2] == self.side, self.game.marks[ply % 2]
            reached: dict[int, Moves] = {}
            for moves in level.values():
                if own and self.positions % 1000 == 0:
                    yield self.positions
                images = self.game.after(moves)
                for cell in cells_of(self._answers(images, moves) if own else self._replies(images[0], moves)):
                    position = min(map(or_, images, marks[cell]))
                    if position not in reached:
                        reached[position] = (*moves, cell)
            level, ply = reached, ply + 1

    def _answers(self, images: Images, moves: Moves) -> int:
        """For this side to move: its moves after which the game is not over."""
        game = self.game
        cells, ends = game.endings(images[0], self.side)
        if self.wins_left_out and ends[self.side]:
            self._ends_after(len(moves) + 1)
            return 0
        least = min(images)
        chosen = self.table.moves(least)
        if not chosen:
            self._bad(moves, f"{self.side} has no move in the table")
        self.positions += 1
        if chosen >> game.size:
            self._bad(moves, f"the table's move is cell {chosen.bit_length() - 1}, which is off the board")
        # Map the moves from the image in the table back to this position, by each symmetry that relates the two.
        chosen, *others = [
            _moved(chosen, back) for image, back in zip(images, game.back, strict=True) if image == least
        ]
        if not self.wins_left_out and any(other != chosen for other in others):
            self._bad(moves, "the table's moves are not alike, though a symmetry of the game keeps this position")
        if illegal := chosen & ~cells:
            self._bad(moves, f"the table's move {game.name(_lowest(illegal))} is illegal")
        going_on = self._going_on(chosen, ends, moves, "the table's move")
        after = (images[0] | game.marks[len(moves) % 2][cell][0] for cell in cells_of(going_on))
        self.replies += sum(game.open_cells(position)[0].bit_count() for position in after)
        return going_on

    def _replies(self, position: int, moves: Moves) -> int:
        """For the other side to move: its replies after which the game is not over, without those the table leaves out."""
        game = self.game
        cells, ends = game.endings(position, self.other)
        self.replies += 0 if moves else cells.bit_count()  # later ones are counted with the move before them
        follow = self._going_on(cells, ends, moves, "the reply")
        # A reply adds no mark of the winner. So if the winner threatens to complete a line, the reply must take that
        # cell; against two threats, no reply helps.
        threatened = self.wins_left_out and game.line_wins and not game.shared
        if threats := game.complete(position, self.side)[1] & cells if threatened else 0:
            hopeless = follow if threats & (threats - 1) else follow & ~threats
            self._ends_after(len(moves) + 2 if hopeless else 0)
            follow &= ~hopeless
        return follow

    def _going_on(self, cells: int, ends: dict[str, int], moves: Moves, what: str) -> int:
        """Those of these moves that do not end the game; raises BadCertificate if one ends it against the claim."""
        for result, how in self.bad_ends.items():
            if bad := ends[result] & cells:
                self._bad(moves, f"{what} {self.game.name(_lowest(bad))} ends the game, and {how}")
        over = cells & (ends[FIRST] | ends[SECOND] | ends[DRAW])
        self._ends_after(len(moves) + 1 if over else 0)
        return cells & ~over

    def _ends_after(self, plies: int) -> None:
        self.longest = max(self.longest, plies)

    def _bad(self, moves: Moves, what: str) -> NoReturn:
        played = " ".join(map(self.game.name, moves))
        _refuse(f"after {played}: {what}" if played else f"at the start: {what}")


# --- The file ---------------------------------------------------------------------------------------------------


def check(path: Path | str) -> Generator[tuple[int, int], None, Report]:
    """Check a certificate; yield the positions checked so far and their maximum, now and then.

    Raises:
        BadCertificate: the file does not prove its claim, or was changed after it was written.
        OSError: it cannot be read.
    """
    packed = str(path).endswith(PACKED)
    try:
        with lzma.open(path) if packed else open(path, "rb") as file:
            line = file.readline(MAX_HEADER)
            header = _header(line)
            version, side = header["version"], header.get("side") or header["winner"]
            game = Game(header["rules"], version, header.get("symmetric", True))
            if (entries := header["entries"]) > MAX_RECORDS:
                _refuse(f"it has {entries:,} records, more than the {MAX_RECORDS:,} that this checker reads")
            # Read no more than the header announces, plus a byte, because a small packed file may expand to gigabytes.
            most, body = entries * MoveTable(game, version, b"").record + 1, b""
            while len(body) < most and (piece := file.read(min(most - len(body), max(PIECE, len(body))))):
                body += piece
    except (lzma.LZMAError, EOFError) as error:
        _refuse(f"it is no whole {PACKED} file: {error}")
    claim, agent = header.get("claim", WINS), header.get("agent", "")
    walk = StrategyWalk(game, side, claim, table := MoveTable(game, version, body))
    fault = _fault(header, line, table)
    try:
        for positions in walk.run():
            yield positions, len(table)
    except BadCertificate as bad:
        raise BadCertificate(f"{bad} ({fault})" if fault else str(bad)) from None
    if fault:
        _refuse(f"{fault}, though every position that is reached is {'won' if claim == WINS else 'not lost'}")
    unused = len(table) - walk.positions
    counts = walk.positions, walk.replies, unused, walk.longest
    digest = hashlib.sha256(line + body).hexdigest()
    return Report(side, claim, agent, header["rules"], header["game"], *counts, digest)


def verify(path: Path | str) -> Report:
    """Check a certificate. Raises as `check`."""
    steps = check(path)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            report: Report = end.value
            return report


def _header(line: bytes) -> dict[str, Any]:
    """The first line of the file, with each field of the right type."""
    if not line.endswith(b"\n"):
        _refuse(f"it is not a certificate: it does not begin with a line of JSON of up to {MAX_HEADER} bytes")
    try:
        header = json.loads(line)
        if not isinstance(header, dict) or header.get("format") != FORMAT:
            _refuse(f'it is not a certificate: its first line has no "format":"{FORMAT}"')
        version = header.get("version")
        if type(version) is not int or version not in FIELDS:
            newer = ": update noughts, whose checker it is" if type(version) is int and version > max(FIELDS) else ""
            _refuse(f"it is of version {_show(version)}, and this checker reads versions 1 and 2{newer}")
        if tuple(header) != FIELDS[version]:
            _refuse(f"the header's fields must be {', '.join(FIELDS[version])}")
        for name in ("noughts", "game", "sha256"):
            if not isinstance(header[name], str):
                _refuse(f"the header's {name}={_show(header[name])} is not text")
        _choice(header, "winner" if version == 1 else "side", PLAYERS)
        _whole(header, "entries", 0, 10**18)
        if version == 2:
            _choice(header, "claim", (WINS, NEVER_LOSES))
            agent = header["agent"]
            if not isinstance(agent, str) or not agent.isprintable() or not 0 < len(agent) <= MAX_AGENT:
                _refuse(f"agent={_show(agent)} is not a line of text of up to {MAX_AGENT} characters")
            if not isinstance(header["symmetric"], bool):
                _refuse(f"symmetric={_show(header['symmetric'])} is not true or false")
    except BadCertificate:
        raise
    except (ValueError, RecursionError):
        _refuse("it is not a certificate: its first line is not JSON")
    return header


def _fault(header: dict[str, Any], line: bytes, table: MoveTable) -> str:
    """Why this is not the file that was written; empty if it is."""
    expected, (count, rest) = header["entries"], divmod(len(table.body), table.record)
    if len(table.body) != expected * table.record:
        if len(table.body) > expected * table.record:
            return f"the file is too long: {expected:,} records expected, and more found"
        more = f" and {rest} bytes" if rest else ""
        return f"the file is truncated: {expected:,} records expected, {count:,}{more} found"
    for number, (before, position) in enumerate(pairwise(table.positions), 2):
        if position <= before:
            return f"the file is out of order: record {number:,} does not come after the one before it"
    unsigned = {name: value for name, value in header.items() if name != "sha256"}
    if line != _json(header):
        return "the header is not written as certificates write it"
    if hashlib.sha256(_json(unsigned) + table.body).hexdigest() != header["sha256"]:
        return "the SHA-256 does not match: this is not the file that was written"
    return ""


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii") + b"\n"


def _bits(cells: list[int], offset: int) -> int:
    return sum(1 << (offset + cell) for cell in cells)


def _lowest(cells: int) -> int:
    return (cells & -cells).bit_length() - 1


def cells_of(cells: int) -> Iterator[int]:
    """The cells of a set, ascending."""
    while cells:
        yield _lowest(cells)
        cells &= cells - 1


def _moved(cells: int, to: dict[int, int]) -> int:
    return sum(1 << to[cell] for cell in cells_of(cells))


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
    """Any value from a file, safe to print."""
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
    sides = {"rows": "top and bottom", "columns": "left and right", "both": "opposite"}
    joined = f", {sides[rules['wrap']]} edges joined" if "wrap" in rules else ""
    return (
        f"{rules['rows']}x{rules['cols']}{boards}{joined}{bricks}, {rules['marks']} marks, "
        f"a line of {rules['k']} {rules['line']}, full board: {rules['full']}"
    )


def main() -> int:
    """Check the files named on the command line; return 0 if all hold, 1 if one is rejected, 2 if one cannot be read."""
    parser = argparse.ArgumentParser(description="Check certificates of agents and won games by playing every reply.")
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
                f"{name}: proved: {report.claimed} {_describe(report.rules)}, against every reply; "
                f"{report.positions:,} positions, {report.replies:,} replies, longest game {report.longest} moves, "
                f"records not needed: {report.unused:,}"
            )
    return code


if __name__ == "__main__":
    sys.exit(main())
