"""The page's named opponents: how each chooses its moves, and its measured strength.

A strength is valid for one game only, because an opponent that is strong on a small board may miss an open three on a large
one. So each is measured on each game separately, against exact values, and has no strength on other games.
``python -m noughts.web.opponents`` repeats the measurement: the share of non-trivial positions in which the opponent's move
is optimal.
"""

import functools
import json
from importlib.resources import files
from pathlib import Path

from pydantic import BaseModel, Field

from noughts.agents import AgentSpec, parse_agent
from noughts.rules import Rules, format_rules, parse_rules
from noughts.search.threat_search import refusal
from noughts.store.files import write_atomically
from noughts.web.presets import presets

_FILE = "opponents.json"
_PER_PLY = 12
_NODES = 30_000
_BOUNDS = ((0.5, "a beginner"), (0.85, "casual"), (0.95, "strong"), (0.9995, "an expert"))

_SOLVED = 64  # cells; no solver covers the first moves of a larger game

_OPPONENTS = (
    ("Pip", "random", "Plays anywhere, without a look."),
    ("Rusty", "minimax:depth=1", "Looks at its own next move alone, and counts open lines."),
    ("Clara", "minimax:depth=2", "Looks one move of each side ahead, and counts open lines."),
    ("Dotty", "mcts:sims=50", "Plays fifty games in its head, at random, before each move."),
    ("Otto", "mcts:sims=1000", "Plays a thousand games in its head before each move."),
    ("Vera", "mcts:sims=20000", "Plays twenty thousand games in its head before each move."),
    ("Ada", "perfect", "Proves what it plays, where a solver can: it never gives anything away."),
    ("Gomer", "threats", "Sees rows that are about to be complete, many moves ahead: the one to beat on large boards."),
)


class OpponentAnswer(BaseModel):
    """A named opponent."""

    name: str
    agent: str = Field(description="Its text.")
    about: str = Field(description="How it thinks, in a sentence.")
    strength: str = Field(description="In a word or two, on this game; empty where it was not measured.")
    accuracy: float | None = Field(
        description="The share of this game's positions with a choice in which its move keeps the value; null if not measured."
    )


def opponents(rules: Rules | None = None) -> list[OpponentAnswer]:
    """Return the opponents that can play a game, with their accuracy in that game, the weakest first.

    Args:
        rules: The game; None for all opponents, without strengths.
    """
    measured = _measured().get("" if rules is None else format_rules(rules), {})
    found = []
    for name, agent, about in _OPPONENTS:
        accuracy = measured.get(agent)
        if rules is not None and (
            refusal_of(parse_agent(agent), rules) or (agent == "threats" and rules.size <= _SOLVED)
        ):
            continue
        strength = "" if accuracy is None else next((word for bound, word in _BOUNDS if accuracy < bound), "perfect")
        found.append(
            OpponentAnswer(name=name, agent=str(parse_agent(agent)), about=about, strength=strength, accuracy=accuracy)
        )
    return sorted(found, key=lambda each: each.accuracy or 0.0)


def refusal_of(agent: AgentSpec, rules: Rules) -> str | None:
    """Why a named opponent cannot play a game, without loading it; None if it can, and for other agents."""
    if agent.name == "perfect" and rules.size > _SOLVED:
        return f"{agent.name} is offered for games of up to {_SOLVED} cells, and {rules} has {rules.size}"
    reason = refusal(rules) if agent.name == "threats" else None
    return reason and f"{agent.name} cannot play {rules}: {reason}"


@functools.lru_cache(maxsize=1)
def _measured() -> dict[str, dict[str, float]]:
    """The accuracy of each opponent, by game."""
    text = files("noughts.web").joinpath(_FILE).read_text("utf-8")
    found: dict[str, dict[str, float]] = json.loads(text)
    return found


def measure() -> None:
    """Measure how often each opponent's move is optimal, and write the file. The store saves earlier results."""
    from noughts.library.examining import score

    measured: dict[str, dict[str, float]] = {}
    place = Path(str(files("noughts.web").joinpath(_FILE)))
    for game in (preset.text for preset in presets() if parse_rules(preset.text).size <= _SOLVED):
        measured[game] = {}
        for name, agent, _ in _OPPONENTS[:-1]:  # the last plays on larger boards
            total = score(agent, game, per_ply=_PER_PLY, all_up_to=6_000, nodes=_NODES, workers=1).games[0].total
            measured[game][agent] = round(total.optimal / total.choices, 4)
            print(f"{name}, {game}: {total.optimal} of {total.choices}", flush=True)
    write_atomically(place, json.dumps(measured, indent=1) + "\n")


if __name__ == "__main__":
    measure()
