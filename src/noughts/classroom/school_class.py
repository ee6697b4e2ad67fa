"""`SchoolClass`: the class that a server runs: its pupils, games, assignment and table of results."""

import csv
import io
import secrets

from pydantic import BaseModel, Field

from noughts.classroom.games import ClassGames, read_opponent
from noughts.classroom.room import Classroom
from noughts.classroom.values import Assignment, KeptGame, KeptSolved, moment
from noughts.play.playthrough import SIDES
from noughts.positions import Position
from noughts.puzzles import Puzzle
from noughts.puzzles.shipped import shipped_puzzles
from noughts.rules import Rules
from noughts.web.errors import Refused
from noughts.web.reading import play
from noughts.web.services import Services

_SOLVED, _ASSIGNMENT = "solved", "assignment"
_COLUMNS = ("nickname", "played", "won", "drawn", "lost", "puzzles solved", "assignment done", "done at (UTC)")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would read a cell that begins with one as a formula


class PupilResult(BaseModel):
    """The results of a pupil."""

    played: int
    won: int
    drawn: int
    lost: int
    solved: int = Field(description="Puzzles.")
    done: int = Field(description="Of the assignment: puzzles, or finished games.")
    done_at: str | None = Field(description="When the assignment was done, in UTC; None if it is not.")


class SchoolClass:
    """A class.

    Attributes:
        room: Its pupils.
        games: Its games.
        assignments: By id, with earlier ones.
    """

    def __init__(self, services: Services, address: str) -> None:
        """Continue the store's class, or begin one; pupils use the page at `address`. StoreError if another server runs it."""
        self.room = Classroom(services.store.class_records, address)
        self.games = ClassGames(self.room, services.engine)
        self.assignments = self.room.read(_ASSIGNMENT, Assignment)
        self._solved: dict[str, dict[str, KeptSolved]] = {}  # by pupil and puzzle
        for kept in self.room.read(_SOLVED, KeptSolved).values():
            self._solved.setdefault(kept.pupil, {})[kept.puzzle] = kept

    def close(self) -> None:
        """End the games and the class, when the server ends."""
        self.games.close()
        self.room.close()

    @property
    def assignment(self) -> Assignment | None:
        """The current assignment; None if there is none."""
        return self.assignments.get(self.room.kept.assignment)

    async def assign(self, assignment: Assignment | None) -> None:
        """Set the assignment; None removes it.

        Raises:
            Refused: no puzzles match it, its moves end the game, or its agent cannot play the game.
            RulesError, IllegalMoveError, AgentError: its moves are illegal, or its agent is unknown.
        """
        assignment_id, kept = "", None if assignment is None else _checked(assignment)
        async with self.room.turn:
            if kept is not None:
                assignment_id = secrets.token_hex(4)
                await self.room.keep(_ASSIGNMENT, assignment_id, kept)
                self.assignments[assignment_id] = kept
            await self.room.change_class(assignment=assignment_id)

    async def begin(self, pupil: str) -> str:
        """Return the id of the pupil's game of the assignment: the unfinished one, or a new one."""
        assignment, assignment_id = self.assignment, self.room.kept.assignment
        if assignment is None or assignment.kind != "game":
            raise Refused(422, "there is no game to be played: look at what your teacher has set")
        for game_id in reversed(self.games.of(pupil)):
            game = self.games.all[game_id]
            if game.assignment == assignment_id and game.state == "playing":
                return game_id
        opening = tuple(assignment.moves)
        return await self.games.make(  # the pupil is to move
            pupil, assignment.rules, assignment.agent, "other" if len(opening) % 2 else "me", opening, assignment_id
        )

    async def solve(self, pupil: str, position: Position, move: str) -> None:
        """Record that a pupil solved a puzzle. Raises Refused if no bundled puzzle has this position, or if the move is wrong."""
        shipped = shipped_puzzles().get(position.rules, ())
        puzzle = next((each for each in shipped if each.moves == position.moves), None)
        if puzzle is None:
            raise Refused(404, "this position is none of the puzzles that come with noughts")
        if position.rules.cell_of(move) not in puzzle.solutions:
            raise Refused(422, f"move: {move} does not solve this puzzle")
        async with self.room.turn:
            mine = self._solved.setdefault(pupil, {})
            if puzzle.id not in mine:
                kept = KeptSolved(pupil=pupil, puzzle=puzzle.id, moment=moment())
                await self.room.keep(_SOLVED, f"{pupil}.{puzzle.id}", kept)
                mine[puzzle.id] = kept
                self.room.announce()

    def csv(self) -> str:
        """Return the table of results as CSV, with a header row."""
        written = io.StringIO()
        table = csv.writer(written)
        table.writerow(_COLUMNS)
        for pupil, nickname in self.room.there:
            row, name = self.result(pupil), f"'{nickname}" if nickname.startswith(_FORMULA) else nickname
            done = ("yes" if row.done_at else "no") if self.assignment else ""
            table.writerow((name, row.played, row.won, row.drawn, row.lost, row.solved, done, row.done_at or ""))
        return written.getvalue()

    def result(self, pupil: str) -> PupilResult:
        """Return the results of a pupil."""
        ended = [game for id in self.games.of(pupil) if (game := self.games.all[id]).outcome]
        ends = [_end_for(game, pupil) for game in ended]
        mine, moments, needed = self._solved.get(pupil, {}), list[str](), 1
        if self.assignment is not None and self.assignment.kind == "puzzles":
            needed = self.assignment.count
            some = _puzzles(self.assignment.rules, self.assignment.grade)[:needed]
            moments = [mine[puzzle.id].moment for puzzle in some if puzzle.id in mine]
        elif self.assignment is not None:
            moments = [game.ended for game in ended if game.assignment == self.room.kept.assignment]
        return PupilResult(
            played=len(ends),
            won=ends.count("won"),
            drawn=ends.count("drawn"),
            lost=ends.count("lost"),
            solved=len(mine),
            done=len(moments),
            done_at=sorted(moments)[needed - 1] if len(moments) >= needed else None,
        )


