"""Studies and sweeps: their tables and findings for a terminal, and all sections of a page."""

from collections.abc import Iterator

from noughts.document.citations import bibtex
from noughts.document.document import Block, Document, Listing
from noughts.document.names import Names
from noughts.document.result import StudyResult
from noughts.reports.wording import HOW_PROVED, duration_text, how_judged, how_many_by_chance, tally
from noughts.rules.text import counted

Part = Block | tuple[str, ...]
"""A part of a section: a block, or the items of a list. A text with line breaks, such as a command, is shown literally."""


def present_study(result: StudyResult, asked: None, names: Names) -> Document:
    """A study, finished or not. `names` replaces its guests' texts, except in fields about the run itself."""
    shown = names.in_result(result)
    findings = tuple(f"- {finding}" for finding in shown.findings)
    chance = how_many_by_chance(shown)
    called = tuple(f"{name} is {agent}" for name, agent in shown.names.items())
    blocks = (*shown.tables, *findings, *((f"\n{chance}",) if chance else ()), *called)
    problems = tuple(f"failed: {problem}" for problem in shown.problems)
    return Document(blocks, shown.model_dump(mode="json"), problems, shown.complete)


def provenance(result: StudyResult) -> str:
    """When and where a study was measured, its scale, seed and commit."""
    made = result.environment
    when = result.started[:16].replace("T", " ")
    others = f" (plus reused from other runs: {counted(result.taken_over, 'answer')})"
    seed = "" if result.seed is None else f", seed {result.seed}"
    commit = f", commit {made.commit}" if made.commit else ""
    return (
        f"Measured {when} UTC in {duration_text(result.seconds)}{others if result.taken_over else ''}, "
        f"scale {result.scale}{seed}, on {made.cores} cores of {made.machine}{commit}."
    )


def study_sections(result: StudyResult) -> Iterator[tuple[str, tuple[Part, ...]]]:
    """The title and parts of each section after a study's title, question and `provenance`."""
    verdicts = f"Rows of the tables below: {', '.join(found)}." if (found := tally(result)) else ""
    told = tuple(filter(None, (verdicts, *how_judged(result))))
    yield "What we found", (result.findings or "Nothing yet.", *told)
    for table in result.tables:
        yield table.title, (table, *result.figures_beside(table))
    if others := result.figures_beside(None):
        yield "Figures", others
    if result.paper or result.deviations:
        yield "What differs from the paper", (result.deviations or "Nothing that we know of.",)
    if result.problems:
        yield "What went wrong", ("These count for neither side.", result.problems)
    if result.proofs:
        yield "Proofs", (HOW_PROVED, _proofs(result))
    yield "How to repeat it", (f"{result.repeat}\n", _facts(result))
    if result.citations:
        yield "How to cite it", (bibtex(result.citations),)


def _proofs(result: StudyResult) -> Listing:
    rows = tuple((one.agent, one.side, one.rules, one.claim, one.positions, one.sha256) for one in result.proofs)
    return Listing("Certificates", ("agent", "side", "game", "claim", "positions", "SHA-256"), rows, labels=4)


def _facts(result: StudyResult) -> tuple[str, ...]:
    versions = sorted(result.environment.versions.items(), key=lambda item: (item[0] != "noughts", item[0]))
    guests = [agent for agent in result.agents if agent not in result.names.values()]
    return (
        f"Versions: {', '.join(f'{name} {version}' for name, version in versions)}",
        *(f"Guest: {agent}" for agent in guests),
        *(f"{name} is {agent}" for name, agent in result.names.items()),
        *(f"Settings frozen before: {name}, SHA-256 {digest}" for name, digest in result.frozen.items()),
        *(f"Depends on {name}, version {code}" for name, code in result.outside.items()),
    )
