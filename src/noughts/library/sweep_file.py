"""`SweepFile` is the content of a sweep's TOML file, validated before any training begins."""

import re
import tomllib
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, field_validator, model_validator

from noughts.questions.conditions import Choices, Range, drawn, grid
from noughts.questions.question import kept_questions
from noughts.questions.sweep_tests import MatchTest, ScoreTest
from noughts.questions.swept import Swept
from noughts.rules import NoughtsError, Value
from noughts.store.files import read_small

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


class SweepFile(Value):
    """The description of a sweep in a file.

    Attributes:
        name: The name of its page; by default the name of the file.
        method: The training method, such as ``az`` or ``es``.
        tasks: The tasks; each setting is trained on each of them.
        seeds: The seeds; each setting is trained with each of them. A number n means the seeds 0 to n - 1.
        positions: Each run is measured after these numbers of positions, with the first weights saved from then on; the last ends it.
        cores: Cores for each of several parallel trainings; ``all`` for one training at a time on all cores.
        choose: How settings are chosen: every combination (``grid``), at random (``random``), or by Optuna (``optuna``).
        draws: Number of settings that are drawn or proposed.
        draws_seed: Seed of these draws.
        goal: The test whose mean Optuna maximises; by default the first.
        config: Fields of the method's configuration that all trainings share, also ``preset``.
        settings: For each key a list of values, or a range such as ``{low = 1e-4, high = 1e-1, log = true}``.
        tests: The measurements of each run: a match if the test names an opponent, else a score.
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
    tests: tuple[ScoreTest | MatchTest, ...] = Field(min_length=1)

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
        """Read each test; an error names its number."""
        if not isinstance(given, list | tuple) or not all(isinstance(entry, dict) for entry in given):
            return given
        entries = []
        for number, entry in enumerate(given, 1):
            try:
                entries.append(MatchTest(**entry) if "opponent" in entry else ScoreTest(**entry))
            except NoughtsError as error:
                raise ValueError(f"number {number}: {str(error).partition(': ')[2]}") from None
        return tuple(entries)

    @field_validator("settings", mode="before")
    @classmethod
    def _read_settings(cls, given: Any) -> Any:
        """Convert nested tables to dotted keys; an error names the key."""
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
        names = [test.name for test in self.tests]
        if self.goal and self.goal not in names:
            raise ValueError(f"goal={self.goal!r} is not allowed: the tests are called {', '.join(names)}")
        for field, chosen in (
            ("draws", ("random", "optuna")),
            ("draws_seed", ("random", "optuna")),
            ("goal", ("optuna",)),
        ):
            if field in self.model_fields_set and self.choose not in chosen:
                raise ValueError(f'{field} has no effect on choose = "{self.choose}": choose {" or ".join(chosen)}')
        return self

    @cached_property
    def planned(self) -> Swept:
        """The question about all settings, or about one with Optuna, whose proposals depend on answers; raises the errors of `swept`."""
        if self.choose == "optuna":
            some = {
                key: choices.low if isinstance(choices, Range) else choices[0] for key, choices in self.settings.items()
            }
            return self.swept([some])
        space = self.settings
        return self.swept(drawn(space, self.draws, self.draws_seed) if self.choose == "random" else grid(space))

    def swept(self, settings: list[dict[str, Any]]) -> Swept:
        """Make the question about these settings.

        Raises:
            NoughtsError: a configuration, a game or an opponent is invalid.
        """
        swept = Swept.of(
            settings,
            tasks=self.tasks,
            seeds=self.seeds,
            points=self.positions,
            tests=self.tests,
            method=self.method,
            config=self.config,
            cores=None if self.cores == "all" else self.cores,
        )
        kept_questions([swept])  # raises errors in agents and tests
        return swept


def read_sweep(path: Path) -> SweepFile:
    """Read a sweep from a TOML file.

    Raises:
        NoughtsError: the file cannot be read, is not TOML, or is invalid; the message names the key.
    """
    try:
        fields = tomllib.loads(read_small(path, "the sweep"))
    except (ValueError, RecursionError) as error:
        raise NoughtsError(f"the sweep {path} is not TOML: {error}") from error
    try:
        stem = re.sub(r"[^A-Za-z0-9._-]+", "-", path.stem).strip("-.") or "sweep"
        found = SweepFile(**({"name": stem[:80]} | fields))
        _ = found.planned  # raises errors in the settings
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
