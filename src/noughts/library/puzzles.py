"""`make_puzzles` makes positions with one or two right moves."""

from noughts.puzzles.puzzle import GRADES, Grade, Puzzle
from noughts.rules import NoughtsError, Rules, read_rules


def make_puzzles(rules: Rules | str, n: int = 20, seed: int = 0, *, grade: str | None = None) -> list[Puzzle]:
    """Make puzzles of a game with a solver: positions in which only one or two moves keep the win or the draw.

    The checker of certificates tries every reply to each solution. Equal arguments give equal puzzles.

    Args:
        rules: A game or its text.
        n: Number of puzzles; fewer are returned if no more are found.
        seed: Random seed.
        grade: ``easy``, ``medium`` or ``hard``, by how often agents of known strength miss the solution; None for all.

    Raises:
        NoughtsError: there is no such game or grade, or `n` is below 1.
        SolverError: no solver covers the game.
    """
    from noughts.puzzles import making

    found = making.make_puzzles(read_rules(rules), n, seed, read_grade(grade))
    return [puzzle for puzzle in found if puzzle is not None]


def read_grade(text: str | None) -> Grade | None:
    """Read a grade; NoughtsError if its name is unknown."""
    if text is not None and text not in GRADES:
        raise NoughtsError(f"grade {text!r} is not known: choose {', '.join(GRADES)}")
    return text
