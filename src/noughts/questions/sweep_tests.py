"""What a sweep measures its agents by: `ScoreTest`, moves beside exact truth, and `MatchTest`, games against an opponent.

Both are given as the ``[[tests]]`` of a sweep's file are: ``rules`` and ``opponent`` may be text, ``agent`` is a mapping, and
a name may be left out. Their JSON has the fields of the classes.
"""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from pydantic import AliasChoices, BeforeValidator, Field, model_validator

from noughts.agents import AgentSpec, parse_agent
from noughts.questions.judged import Judged, JudgedTask
from noughts.questions.played import MatchResult, Played
from noughts.rules import NoughtsError, Task, Value, parse_task

_DRAWS = ("sweep",)

_ALLOWED = {
    "name": "a text",
    "rules": "a game or a set of games, such as tic-tac-toe or bttt(*)",
    "agent": "options of the trained agent, such as {'sims': 0}",
    "opponent": "an agent, such as minimax:depth=2",
}


def name_of_test(opponent: str = "") -> str:
    """What a test is called that was given no name."""
    return f"against {opponent}" if opponent else "score"


def _read(parse: Any, given: Any) -> Any:
    """The value of a text; of all else pydantic says what is wrong."""
    try:
        return parse(given) if isinstance(given, str) else given
    except NoughtsError as error:
        raise ValueError(str(error)) from None


def _read_options(given: Any) -> Any:
    if not isinstance(given, Mapping):
        return given
    return tuple((name, str(value).lower() if isinstance(value, bool) else str(value)) for name, value in given.items())


_TaskGiven = Annotated[Task | None, BeforeValidator(partial(_read, parse_task))]
_OptionsGiven = Annotated[tuple[tuple[str, str], ...], BeforeValidator(_read_options)]
_RULES = AliasChoices("rules", "task")
_AGENT = AliasChoices("agent", "options")


class Reading(NamedTuple):
    """The result of a test of one agent.

    Attributes:
        value, low, high: In percent, with its 95 percent interval.
        tested: How many positions or games stand behind it.
        counts: What was counted, such as "9 of 12 optimal".
        exact: Whether every position there is was judged, so that there is no interval: both its ends are the value.
        distinct: How many of the games differ; 0 of positions.
    """

    value: float
    low: float
    high: float
    tested: int
    counts: str
    exact: bool = False
    distinct: int = 0


class ScoreTest(Value):
    """Moves beside exact truth: the share that keeps the value, where the choice matters.

    Attributes:
        name: What people call it; ``score`` unless given.
        task: The games, given as ``rules``; None for the task that was trained.
        options: Of the agent, given as ``agent``, such as ``{"sims": 0}``.
        all_up_to, per_ply, plies, nodes, memory, seed: As of `Judged`: they fix the positions. With `per_ply` alone, a
            sample is drawn of small games, too: `all_up_to` is then 0.
    """

    allowed: ClassVar = _ALLOWED

    kind: Literal["score"] = "score"
    name: str = ""
    task: _TaskGiven = Field(default=None, validation_alias=_RULES)
    options: _OptionsGiven = Field(default=(), validation_alias=_AGENT)
    all_up_to: int = 20_000
    per_ply: int = 50
    plies: tuple[int, int] | None = None
    nodes: int = 1_000_000
    memory: int = 1
    seed: int = 0

    @model_validator(mode="before")
    @classmethod
    def _name_it(cls, fields: Any) -> Any:
        return fields if not isinstance(fields, dict) else fields | {"name": fields.get("name") or name_of_test()}

    @model_validator(mode="before")
    @classmethod
    def _sample_if_asked(cls, fields: Any) -> Any:
        if isinstance(fields, dict) and "per_ply" in fields and "all_up_to" not in fields:
            return fields | {"all_up_to": 0}
        return fields

    def question(self, agent: AgentSpec, task: Task) -> Judged:
        """What is asked of an agent."""
        fields = {name: getattr(self, name) for name in ("all_up_to", "per_ply", "plies", "nodes", "memory", "seed")}
        return Judged(task=self.task or task, named=(agent,), **fields)

    def read(self, answer: JudgedTask, agent: AgentSpec) -> Reading | None:
        """The share of optimal moves; None without choices."""
        tallies = list(answer.of(agent).values())
        if not sum(tally.choices for tally in tallies):
            return None
        total = sum(tallies[1:], tallies[0])
        value, low, high = (100 * part for part in total.optimal_interval)
        counts = f"{total.optimal} of {total.choices} optimal"
        return Reading(value, low, high, total.choices, counts, total.exact)

    @property
    def about(self) -> str:
        """What is measured, in words."""
        return "optimal moves in non-trivial positions, by exact values"


class MatchTest(Value):
    """Games against an opponent, each side first by turns: points, a draw half a one.

    Attributes:
        name: What people call it; ``against OPPONENT`` unless given.
        opponent: The agent that it plays against.
        task, options: As of `ScoreTest`.
        games, opening_plies, seed: As of `Played`: they fix the openings, and what the opponent draws.
    """

    allowed: ClassVar = _ALLOWED

    kind: Literal["match"] = "match"
    name: str = ""
    opponent: Annotated[AgentSpec, BeforeValidator(partial(_read, parse_agent))]
    task: _TaskGiven = Field(default=None, validation_alias=_RULES)
    options: _OptionsGiven = Field(default=(), validation_alias=_AGENT)
    games: int = 100
    opening_plies: int = 0
    seed: int = 0

    @model_validator(mode="before")
    @classmethod
    def _name_it(cls, fields: Any) -> Any:
        if not isinstance(fields, dict) or "opponent" not in fields:
            return fields
        return fields | {"name": fields.get("name") or name_of_test(str(fields["opponent"]))}

    def question(self, agent: AgentSpec, task: Task) -> Played:
        """What is asked of an agent."""
        return Played(
            task=self.task or task,
            a=agent,
            b=self.opponent,
            games=self.games,
            moves_first="turns",
            opening_plies=self.opening_plies,
            seed=self.seed,
            draws=_DRAWS,
        )

    def read(self, answer: MatchResult, agent: AgentSpec) -> Reading | None:
        """The share of points, in whose interval repeated games are no further evidence; None without games."""
        total = answer.total
        if not total.games:
            return None
        counts = f"{total.wins} won, {total.draws} drawn, {total.losses} lost"
        share, low, high = (100 * part for part in answer.points_interval)
        return Reading(share, low, high, total.games, counts, distinct=answer.distinct)

    @property
    def about(self) -> str:
        """What is measured, in words."""
        return f"points against {self.opponent}, a draw half a point"


Test = Annotated[ScoreTest | MatchTest, Field(discriminator="kind")]
