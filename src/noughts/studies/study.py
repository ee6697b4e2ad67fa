"""`Study`: questions, and a conclusion from their answers, section by section."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar, Self

from noughts.agents import AgentSpec, parse_agent
from noughts.document.citations import Citation
from noughts.document.result import OURS, Figure, Row, Table, judged
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
        seed: Random seed.
        agents: Text forms of further agents that join the line-up.
        move_seconds: A game is aborted if a move takes longer; None for no limit.
    """

    scale: str = "quick"
    seed: int = 0
    agents: tuple[str, ...] = ()
    move_seconds: float | None = None


class Conclusion(Value):
    """The conclusion from the answers. Rows with a comparison get their verdicts later, from all tables of the page together."""

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


def section(
    title: str,
    label_columns: tuple[str, ...],
    unit: str,
    rows: Iterable[Row],
    caption: str,
    figures: Mapping[str, Iterable[Figure]] | None = None,
    finding: str = "",
    in_finding: Callable[[Row], bool] = lambda row: True,
    findings: Iterable[str] = (),
    **table: Any,
) -> Conclusion:
    """A part of a study's page: a table, the figures beside it, and its findings.

    Args:
        title, label_columns, unit, rows, caption, table: Fields of the `Table`.
        figures: Figures by the text below them.
        finding: The legend of a finding that lists the numbers of the rows; empty for none. Each row has its first label,
            or all if another row has the same one.
        in_finding: Selects the rows of the finding.
        findings: Further findings.
    """
    made = Table(title=title, label_columns=label_columns, unit=unit, rows=tuple(rows), caption=caption, **table)
    drawn = (
        figure.model_copy(update={"table": title, "about": figure.about or about})
        for about, some in (figures or {}).items()
        for figure in some
    )
    known = [row for row in made.rows if finding and row.ours and in_finding(row)]
    facts = {
        f"{_name(row, known)}:": row.ours
        if row.low is None or row.high is None or made.spread != "interval"  # of a range, `ours` may be another number
        else f"{row.ours} ({row.low:.1f} to {row.high:.1f})"
        for row in known
    }
    return Conclusion((made,), tuple(drawn), (*listed(finding, facts), *findings))


def _name(row: Row, among: Sequence[Row]) -> str:
    """The name of a row: its first label if no other row has it, else all labels."""
    shared = sum(other.labels[0] == row.labels[0] for other in among) > 1
    return ", ".join(filter(None, row.labels)) if shared else row.labels[0]


def concluded(*sections: Conclusion) -> Conclusion:
    """The conclusion of all sections, without empty tables. Its findings begin with the rows that differ from a paper."""
    tables = judged([table for section in sections for table in section.tables if table.rows])
    findings = [finding for table in tables for finding in _refuted(table)]
    findings += [finding for section in sections for finding in section.findings]
    return Conclusion(tables, tuple(figure for section in sections for figure in section.figures), tuple(findings))


def _refuted(table: Table) -> Iterator[str]:
    """A finding that lists the rows of a table that differ from the claim; none if all agree."""
    differ = {
        f"{_name(row, table.rows)}, {table.claimed}: {row.paper}, {table.measured}:": row.ours
        for row in table.rows
        if row.verdict in ("differs", "refuted")
    }
    return listed(f"{table.title}, claims that do not hold", differ)


def listed(legend: str, facts: Mapping[str, object]) -> Iterator[str]:
    """A finding: the legend, then each fact after its name; none without facts."""
    if facts:
        yield f"{legend}: {'; '.join(f'{name} {fact}' for name, fact in facts.items())}."


class Study(ABC):
    """A question, from a paper or your own. To add a study, write a subclass: in a file of this package with the study's name,
    or in any file, as ``python:file.py:Class``.

    Attributes:
        name: As users type it; for a third-party study, the text that names its class.
        title, question: One line each.
        paper: The paper whose numbers it has; empty for none.
        citations: Of that paper and of others whose numbers it has.
        deviations: How our protocol differs from the paper's, one sentence each.
        scales: The meaning of each scale, in words.
        takes_guests: Whether further agents can join its line-up.
        frozen: SHA-256 of the settings that were fixed before anything was measured, by the name of their file.
        answers: The answers so far, of a study that `at` made.
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
    answers: Answers

    @abstractmethod
    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """All questions of the study; equal settings give equal questions."""

    @abstractmethod
    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """The tables, figures and findings. It must also work while answers are missing."""

    def at(self, settings: Settings, answers: Answers | None = None) -> Self:
        """The study planned for these settings, with the answers so far, for methods that read both."""
        made = type(self)()  # no copy, because that would have the cached properties of other settings
        made.answers = answers or Answers()
        made._plan(settings)
        return made

    def _plan(self, settings: Settings) -> None:  # noqa: B027 - only studies that use `at` need it
        """Set the attributes of `at`, such as the size and the trainings."""


def conclusion_of(study: Study, settings: Settings, answers: Answers) -> Conclusion:
    """The conclusion of a study. If the study has no paper, the column of its numbers is called measured instead of ours.

    Raises:
        NoughtsError: `conclude` returned no `Conclusion`.
    """
    made: object = study.conclude(settings, answers)
    if not isinstance(made, Conclusion):
        raise NoughtsError(
            f"conclude must return Conclusion(tables, figures, findings), and returned a {type(made).__name__}"
        )
    tables = judged(made.tables)
    if not study.paper:
        tables = tuple(
            table.model_copy(update={"measured": "measured"}) if table.measured == OURS else table for table in tables
        )
    return Conclusion(tables, made.figures, made.findings)


def sizes(**rows: Sequence[Any]) -> dict[str, SimpleNamespace]:
    """The size of a study at each scale, from a table: a row for each setting, a column for each scale.

    Raises:
        ValueError: a row lacks a value for a scale.
    """
    columns = zip(*rows.values(), strict=True)
    return {
        scale: SimpleNamespace(**dict(zip(rows, column, strict=True)))
        for scale, column in zip(SCALES, columns, strict=True)
    }


def with_minutes(scales: Mapping[str, str], **minutes: int | str) -> dict[str, str]:
    """The meaning of scales, each with the minutes that it took on two cores with an empty store; or with other words after it."""

    def words(spent: int | str) -> str:
        took = "a minute" if spent == 1 else f"{spent} minutes"
        return spent if isinstance(spent, str) else f"; about {took} on two cores"

    return {scale: meaning + words(minutes.get(scale, "")) for scale, meaning in scales.items()}


def check_scale(study: Study, scale: str) -> None:
    """Raise NoughtsError unless the study has that scale."""
    if scale not in study.scales:
        raise NoughtsError(unknown("scale", scale, study.scales, study.name))


def parse_guests(settings: Settings, line_up: Collection[AgentSpec]) -> list[AgentSpec]:
    """The further agents that join a line-up, in the order given.

    Raises:
        AgentError: there is no such agent, or it is in the line-up already.
    """
    guests: list[AgentSpec] = []
    for guest in map(parse_agent, settings.agents):
        if guest in line_up or guest in guests:
            raise AgentError(f"agent {str(guest)!r} is in the study already: name only others, each once")
        guests.append(guest)
    return guests
