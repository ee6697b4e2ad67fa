"""Lessons: a short course from lines and forks to misere and Notakto's pairing, as data. Tests check every answer with a solver.

A step is a position, a task in words and the moves that solve it. Its goal defines these moves: ``keep``, all optimal moves;
``soonest``, those that win in the fewest moves, or lose in the most.
"""

import functools
import json
from importlib.resources import files
from typing import ClassVar, Literal

from noughts.rules import Value

_FILE = "lessons.json"


class LessonStep(Value):
    """One position of a lesson.

    Attributes:
        game: Rules and moves as text.
        goal: Which moves solve the task.
        answers: All of these moves, by square.
        task: The task, in words.
        right: Praise for a right answer.
    """

    called: ClassVar = "lesson"

    game: str
    goal: Literal["keep", "soonest"]
    answers: tuple[str, ...]
    task: str
    right: str


class Lesson(Value):
    """Some steps on one topic.

    Attributes:
        id: Its name in addresses.
        title: A few words.
        about: One sentence.
        steps: In order.
    """

    called: ClassVar = "lesson"

    id: str
    title: str
    about: str
    steps: tuple[LessonStep, ...]


@functools.lru_cache(maxsize=1)
def lessons() -> tuple[Lesson, ...]:
    """All lessons, in their order."""
    written = json.loads(files("noughts.puzzles").joinpath(_FILE).read_text(encoding="utf-8"))
    return tuple(Lesson.model_validate(each) for each in written)
