"""The annotated game that ships: every position's exact value, and notes that say why; ``python -m noughts.web.example_game`` writes it."""

import functools
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

from noughts.rules import Rules, parse_rules
from noughts.store.files import write_atomically

EXAMPLE_GAME = "example"
"""The id that it is asked for by."""
NAME = "Two mistakes on 4x4, with notes"

_RULES = "mnk(4,4,3)"
_LINES = ("A1 B2 C3 B4 B3 A3 D3", "A1 B2 A2 A3 C1 B1 B3 C4 C2 A4 C3", "A1 B2 C3 B3 A2 B1")
"""The game, then what should have been played."""
NOTES = {
    "": "Three in a line on 4x4. Whoever moves first can win from every square, so the second player needs a mistake. "
    "Step through the moves: under each stands what it is worth, proved by a solver.",
    "A1": "A corner. It wins, as every first move does, but it leaves the middle to the other side.",
    "A1 B2": "The best there is: a square of the middle, and in the way of the corner's diagonal. Two moves still win, A2 and B1. "
    "All others lose.",
    "A1 B2 C3": "The first mistake. The mark stands on a diagonal that B2 has closed already, and the row and the column of B2 "
    "stay open at both ends.",
    "A1 B2 C3 B4": "The second mistake gives it all back. B4 threatens B3, but the answer to it is the move that the other "
    "side wants to play.",
    "A1 B2 C3 B4 B3": "Forced, and it wins: B3 stops the row and makes two in the third column with C3. Now both A3 and D3 "
    "complete it.",
    "A1 B2 C3 B4 B3 A3": "One end is closed. The other is open.",
    "A1 B2 C3 B4 B3 A3 D3": "Three in a column. Both sides had a won game; the one that made the last mistake lost it.",
    "A1 B2 A2": "This was right: A2 threatens A3, so the answer is forced. Every move of the line that follows keeps the initiative.",
    "A1 B2 A2 A3 C1 B1 B3 C4 C2": "Three threats at once, A4, C3 and D1. Only one of them can be stopped.",
    "A1 B2 C3 B3": "This would have won: two in a row with both ends open. A2 does not help, nor does anything else.",
}
_SECONDS = 60.0  # for each position


@functools.cache
def example_game() -> str:
    """The document of a kept game."""
    return _file().read_text()


def annotated() -> dict[str, Any]:
    """The same, made anew: what every position is worth is proved, and the notes are put to theirs."""
    rules = parse_rules(_RULES)
    root: dict[str, Any] = {"move": None, "analysis": {}, "children": []}
    for line in _LINES:
        moves = line.split()
        proved = _proved(rules, moves)
        node = root
        for ply in range(len(moves) + 1):
            if ply:
                node = _child(node, moves[ply - 1])
            node["analysis"] = {} if proved[ply] is None else {"perfect": proved[ply]}
            note = NOTES.get(" ".join(moves[:ply]))
            if note is not None:
                node["note"] = note
    players = {"first": "human", "second": "human"}
    return {"format": "noughts-game", "version": 1, "rules": _RULES, "players": players, "seed": 0, "tree": root}


def _child(node: dict[str, Any], move: str) -> dict[str, Any]:
    """The node after a move, which is made if it is not there."""
    for child in node["children"]:
        if child["move"] == move:
            found: dict[str, Any] = child
            return found
    node["children"].append({"move": move, "analysis": {}, "children": []})
    return _child(node, move)


def _proved(rules: Rules, moves: list[str]) -> list[dict[str, Any] | None]:
    """What the page would show of each position of a line, when all is proved; None where the game is over."""
    from noughts.web.asked import AnalysisRequest
    from noughts.web.jobs import steps

    asked = AnalysisRequest(type="game", rules=rules, moves=moves, seconds=_SECONDS)
    found: list[dict[str, Any] | None] = [None] * (len(moves) + 1)
    for step in steps(asked, lambda: False):
        found[step["ply"]] = step["result"]
    return found


def _file() -> Path:
    return Path(str(files("noughts.web").joinpath("example-game.json")))


if __name__ == "__main__":
    write_atomically(_file(), json.dumps(annotated(), separators=(",", ":")) + "\n")
