"""`SweepFile`: what a sweep's TOML file says, checked before anything is trained."""

import re
import tomllib
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, field_validator, model_validator

from noughts.agents import parse_agent
from noughts.examine.sample import Plies
from noughts.questions.conditions import Choices, Range, drawn, grid
from noughts.questions.question import kept_questions
from noughts.questions.sweep_tests import MatchTest, ScoreTest, name_of_test
from noughts.questions.swept import Swept
from noughts.rules import NoughtsError, Value, parse_task
from noughts.store.files import read_small

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


class SweepEntry(Value):
    """One ``[[tests]]`` of a file: a score beside exact truth, or a match if it names an opponent.

    Attributes:
        name: What tables call it; unless given, its kind.
        opponent: An agent; with it, games are played.
        rules: The games that all are tested on; unless given, each on the task that it was trained on.
        agent: Options of the trained agent, such as ``{sims = 0}``.
        games: Of a match; each side moves first in half of them.
        opening_plies: Of a match: random moves before the agents begin.
        all_up_to: Of a score: all positions are asked about, if the game has no more than this.
        per_ply: Of a score: otherwise so many of each ply are drawn.
        plies: Of a score: only positions of these plies, the first and the last.
        nodes: Of a score: what the solver may spend on one position.
        memory: Of a score: GiB that the solver's tables may take.
        seed: Fixes the test set: positions, openings, and what the opponent draws.
    """

    called: ClassVar = "test"
    allowed: ClassVar = {
        "name": "a text",
        "opponent": "an agent, such as minimax:depth=2",
        "rules": "a game or a set of games, such as tic-tac-toe or bttt(*)",
        "agent": "options of the trained agent, such as {sims = 0}",
        "games": "a whole number from 1 to 1000000",
        "opening_plies": "a whole number from 0 to 361",
        "all_up_to": "a whole number from 0 to 1000000",
        "per_ply": "a whole number from 1 to 100000",
        "plies": "two plies such as [4, 10]",
        "nodes": "a whole number from 1 to 10^12",
        "memory": "a whole number of GiB from 1 to 1048576",
        "seed": "a whole number",
    }

    name: str = ""
    opponent: str = ""
    rules: str = ""
    agent: dict[str, str | int | float | bool] = {}
    games: int = Field(default=100, ge=1, le=1_000_000)
    opening_plies: int = Field(default=0, ge=0, le=361)
    all_up_to: int = Field(default=20_000, ge=0, le=1_000_000)
    per_ply: int = Field(default=50, ge=1, le=100_000)
    plies: Plies | None = None
    nodes: int = Field(default=1_000_000, ge=1, le=10**12)
    memory: int = Field(default=1, ge=1, le=1 << 20)
    seed: int = 0

    def test(self) -> ScoreTest | MatchTest:
        """As `Swept` takes it.

        Raises:
            AgentError: there is no such opponent.
            RulesError: there is no such game.
        """
        of_score = ("all_up_to", "per_ply", "plies", "nodes", "memory")
        of_match = ("games", "opening_plies")
        for name in of_score if self.opponent else of_match:
            if name in self.model_fields_set:
                kind = "a match, as it names an opponent" if self.opponent else "a score: a match names an opponent"
                raise NoughtsError(f"{name} is not a key of this test, which is {kind}")
        task = parse_task(self.rules) if self.rules else None
        alike = {"name": self.name, "rules": task, "agent": self.agent, "seed": self.seed}
        if not self.opponent:
            return ScoreTest(**alike, **{name: getattr(self, name) for name in of_score})
        opponent = parse_agent(self.opponent)
        alike["name"] = self.name or name_of_test(self.opponent)
        return MatchTest(**alike, opponent=opponent, **{name: getattr(self, name) for name in of_match})