def _checked(assignment: Assignment) -> Assignment:
    """Return an assignment in canonical form; raises the errors of `SchoolClass.assign`."""
    rules, read = assignment.rules, dict[str, object](words=" ".join(assignment.words.split()))
    if assignment.kind == "game":
        position = play(rules, assignment.moves)
        if position.is_over:
            raise Refused(422, "moves: the game is over before it begins")
        names = list(map(rules.name_of, position.moves))
        read |= {"moves": names, "agent": read_opponent(assignment.agent, rules), "grade": "", "count": 0}
    else:
        puzzles = _puzzles(rules, assignment.grade)
        if not puzzles:
            words = f"rules: no puzzles of {str(rules)!r} come with noughts"
            if grades := " or ".join(dict.fromkeys(puzzle.grade for puzzle in _puzzles(rules, ""))):
                words = f"grade: no {assignment.grade} puzzles of {str(rules)!r} come with noughts: choose {grades}"
            raise Refused(422, words)
        read |= {"moves": [], "agent": "", "count": min(assignment.count or len(puzzles), len(puzzles))}
    return assignment.model_copy(update=read)


def _puzzles(rules: Rules, grade: str) -> tuple[Puzzle, ...]:
    """Return the bundled puzzles of a game and grade, the easiest first."""
    return tuple(puzzle for puzzle in shipped_puzzles().get(rules, ()) if grade in ("", puzzle.grade))


def _end_for(game: KeptGame, pupil: str) -> str:
    """Return the result of a finished game for a pupil."""
    if game.outcome == "draw":
        return "drawn"
    seat = game.seat_of(pupil)
    return "won" if seat is not None and SIDES[seat] == game.outcome else "lost"
