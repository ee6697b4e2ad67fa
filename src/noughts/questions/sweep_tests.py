"""The tests of a sweep: `ScoreTest` compares moves with exact values, and `MatchTest` plays games against an opponent.

Both take the keys of ``[[tests]]`` in a sweep's file: ``rules`` and ``opponent`` may be text, ``agent`` is a mapping, and
the name is optional. Their JSON has the fields of the classes.
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
    """The default name of a test."""
    return f"against {opponent}" if opponent else "score"


def _read(parse: Any, given: Any) -> Any:
    """Parse a text; pydantic validates everything else."""
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
        value, low, high: The value in percent, with its 95 percent confidence interval.
        tested: The number of positions or games.
        counts: The counts in words, such as "9 of 12 optimal".
        exact: Whether all positions of the game were evaluated. Then both ends of the interval are the value.
        distinct: The number of different games; 0 for positions.
    """

    value: float
    low: float
    high: float
    tested: int
    counts: str
    exact: bool = False
    distinct: int = 0


class ScoreTest(Value):
    """Compare moves with exact values: the fraction of optimal moves in non-trivial positions.

    Attributes:
        name: A name for people; ``score`` by default.
        task: The games, given as ``rules``; None for the training task.
        options: Options of the agent, given as ``agent``, such as ``{"sims": 0}``.
        all_up_to, per_ply, plies, nodes, memory, seed: As in `Judged`; they determine the positions. If only `per_ply` is
            given, `all_up_to` is 0, so that small games are sampled, too.
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
        """The question about an agent."""
        fields = {name: getattr(self, name) for name in ("all_up_to", "per_ply", "plies", "nodes", "memory", "seed")}
        return Judged(task=self.task or task, named=(agent,), **fields)

    def read(self, answer: JudgedTask, agent: AgentSpec) -> Reading | None:
        """The fraction of optimal moves; None without non-trivial positions."""
        tallies = list(answer.of(agent).values())
        if not sum(tally.choices for tally in tallies):
            return None
        total = sum(tallies[1:], tallies[0])
        value, low, high = (100 * part for part in total.optimal_interval)
        counts = f"{total.optimal} of {total.choices} optimal"
        return Reading(value, low, high, total.choices, counts, total.exact)

    @property
    def about(self) -> str:
        """A description of the measured value."""
        return "optimal moves in non-trivial positions, by exact values"


class MatchTest(Value):
    """Play games against an opponent, moving first in turns: the mean points, with 1/2 for a draw.

    Attributes:
        name: A name for people; ``against OPPONENT`` by default.
        opponent: The opponent.
        task, options: As in `ScoreTest`.
        games, opening_plies, seed: As in `Played`; they determine the openings and the opponent's random numbers.
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
        """The question about an agent."""
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
        """The mean points, with an interval in which repeated games are no further evidence; None without games."""
        total = answer.total
        if not total.games:
            return None
        counts = f"{total.wins} won, {total.draws} drawn, {total.losses} lost"
        share, low, high = (100 * part for part in answer.points_interval)
        return Reading(share, low, high, total.games, counts, distinct=answer.distinct)

    @property
    def about(self) -> str:
        """A description of the measured value."""
        return f"points against {self.opponent}, a draw half a point"


Test = Annotated[ScoreTest | MatchTest, Field(discriminator="kind")]
