"""`Judged`: the moves of agents beside exact truth, on a task: how often they keep the value of a position, by ply.

A game with few positions is asked about in all of them, a larger one in a sample for each ply. The positions are cut
into pieces, each with a solver of its own, so that the answer is the same for any number of workers.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, ClassVar, NamedTuple, Self

from pydantic import Field, model_validator

from noughts.agents import AgentSpec, build_agent
from noughts.agents.registry import from_outside
from noughts.examine.judge import Tally, TruthSource, judge, where
from noughts.examine.sample import Plies, Stratum, all_positions, sample_positions
from noughts.machine import Recorder
from noughts.machine.memory import GIB
from noughts.positions import Position
from noughts.questions.played import MoveSeconds
from noughts.questions.question import Group, Unit
from noughts.rules import AgentError, NoughtsError, Rules, SolverError, Task, Value
from noughts.rules.text import counted
from noughts.solvers import Budget, Solution
from noughts.solvers.solve import Truth

Piece = tuple[int, int]
"""The first of some positions in the order of plies, and the one after the last."""


class PlyTally(NamedTuple):
    """What became of the positions of one ply.

    Attributes:
        ply: Moves before them.
        asked: How many positions there are to be asked about, in all pieces together.
        all_there_are: Whether the game has no others.
        tally: Of those of this piece.
    """

    ply: int
    asked: int
    all_there_are: bool
    tally: Tally


class Tallies(Value):
    """By agent, in the order in which they were named; then by ply."""

    agents: tuple[tuple[PlyTally, ...], ...]


class BesideTruth(Unit[Tallies]):
    """Agents in the same positions of one game, judged by the same truth.

    Attributes:
        rules, agents: What is asked. The same positions are decided, or left undecided, for all of them.
        all_up_to: If the game has at most so many positions in which it goes on, all are asked about.
        per_ply: Otherwise so many of each ply are drawn.
        plies: Only positions of these plies, the first and the last.
        seed: Of the sample, and of the agents' choices.
        piece: Which of these positions; None for all.
        nodes: What a solver may spend on one position, in its own unit; None for as much as it takes.
        memory: GiB that the solver's tables may take.
        move_seconds: A position for which an agent takes longer counts as an error; None for no limit.
    """

    rules: Rules
    named: tuple[AgentSpec, ...]
    all_up_to: int
    per_ply: int
    plies: Plies | None
    seed: int
    piece: Piece | None = None
    nodes: int | None = None
    memory: int = 1
    move_seconds: float | None = None

    def agents(self) -> Sequence[AgentSpec]:
        """All of them."""
        return self.named

    def answer(self, notes: Recorder) -> Tallies:
        """Ask the solver, then each agent.

        Raises:
            AgentError: there is no such agent.
        """
        truth = _truth_of(self.model_copy(update={"named": (), "move_seconds": None}))
        found = []
        for spec in self.named:
            agent, tallies = build_agent(spec), dict[int, Tally]()
            for ply, positions in self._positions().items():
                notes.note(
                    f"{spec} in {self.rules}, beside exact truth: {counted(len(positions), 'position')} at ply {ply}"
                )
                judged = judge(agent, positions, truth, self.seed, self.nodes, notes, self.move_seconds)
                tallies[ply] = sum(judged.values(), Tally())
            found.append(tallies)
            truth.all_known()
        return self._tallies(found)

    def checked(self, answer: Tallies) -> Tallies:
        """AgentError unless it has tallies for each agent."""
        plies = range(self.rules.size + 1)
        if len(answer.agents) != len(self.named) or any(ply.ply not in plies for some in answer.agents for ply in some):
            raise AgentError("there are no tallies for each agent")
        return answer

    def broken(self, note: str, reason: str) -> Tallies:
        """Of a piece that failed as a whole, every position is an error."""
        plies = self._positions()
        tallies = {ply: Tally(positions=len(some), errors=len(some)) for ply, some in plies.items()}
        if tallies:
            first, *others = [position for some in plies.values() for position in some]
            more = f" and {len(others)} more" if others else ""
            problem = Tally(problems=(f"{where(first)}{more}: {reason}",))
            tallies[first.ply] += problem
        return self._tallies([tallies] * len(self.named))

    def failed(self, answer: Tallies) -> str:
        """The first errors of the agents."""
        problems = [problem for plies in answer.agents for ply in plies for problem in ply.tally.problems]
        return f"{self.rules}, {problems[0]}" if problems else ""

    def _positions(self) -> dict[int, Sequence[Position]]:
        """Those of the piece, by ply."""
        strata = strata_of(self.rules, self.all_up_to, self.per_ply, self.plies, self.seed)
        positions = [position for stratum in strata for position in stratum.positions]
        found: dict[int, list[Position]] = {}
        for position in positions if self.piece is None else positions[slice(*self.piece)]:
            found.setdefault(position.ply, []).append(position)
        return dict(found)

    def _tallies(self, found: Sequence[dict[int, Tally]]) -> Tallies:
        strata = strata_of(self.rules, self.all_up_to, self.per_ply, self.plies, self.seed)
        return Tallies(
            agents=tuple(
                tuple(PlyTally(s.ply, len(s.positions), s.complete, tallies[s.ply]) for s in strata if s.ply in tallies)
                for tallies in found
            )
        )


class JudgedGame(NamedTuple):
    """How an agent does in one game of a task.

    Attributes:
        rules, agent: The game, and the agent's text.
        sampled: Whether positions were drawn; else all there are were asked about.
        plies: By ply, of those that have positions.
    """

    rules: Rules
    agent: str
    sampled: bool
    plies: dict[int, Tally]

    @property
    def total(self) -> Tally:
        """All plies together: each position counts alike, so plies do by how many positions were asked about."""
        return sum(self.plies.values(), Tally(complete=True))


class JudgedTask(Value):
    """How agents do beside exact truth, by game and agent, without those of which nothing is known."""

    games: tuple[JudgedGame, ...]

    def __str__(self) -> str:
        """In words, a line for each game and agent: how many moves keep the value, of those that could have lost it."""
        return "\n".join(
            f"{game.agent} in {game.rules}: {game.total.optimal:,} of {game.total.choices:,} moves keep the value where the choice matters"
            for game in self.games
        )

    def of(self, agent: AgentSpec, rules: Rules | None = None) -> dict[int, Tally]:
        """An agent's tallies by ply, in one game or all together."""
        found: dict[int, Tally] = {}
        text = str(agent)
        for game in self.games:
            if game.agent == text and rules in (None, game.rules):
                for ply, tally in game.plies.items():
                    found[ply] = found[ply] + tally if ply in found else tally
        return found


