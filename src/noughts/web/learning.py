"""Routes for learning: puzzles, daily puzzles, lessons, and named opponents."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from noughts.puzzles import GRADES, Grade
from noughts.puzzles.lessons import Lesson
from noughts.puzzles.lessons import lessons as all_lessons
from noughts.puzzles.shipped import daily_puzzles, shipped_puzzles
from noughts.rules import format_rules
from noughts.web.answers import PuzzleAnswer, show_puzzle
from noughts.web.asked import PuzzlePlace, PuzzleRequest
from noughts.web.opponents import OpponentAnswer
from noughts.web.opponents import opponents as all_opponents
from noughts.web.presets import game_name
from noughts.web.reading import Text, read_rules
from noughts.web.services import Shared

router = APIRouter(prefix="/api")


class PuzzleGame(BaseModel):
    """The number of bundled puzzles of a game, by grade."""

    rules: str
    name: str
    start: list[str] = Field(description="The moves of one of them, to draw.")
    grades: dict[Grade, int]


@router.get("/puzzles")
def puzzles() -> list[PuzzleGame]:
    """The games with bundled puzzles."""
    found = []
    for rules, some in shipped_puzzles().items():
        drawn = sorted(some, key=lambda puzzle: len(puzzle.moves))[len(some) // 2]
        found.append(
            PuzzleGame(
                rules=format_rules(rules),
                name=game_name(rules),
                start=list(map(rules.name_of, drawn.moves)),
                grades={grade: sum(puzzle.grade == grade for puzzle in some) for grade in GRADES},
            )
        )
    return found


@router.get("/puzzles/daily")
def puzzles_of_a_day(
    day: Annotated[date, Query(description="As year-month-day: all get the same on one day.", examples=["2026-11-22"])],
) -> list[PuzzleAnswer]:
    """The five puzzles of a day, the easiest first."""
    return list(map(show_puzzle, daily_puzzles(day)))


@router.get("/puzzles/set")
def puzzle_set(
    rules: Annotated[Text, Query(examples=["tic-tac-toe"])], grade: Grade | None = None
) -> list[PuzzleAnswer]:
    """The bundled puzzles of a game, the easiest first; empty if the game has none."""
    some = shipped_puzzles().get(read_rules(rules), ())
    return [show_puzzle(puzzle) for puzzle in some if grade in (None, puzzle.grade)]


@router.post("/puzzles/make", response_model=PuzzleAnswer)
async def make_puzzle(asked: PuzzleRequest, request: Request, shared: Shared) -> Response:
    """A new puzzle of any game that a solver covers. Equal seeds give equal puzzles."""
    return await shared.search(asked, request)


@router.post("/puzzles/at", response_model=PuzzleAnswer)
async def puzzle_at(asked: PuzzlePlace, request: Request, shared: Shared) -> PuzzleAnswer | Response:
    """The puzzle at a position. An address of a puzzle contains the position, so it works on any server."""
    moves = asked.position.moves
    for puzzle in shipped_puzzles().get(asked.rules, ()):
        if puzzle.moves == moves:
            return show_puzzle(puzzle)
    return await shared.search(asked, request)


@router.get("/lessons")
def lessons() -> tuple[Lesson, ...]:
    """The lessons, in their order."""
    return all_lessons()


@router.get("/opponents")
def opponents(rules: Text | None = None) -> list[OpponentAnswer]:
    """The named opponents that can play a game, the weakest first, with their measured strength in that game."""
    return all_opponents(None if rules is None else read_rules(rules))
