"""`BestReplies`: an agent's loss rate on a task against a best response, which predicts all but its tie-breaks."""

from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any, ClassVar, Literal

from pydantic import Field

from noughts.agents import AgentSpec
from noughts.agents.registry import from_outside, is_even
from noughts.examine.best_replies import LosingChance, best_replies
from noughts.examine.every_reply import every_reply
from noughts.examine.walk import MOST, Walk
from noughts.machine import Recorder
from noughts.play.score import Player
from noughts.positions import Side
from noughts.questions.question import OfGame, Question, Rounds
from noughts.questions.walked import asked_along, merged_if_true, stand_in
from noughts.rules import AgentError, Rules, Task, Value
from noughts.rules.text import counted


class BestReply(Question[LosingChance]):
    """Compute an agent's loss rate against a best response in one game.

    Attributes:
        agent, side: The agent, and the side that it plays.
        rules: The game.
        alike: Symmetric games that the walk covers, too; the agent is queried in them as well.
        most: The limit of positions; if there are more, the result is only bounds.
    """

    called: ClassVar = "chance of losing"
    effort: ClassVar = frozenset({"most"})

    agent: AgentSpec
    rules: Rules
    alike: tuple[Rules, ...] = ()
    side: Player
    most: int = Field(default=MOST, ge=1)

    def accepts(self, answer: LosingChance) -> bool:
        """Whether the answer will do: it is exact, or its bounds are from a walk with no lower limit."""
        return answer.low == answer.high or (answer.limit or 0) >= self.most

    def answer(self, needed: Sequence[Any], notes: Recorder) -> Rounds[LosingChance]:
        """Run the walk, which queries the agent level by level.

        Raises:
            AgentError: there is no such agent, its choices in a position are not always the same, or their probabilities
                are unknown.
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


class LosingChances(Value):
    """The results in the games of a task, in its order; games without a result are left out."""

    games: tuple[OfGame[LosingChance], ...]

    def __str__(self) -> str:
        """A line for each game."""
        return "\n".join(f"{game.rules}: loses {game.result} percent against a best response" for game in self.games)

    @cached_property
    def by_rules(self) -> dict[Rules, LosingChance]:
        """The results by game."""
        return dict(self.games)


class BestReplies(Question[LosingChances]):
    """Compute an agent's loss rate against a best response in each game of a task.

    Attributes:
        task: The games.
        agent, side: The agent, and the side that it plays.
        images_once: As in `Walked`.
        most: The limit of positions in one game; if there are more, the result is only bounds.
    """

    called: ClassVar = "chances of losing"
    counted: ClassVar[Literal[True]] = True

    task: Task
    agent: AgentSpec
    side: Player
    images_once: bool = False
    most: int = Field(default=MOST, ge=1)

    def needs(self) -> Sequence[BestReply]:
        """A walk for each class of symmetric games, or for each game."""
        return list(dict.fromkeys(map(self._walk_of, self.task.rules)))

    def answer(self, needed: Sequence[LosingChance | None], notes: Recorder) -> LosingChances:
        """The result for each game."""
        found = dict(zip(self.needs(), needed, strict=True))
        known = ((rules, found[self._walk_of(rules)]) for rules in self.task.rules)
        return LosingChances(games=tuple(OfGame(rules, one) for rules, one in known if one is not None))

    def _walk_of(self, rules: Rules) -> BestReply:
        rules, alike = stand_in(self.task, rules) if self.images_once else (rules, ())
        return BestReply(agent=self.agent, rules=rules, alike=alike, side=self.side, most=self.most)