class Judged(Group[JudgedTask]):
    """Agents beside exact truth, on a task.

    Attributes:
        task, named: The games and the agents.
        all_up_to, per_ply, plies, seed, nodes, memory, move_seconds: As of `BesideTruth`.
        chunk: Positions in one piece, which share what the solver has proved; None for all positions of a game. With
            `move_seconds` each position is a piece of its own.
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

    task: Task
    named: tuple[AgentSpec, ...]
    all_up_to: int = Field(default=20_000, ge=0, le=1_000_000)
    per_ply: int = Field(default=50, ge=1, le=100_000)
    plies: Plies | None = None
    nodes: Annotated[int, Field(ge=1, le=10**12)] | None = 1_000_000
    memory: int = Field(default=1, ge=1, le=1 << 20)
    seed: int = 0
    chunk: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    move_seconds: float | None = MoveSeconds

    @model_validator(mode="after")
    def _plies_are_in_order(self) -> Self:
        if self.plies is not None and not 0 <= self.plies[0] <= self.plies[1]:
            raise ValueError(f"plies={self.plies[0]}-{self.plies[1]} is not allowed: {self.allowed['plies']}")
        return self

    def units(self) -> Sequence[BesideTruth]:
        """The pieces, game by game and in the order of plies. Each agent from outside the project has its own, so that
        it has a process of its own."""
        outside = [agent for agent in self.named if from_outside(agent)]
        together = tuple(agent for agent in self.named if agent not in outside)
        groups = [group for group in (together, *((agent,) for agent in outside)) if group]
        return [unit for rules in self.task.rules for named in groups for unit in _pieces(self, rules, named)]

    def gather(self, answers: Sequence[Tallies | None]) -> JudgedTask:
        """What is known so far."""
        pieces: dict[tuple[Rules, AgentSpec], list[Sequence[PlyTally]]] = {}
        for unit, answer in zip(self.units(), answers, strict=True):
            for agent, tallies in zip(unit.named, answer.agents, strict=True) if answer is not None else ():
                pieces.setdefault((unit.rules, agent), []).append(tallies)
        games = [
            _together(rules, str(agent), pieces[rules, agent])
            for rules in self.task.rules
            for agent in self.named
            if (rules, agent) in pieces
        ]
        return JudgedTask(games=tuple(games))


def strata_of(rules: Rules, all_up_to: int, per_ply: int, plies: Plies | None, seed: int) -> tuple[Stratum, ...]:
    """The positions of a game that agents are asked about, by ply; NoughtsError if there are none."""
    strata = _strata(rules, all_up_to, per_ply, plies, seed)
    if not strata:
        given = "{}-{}".format(*plies or (0, rules.size))
        raise NoughtsError(f"no game of {rules} was found that goes on at plies {given}: ask about earlier ones")
    return strata


@lru_cache(maxsize=64)
def _strata(rules: Rules, all_up_to: int, per_ply: int, plies: Plies | None, seed: int) -> tuple[Stratum, ...]:
    strata = all_positions(rules, all_up_to, plies)
    return sample_positions(rules, per_ply, seed, plies) if strata is None else strata


def require_solver(judged: Judged) -> None:
    """SolverError if solvers refuse a position of every ply: all would be undecided. Of the first one it says why."""
    for rules in judged.task.rules:
        truth, refusal = Truth(rules, judged.memory * GIB), None
        for stratum in sample_positions(rules, 1, judged.seed, judged.plies):
            try:
                truth.solver(stratum.positions[0])
            except SolverError as error:
                refusal = refusal or error  # later positions have longer names
            else:
                break
        else:
            if refusal is not None:
                raise refusal


@lru_cache(maxsize=1024)
def _pieces(judged: Judged, rules: Rules, named: tuple[AgentSpec, ...]) -> tuple[BesideTruth, ...]:
    fields = {name: getattr(judged, name) for name in BesideTruth.model_fields if name in Judged.model_fields}
    whole = BesideTruth(rules=rules, **fields | {"named": named})
    size = judged.chunk if judged.move_seconds is None else 1
    if size is None:
        return (whole,)
    count = sum(len(s.positions) for s in strata_of(rules, judged.all_up_to, judged.per_ply, judged.plies, judged.seed))
    return tuple(
        whole.model_copy(update={"piece": (start, min(start + size, count))}) for start in range(0, count, size)
    )


def _together(rules: Rules, agent: str, pieces: Sequence[Sequence[PlyTally]]) -> JudgedGame:
    """Pieces of one game and agent as one."""
    tallies: dict[int, Tally] = {}
    facts: dict[int, PlyTally] = {}
    for ply in (ply for piece in pieces for ply in piece):
        facts[ply.ply] = ply
        tallies[ply.ply] = tallies.get(ply.ply, Tally()) + ply.tally
    plies = {
        ply: tally.model_copy(update={"complete": facts[ply].all_there_are and tally.positions == facts[ply].asked})
        for ply, tally in sorted(tallies.items())
    }
    return JudgedGame(rules, agent, not all(fact.all_there_are for fact in facts.values()), plies)


@lru_cache(maxsize=64)  # solutions only: the solvers' tables go when all positions are known
def _truth_of(question: BesideTruth) -> "_Remembered":
    """The truth about the positions of a piece: questions about other agents in this process need not find it again."""
    return _Remembered(Truth(question.rules, question.memory * GIB))


class _Remembered:
    """Truth that answers alike whenever it is asked about a position, whatever it has proved since."""

    def __init__(self, truth: TruthSource) -> None:
        self._truth: TruthSource | None = truth
        self._known = dict[tuple[int, ...], Solution | SolverError]()

    def all_known(self) -> None:
        """Say that every position was asked about, so that the solver's tables are needed no longer."""
        self._truth = None

    def solve(self, position: Position, budget: Budget) -> Solution:
        """See `judge.TruthSource`."""
        if position.moves not in self._known:
            assert self._truth is not None
            try:
                self._known[position.moves] = self._truth.solve(position, budget)
            except SolverError as error:
                self._known[position.moves] = error
        found = self._known[position.moves]
        if isinstance(found, SolverError):
            raise found
        return found
