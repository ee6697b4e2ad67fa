"""`Judged`: compare agents' moves on a task with exact values, and count the optimal moves by ply."""

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
    """The counts of one ply.

    Attributes:
        ply: The number of moves before the positions.
        asked: The number of positions to evaluate, in all pieces together.
        all_there_are: Whether these are all positions of the game at this ply.
        tally: The counts of this piece's positions.
    """

    ply: int
    asked: int
    all_there_are: bool
    tally: Tally


class Tallies(Value):
    """The counts by agent, in the order of the question, then by ply."""

    agents: tuple[tuple[PlyTally, ...], ...]

    @property
    def failure(self) -> str:
        """The agents' first error; empty if there is none."""
        problems = (problem for plies in self.agents for ply in plies for problem in ply.tally.problems)
        return next(problems, "")


class BesideTruth(AboutSample, Question[Tallies]):
    """Compare the moves of agents in the same positions of one game with the same exact values.

    Attributes:
        rules, named: The game and the agents. A position is solved for all of them, or for none.
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
        """Solve the positions, and compare each agent's moves.

        Raises:
            AgentError: there is no such agent.
        """
        notes.note(f"{self.rules}, exact values: {counted(len(self.positions(self.rules, self.piece)), 'position')}")
        solutions = _solutions_of(self.model_copy(update={"named": (), "move_seconds": None}))

        def solve(position: Position, budget: Budget) -> Solution:
            solution = solutions[position.moves]
            if isinstance(solution, SolverError):
                raise solution
            return solution

        found = []
        for spec in self.named:
            tallies = dict[int, Tally]()
            for ply, positions in self._by_ply().items():
                notes.note(f"{spec} in {self.rules}, exact values: {counted(len(positions), 'position')} at ply {ply}")
                make = partial(build_agent, spec)
                judged = judge(make, positions, solve, self.seed, self.nodes, notes, self.move_seconds)
                tallies[ply] = sum(judged, Tally())
            found.append(tallies)
        return self._tallies(found)

    def checked(self, answer: Tallies) -> Tallies:
        """The answer; AgentError unless it has counts for each agent."""
        plies = range(self.rules.size + 1)
        if len(answer.agents) != len(self.named) or any(ply.ply not in plies for some in answer.agents for ply in some):
            raise AgentError("there are no tallies for each agent")
        return answer

    def broken(self, note: str, reason: str, died: bool) -> Tallies:
        """An answer in which every position is an error, because the whole piece failed."""
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
    """An agent's counts in one game of a task.

    Attributes:
        rules, agent: The game, and the agent's text.
        sampled: Whether the positions are a random sample, and not all positions of the game.
        plies: The counts by ply, without plies that have no positions.
    """

    rules: Rules
    agent: str
    sampled: bool
    plies: dict[int, Tally]

    @property
    def total(self) -> Tally:
        """The counts of all plies together. Positions have equal weight, so a ply weighs as much as it has positions."""
        return sum(self.plies.values(), Tally(complete=True))


class JudgedTask(Value):
    """How agents' moves compare with exact values, by game and agent; those without any answer are left out."""

    games: tuple[JudgedGame, ...]

    def __str__(self) -> str:
        """A line for each game and agent: the optimal moves in non-trivial positions."""
        return "\n".join(
            f"{game.agent} in {game.rules}: {game.total.optimal:,} of {game.total.choices:,} moves are optimal in non-trivial positions"
            for game in self.games
        )

    def of(self, agent: AgentSpec, rules: Rules | None = None) -> dict[int, Tally]:
        """An agent's counts by ply, in one game or in all together."""
        found: dict[int, Tally] = {}
        text = str(agent)
        for game in self.games:
            if game.agent == text and rules in (None, game.rules):
                for ply, tally in game.plies.items():
                    found[ply] = found[ply] + tally if ply in found else tally
        return found


class Judged(AboutSample, Question[JudgedTask]):
    """Compare agents' moves on a task with exact values.

    Attributes:
        task, named: The games and the agents.
        chunk: The number of positions in a piece, which share one solver's results; None for all positions of a game. With
            `move_seconds` each position is a piece of its own.
        move_seconds: As in `BesideTruth`.
    """

    called: ClassVar = "score"
    counted: ClassVar[Literal[True]] = True

    task: Task
    named: tuple[AgentSpec, ...]
    chunk: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    move_seconds: float | None = MoveSeconds

    def needs(self) -> Sequence[BesideTruth]:
        """The pieces, game by game and in the order of plies. Each third-party agent has its own pieces, so that it runs in a
        process of its own."""
        outside = [agent for agent in self.named if from_outside(agent)]
        together = tuple(agent for agent in self.named if agent not in outside)
        groups = [group for group in (together, *((agent,) for agent in outside)) if group]
        return [piece for rules in self.task.rules for named in groups for piece in _pieces(self, rules, named)]

    def answer(self, needed: Sequence[Tallies | None], notes: Recorder) -> JudgedTask:
        """Add up the answers so far."""
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
    """Raise SolverError, that of the first ply, if no solver covers any ply, so that no position would be decided."""
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
    """Merge the pieces of one game and agent."""
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


@lru_cache(maxsize=64)  # solutions only: the solvers' tables are dropped when all positions are solved
def _solutions_of(piece: BesideTruth) -> dict[tuple[int, ...], Solution | SolverError]:
    """The solution of each position of a piece, by its moves, or why no solver covers it; cached for questions about other
    agents in this process."""
    truth = Truth(piece.rules, piece.memory * GIB)
    found: dict[tuple[int, ...], Solution | SolverError] = {}
    for position in piece.positions(piece.rules, piece.piece):
        try:
            found[position.moves] = truth.solve(position, Budget(piece.nodes))
        except SolverError as error:
            found[position.moves] = error
    return found
