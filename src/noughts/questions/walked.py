"""`Walked`: check every reply to an agent on a task: each game is proved, refuted or undecided. All commands share one walk."""

import base64
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from noughts.agents import AgentSpec
from noughts.agents.asking import possible_moves, some_of
from noughts.agents.plugin import MAKING_SECONDS, agent_error
from noughts.agents.registry import from_outside
from noughts.examine.best_replies import LosingChance
from noughts.examine.every_reply import Asked, Piece, every_reply
from noughts.examine.proved_walk import proved_walk
from noughts.examine.walk import MOST, Walk, positions_after
from noughts.examine.walk_result import WalkResult
from noughts.machine import Recorder
from noughts.play.score import Player
from noughts.positions import Outcome, Position, Side
from noughts.positions.reference import outcome_after
from noughts.questions.answers import Answers
from noughts.questions.checked import Checked
from noughts.questions.question import OfGame, Question, Rounds, agent_of
from noughts.questions.traits import AgentTraits, Traits, require_agent
from noughts.rules import AgentError, IllegalMoveError, Rules, Task, Value
from noughts.rules.errors import AgentFailedError, NotSymmetricError
from noughts.rules.symmetry import image_classes, image_onto, least_image
from noughts.rules.text import counted
from noughts.store.certificates import is_kept

FoundT = TypeVar("FoundT", WalkResult, LosingChance)

HUNT = 1000
"""The default number of positions of each level that a narrow walk keeps."""

UNMERGED = 200_000
"""The limit of a walk without merging, for an agent that wrongly claims to be symmetric."""

_ASKED = 9  # the most times that an agent decides one position, besides those before it: see `possible_moves`


class Choices(Value):
    """The moves that an agent may choose in some positions.

    Attributes:
        moves: For each position, in order: one or more moves, ascending.
        again: The number of positions in which the agent was queried again as in a game; see `WalkResult`.
    """

    moves: tuple[tuple[int, ...], ...]
    again: int = 0


class Decided(Question[Choices]):
    """Find the moves that an agent may choose in some positions of one game and one ply.

    Attributes:
        agent: The agent. A third-party agent is queried twice, because its code is unknown.
        rules: The game.
        played: The moves that lead to the positions: uint16 [positions, ply], little-endian, base64.
        ply: The number of moves before each position.
        positions: The number of positions.
        instance: None for every random tie-break of the agent; a seed for one instance of it.
        move_seconds: The time limit for a move, as in a game; None for no limit.
    """

    is_part: ClassVar = True

    agent: AgentSpec
    rules: Rules
    played: str
    ply: int
    positions: int
    instance: int | None = None
    move_seconds: float | None = None

    @classmethod
    def of(cls, piece: Piece, agent: AgentSpec, instance: int | None, move_seconds: float | None = None) -> Self:
        """The question about the positions of a piece."""
        rules, moves = piece
        return cls(
            agent=agent,
            rules=rules,
            instance=instance,
            played=base64.b64encode(np.ascontiguousarray(moves, "<u2").tobytes()).decode(),
            positions=moves.shape[0],
            ply=moves.shape[1],
            move_seconds=move_seconds,
        )

    @property
    def seconds_in_all(self) -> float | None:
        """With a time limit for moves, the most time that all queries and building the agent may take."""
        if self.move_seconds is None:
            return None
        return MAKING_SECONDS + self.move_seconds * (_ASKED * self.positions + len(some_of(self.positions)) * self.ply)

    def checked(self, answer: Choices) -> Choices:
        """The answer; AgentError unless it has only moves on free cells, and some for each position."""
        taken = [{*moves, *self.rules.brick_cells} for moves in self._moves().tolist()]
        free = range(self.rules.size)
        if len(answer.moves) != len(taken) or not all(
            moves and all(move in free and move not in on for move in moves)
            for moves, on in zip(answer.moves, taken, strict=True)
        ):
            raise AgentError(f"{self.agent} gave moves that are none")
        return answer

    def _moves(self) -> NDArray[np.uint16]:
        """uint16 [positions, ply]."""
        return np.frombuffer(base64.b64decode(self.played), "<u2").reshape(self.positions, self.ply)

    def answer(self, needed: Sequence[Any], notes: Recorder) -> Choices:
        """Query the agent.

        Raises:
            AgentError: the agent is not deterministic, or there is no such agent.
            AgentFailedError: it raised an error, or chose an illegal move.
        """
        positions = positions_after(self.rules, self._moves())
        agent, outside = agent_of(self.agent), from_outside(self.agent)

        def before(position: Position) -> None:
            notes.note(" ".join(map(self.rules.name_of, position.moves)), self.move_seconds)

        each = None if self.move_seconds is None else before
        moves = possible_moves(agent, positions, self.instance, twice=outside, before_each=each)
        return Choices(moves=tuple(moves), again=len(some_of(len(positions))) if outside else 0)