class SweepFile(Value):
    """A sweep as a file says it.

    Attributes:
        name: What its page is called; unless given, as the file.
        method: How all learn, such as ``az`` or ``es``.
        tasks: What is trained: each setting on each of these.
        seeds: Each setting is trained with each of these; a number stands for so many, from 0 on.
        positions: All are measured after so many positions each, on the first weights kept by then; the last ends training.
        cores: For each training, beside others; ``all`` for one training at a time on all cores.
        choose: How settings are made: every combination (``grid``), drawn (``random``), or proposed by Optuna (``optuna``).
        draws: How many settings are drawn or proposed.
        draws_seed: Of these.
        goal: Optuna: the test whose mean is to be great; the first unless given.
        config: What all have in common: any fields of the method's configuration, ``preset`` too.
        settings: By key, a list of values or a range ``{low = 1e-4, high = 1e-1, log = true}``.
        tests: What all are measured by.
    """

    called: ClassVar = "sweep"
    allowed: ClassVar = {
        "name": "letters, digits, dots, - and _",
        "method": "a method, such as az or es",
        "tasks": 'a list of games or sets of games, such as ["tic-tac-toe"]',
        "seeds": "a whole number from 1 to 10000, or a list of seeds",
        "positions": "a whole number from 1 on, or a list of them",
        "cores": 'a whole number from 1 to 4096, or "all"',
        "choose": "grid, random or optuna",
        "draws": "a whole number from 1 to 100000",
        "draws_seed": "a whole number",
        "goal": "the name of a test",
        "config": "a table of fields; `noughts train --help-config` lists them",
        "settings": 'a table of lists or ranges by key, such as network = ["line", "mlp"]',
        "tests": "[[tests]], one or more",
    }

    name: str = ""
    method: str = "az"
    tasks: tuple[str, ...]
    seeds: tuple[Annotated[int, Field(ge=0, lt=1 << 63)], ...] = (0, 1, 2)
    positions: tuple[Annotated[int, Field(ge=1)], ...]
    cores: Annotated[int, Field(ge=1, le=4096)] | Literal["all"] = 1
    choose: Literal["grid", "random", "optuna"] = "grid"
    draws: int = Field(default=10, ge=1, le=100_000)
    draws_seed: int = 0
    goal: str = ""
    config: dict[str, Any] = {}
    settings: dict[str, Choices] = {}
    tests: tuple[SweepEntry, ...] = Field(min_length=1)

    @field_validator("seeds", mode="before")
    @classmethod
    def _so_many_seeds(cls, given: Any) -> Any:
        return tuple(range(given)) if type(given) is int and 1 <= given <= 10_000 else given

    @field_validator("positions", mode="before")
    @classmethod
    def _one_point(cls, given: Any) -> Any:
        return (given,) if type(given) is int else given

    @field_validator("tests", mode="before")
    @classmethod
    def _read_tests(cls, given: Any) -> Any:
        """Each with an error that says which it is."""
        if not isinstance(given, list | tuple) or not all(isinstance(entry, dict) for entry in given):
            return given
        entries = []
        for number, entry in enumerate(given, 1):
            try:
                entries.append(SweepEntry(**entry))
            except NoughtsError as error:
                raise ValueError(f"number {number}: {str(error).removeprefix('impossible test: ')}") from None
        return tuple(entries)

    @field_validator("settings", mode="before")
    @classmethod
    def _read_settings(cls, given: Any) -> Any:
        """Tables within tables as dotted keys; each with an error that says which it is."""
        return _flat(given, "") if isinstance(given, dict) else given

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if not _NAME.fullmatch(self.name or "sweep"):
            raise ValueError(f"name={self.name!r} is not allowed: {self.allowed['name']}")
        if not self.tasks or not self.seeds:
            raise ValueError("tasks and seeds must not be empty")
        if len(set(self.seeds)) < len(self.seeds) or len(set(self.tasks)) < len(self.tasks):
            raise ValueError("tasks and seeds must each be there once")
        if self.choose != "grid" and not self.settings:
            raise ValueError(f'choose = "{self.choose}" needs settings to choose from')
        if self.goal and self.goal not in self.test_names:
            raise ValueError(f"goal={self.goal!r} is not allowed: the tests are called {', '.join(self.test_names)}")
        return self

    @property
    def test_names(self) -> tuple[str, ...]:
        """What the tests are called."""
        return tuple(entry.name or name_of_test(entry.opponent) for entry in self.tests)

    @cached_property
    def planned(self) -> Swept:
        """All that is asked; with Optuna, whose proposals depend on answers, what is asked of some setting. As `swept`."""
        if self.choose == "optuna":
            some = {
                key: choices.low if isinstance(choices, Range) else choices[0] for key, choices in self.settings.items()
            }
            return self.swept([some])
        space = self.settings
        return self.swept(drawn(space, self.draws, self.draws_seed) if self.choose == "random" else grid(space))

    def swept(self, settings: list[dict[str, Any]]) -> Swept:
        """The question about these settings.

        Raises:
            NoughtsError: a configuration, a game or an opponent is impossible.
        """
        swept = Swept.of(
            settings,
            tasks=self.tasks,
            seeds=self.seeds,
            points=self.positions,
            tests=[entry.test() for entry in self.tests],
            method=self.method,
            config=self.config,
            cores=None if self.cores == "all" else self.cores,
        )
        kept_questions([swept])  # says what no agent or no test can be
        return swept


def read_sweep(path: Path) -> SweepFile:
    """The sweep in a TOML file.

    Raises:
        NoughtsError: it cannot be read, is not TOML, or says what is impossible; one line that names the key.
    """
    try:
        fields = tomllib.loads(read_small(path).decode("utf-8-sig"))
    except OSError as error:
        raise NoughtsError(f"the sweep {path} cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise NoughtsError(f"the sweep {path} is not TOML: {error}") from error
    try:
        stem = re.sub(r"[^A-Za-z0-9._-]+", "-", path.stem).strip("-.") or "sweep"
        found = SweepFile(**({"name": stem[:80]} | fields))
        _ = found.planned  # which says what is impossible
        return found
    except NoughtsError as error:
        raise NoughtsError(f"{path}: {error}") from None


def _flat(given: dict[str, Any], before: str) -> dict[str, Choices]:
    found: dict[str, Choices] = {}
    for name, choices in given.items():
        key = f"{before}{name}"
        if isinstance(choices, Range):
            found[key] = choices
        elif isinstance(choices, list | tuple) and choices:
            found[key] = tuple(choices)
        elif isinstance(choices, dict) and choices and not {"low", "high"} & choices.keys():
            found |= _flat(choices, f"{key}.")
        elif isinstance(choices, dict):
            try:
                found[key] = Range(**choices)
            except NoughtsError as error:
                raise ValueError(f"{key}: {str(error).removeprefix('impossible range: ')}") from None
        else:
            raise ValueError(f"{key}={choices!r} is not allowed: a list of values, or {{low = 1, high = 8}}")
    return found
