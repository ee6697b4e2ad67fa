"""The opponents that the page offers by name: how each thinks, and how strong it is, as measured.

``python -m noughts.web.opponents`` measures them anew: in each of four games the share of positions with a choice, in which some
moves keep the value and some do not, where the opponent's move keeps it.
"""

import functools
import json
from importlib.resources import files
from pathlib import Path

from pydantic import BaseModel, Field

from noughts.agents import parse_agent
from noughts.store.files import write_atomically

_FILE = "opponents.json"
_GAMES = ("tic-tac-toe", "mnk(4,4,3)", "notakto(4)", "bttt(D4)")
_PER_PLY = 12
_NODES = 30_000
_BOUNDS = ((0.5, "a beginner"), (0.85, "casual"), (0.95, "strong"), (0.9995, "an expert"))

_OPPONENTS = (
    ("Pip", "random", "Plays anywhere, without a look."),
    ("Rusty", "minimax:depth=1", "Looks at its own next move alone, and counts open lines."),
    ("Clara", "minimax:depth=2", "Looks one move of each side ahead, and counts open lines."),
    ("Dotty", "mcts:sims=50", "Plays fifty games in its head, at random, before each move."),
    ("Otto", "mcts:sims=1000", "Plays a thousand games in its head before each move."),
    ("Vera", "mcts:sims=20000", "Plays twenty thousand games in its head before each move."),
    ("Ada", "perfect", "Proves what it plays, where a solver can: it never gives anything away."),
)


class OpponentAnswer(BaseModel):
    """An opponent by name."""

    name: str
    agent: str = Field(description="Its text.")
    about: str = Field(description="How it thinks, in a sentence.")
    strength: str = Field(description="In a word or two.")
    accuracy: float = Field(description="The mean over the games below, from 0 to 1.")
    by_game: dict[str, float] = Field(
        description="For each game the share of positions with a choice in which its move keeps the value."
    )


@functools.lru_cache(maxsize=1)
def opponents() -> tuple[OpponentAnswer, ...]:
    """All of them, the weakest first."""
    measured: dict[str, dict[str, float]] = json.loads(files("noughts.web").joinpath(_FILE).read_text("utf-8"))
    found = []
    for name, agent, about in _OPPONENTS:
        by_game = measured[agent]
        mean = sum(by_game.values()) / len(by_game)
        strength = next((word for bound, word in _BOUNDS if mean < bound), "perfect")
        found.append(
            OpponentAnswer(
                name=name,
                agent=str(parse_agent(agent)),
                about=about,
                strength=strength,
                accuracy=round(mean, 4),
                by_game=by_game,
            )
        )
    return tuple(sorted(found, key=lambda each: each.accuracy))


def measure() -> None:
    """Ask how often each keeps the value, and write the file; what was asked before is found in the store."""
    from noughts.library.examining import score

    measured: dict[str, dict[str, float]] = {}
    for name, agent, _ in _OPPONENTS:
        measured[agent] = {}
        for game in _GAMES:
            total = score(agent, game, per_ply=_PER_PLY, all_up_to=6_000, nodes=_NODES, workers=1).games[0].total
            measured[agent][game] = round(total.optimal / total.choices, 4)
            print(f"{name}, {game}: {total.optimal} of {total.choices}", flush=True)
    place = Path(str(files("noughts.web").joinpath(_FILE)))
    write_atomically(place, json.dumps(measured, indent=1) + "\n")


if __name__ == "__main__":
    measure()
