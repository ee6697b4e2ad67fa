"""Puzzles for programs: positions with one right move, or two."""

from noughts.puzzles.puzzle import GRADES, Grade, Puzzle
from noughts.rules import NoughtsError, Rules, read_rules


def make_puzzles(rules: Rules | str, n: int = 20, seed: int = 0, *, grade: str | None = None) -> list[Puzzle]:
    """Make puzzles of a game by a solver: positions in which only one or two moves keep the win or the draw.

    Each is checked by trying every reply with the checker of certificates. Equal arguments give equal puzzles.

    Args:
        rules: A game or its text.
        n: How many; there are fewer if no more are found.
        seed: Of everything random.
        grade: ``easy``, ``medium`` or ``hard``, by how often agents of known strength miss them; None for all.

    Raises:
        NoughtsError: there is no such game or grade, or `n` is below 1.
        SolverError: no solver covers the game.
    """
    from noughts.puzzles import making

    found = making.make_puzzles(read_rules(rules), n, seed, read_grade(grade))
    return [puzzle for puzzle in found if puzzle is not None]


def read_grade(text: str | None) -> Grade | None:
    """Read a grade; NoughtsError if there is none of that name."""
    if text is not None and text not in GRADES:
        raise NoughtsError(f"grade {text!r} is not known: choose {', '.join(GRADES)}")
    return text
