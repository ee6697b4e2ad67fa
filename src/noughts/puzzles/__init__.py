"""Puzzles: positions with one or two right moves, made by solvers, checked independently, and graded by agents.

`making` finds and grades them, `checking` walks every reply to their claims, `shipped` has those that ship with
noughts, and `lessons` is a beginners' course. Importing this package loads no array library.
"""

from noughts.puzzles.puzzle import GRADES, Grade, Puzzle

__all__ = ["GRADES", "Grade", "Puzzle"]
