"""The puzzles that ship with noughts, and those of the day.

They were made by our own solvers: ``python -m noughts.puzzles.shipped`` makes them anew, all checked. A file of text: for each
game a list of puzzles, each ``moves|solutions|value|otherwise|plies|line|missed``, with squares as on the board and `missed` in
eighths, a digit for each agent of the panel.
"""

import functools
import json
import sys
import time
from datetime import date
from importlib.resources import files
from pathlib import Path

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
"""Those of which puzzles ship: every game that the page names and a solver covers early enough."""

_FILE = "shipped.json"
_EIGHTHS = 8
_OF_EACH_GRADE = 20
_SECONDS = 240.0
"""How long puzzles of one game are looked for."""
_OF_A_DAY = ("easy", "easy", "medium", "medium", "hard")


@functools.lru_cache(maxsize=1)
def shipped_puzzles() -> dict[Rules, tuple[Puzzle, ...]]:
    """All of them by game, in the order of `GAMES`; of each game the easiest first."""
    written: dict[str, list[str]] = json.loads(files("noughts.puzzles").joinpath(_FILE).read_text(encoding="utf-8"))
    found = {}
    for text in GAMES:
        rules = parse_rules(text)
        found[rules] = tuple(_read(rules, line) for line in written.get(text, ()))
    return found


def daily_puzzles(day: date) -> tuple[Puzzle, ...]:
    """Five puzzles, each of another game, the same for everybody on one day; two easy ones first, and a hard one last."""
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


def _read(rules: Rules, line: str) -> Puzzle:
    moves, solutions, value, otherwise, plies, then, missed = line.split("|")

    def cells(names: str) -> tuple[int, ...]:
        return tuple(map(rules.cell_of, names.split()))

    return Puzzle.model_validate(
        {
            "rules": rules,
            "moves": cells(moves),
            "solutions": cells(solutions),
            "value": int(value),
            "otherwise": int(otherwise) if otherwise else None,
            "plies": int(plies) if plies else None,
            "line": cells(then),
            "missed": tuple(int(eighths) / _EIGHTHS for eighths in missed),
        }
    )


def _write(puzzle: Puzzle) -> str:
    def names(cells: tuple[int, ...]) -> str:
        return " ".join(map(puzzle.rules.name_of, cells))

    return "|".join(
        (
            names(puzzle.moves),
            names(puzzle.solutions),
            str(puzzle.value),
            "" if puzzle.otherwise is None else str(puzzle.otherwise),
            "" if puzzle.plies is None else str(puzzle.plies),
            names(puzzle.line),
            "".join(str(round(share * _EIGHTHS)) for share in puzzle.missed),
        )
    )


def write_shipped(games: tuple[str, ...] = GAMES, seconds: float = _SECONDS) -> None:
    """Make the puzzles of some games anew, as many of each grade as there should be, or as are found in time."""
    from noughts.puzzles.making import PuzzleMaker

    path = Path(str(files("noughts.puzzles").joinpath(_FILE)))
    written: dict[str, list[str]] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for text in games:
        begun, maker = time.monotonic(), PuzzleMaker(parse_rules(text))
        chosen: dict[str, list[Puzzle]] = {grade: [] for grade in GRADES}
        for puzzle in maker.puzzles():
            if puzzle is not None and len(chosen[puzzle.grade]) < _OF_EACH_GRADE:
                chosen[puzzle.grade].append(puzzle)
            full = all(len(some) == _OF_EACH_GRADE for some in chosen.values())
            if full or time.monotonic() - begun > seconds:
                break
        found = sorted((puzzle for some in chosen.values() for puzzle in some), key=lambda one: one.difficulty)
        written[str(maker.rules)] = list(map(_write, found))
        counts = ", ".join(f"{len(some)} {grade}" for grade, some in chosen.items())
        print(f"{text}: {counts}; {time.monotonic() - begun:.0f} s, {maker.games} games", flush=True)
        lines = ",\n".join(
            f"{json.dumps(game)}: [\n" + ",\n".join(map(json.dumps, puzzles)) + "\n]"
            for game, puzzles in written.items()
        )
        write_atomically(path, f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    write_shipped(tuple(sys.argv[1:]) or GAMES)
