"""The puzzles that ship with noughts, and those of the day.

Our own solvers made them: ``python -m noughts.puzzles.shipped`` makes them again, all checked. They are in a text file:
for each game a list of puzzles, each the list of a `Puzzle`'s fields after `rules`.
"""

import functools
import json
import sys
import time
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Any

from noughts.positions import Rng, derive_seed
from noughts.puzzles.puzzle import GRADES, Puzzle
from noughts.rules import Rules, parse_rules
from noughts.store.files import write_atomically

GAMES = (
    "tic-tac-toe",
    "mnk(4,4,3)",
    "bttt(D4)",
    "bttt(E5)",
    "mnk(5,6,4)",
    "gomoku",
    "misere-tic-tac-toe",
    "notakto(3)",
    "notakto(4)",
    "notakto(5)",
    "notakto(3,boards=3)",
)
"""The games with shipped puzzles: every game in the web app for which a solver can solve early positions."""

_FILE = "shipped.json"
_FIELDS = tuple(name for name in Puzzle.model_fields if name != "rules")
_OF_EACH_GRADE = 20
_SECONDS = 240.0
"""The time limit of the search for puzzles of one game."""
_OF_A_DAY = ("easy", "easy", "medium", "medium", "hard")


@functools.lru_cache(maxsize=1)
def shipped_puzzles() -> dict[Rules, tuple[Puzzle, ...]]:
    """All shipped puzzles by game, in the order of `GAMES`; for each game the easiest first."""
    written = json.loads(files("noughts.puzzles").joinpath(_FILE).read_text(encoding="utf-8"))
    return {
        rules: tuple(Puzzle(rules=rules, **dict(zip(_FIELDS, values, strict=True))) for values in written[str(rules)])
        for rules in map(parse_rules, GAMES)
    }


def daily_puzzles(day: date) -> tuple[Puzzle, ...]:
    """Five puzzles of five games, equal everywhere on the same day: two easy ones first, and a hard one last."""
    rng = Rng(derive_seed(0, "daily", day.isoformat()))
    games = [rules for rules, puzzles in shipped_puzzles().items() if puzzles]
    rng.shuffle(games)
    chosen = []
    for grade in _OF_A_DAY:
        for rules in games:
            fitting = [puzzle for puzzle in shipped_puzzles()[rules] if puzzle.grade == grade]
            if fitting:
                chosen.append(rng.choice(fitting))
                games.remove(rules)
                break
    return tuple(chosen)


def write_shipped(games: tuple[str, ...]) -> None:
    """Make the puzzles of some games again: _OF_EACH_GRADE of each grade, or as many as are found within _SECONDS."""
    from noughts.puzzles.making import PuzzleMaker

    path = Path(str(files("noughts.puzzles").joinpath(_FILE)))
    written: dict[str, list[Any]] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for text in games:
        begun, maker = time.monotonic(), PuzzleMaker(parse_rules(text))
        chosen: dict[str, list[Puzzle]] = {grade: [] for grade in GRADES}
        for puzzle in maker.puzzles():
            if puzzle is not None and len(chosen[puzzle.grade]) < _OF_EACH_GRADE:
                chosen[puzzle.grade].append(puzzle)
            full = all(len(some) == _OF_EACH_GRADE for some in chosen.values())
            if full or time.monotonic() - begun > _SECONDS:
                break
        found = sorted((puzzle for some in chosen.values() for puzzle in some), key=lambda one: one.difficulty)
        fields = (puzzle.model_dump(mode="json") for puzzle in found)
        written[str(maker.rules)] = [[values[name] for name in _FIELDS] for values in fields]
        counts = ", ".join(f"{len(some)} {grade}" for grade, some in chosen.items())
        print(f"{text}: {counts}; {time.monotonic() - begun:.0f} s, {maker.games} games", flush=True)
        lines = ",\n".join(
            f"{json.dumps(game)}: [\n"
            + ",\n".join(json.dumps(puzzle, separators=(",", ":")) for puzzle in puzzles)
            + "\n]"
            for game, puzzles in written.items()
        )
        write_atomically(path, f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    write_shipped(tuple(sys.argv[1:]) or GAMES)
