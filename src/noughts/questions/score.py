"""Scoring an agent against truth, by ply: `judge` counts, `strata` are the positions, and here is how it is carried out.

A game with few positions is asked about in all of them, a larger one in a sample for each ply. The positions are
cut into pieces of work, each with a solver and an agent of its own, so that the result is the same for any number of
workers and after any interruption.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Self

from pydantic import Field, model_validator

from noughts.agents import build_agent, parse_agent
from noughts.examine.judge import Tally, judge, where
from noughts.examine.sample import Plies, Stratum, all_positions, sample_positions
from noughts.machine.memory import GIB
from noughts.play.playthrough import Notes
from noughts.positions import Position
from noughts.questions.session import Measured, Measurement
from noughts.rules import AgentError, NoughtsError, SolverError, Value, format_rules, parse_rules

__all__ = [
    "Plies",
    "ScorePlan",
    "Stratum",
    "Tally",
    "TruthScore",
    "all_positions",
    "judge",
    "make_score",
    "require_solver",
    "sample_positions",
    "score_work",
    "strata_of",
    "truth_score",
]


class ScorePlan(Value):
    """What to ask an agent about.

    Attributes:
        rules, agent: Text forms.
        all_up_to: If the game has at most so many positions in which it goes on, all are asked about.
        per_ply: Otherwise so many of each ply are drawn.
        plies: Only positions of these plies.
        nodes: What a solver may spend on one position, in its own unit.
        memory: GiB that each solver's tables may take, in each worker.
        seed: Of the sample, and of the agent's choices.
        chunk: Positions in one piece of work. Those of a piece share what the solver has proved.
        move_seconds: A position for which the agent takes longer counts as an error; None for no limit. With a limit
            each position is a piece of work of its own.
    """

    error_type: ClassVar = AgentError
    called: ClassVar = "score"
    allowed: ClassVar = {
        "all_up_to": "a whole number from 0 to 1000000",
        "per_ply": "a whole number from 1 to 100000",
        "plies": "two plies such as 4-10, the first from 0 on and not above the second",
        "nodes": "a whole number from 1 to 10^12",
        "memory": "a whole number of GiB from 1 to 1048576",
        "chunk": "a whole number from 1 to 1000000",
        "move_seconds": "a number of seconds above 0 and up to 86400",
    }

    rules: str
    agent: str
    all_up_to: int = Field(default=20_000, ge=0, le=1_000_000)
    per_ply: int = Field(default=50, ge=1, le=100_000)
    plies: Plies | None = None
    nodes: int = Field(default=1_000_000, ge=1, le=10**12)
    memory: int = Field(default=1, ge=1, le=1 << 20)
    seed: int = 0
    chunk: int = Field(default=25, ge=1, le=1_000_000)
    move_seconds: float | None = Field(default=None, gt=0, le=86400, allow_inf_nan=False)

    @model_validator(mode="after")
    def _plies_are_in_order(self) -> Self:
        if self.plies is not None and not 0 <= self.plies[0] <= self.plies[1]:
            raise ValueError(f"plies={self.plies[0]}-{self.plies[1]} is not allowed: {self.allowed['plies']}")
        return self

    @property
    def name(self) -> str:
        """What names the run: rules and agent."""
        return f"{self.rules} / {self.agent}"


class TruthScore(Value):
    """How an agent does against truth.

    Attributes:
        rules, agent, seed: As in the plan.
        sampled: Whether positions were drawn; else all there are were asked about.
        plies: By ply, of those that have positions.
    """

    rules: str
    agent: str
    seed: int
    sampled: bool
    plies: dict[int, Tally]

    @property
    def total(self) -> Tally:
        """All plies together: each position counts alike, so plies do by how many positions were asked about."""
        return sum(self.plies.values(), Tally(complete=True))


def make_score(plan: ScorePlan) -> ScorePlan:
    """The same plan with its texts in canonical form."""
    canonical = {"rules": format_rules(parse_rules(plan.rules)), "agent": str(parse_agent(plan.agent))}
    return plan.model_copy(update=canonical)


def strata_of(plan: ScorePlan) -> tuple[Stratum, ...]:
    """The positions of a plan; NoughtsError if there are none."""
    rules = parse_rules(plan.rules)
    strata = all_positions(rules, plan.all_up_to, plan.plies)
    if strata is None:
        strata = sample_positions(rules, plan.per_ply, plan.seed, plan.plies)
    if not strata:
        given = "{}-{}".format(*plan.plies or (0, rules.size))
        raise NoughtsError(f"no game of {plan.rules} was found that goes on at plies {given}: ask about earlier ones")
    return strata


def require_solver(plan: ScorePlan) -> None:
    """SolverError if solvers refuse a position of every ply: all would be undecided. Of the first one it says why."""
    from noughts.solvers.solve import Truth

    rules = parse_rules(plan.rules)
    truth, refusal = Truth(rules, plan.memory * GIB), None
    for stratum in sample_positions(rules, 1, plan.seed, plan.plies):
        try:
            truth.solver(stratum.positions[0])
        except SolverError as error:
            refusal = refusal or error  # later positions have longer names
        else:
            return
    if refusal is not None:
        raise refusal


def score_work(plan: ScorePlan, strata: Sequence[Stratum]) -> list[Measurement]:
    """The plan's pieces of work, in the order of plies."""
    asked = plan.model_dump(mode="json", exclude={"all_up_to", "per_ply", "plies", "chunk"})
    return [
        Measurement(
            key, "noughts.questions.score:score_job", json.dumps(asked | {"moves": [p.moves for p in positions]})
        )
        for key, positions in _pieces(plan, strata)
    ]


