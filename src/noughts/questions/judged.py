"""`Judged`: the moves of agents beside exact truth, on a task: how often they keep the value of a position, by ply."""

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from noughts.agents import AgentSpec, build_agent
from noughts.agents.registry import from_outside
from noughts.examine.judge import Tally, judge, where
from noughts.examine.sample import sample_positions
from noughts.machine import Recorder
from noughts.machine.memory import GIB
from noughts.positions import Position
from noughts.questions.played import MoveSeconds
from noughts.questions.question import Question
from noughts.questions.sampled import AboutSample, Piece
from noughts.rules import AgentError, Rules, SolverError, Task, Value
from noughts.rules.text import counted
from noughts.solvers import Budget, Solution
from noughts.solvers.solve import Truth


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

    @property
    def failure(self) -> str:
        """The first error of the agents."""
        problems = (problem for plies in self.agents for ply in plies for problem in ply.tally.problems)
        return next(problems, "")


class BesideTruth(AboutSample, Question[Tallies]):
    """Agents in the same positions of one game, judged by the same truth.

    Attributes:
        rules, named: The game, and the agents. The same positions are decided, or left undecided, for all of them.
        piece: Which positions; None for all.
        move_seconds: A position for which an agent takes longer counts as an error; None for no limit.
    """

    rules: Rules
    named: tuple[AgentSpec, ...]
    piece: Piece | None = None
    move_seconds: float | None = None

    @property
    def title(self) -> str:
        """The game."""
        return str(self.rules)

    def answer(self, needed: Sequence[Any], notes: Recorder) -> Tallies:
        """Ask the solver, then each agent.

        Raises:
            AgentError: there is no such agent.
        """
        truth = _truth_of(self.model_copy(update={"named": (), "move_seconds": None}))
        found = []
        for spec in self.named:
            tallies = dict[int, Tally]()
            for ply, positions in self._by_ply().items():
                notes.note(f"{spec} in {self.rules}, exact values: {counted(len(positions), 'position')} at ply {ply}")
                make = partial(build_agent, spec)
                judged = judge(make, positions, truth.solve, self.seed, self.nodes, notes, self.move_seconds)
                tallies[ply] = sum(judged, Tally())
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
        plies = self._by_ply()
        tallies = {ply: Tally(positions=len(some), errors=len(some)) for ply, some in plies.items()}
        if tallies:
            first, *others = [position for some in plies.values() for position in some]
            more = f" and {len(others)} more" if others else ""
            problem = Tally(problems=(f"{where(first)}{more}: {reason}",))
            tallies[first.ply] += problem
        return self._tallies([tallies] * len(self.named))

    def _by_ply(self) -> dict[int, list[Position]]:
        found: dict[int, list[Position]] = {}
        for position in self.positions(self.rules, self.piece):
            found.setdefault(position.ply, []).append(position)
        return found

    def _tallies(self, found: Sequence[dict[int, Tally]]) -> Tallies:
        strata = self.strata(self.rules)
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
            f"{game.agent} in {game.rules}: {game.total.optimal:,} of {game.total.choices:,} moves are optimal in non-trivial positions"
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


class Judged(AboutSample, Question[JudgedTask]):
    """Agents beside exact truth, on a task.

    Attributes:
        task, named: The games and the agents.
        chunk: Positions in one piece, which share what the solver has proved; None for all positions of a game. With
            `move_seconds` each position is a piece of its own.
        move_seconds: As of `BesideTruth`.
    """

    called: ClassVar = "score"
    counted: ClassVar[Literal[True]] = True

    task: Task
    named: tuple[AgentSpec, ...]
    chunk: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    move_seconds: float | None = MoveSeconds

    def needs(self) -> Sequence[BesideTruth]:
        """The pieces, game by game and in the order of plies. Each agent from outside the project has its own, so that
        it has a process of its own."""
        outside = [agent for agent in self.named if from_outside(agent)]
        together = tuple(agent for agent in self.named if agent not in outside)
        groups = [group for group in (together, *((agent,) for agent in outside)) if group]
        return [piece for rules in self.task.rules for named in groups for piece in _pieces(self, rules, named)]

    def answer(self, needed: Sequence[Tallies | None], notes: Recorder) -> JudgedTask:
        """What is known so far."""
        pieces: dict[tuple[Rules, AgentSpec], list[Sequence[PlyTally]]] = {}
        for piece, answer in zip(self.needs(), needed, strict=True):
            for agent, tallies in zip(piece.named, answer.agents, strict=True) if answer is not None else ():
                pieces.setdefault((piece.rules, agent), []).append(tallies)
        games = [
            _together(rules, str(agent), pieces[rules, agent])
            for rules in self.task.rules
            for agent in self.named
            if (rules, agent) in pieces
        ]
        return JudgedTask(games=tuple(games))


def require_solver(judged: Judged) -> None:
    """SolverError if solvers refuse a position of every ply: all would be undecided. It gives the reason for the first one."""
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
    fields = {name: getattr(judged, name) for name in (*AboutSample.model_fields, "move_seconds")}
    whole = BesideTruth(rules=rules, named=named, **fields)
    size = judged.chunk if judged.move_seconds is None else 1
    if size is None:
        return (whole,)
    return tuple(whole.model_copy(update={"piece": piece}) for piece in judged.pieces(rules, size))


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

    def __init__(self, truth: Truth) -> None:
        self._truth: Truth | None = truth
        self._known = dict[tuple[int, ...], Solution | SolverError]()

    def all_known(self) -> None:
        """Let go of the solver's tables, once every position was asked about."""
        self._truth = None

    def solve(self, position: Position, budget: Budget) -> Solution:
        """As of `Truth`."""
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
