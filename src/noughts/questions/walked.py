"""`Walked`: every reply to an agent on a task: proved, refuted by a game, or not decided. One walk for all who ask."""

import base64
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self, TypeVar

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
from noughts.questions.question import Question, Rounds, agent_of
from noughts.questions.traits import AgentTraits, Traits, require_agent
from noughts.rules import AgentError, IllegalMoveError, Rules, Task, Value
from noughts.rules.errors import AgentFailedError, NotSymmetricError
from noughts.rules.symmetry import image_classes, image_onto, least_image
from noughts.rules.text import counted
from noughts.store.certificates import is_kept

FoundT = TypeVar("FoundT", WalkResult, LosingChance)

HUNT = 1000
"""Positions of each level that a narrow walk keeps, unless another number is given."""

UNMERGED = 200_000
"""Positions of a walk that merges none, which is made where an agent claims to be symmetric, and is not."""

_ASKED = 9  # times that an agent is asked about a position at most, besides those before it: see `possible_moves`


class Choices(Value):
    """What an agent may choose in some positions.

    Attributes:
        moves: For each position, in their order: one move or more, ascending.
        again: In how many of them it was asked again as in a game; see `WalkResult`.
    """

    moves: tuple[tuple[int, ...], ...]
    again: int = 0


class Decided(Question[Choices]):
    """What an agent may choose in some positions of one game, all of one ply.

    Attributes:
        agent: The agent. One from outside the project is asked twice, because how it decides is unknown here.
        rules: The game.
        played: The moves that lead to the positions: uint16 [positions, ply], little-endian, base64.
        ply: Moves before each position.
        positions: How many.
        instance: None for the agent however its ties fall; a seed for one instance of it.
        move_seconds: What a move may take, as a game's; None for no limit.
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
        """What an agent may choose in these positions."""
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
        """With a limit for moves, as much as all that it can be asked may take, and its making."""
        if self.move_seconds is None:
            return None
        return MAKING_SECONDS + self.move_seconds * (_ASKED * self.positions + len(some_of(self.positions)) * self.ply)

    def checked(self, answer: Choices) -> Choices:
        """AgentError unless it is moves on free cells for each position."""
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
        """Ask it.

        Raises:
            AgentError: the agent is not deterministic, or there is none.
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
    """What comes of a walk in which an agent is asked, level by level; and how often it was asked again, see `Choices`.

    Args:
        walk: Yields what the agent must be asked, and is sent its choices; or a certificate, as `proved_walk` does.
        agent, instance, move_seconds: As of `Decided`.
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
    """What comes of a walk that merges symmetric positions if the agent claims to treat them alike; where it does not, of one
    of up to `UNMERGED` positions that merges none.

    Args:
        agent, instance: As of `Decided`.
        most: Positions that may be asked.
        walk: Given whether to merge, and how many positions may be asked.

    Raises:
        AgentError: it is not symmetric, and there are more positions.
    """
    (traits,) = yield [AgentTraits(agent=agent)]
    refused: NotSymmetricError | None = None
    # An instance of an agent of chance draws other numbers at every position, also at symmetric ones.
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
    """An agent, and which replies to it are asked about.

    Attributes:
        agent, side: The agent plays this side.
        instance: None for the agent however its ties fall; a seed for one instance of it.
        until_lost: Whether a lost game is enough; else all games are counted.
        hunt: A narrow walk looks for a lost game first, and keeps so many positions of each level; None for none: then
            a lost game is a shortest one.
        most: Positions that may be asked.
        move_seconds: What a move may take; None for no limit.
        certify: Whether what the agent plays is kept and checked where it lost no game: only then it counts as proved.
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
    """Every reply to an agent in one game.

    Attributes:
        rules: The game.
        alike: Images of it for which the walk stands, too; the agent is asked in them as well.
    """

    called: ClassVar = "walk"

    rules: Rules
    alike: tuple[Rules, ...] = ()

    def accepts(self, answer: WalkResult) -> bool:
        """A proof always will do, and a walk where no certificate is wanted; a lost game only where no shortest one is needed,
        unless it is one."""
        if self.certify and answer.walked and not answer.unchecked and not is_kept(answer.certificate):
            return False
        if self.until_lost and answer.lost_game is not None:
            return answer.whole or self.hunt is not None
        return answer.whole or (answer.limit or 0) >= self.most

    def checked(self, answer: WalkResult) -> WalkResult:
        """AgentError unless a lost game is one that the agent loses, and a drawn one is drawn, by the rule book."""
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
        """Ask the agent level by level.

        Raises:
            AgentError: there is no such agent, or it does not decide alike whenever it meets the same position.
            AgentFailedError: it cannot say whether it is symmetric.
            ComputeError: the walk meets more positions than memory is meant for.
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
        """The agent, or the instance of it, as its certificate names it."""
        return str(self.agent) if self.instance is None else f"instance {self.instance} of {self.agent}"


class WalkedGame(NamedTuple):
    """What is known of one game of a task.

    Attributes:
        rules: The game.
        result: What its walk, or that of an image of it, showed.
    """

    rules: Rules
    result: WalkResult


class WalkedTask(Value):
    """What is known of each game of a task, without those of which nothing is.

    Attributes:
        games: In the order of the task.
        walks: How many walks that took: images of a game are one.
    """

    games: tuple[WalkedGame, ...]
    walks: int

    def __str__(self) -> str:
        """In words, a line for each game."""
        return "\n".join(f"{game.rules}: {game.result}" for game in self.games)

    @cached_property
    def by_rules(self) -> Mapping[Rules, WalkResult]:
        """The results by game."""
        return {game.rules: game.result for game in self.games}


class Walked(AboutReplies, Question[WalkedTask]):
    """Every reply to an agent on a task.

    Attributes:
        task: The games.
        images_once: Whether games that are images of one another are walked once: the agent is said to treat images
            alike, and this is checked in each of them.
    """

    called: ClassVar = "proof"
    counted: ClassVar[Literal[True]] = True
    allowed: ClassVar = {"instance": "a whole number", "most": "a whole number above 0"}

    task: Task
    images_once: bool = False

    def needs(self) -> Sequence[EveryReply]:
        """A walk for each class of images, or for each game."""
        return list(dict.fromkeys(map(self.walk_of, self.task.rules)))

    def answer(self, needed: Sequence[WalkResult | None], notes: Recorder) -> WalkedTask:
        """What the walks showed, of each game."""
        found = dict(zip(self.needs(), needed, strict=True))
        games = []
        for rules in self.task.rules:
            walk = self.walk_of(rules)
            result, image = found[walk], image_onto(walk.rules, rules)
            if result is not None and image is not None:
                games.append(WalkedGame(rules, result.moved(image)))
        return WalkedTask(games=tuple(games), walks=sum(answer is not None for answer in needed))

    def walk_of(self, rules: Rules) -> EveryReply:
        """The walk that settles one game."""
        rules, alike = stand_in(self.task, rules) if self.images_once else (rules, ())
        return EveryReply(rules=rules, alike=alike, **{name: getattr(self, name) for name in AboutReplies.model_fields})


def stand_in(task: Task, rules: Rules) -> tuple[Rules, tuple[Rules, ...]]:
    """The game that is walked for all images of a game in a task, and the others of them."""
    walked, *others = _classes(task)[least_image(rules)]
    return walked, tuple(others)


@lru_cache(maxsize=16)
def _classes(task: Task) -> dict[Rules, list[Rules]]:
    return {least_image(games[0]): games for games in image_classes(task.rules)}


def require_provable(
    agent: AgentSpec, games: Sequence[Rules], side: Player, instance: int | None, workers: int | None
) -> tuple[Traits, Answers]:
    """The traits of an agent, once it has decided where it first has to move in the first game; and all its answers.

    Args:
        workers: As of `require_agent`.

    Raises:
        AgentError: there is no such agent, it cannot be made, cannot play one of the games, or is not deterministic.
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
    """The error for a walk that failed: the agent is of no kind that can be proved, or it failed."""
    error = agent_error(agent, problem)
    return error if isinstance(error, AgentFailedError) else AgentError(f"{agent} cannot be proved: {error}")