def score_job(argument: str, notes: Notes) -> str:
    """`judge` for a pool of workers, with an agent and a solver of its own; tallies by ply as JSON."""
    from noughts.solvers.solve import Truth

    asked = json.loads(argument)
    rules = parse_rules(asked["rules"])
    positions = (Position.start(rules, tuple(moves)) for moves in asked["moves"])
    truth = Truth(rules, asked["memory"] * GIB)
    agent = build_agent(asked["agent"])
    tallies = judge(agent, positions, truth, asked["seed"], asked["nodes"], notes, asked["move_seconds"])
    return json.dumps({ply: tally.model_dump(mode="json") for ply, tally in tallies.items()})


def truth_score(plan: ScorePlan, strata: Sequence[Stratum], measurements: Mapping[str, str]) -> TruthScore:
    """What is known so far. Of a piece of work that failed as a whole, every position is an error."""
    tallies = {stratum.ply: Tally() for stratum in strata}
    for key, positions in _pieces(plan, strata):
        if key not in measurements:
            continue
        measured = Measured.from_json(measurements[key])
        found = _failed(positions, measured.error) if measured.error else _read(measured.value)
        for ply, tally in found.items():
            tallies[ply] += tally
    for stratum in strata:
        whole = stratum.complete and tallies[stratum.ply].positions == len(stratum.positions)
        tallies[stratum.ply] = tallies[stratum.ply].model_copy(update={"complete": whole})
    return TruthScore(
        rules=plan.rules,
        agent=plan.agent,
        seed=plan.seed,
        sampled=not all(stratum.complete for stratum in strata),
        plies=tallies,
    )


def _pieces(plan: ScorePlan, strata: Sequence[Stratum]) -> Iterator[tuple[str, list[Position]]]:
    """The key and the positions of each piece of work."""
    positions = [position for stratum in strata for position in stratum.positions]
    size = plan.chunk if plan.move_seconds is None else 1
    for start in range(0, len(positions), size):
        yield f"positions from {start:07d}", positions[start : start + size]


def _read(text: str) -> dict[int, Tally]:
    """What `score_job` gave."""
    return {int(ply): Tally(**tally) for ply, tally in json.loads(text).items()}


def _failed(positions: Sequence[Position], error: str) -> dict[int, Tally]:
    """The tallies of a piece of work that gave none."""
    first = positions[0]
    others = f" and {len(positions) - 1} more" if len(positions) > 1 else ""
    tallies = {first.ply: Tally(problems=(f"{where(first)}{others}: {error}",))}
    for position in positions:
        tallies[position.ply] = tallies.get(position.ply, Tally()) + Tally(positions=1, errors=1)
    return tallies
