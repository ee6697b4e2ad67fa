"""A puzzle: its position, its solution and its difficulty."""

from noughts.document.document import Document
from noughts.document.names import Names
from noughts.document.result import game_figure
from noughts.puzzles import Puzzle


def present_puzzle(puzzle: Puzzle, asked: None, names: Names) -> Document:
    """The board, then text, task and solution in three lines, with squares by name."""
    squares = {
        field: [puzzle.rules.name_of(cell) for cell in getattr(puzzle, field)]
        for field in ("moves", "solutions", "line")
    }
    task = "win" if puzzle.value else "hold the draw"
    how = "" if puzzle.plies is None else f" in {puzzle.plies} plies"
    text = (
        f"{puzzle.text}\n   {task}{how}: {' '.join(squares['solutions'])}; {puzzle.grade}, "
        f"missed by {puzzle.difficulty:.0%} of the panel\n   line: {' '.join(squares['line'])}"
    )
    board = game_figure(puzzle.id, "", puzzle.rules, puzzle.moves)
    kept = puzzle.model_dump(mode="json", exclude={"rules"})
    data = {"id": puzzle.id, "text": puzzle.text} | kept | squares | {"grade": puzzle.grade}
    return Document((board, text), data)
