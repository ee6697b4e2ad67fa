"""Routes for learning: puzzles, those of the day, lessons, and opponents by name."""

from datetime import date
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel, Field

from noughts.puzzles import GRADES, Grade, Puzzle
from noughts.puzzles.lessons import lessons as all_lessons
from noughts.puzzles.puzzle import PANEL
from noughts.puzzles.shipped import daily_puzzles, shipped_puzzles
from noughts.rules import Rules, describe_rules, format_rules
from noughts.web.answers import LineRequest, Seed, Text, asked_with_example
from noughts.web.boards import read_position, read_rules
from noughts.web.errors import Refused, documented
from noughts.web.opponents import OpponentAnswer
from noughts.web.opponents import opponents as all_opponents
from noughts.web.play import game_name
from noughts.web.services import Services, client_of, services
from noughts.web.tasks import PuzzleTask

router = APIRouter(prefix="/api")
Shared = Annotated[Services, Depends(services)]

_SECONDS = 20.0
"""For a puzzle to be made, or for a position to be looked at."""


class PuzzleAnswer(BaseModel):
    """A position in which few moves are right; squares by name."""

    id: str
    rules: str
    name: str = Field(description="Of the game, for people.")
    moves: list[str]
    value: Literal[1, 0] = Field(description="Of the position for the side to move: 1 it wins, 0 it holds a draw.")
    otherwise: Literal[0, -1] | None = Field(description="The best value that any other move gets, if it is known.")
    solutions: list[str]
    plies: int | None = Field(description="Until it is won, both sides playing as well as can be; None in draws.")
    line: list[str] = Field(description="How it goes on, the solution first.")
    grade: Grade
    missed: dict[str, float] = Field(description="For each agent that was asked, the share of times that it missed it.")


class PuzzleGame(BaseModel):
    """How many puzzles of a game ship, by grade."""

    rules: str
    name: str
    sentence: str
    start: list[str] = Field(description="The moves of one of them, to draw.")
    grades: dict[Grade, int]


class PuzzleRequest(BaseModel):
    """A puzzle that is to be made."""

    model_config = asked_with_example(rules="tic-tac-toe", seed=7)

    rules: Text
    seed: Seed = 0
    grade: Grade | None = None


class PuzzlePlace(LineRequest):
    """A position that may be a puzzle."""

    model_config = asked_with_example(rules="tic-tac-toe", moves=["A1"])


class LessonStepAnswer(BaseModel):
    """A position of a lesson, and what is to be done in it."""

    rules: str
    moves: list[str]
    answers: list[str]
    task: str
    right: str


class LessonAnswer(BaseModel):
    """A lesson."""

    id: str
    title: str
    about: str
    steps: list[LessonStepAnswer]


@router.get("/puzzles")
def puzzles() -> list[PuzzleGame]:
    """The games of which puzzles ship."""
    found = []
    for rules, some in shipped_puzzles().items():
        drawn = sorted(some, key=lambda puzzle: len(puzzle.moves))[len(some) // 2]
        found.append(
            PuzzleGame(
                rules=format_rules(rules),
                name=game_name(rules),
                sentence=describe_rules(rules),
                start=list(map(rules.name_of, drawn.moves)),
                grades={grade: sum(puzzle.grade == grade for puzzle in some) for grade in GRADES},
            )
        )
    return found


@router.get("/puzzles/daily", responses=documented(422))
def puzzles_of_a_day(
    day: Annotated[
        date, Query(description="As year-month-day: everybody gets the same on one day.", examples=["2026-11-22"])
    ],
) -> list[PuzzleAnswer]:
    """Five puzzles, the easy ones first."""
    return list(map(_show, daily_puzzles(day)))


@router.get("/puzzles/set", responses=documented(422))
def puzzle_set(
    rules: Annotated[Text, Query(examples=["tic-tac-toe"])], shared: Shared, grade: Grade | None = None
) -> list[PuzzleAnswer]:
    """The puzzles of a game that ship, the easiest first; none of games that no one has."""
    some = shipped_puzzles().get(read_rules(rules, shared.limits), ())
    return [_show(puzzle) for puzzle in some if grade in (None, puzzle.grade)]


@router.post("/puzzles/make", responses=documented(400, 413, 415, 422, 429, 503))
async def make_puzzle(asked: PuzzleRequest, request: Request, shared: Shared) -> PuzzleAnswer:
    """A new puzzle of any game that a solver covers; equal seeds give equal puzzles."""
    rules = read_rules(asked.rules, shared.limits)
    task = PuzzleTask(rules=rules, moves=(), seed=asked.seed, grade=asked.grade, seconds=_SECONDS, make=True)
    puzzle = await _ask(task, request, shared)
    if puzzle is None:
        raise Refused(422, f"no puzzle of {rules} was found in {_SECONDS:.0f} s: try another seed, or all grades")
    return _show(puzzle)


@router.post("/puzzles/at", responses=documented(400, 413, 415, 422, 429, 503))
async def puzzle_at(asked: PuzzlePlace, request: Request, shared: Shared) -> PuzzleAnswer:
    """The puzzle that a position is: what addresses of puzzles stand for, on any server."""
    position = read_position(asked.rules, asked.moves, shared.limits)
    for puzzle in shipped_puzzles().get(position.rules, ()):
        if puzzle.moves == position.moves:
            return _show(puzzle)
    if position.is_over:
        raise Refused(422, "the game is over: there is nothing to find")
    task = PuzzleTask(rules=position.rules, moves=position.moves, seed=0, grade=None, seconds=_SECONDS, make=False)
    found = await _ask(task, request, shared)
    if found is None:
        raise Refused(422, "this position is no puzzle: too many moves are right, or it could not be proved in time")
    return _show(found)


@router.get("/lessons")
def lessons() -> list[LessonAnswer]:
    """The lessons, in the order in which they are taken."""
    return [
        LessonAnswer(
            id=lesson.id,
            title=lesson.title,
            about=lesson.about,
            steps=[
                LessonStepAnswer(
                    rules=format_rules(step.position.rules),
                    moves=list(map(step.position.rules.name_of, step.position.moves)),
                    answers=list(step.answers),
                    task=step.task,
                    right=step.right,
                )
                for step in lesson.steps
            ],
        )
        for lesson in all_lessons()
    ]


@router.get("/opponents", responses=documented(422))
def opponents(shared: Shared, rules: Text | None = None) -> list[OpponentAnswer]:
    """Opponents by name that can play a game, the weakest first, with their strength as it was measured on that game."""
    return all_opponents(None if rules is None else read_rules(rules, shared.limits))


async def _ask(task: PuzzleTask, request: Request, shared: Services) -> Puzzle | None:
    client = client_of(request)
    async with shared.engine.turn(client, shared.limits.moves):
        answer = await shared.engine.ask(task, 2 * _SECONDS, client, request.is_disconnected)
    found = answer["puzzle"]
    return None if found is None else Puzzle.model_validate(found | {"rules": task.rules})


def _show(puzzle: Puzzle) -> PuzzleAnswer:
    rules: Rules = puzzle.rules
    return PuzzleAnswer(
        id=puzzle.id,
        rules=format_rules(rules),
        name=game_name(rules),
        moves=list(map(rules.name_of, puzzle.moves)),
        value=puzzle.value,
        otherwise=puzzle.otherwise,
        solutions=list(map(rules.name_of, puzzle.solutions)),
        plies=puzzle.plies,
        line=list(map(rules.name_of, puzzle.line)),
        grade=puzzle.grade,
        missed=dict(zip(PANEL, puzzle.missed, strict=True)),
    )
