"""Puzzles: positions with one right move, or two, made by solvers, checked apart from them, and graded by agents.

`making` finds and grades them, `checking` walks every reply to what they claim, `shipped` holds those that come with
noughts, and `lessons` the first steps. Importing this package loads no array library.
"""

from noughts.puzzles.puzzle import GRADES, Grade, Puzzle

__all__ = ["GRADES", "Grade", "Puzzle"]