def asked_along(
    walk: Generator[Asked | Path, Any, FoundT],
    agent: AgentSpec,
    instance: int | None = None,
    move_seconds: float | None = None,
) -> Generator[Sequence[Question[Any]], Sequence[Any], tuple[FoundT, int]]:
    """Run a walk that queries an agent level by level. Return its result, and how often the agent was queried again, as in
    `Choices`.

    Args:
        walk: Yields positions, and is sent the agent's choices; or yields a certificate to check, as `proved_walk` does.
        agent, instance, move_seconds: As in `Decided`.
    """
    again = 0
    try:
        asked = next(walk)
        while True:
            if isinstance(asked, Path):
                (report,) = yield [Checked(path=str(asked))]
                asked = walk.send(report.error or report.positions + report.unused)
            else:
                found = yield [Decided.of(piece, agent, instance, move_seconds) for piece in asked]
                again += sum(answer.again for answer in found)
                asked = walk.send([answer.moves for answer in found])
    except StopIteration as end:
        return end.value, again


def merged_if_true(
    agent: AgentSpec, instance: int | None, most: int, walk: Callable[[bool, int], Rounds[FoundT]]
) -> Rounds[FoundT]:
    """Run a walk that merges symmetric positions if the agent claims to treat them alike. If that claim turns out to be false,
    run one that merges none, of up to `UNMERGED` positions.

    Args:
        agent, instance: As in `Decided`.
        most: The limit of positions.
        walk: Called with whether to merge, and the limit of positions.

    Raises:
        AgentError: the claim is false, and the walk without merging exceeds its limit.
    """
    (traits,) = yield [AgentTraits(agent=agent)]
    refused: NotSymmetricError | None = None
    # An instance of a stochastic agent draws other numbers at every position, also at symmetric ones.
    for merges in (True, False) if instance is None and traits.symmetric else (False,):
        try:
            found = yield from walk(merges, most if refused is None else min(most, UNMERGED))
        except NotSymmetricError as error:
            refused = error
            continue
        if refused is None or found.limit is None:
            return found
    raise AgentError(str(refused))


class AboutReplies(Value):
    """An agent, and options for the check of every reply to it.

    Attributes:
        agent, side: The agent, and the side that it plays.
        instance: None for every random tie-break of the agent; a seed for one instance of it.
        until_lost: Whether to stop at the first lost game; otherwise all games are counted.
        hunt: The number of positions of each level in a narrow walk that looks for a lost game first; None for no such walk,
            so that a lost game is a shortest one.
        most: The limit of positions.
        move_seconds: The time limit for a move; None for no limit.
        certify: Whether to save and check a certificate if the agent lost no game. Only then does it count as proved.
    """

    error_type: ClassVar = AgentError
    effort: ClassVar = frozenset({"hunt", "most", "certify"})

    agent: AgentSpec
    side: Player
    instance: int | None = None
    until_lost: bool = True
    hunt: Annotated[int, Field(ge=1)] | None = None
    most: int = Field(default=MOST, ge=1)
    move_seconds: float | None = None
    certify: bool = True


class EveryReply(AboutReplies, Question[WalkResult]):
    """Check every reply to an agent in one game.

    Attributes:
        rules: The game.
        alike: Symmetric games that the walk covers, too; the agent is queried in them as well.
    """

    called: ClassVar = "walk"

    rules: Rules
    alike: tuple[Rules, ...] = ()

    def accepts(self, answer: WalkResult) -> bool:
        """Whether the answer will do: a proof, or a walk if no certificate is wanted. A lost game from a narrow walk will do
        only if `hunt` is set, because it need not be a shortest one."""
        if self.certify and answer.walked and not answer.unchecked and not is_kept(answer.certificate):
            return False
        if self.until_lost and answer.lost_game is not None:
            return answer.whole or self.hunt is not None
        return answer.whole or (answer.limit or 0) >= self.most

    def checked(self, answer: WalkResult) -> WalkResult:
        """The answer; AgentError unless its lost game is lost and its drawn game drawn by the reference implementation."""
        lost = Outcome.SECOND if self.side == "first" else Outcome.FIRST
        for game, end in ((answer.lost_game, lost), (answer.drawn_game, Outcome.DRAW)):
            if game is None:
                continue
            try:
                found = outcome_after(self.rules, game)
            except IllegalMoveError as error:
                raise AgentError(f"a game of {self.rules} that was walked cannot be replayed: {error}") from error
            if found is not end:
                raise AgentError(f"a game of {self.rules} that was walked does not end as its record states")
        return answer

    def answer(self, needed: Sequence[Any], notes: Recorder) -> Rounds[WalkResult]:
        """Run the walk, which queries the agent level by level.

        Raises:
            AgentError: there is no such agent, or its choices in a position are not always the same.
            AgentFailedError: its code fails when it reports whether it is symmetric.
            ComputeError: the walk exceeds the positions for which memory is planned.
        """
        return (yield from merged_if_true(self.agent, self.instance, self.most, partial(self._walk, notes)))

    def _walk(self, notes: Recorder, symmetric: bool, most: int) -> Rounds[WalkResult]:
        def note(walk: Walk) -> None:
            which = "the worst of " if walk.narrowed else ""
            notes.note(
                f"{self.agent} in {self.rules}, {which}every reply: {counted(len(walk), 'position')} after {walk.ply} plies"
            )

        side, ours = Side[self.side.upper()], not from_outside(self.agent)
        replies = partial(
            every_reply, self.rules, side, symmetric, self.until_lost, self.hunt, most, note, self.alike, ours
        )
        walk = proved_walk(self.rules, side, self.called_agent, symmetric, replies) if self.certify else replies()
        result, again = yield from asked_along(walk, self.agent, self.instance, self.move_seconds)
        return result.model_copy(update={"again": again})

    @property
    def called_agent(self) -> str:
        """The name of the agent, or of its instance, in the certificate."""
        return str(self.agent) if self.instance is None else f"instance {self.instance} of {self.agent}"


