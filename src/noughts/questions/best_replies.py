"""`BestReplies`: how often an agent loses, on a task, to an opponent that can predict all of its decisions but ties."""

from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from noughts.agents import AgentSpec
from noughts.agents.registry import from_outside, is_even
from noughts.examine.best_replies import LosingChance, best_replies
from noughts.examine.every_reply import every_reply
from noughts.examine.walk import MOST, Walk
from noughts.machine import Recorder
from noughts.play.score import Player
from noughts.positions import Side
from noughts.questions.question import Question, Rounds
from noughts.questions.walked import asked_along, merged_if_true, stand_in
from noughts.rules import AgentError, Rules, Task, Value
from noughts.rules.text import counted


class BestReply(Question[LosingChance]):
    """How often an agent loses to the best replies in one game.

    Attributes:
        agent, side: The agent plays this side.
        rules: The game.
        alike: Images of it for which the walk stands, too; the agent is asked in them as well.
        most: Positions that may be asked; if there are more, there are only bounds.
    """

    called: ClassVar = "chance of losing"
    effort: ClassVar = frozenset({"most"})

    agent: AgentSpec
    rules: Rules
    alike: tuple[Rules, ...] = ()
    side: Player
    most: int = Field(default=MOST, ge=1)

    def accepts(self, answer: LosingChance) -> bool:
        """One that is exact, or bounds by a walk that was allowed as much."""
        return answer.low == answer.high or (answer.limit or 0) >= self.most

    def answer(self, needed: Sequence[Any], notes: Recorder) -> Rounds[LosingChance]:
        """Ask the agent level by level.

        Raises:
            AgentError: there is no such agent, it does not decide alike whenever it meets the same position, or it is
                unknown how often it makes each of its choices.
        """
        return (yield from merged_if_true(self.agent, None, self.most, partial(self._walk, notes)))

    def _walk(self, notes: Recorder, symmetric: bool, most: int) -> Rounds[LosingChance]:
        def note(walk: Walk) -> None:
            notes.note(
                f"{self.agent} in {self.rules}, best response: {counted(len(walk), 'position')} after {walk.ply} plies"
            )

        def check(choices: Sequence[tuple[int, ...]]) -> None:
            if any(len(moves) > 1 for moves in choices) and not is_even(self.agent):
                raise AgentError(
                    f"the loss rate of {self.agent} is unknown, because it does not report how often it makes each move: "
                    "use an agent whose ties noughts itself breaks"
                )

        side, ours = Side[self.side.upper()], not from_outside(self.agent)
        replies = partial(every_reply, self.rules, side, symmetric, limit=most, note=note, alike=self.alike, ours=ours)
        chance, _ = yield from asked_along(best_replies(self.rules, side, symmetric, replies, check), self.agent)
        return chance


class GameChance(NamedTuple):
    """How often an agent loses one game to the best replies."""

    rules: Rules
    result: LosingChance


class LosingChances(Value):
    """What is known of each game of a task, without those of which nothing is; in the order of the task."""

    games: tuple[GameChance, ...]

    def __str__(self) -> str:
        """In words, a line for each game."""
        return "\n".join(f"{game.rules}: loses {game.result} percent against a best response" for game in self.games)

    @cached_property
    def by_rules(self) -> dict[Rules, LosingChance]:
        """The results by game."""
        return dict(self.games)


class BestReplies(Question[LosingChances]):
    """How often an agent loses to the best replies on a task.

    Attributes:
        task: The games.
        agent, side: The agent plays this side.
        images_once: As of `Walked`.
        most: Positions that may be asked in one game; if there are more, there are only bounds.
    """

    called: ClassVar = "chances of losing"
    counted: ClassVar[Literal[True]] = True

    task: Task
    agent: AgentSpec
    side: Player
    images_once: bool = False
    most: int = Field(default=MOST, ge=1)

    def needs(self) -> Sequence[BestReply]:
        """A walk for each class of images, or for each game."""
        return list(dict.fromkeys(map(self._walk_of, self.task.rules)))

    def answer(self, needed: Sequence[LosingChance | None], notes: Recorder) -> LosingChances:
        """What is known of each game."""
        found = dict(zip(self.needs(), needed, strict=True))
        known = ((rules, found[self._walk_of(rules)]) for rules in self.task.rules)
        return LosingChances(games=tuple(GameChance(rules, one) for rules, one in known if one is not None))

    def _walk_of(self, rules: Rules) -> BestReply:
        rules, alike = stand_in(self.task, rules) if self.images_once else (rules, ())
        return BestReply(agent=self.agent, rules=rules, alike=alike, side=self.side, most=self.most)
