"""What workers do for `generalisation` besides games: walk every reply within a limit, and judge many agents at once."""

import json
from typing import NamedTuple

from noughts.agents import build_agent
from noughts.matches.game import Notes
from noughts.matches.judge import Tally, judge
from noughts.matches.judge import Truth as Knows
from noughts.matches.strata import sample_positions
from noughts.matches.walk import Walk, walk_until_lost
from noughts.positions import Position, Side
from noughts.rules import SolverError, parse_rules
from noughts.solvers import Budget, Solution
from noughts.solvers.memory import GIB
from noughts.solvers.solve import Truth


class Walked(NamedTuple):
    """What walking every reply showed.

    Attributes:
        lost_plies: Of a shortest game that the agent loses; 0 if it loses none of those walked.
        lost_game: Its moves.
        decisions: Positions in which the agent was asked.
        longest: Plies of the longest game that ended.
        whole: Whether nothing was left to walk, so that an agent without a loss wins against every reply; a loss
            also ends a walk, and so does the limit of decisions.
    """

    lost_plies: int
    lost_game: tuple[int, ...]
    decisions: int
    longest: int
    whole: bool

    @property
    def proved(self) -> bool:
        """Whether it wins against every reply; a full board is nobody's draw in these games."""
        return self.whole and not self.lost_plies

    @classmethod
    def from_json(cls, text: str) -> "Walked":
        """What `walk_square` gave."""
        found = json.loads(text)
        return cls(**found | {"lost_game": tuple(found["lost_game"])})


class _Enough(Exception):  # noqa: N818 - it is no error
    """A walk that is given up."""


def walk_square(argument: str, notes: Notes) -> str:
    """Walk every reply to an agent that moves first, until it loses, to the end or to a limit; `Walked` as JSON."""
    asked = json.loads(argument)
    rules, most = parse_rules(asked["rules"]), asked["most"]
    last: list[Walk] = []

    def note(walk: Walk) -> None:
        last[:] = [walk]
        notes.note(f"{asked['label']} in {asked['rules']}: {len(walk):,} positions after {walk.ply} plies")
        if walk.decisions + len(walk) > most:
            raise _Enough

    try:
        walk = walk_until_lost(lambda: build_agent(asked["agent"]), rules, Side.FIRST, note=note)
    except _Enough:
        walk = last[0]
    if walk.drawn_game is not None:
        raise ValueError(f"{asked['rules']} can be drawn: a walk without losses would prove no wins")
    lost = walk.lost_game or ()
    return json.dumps(Walked(len(lost), lost, walk.decisions, walk.longest, len(walk) == 0)._asdict())


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
