"""What studies ask of the agents that they train: every reply, games, and their moves beside exact truth.

Each is work of the second stage under a name that the study chooses, because the agent's own text names a training,
and that differs from scale to scale.
"""

import json
from collections.abc import Mapping
from typing import ClassVar, NamedTuple

from noughts.agents import build_agent
from noughts.examine.judge import Tally, judge
from noughts.examine.sample import all_positions, sample_positions
from noughts.examine.walk import Walk, walk_until_lost
from noughts.machine.memory import GIB
from noughts.play.match import MatchPlan, Score, make_match, match_games
from noughts.play.playthrough import Notes
from noughts.positions import Side
from noughts.questions.session import Game, Measurement
from noughts.rules import StoreError, Value, parse_rules
from noughts.solvers.solve import Truth
from noughts.studies.study import Results

STAGE = 1
"""After the trainings."""

_MOST_POSITIONS = 20_000  # so many are all judged, of more a sample


def way(sims: int) -> str:
    """How an agent plays, as part of a name that is the same at every scale."""
    return "searching" if sims else "policy alone"


class Walked(Value):
    """What walking every reply showed.

    Attributes:
        side: The agent's, ``first`` or ``second``.
        lost_game: A shortest game that it loses; None if there is none, which is then proved.
        drawn_game: A shortest game that ends in a draw, of those walked.
        decisions: Positions in which it was asked.
        longest: Plies of the longest game that was walked to its end.
        plies: So far the walk went.
    """

    error_type: ClassVar = StoreError
    called: ClassVar = "walk"

    side: str
    lost_game: tuple[int, ...] | None
    drawn_game: tuple[int, ...] | None
    decisions: int
    longest: int
    plies: int

    @property
    def proved(self) -> bool:
        """Whether no reply beats it."""
        return self.lost_game is None

    @property
    def wins(self) -> bool:
        """Whether it wins against every reply."""
        return self.lost_game is None and self.drawn_game is None

    def __str__(self) -> str:
        """In words."""
        if self.lost_game is not None:
            return f"loses in {len(self.lost_game)} plies"
        return "wins against every reply" if self.wins else "never loses"


def walk_work(name: str, agent: str, rules: str, side: Side) -> Measurement:
    """Walk every reply to an agent until it loses or to the end; gives `Walked`."""
    argument = {"agent": agent, "rules": rules, "side": int(side), "name": name}
    return Measurement(_walk_key(name, side), "noughts.studies.examined:walk_job", json.dumps(argument), stage=STAGE)


def walk_job(argument: str, notes: Notes) -> str:
    """`walk_work` for a pool of workers."""
    asked = json.loads(argument)
    side = Side(asked["side"])

    def note(walk: Walk) -> None:
        notes.note(f"{asked['name']}, every reply: {len(walk):,} positions after {walk.ply} plies")

    walk = walk_until_lost(lambda: build_agent(asked["agent"]), parse_rules(asked["rules"]), side, note=note)
    return Walked(
        side=side.name.lower(),
        lost_game=walk.lost_game,
        drawn_game=walk.drawn_game,
        decisions=walk.decisions,
        longest=walk.longest,
        plies=walk.ply,
    ).to_json()


def walked(name: str, side: Side, results: Results) -> Walked | None:
    """What a walk showed; None if that is not known yet."""
    text = results.measurements.get(_walk_key(name, side))
    return None if text is None else Walked.from_json(text)


def walks_of(name: str, results: Results) -> dict[Side, Walked]:
    """What is known of each side."""
    return {side: walk for side in Side if (walk := walked(name, side, results)) is not None}


def unbeatable(walks: Mapping[Side, Walked], *sides: Side) -> bool | None:
    """Whether no reply beats it on these sides, both unless given; None while that is not known."""
    found = [walks.get(side) for side in sides or Side]
    if any(walk is not None and not walk.proved for walk in found):
        return False
    return None if any(walk is None for walk in found) else True


def judge_work(name: str, agent: str, rules: str, per_ply: int, plies: tuple[int, int], seed: int) -> Measurement:
    """Set an agent's moves beside exact truth; gives tallies by ply.

    Args:
        per_ply: Positions of each ply, drawn from `seed`; all there are if the game has few.
        plies: The first and the last ply.
    """
    argument = {"agent": agent, "rules": rules, "per_ply": per_ply, "plies": plies, "seed": seed, "name": name}
    return Measurement(f"judge / {name}", "noughts.studies.examined:judge_job", json.dumps(argument), stage=STAGE)


def judge_job(argument: str, notes: Notes) -> str:
    """`judge_work` for a pool of workers."""
    asked = json.loads(argument)
    rules, plies = parse_rules(asked["rules"]), tuple(asked["plies"])
    strata = all_positions(rules, min(asked["per_ply"], _MOST_POSITIONS), plies)
    if strata is None:
        strata = sample_positions(rules, asked["per_ply"], asked["seed"], plies)
    agent, truth, found = build_agent(asked["agent"]), Truth(rules, GIB), {}
    for stratum in strata:
        notes.note(f"{asked['name']}, beside exact truth: {len(stratum.positions):,} positions at ply {stratum.ply}")
        tallies = judge(agent, stratum.positions, truth, asked["seed"])
        whole = sum(tallies.values(), Tally(complete=True))
        found[stratum.ply] = whole.model_copy(update={"complete": stratum.complete}).model_dump(mode="json")
    return json.dumps(found)


def judged(name: str, results: Results) -> dict[int, Tally]:
    """Tallies by ply; none if they are not known yet."""
    text = results.measurements.get(f"judge / {name}")
    return {} if text is None else {int(ply): Tally(**tally) for ply, tally in json.loads(text).items()}


class Match(NamedTuple):
    """Games of one agent against another.

    Attributes:
        name: Within the study.
        plan: The games.
    """

    name: str
    plan: MatchPlan

    def work(self) -> list[Game]:
        """The games, each under a key of the study's own."""
        games = match_games(self.plan)
        return [
            Game(game.model_copy(update={"key": f"{self.name} / {number:06d}"}), STAGE)
            for number, game in enumerate(games)
        ]

    def score(self, results: Results) -> Score:
        """How the plan's `a` has fared so far."""
        a = make_match(self.plan).a  # as games name it, whatever it is called in the plan
        endings = [
            (results.games[game.key].ending, "first" if game.plan.first == a else "second")
            for game in self.work()
            if game.key in results.games
        ]
        return Score(
            wins=sum(ending == own for ending, own in endings),
            draws=sum(ending == "draw" for ending, _ in endings),
            losses=sum(ending not in (own, "draw", "error") for ending, own in endings),
            errors=sum(ending == "error" for ending, _ in endings),
        )


def _walk_key(name: str, side: Side) -> str:
    return f"walk / {name} / {side.name.lower()}"