class WalkedTask(Value):
    """The results in the games of a task; games without a result are left out.

    Attributes:
        games: In the order of the task.
        walks: The number of walks; symmetric games may share one.
    """

    games: tuple[OfGame[WalkResult], ...]
    walks: int

    def __str__(self) -> str:
        """A line for each game."""
        return "\n".join(f"{game.rules}: {game.result}" for game in self.games)

    @cached_property
    def by_rules(self) -> Mapping[Rules, WalkResult]:
        """The results by game."""
        return {game.rules: game.result for game in self.games}


class Walked(AboutReplies, Question[WalkedTask]):
    """Check every reply to an agent on a task.

    Attributes:
        task: The games.
        images_once: Whether symmetric games share one walk. It assumes that the agent treats them alike, which the walk checks
            in each of them.
    """

    called: ClassVar = "proof"
    counted: ClassVar[Literal[True]] = True
    allowed: ClassVar = {"instance": "a whole number", "most": "a whole number above 0"}

    task: Task
    images_once: bool = False

    def needs(self) -> Sequence[EveryReply]:
        """A walk for each class of symmetric games, or for each game."""
        return list(dict.fromkeys(map(self.walk_of, self.task.rules)))

    def answer(self, needed: Sequence[WalkResult | None], notes: Recorder) -> WalkedTask:
        """The result of the walks for each game."""
        found = dict(zip(self.needs(), needed, strict=True))
        games = []
        for rules in self.task.rules:
            walk = self.walk_of(rules)
            result, image = found[walk], image_onto(walk.rules, rules)
            if result is not None and image is not None:
                games.append(OfGame(rules, result.moved(image)))
        return WalkedTask(games=tuple(games), walks=sum(answer is not None for answer in needed))

    def walk_of(self, rules: Rules) -> EveryReply:
        """The walk that decides one game."""
        rules, alike = stand_in(self.task, rules) if self.images_once else (rules, ())
        return EveryReply(rules=rules, alike=alike, **{name: getattr(self, name) for name in AboutReplies.model_fields})


def stand_in(task: Task, rules: Rules) -> tuple[Rules, tuple[Rules, ...]]:
    """The game that represents a game's symmetric class in a walk, and the others of that class in the task."""
    walked, *others = _classes(task)[least_image(rules)]
    return walked, tuple(others)


@lru_cache(maxsize=16)
def _classes(task: Task) -> dict[Rules, list[Rules]]:
    return {least_image(games[0]): games for games in image_classes(task.rules)}


def require_provable(
    agent: AgentSpec, games: Sequence[Rules], side: Player, instance: int | None, workers: int | None
) -> tuple[Traits, Answers]:
    """Check that an agent can be proved, by its first decision in the first game. Return its traits and all answers.

    Args:
        workers: As for `require_agent`.

    Raises:
        AgentError: there is no such agent, it cannot be built, cannot play one of the games, or is not deterministic.
        AgentFailedError: it raised an error, chose an illegal move, or ended its process.
    """
    position, answers = Position.start(games[0]), Answers()
    if side == "second":
        position = position.play(position.legal_moves[0])
    moves = np.array([position.moves], np.uint16).reshape(1, -1)
    first = [] if position.is_over else [Decided.of(Piece(games[0], moves), agent, instance)]
    found = require_agent(agent, workers, games, answers, first)
    for problem in answers.problems_of(first):
        raise failure(agent, problem)
    return found, answers


def failure(agent: AgentSpec, problem: str) -> AgentError:
    """The error for a failed walk: the agent failed, or it is of a kind that cannot be proved."""
    error = agent_error(agent, problem)
    return error if isinstance(error, AgentFailedError) else AgentError(f"{agent} cannot be proved: {error}")
