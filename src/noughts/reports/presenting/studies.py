"""Studies and sweeps: their tables, findings, and how many claims chance alone would tell apart."""

from noughts.document.document import Document
from noughts.document.names import Names
from noughts.document.result import StudyResult
from noughts.reports.wording import how_many_by_chance


def present_study(result: StudyResult, asked: None, names: Names) -> Document:
    """A study, finished or not. `names` are those of its guests; what the result says of itself is shown as it is."""
    shown = names.in_result(result)
    findings = tuple(f"- {finding}" for finding in shown.findings)
    chance = how_many_by_chance(shown)
    called = tuple(f"{name} is {agent}" for name, agent in shown.names.items())
    blocks = (*shown.tables, *findings, *((f"\n{chance}",) if chance else ()), *called)
    problems = tuple(f"failed: {problem}" for problem in shown.problems)
    return Document(blocks, shown.model_dump(mode="json"), problems, shown.complete)
