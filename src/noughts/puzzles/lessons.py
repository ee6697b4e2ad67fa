"""Lessons: a short path from lines and forks to misere and Notakto's pairing, as data; tests check every answer by a solver.

A step is a position, a task in words and the moves that fulfil it. Its goal defines which moves those are: ``keep``, all that keep
the position's value; ``soonest``, those that win in the fewest moves, or lose in the most.
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
        goal: Which moves fulfil the task.
        answers: These moves, by square; all of them.
        task: What is asked, in words.
        right: Praise for a right answer.
    """

    called: ClassVar = "lesson"

    game: str
    goal: Literal["keep", "soonest"]
    answers: tuple[str, ...]
    task: str
    right: str


class Lesson(Value):
    """Some steps about one thing.

    Attributes:
        id: What it is called in addresses.
        title: In a few words.
        about: In a sentence.
        steps: In order.
    """

    called: ClassVar = "lesson"

    id: str
    title: str
    about: str
    steps: tuple[LessonStep, ...]


@functools.lru_cache(maxsize=1)
def lessons() -> tuple[Lesson, ...]:
    """All of them, in the order in which they are taken."""
    written = json.loads(files("noughts.puzzles").joinpath(_FILE).read_text(encoding="utf-8"))
    return tuple(Lesson.model_validate(each) for each in written)
