"""What workers do for `generalisation` besides games: walk replies within a limit, and judge many agents at once."""

import json
from typing import NamedTuple

from noughts.agents import build_agent
from noughts.examine.judge import Tally, judge
from noughts.examine.judge import Truth as Knows
from noughts.examine.sample import sample_positions
from noughts.examine.walk import Walk, walk_until_lost
from noughts.machine.memory import GIB
from noughts.play.playthrough import Notes
from noughts.positions import Position, Side
from noughts.rules import Rules, SolverError, format_rules, parse_rules
from noughts.rules.symmetry import image_onto
from noughts.solvers import Budget, Solution
from noughts.solvers.solve import Truth

_WIDTH = 300  # positions of each level that a narrow walk keeps


class Walked(NamedTuple):
    """What walking replies showed.

    Attributes:
        lost_game: Moves of a game that the agent loses; none if it loses none of those walked.
        shortest: Whether none that it loses is shorter.
        decisions: Positions in which the agent was asked, in both walks.
        longest: Plies of the longest game that ended.
        whole: Whether every reply was walked to the end, so that an agent that never lost wins against all of them.
    """

    lost_game: tuple[int, ...]
    shortest: bool
    decisions: int
    longest: int
    whole: bool

    @property
    def proved(self) -> bool:
        """Whether it wins against every reply."""
        return self.whole and not self.lost_game

    def moved(self, rules: Rules, image: Rules) -> "Walked":
        """The same in an image of the game under a rotation or reflection; ValueError if it is none."""
        to = image_onto(rules, image)
        if to is None:
            raise ValueError(f"{format_rules(image)} is no image of {format_rules(rules)}")
        return self._replace(lost_game=tuple(to[move] for move in self.lost_game))

    @classmethod
    def from_json(cls, text: str) -> "Walked":
        """What `walk_square` gave."""
        found = json.loads(text)
        return cls(**found | {"lost_game": tuple(found["lost_game"])})


def walk_square(argument: str, notes: Notes) -> str:
    """Walk every reply to an agent that moves first, until it loses, to the end or to a limit; `Walked` as JSON.

    Agents that can be beaten are mostly beaten soon by play that looks good: if asked to, a narrow walk looks for that
    first.

    Raises:
        AgentError: the agent does not decide alike whenever it meets the same position.
        ValueError: a game was drawn, so that a walk without losses would prove no wins.
    """
    asked = json.loads(argument)
    rules, decisions = parse_rules(asked["rules"]), 0

    def walk_within(width: int | None) -> Walk:
        return walk_until_lost(
            lambda: build_agent(asked["agent"]), rules, Side.FIRST, note=note, width=width, limit=asked["most"]
        )

    def note(walk: Walk) -> None:
        place = f"{asked['label']} in {asked['rules']}"
        notes.note(f"{place}: {len(walk):,} positions after {walk.ply} plies")

    walk = walk_within(_WIDTH if asked["hunt"] else None)
    if walk.lost_game is None and walk.narrowed:
        decisions, walk = walk.decisions, walk_within(None)
    if walk.drawn_game is not None:
        raise ValueError(f"{asked['rules']} can be drawn: a walk without losses would prove no wins")
    whole = len(walk) == 0 and not walk.narrowed
    found = Walked(walk.lost_game or (), not walk.narrowed, decisions + walk.decisions, walk.longest, whole)
    return json.dumps(found._asdict())


class _Remembered:
    """Truth that answers alike whenever it is asked about a position, whatever it has proved since."""

    def __init__(self, truth: Knows) -> None:
        self._truth, self._known = truth, dict[tuple[int, ...], Solution | SolverError]()

    def solve(self, position: Position, budget: Budget) -> Solution:
        """See `judge.Truth`."""
        if position.moves not in self._known:
            try:
                self._known[position.moves] = self._truth.solve(position, budget)
            except SolverError as error:
                self._known[position.moves] = error
        found = self._known[position.moves]
        if isinstance(found, SolverError):
            raise found
        return found


def judge_position_job(argument: str, notes: Notes) -> str:
    """Judge agents, all by the same truth, in random positions of one ply; a `Tally` for each label, as JSON."""
    asked = json.loads(argument)
    rules = parse_rules(asked["rules"])
    strata = sample_positions(rules, asked["per_ply"], asked["seed"], (asked["ply"], asked["ply"]))
    positions = [position for stratum in strata for position in stratum.positions]
    truth = _Remembered(Truth(rules, GIB))
    found = {
        label: sum(judge(build_agent(agent), positions, truth, asked["seed"], asked["nodes"], notes).values(), Tally())
        for label, agent in asked["agents"].items()
    }
    return json.dumps({label: tally.model_dump(mode="json") for label, tally in found.items()})


def read_tallies(text: str) -> dict[str, Tally]:
    """What `judge_position_job` gave."""
    return {label: Tally(**tally) for label, tally in json.loads(text).items()}
