"""What a study is: questions, and the conclusion drawn from their answers."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from noughts.agents import AgentSpec, parse_agent
from noughts.document.citations import Citation
from noughts.document.result import OURS, Figure, Table, judged
from noughts.questions.answers import Answers
from noughts.questions.question import Question
from noughts.rules import AgentError, NoughtsError, Value
from noughts.rules.text import unknown

SCALES = ("quick", "laptop", "paper")


@dataclass(frozen=True, slots=True)
class Settings:
    """How to run a study.

    Attributes:
        scale: ``quick`` (minutes on two cores), ``laptop``, or ``paper`` (the paper's protocol in full).
        seed: Everything random derives from it.
        agents: Text forms of further agents that join the line-up.
        move_seconds: A game in which a move takes longer is broken off; None for no limit.
    """

    scale: str = "quick"
    seed: int = 0
    agents: tuple[str, ...] = ()
    move_seconds: float | None = None


class Conclusion(Value):
    """What the answers say. Rows with a comparison get their verdicts from all tables together, when the page is made."""

    called: ClassVar = "conclusion"
    allowed: ClassVar = {
        "tables": "a tuple of Table",
        "figures": "a tuple of figures such as CurveFigure",
        "findings": "a tuple of texts, a sentence each",
    }

    tables: tuple[Table, ...]
    figures: tuple[Figure, ...]
    findings: tuple[str, ...]

    def __init__(self, tables: tuple[Table, ...], figures: tuple[Figure, ...], findings: tuple[str, ...]) -> None:
        super().__init__(tables=tables, figures=figures, findings=findings)


class Study(ABC):
    """A question, from a paper or of one's own. A subclass in a file of this package that has its name is a new study; so is a
    subclass in any file, as ``python:file.py:Class``.

    Attributes:
        name: What users type; of one from outside, what names its class.
        title, question: One line each.
        paper: Which paper it takes its numbers from; empty for none.
        citations: Of that paper, and of others that it takes numbers from.
        deviations: How our protocol differs from the paper's, one sentence each.
        scales: What each scale means here, in words.
        takes_guests: Whether further agents can join its line-up.
        frozen: Files of settings that were fixed before anything was measured, by name, with their SHA-256.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    question: ClassVar[str]
    paper: ClassVar[str] = ""
    deviations: ClassVar[tuple[str, ...]] = ()
    scales: ClassVar[Mapping[str, str]] = {"quick": "all of it"}
    citations: ClassVar[tuple[Citation, ...]] = ()
    takes_guests: ClassVar[bool] = True
    frozen: ClassVar[Mapping[str, str]] = {}

    @abstractmethod
    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """All that is asked; equal settings ask the same."""

    @abstractmethod
    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """The tables, figures and findings; also while answers are missing."""


def conclusion_of(study: Study, settings: Settings, answers: Answers) -> Conclusion:
    """What a study concludes; where there is nothing of a paper's beside it, what was measured is not called ours.

    Raises:
        NoughtsError: it is no conclusion.
    """
    said: object = study.conclude(settings, answers)
    if not isinstance(said, Conclusion):
        raise NoughtsError(
            f"conclude must return Conclusion(tables, figures, findings), and returned a {type(said).__name__}"
        )
    tables = judged(said.tables)
    if not study.paper:
        tables = tuple(
            table.model_copy(update={"measured": "measured"}) if table.measured == OURS else table for table in tables
        )
    return Conclusion(tables, said.figures, said.findings)


def with_minutes(scales: Mapping[str, str], **minutes: int) -> dict[str, str]:
    """What scales mean, with a rough time where it was measured.

    Args:
        scales: In words, by name.
        minutes: By scale, how long it took on two cores with nothing kept.
    """
    return {
        scale: f"{meaning}; about {_duration(minutes[scale])} on two cores" if scale in minutes else meaning
        for scale, meaning in scales.items()
    }


def _duration(minutes: int) -> str:
    return "a minute" if minutes == 1 else f"{minutes} minutes"


def check_scale(study: Study, scale: str) -> None:
    """NoughtsError unless the study has that scale."""
    if scale not in study.scales:
        raise NoughtsError(unknown("scale", scale, study.scales, study.name))


def check_guests(study: Study, agents: Sequence[str]) -> None:
    """NoughtsError if agents are given to a study that has no line-up."""
    if agents and not study.takes_guests:
        raise NoughtsError(f"{study.name} is about games and takes no agents: leave {agents[0]!r} out")


def parse_guests(settings: Settings, line_up: Collection[AgentSpec]) -> list[AgentSpec]:
    """The further agents that join a line-up, in the order given.

    Raises:
        AgentError: there is no such agent, or it is in the line-up already.
    """
    guests: list[AgentSpec] = []
    for guest in map(parse_agent, settings.agents):
        if guest in line_up or guest in guests:
            raise AgentError(
                f"agent {str(guest)!r} is in the line-up already: name each agent once, and none that is there"
            )
        guests.append(guest)
    return guests
