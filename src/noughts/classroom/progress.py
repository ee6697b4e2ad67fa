"""`ClassProgress`: what the teacher wants done, which puzzles were solved, and the table of results."""

import csv
import io
import secrets

from noughts.classroom.answers import PupilResult
from noughts.classroom.games import ClassGames
from noughts.classroom.room import Classroom
from noughts.classroom.values import Assignment, KeptGame, KeptSolved, Seat, moment
from noughts.puzzles import Puzzle
from noughts.puzzles.shipped import shipped_puzzles
from noughts.rules import Rules, format_rules, parse_rules
from noughts.web.boards import read_position, read_rules
from noughts.web.errors import Refused
from noughts.web.roster import read_agent

_SOLVED, _ASSIGNMENT = "solved", "assignment"
_SIDES = ("first", "second")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # with which a table's program would begin to compute


class ClassProgress:
    """What a class does.

    Attributes:
        assignments: By id, those of before, too.
    """

    def __init__(self, room: Classroom, games: ClassGames) -> None:
        """What is kept of it."""
        self._room, self._games = room, games
        self._solved: dict[str, dict[str, KeptSolved]] = {}  # by pupil and puzzle
        for kept in room.read(_SOLVED, KeptSolved).values():
            self._solved.setdefault(kept.pupil, {})[kept.puzzle] = kept
        self.assignments = room.read(_ASSIGNMENT, Assignment)

    @property
    def assignment(self) -> Assignment | None:
        """What is to be done; None for nothing."""
        return self.assignments.get(self._room.assignment_id)

    async def assign(self, assignment: Assignment) -> None:
        """Set what is to be done.

        Raises:
            Refused: it has no puzzles, or its game is over before it begins.
            RulesError, IllegalMoveError, AgentError: there are no such rules, moves or agent.
        """
        limits = self._room.limits
        if assignment.kind == "game":
            position = read_position(assignment.rules, assignment.moves, limits)
            if position.is_over:
                raise Refused(422, "moves: the game is over before it begins")
            names = list(map(position.rules.name_of, position.moves))
            agent = str(read_agent(assignment.agent, limits))
            read = {"rules": format_rules(position.rules), "moves": names, "agent": agent, "grade": "", "count": 0}
        else:
            puzzles = _puzzles(read_rules(assignment.rules, limits), assignment.grade)
            if not puzzles:
                raise Refused(422, f"rules: no puzzles of {assignment.rules[:100]!r} come with noughts")
            count = min(assignment.count or len(puzzles), len(puzzles))
            read = {"rules": format_rules(puzzles[0].rules), "moves": [], "agent": "", "count": count}
        read["words"] = " ".join(assignment.words.split())
        async with self._room.turn:
            assignment_id = secrets.token_hex(4)
            kept = assignment.model_copy(update=read)
            await self._room.keep(_ASSIGNMENT, assignment_id, kept)
            self.assignments[assignment_id] = kept
            await self._room.change_class(assignment=assignment_id)

    async def clear(self) -> None:
        """There is nothing to be done any more."""
        async with self._room.turn:
            await self._room.change_class(assignment="")

    async def begin(self, pupil: str) -> str:
        """The pupil's game of the assignment: the one that goes on, or a new one; gives its id."""
        assignment, assignment_id = self.assignment, self._room.assignment_id
        if assignment is None or assignment.kind != "game":
            raise Refused(422, "there is no game to be played: look at what your teacher has set")
        for game_id in reversed(self._games.of(pupil)):
            game = self._games.all[game_id]
            if game.assignment == assignment_id and game.state == "playing":
                return game_id
        position = read_position(assignment.rules, assignment.moves, self._room.limits)
        return await self._games.make(
            pupil,
            assignment.rules,
            Seat(agent=assignment.agent),
            "me" if position.to_move == 0 else "other",  # the pupil is to move
            opening=tuple(assignment.moves),
            assignment=assignment_id,
        )

    async def solve(self, pupil: str, rules: str, moves: list[str], move: str, at_once: bool) -> int:
        """Note that a pupil solved a puzzle; gives how many the pupil has solved.

        Raises:
            Refused: it is no puzzle that ships, or the move is not its solution.
        """
        position = read_position(rules, moves, self._room.limits)
        puzzles = shipped_puzzles().get(position.rules, ())
        puzzle = next((each for each in puzzles if each.moves == position.moves), None)
        if puzzle is None:
            raise Refused(404, "this position is none of the puzzles that come with noughts")
        if position.rules.cell_of(move) not in puzzle.solutions:
            raise Refused(422, f"move: {move} does not solve this puzzle")
        async with self._room.turn:
            mine = self._solved.setdefault(pupil, {})
            if puzzle.id not in mine:
                kept = KeptSolved(pupil=pupil, puzzle=puzzle.id, at_once=at_once, moment=moment())
                await self._room.keep(_SOLVED, f"{pupil}.{puzzle.id}", kept)
                mine[puzzle.id] = kept
                self._room.tell()
        return len(mine)

    def results(self, pupil: str = "") -> list[PupilResult]:
        """The table, by nickname; of one pupil alone, if one is given."""
        rows = [
            self._row(id, kept.nickname, self._ended(id))
            for id, kept in self._room.pupils.items()
            if not kept.removed and pupil in ("", id)
        ]
        return sorted(rows, key=lambda row: row.nickname.casefold())

    def csv(self) -> str:
        """The table as CSV, with the names of its columns."""
        names = ("nickname", "played", "won", "drawn", "lost", "puzzles solved", "assignment done", "done at (UTC)")
        written = io.StringIO()
        table = csv.writer(written)
        table.writerow(names)
        for row in self.results():
            done = "yes" if row.done_at else "no"
            counts = (row.played, row.won, row.drawn, row.lost, row.solved)
            table.writerow((_plain(row.nickname), *counts, done if self.assignment else "", row.done_at or ""))
        return written.getvalue()

    def _ended(self, pupil: str) -> list[KeptGame]:
        """A pupil's games that ended with a result."""
        games = (self._games.all[id] for id in self._games.of(pupil))
        return [game for game in games if game.state == "ended" and game.outcome]

    def _row(self, pupil: str, nickname: str, games: list[KeptGame]) -> PupilResult:
        ends = [_end_for(game, pupil) for game in games]
        return PupilResult(
            id=pupil,
            nickname=nickname,
            played=len(ends),
            won=ends.count("won"),
            drawn=ends.count("drawn"),
            lost=ends.count("lost"),
            solved=len(self._solved.get(pupil, {})),
            done=self._done(pupil, games),
            done_at=self._done_at(pupil, games),
        )

    def _done(self, pupil: str, games: list[KeptGame]) -> int:
        """How much of the assignment a pupil has done: puzzles, or games that count."""
        assignment = self.assignment
        if assignment is None:
            return 0
        if assignment.kind == "puzzles":
            mine = self._solved.get(pupil, {})
            return sum(puzzle.id in mine for puzzle in assigned_puzzles(assignment))
        return len(self._counting(assignment, pupil, games))

    def _done_at(self, pupil: str, games: list[KeptGame]) -> str | None:
        """When a pupil had done the assignment; None if that is not so yet."""
        assignment = self.assignment
        if assignment is None:
            return None
        if assignment.kind == "puzzles":
            mine = self._solved.get(pupil, {})
            ids = [puzzle.id for puzzle in assigned_puzzles(assignment)]
            return max(mine[id].moment for id in ids) if all(id in mine for id in ids) else None
        return min((game.ended for game in self._counting(assignment, pupil, games)), default=None)

    def _counting(self, assignment: Assignment, pupil: str, games: list[KeptGame]) -> list[KeptGame]:
        """A pupil's games of the assignment that reached its goal."""
        enough = {"finish": ("won", "drawn", "lost"), "draw": ("won", "drawn"), "win": ("won",)}[assignment.goal]
        mine = self._room.assignment_id
        return [game for game in games if game.assignment == mine and _end_for(game, pupil) in enough]


def assigned_puzzles(assignment: Assignment) -> tuple[Puzzle, ...]:
    """The puzzles of an assignment, the easiest first."""
    return _puzzles(parse_rules(assignment.rules), assignment.grade)[: assignment.count]


def _puzzles(rules: Rules, grade: str) -> tuple[Puzzle, ...]:
    return tuple(puzzle for puzzle in shipped_puzzles().get(rules, ()) if grade in ("", puzzle.grade))


def _end_for(game: KeptGame, pupil: str) -> str:
    """How a game that has ended went for a pupil."""
    if game.outcome == "draw":
        return "drawn"
    seat = game.seat_of(pupil)
    return "won" if seat is not None and _SIDES[seat] == game.outcome else "lost"


def _plain(text: str) -> str:
    """Text that no table's program takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
