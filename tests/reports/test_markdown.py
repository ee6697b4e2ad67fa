"""A study as Markdown: its texts contain no markup, nothing is missing, and its figures are beside it."""

import csv
import itertools
import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from noughts.document.result import CheckedProof, Row, Table, judged
from noughts.reports.drawing import clean
from noughts.reports.figures import figure_svg
from noughts.reports.markdown import write_markdown
from noughts.statistics import compare
from tests.reports.samples import FIGURES, HOSTILE, LONG, TOURNAMENT, study, study_markdown


def shown(markdown: str) -> list[tuple[str, str]]:
    """The visible text: the kind of each block (a heading, a cell, an item ..) and its text."""
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    assert not any(token.type.startswith("html") for token in tokens)
    found = []
    for before, token in itertools.pairwise(tokens):
        if token.type == "inline":
            children = token.children or []
            assert {child.type for child in children} <= {
                "text", "text_special", "em_open", "em_close", "code_inline", "image", "softbreak"
            }  # fmt: skip
            found.append((before.tag, "".join(child.content for child in children if child.type != "image")))
        elif token.type == "fence":
            found.append(("fence", token.content))
    return found


def words(text: str) -> str:
    return " ".join(clean(text).split())


def test_it_contains_every_part_of_the_study() -> None:
    texts = [text for _, text in shown(study_markdown(study()))]
    whole = "\n".join(texts)
    for expected in (
        "Does the tournament reproduce?",
        words(f"Do the agents score as the tables say? {HOSTILE}"),
        "A paper, https://example.org/paper",
        "The first finding.",
        words(HOSTILE),
        "2,000 games a pair instead of 100.",
        "2025-11-03 14:05 UTC",
        "abc+changes",
        "4 cores of Linux <x>",
        "noughts 0.1.0, numpy 2.4.6",
        "noughts study run tournament --scale paper --seed 7\n",
        words(LONG),
    ):
        assert expected in whole, expected


def test_cells_are_below_their_headings_and_empty_columns_are_left_out() -> None:
    page = shown(study_markdown(study(tables=(TOURNAMENT,), figures=())))
    header = [text for kind, text in page if kind == "th"]
    assert header == ["first", "second", "variant", "paper", "ours", "95% interval", "count", "verdict", "note"]
    cells = [text for kind, text in page if kind == "td"]
    rows = [cells[place : place + len(header)] for place in range(0, len(cells), len(header))]
    assert len(rows) == len(TOURNAMENT.rows)
    assert rows[0] == ["MCTS 1000", "MCTS 1000", "1", "70-30", "1404-596", "68.2 to 72.2", "2,000", "✓ agrees", ""]
    assert rows[1][-2:] == ["≠ differs", "(1)"]
    assert rows[3][:3] == ["az:run@last,sims=100", words(HOSTILE), "[bold]2"]
    bare = Table(title="Bare", label_columns=("agent",), unit="seconds", rows=(Row(labels=("a|b",), value=2.0),))
    assert [text for kind, text in shown(study_markdown(study(tables=(bare,), figures=()))) if kind in ("th", "td")] == [
        "agent", "ours", "a|b", "2"
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text", ["1. one", "- one", "+ one", "# one", "=== one", "::: one", "> one", "{one}`two`", "$x$"]
)
def test_a_finding_cannot_start_a_list_or_heading(text: str) -> None:
    findings = shown(study_markdown(study(findings=(text,), figures=(), tables=())))
    assert ("p", text) in findings


def test_a_running_study_is_marked_as_such() -> None:
    assert "not finished" in study_markdown(study(complete=False))
    assert "not finished" not in study_markdown(study())


def test_its_figures_are_beside_it(tmp_path: Path) -> None:
    page = write_markdown(study(), tmp_path)
    assert page.name == "tournament-paper-seed7.md"
    named = re.findall(r"\]\(([^()]+\.svg)\)", page.read_text())
    assert sorted(named) == sorted(path.name for path in tmp_path.glob("*.svg"))
    assert [(tmp_path / name).read_text() for name in named] == [figure_svg(figure) for figure in FIGURES]


def test_a_long_table_without_verdicts_is_a_separate_file(tmp_path: Path) -> None:
    def table(rows: int, paper: str = "") -> Table:
        compared = compare(9, 10, 5, 10) if paper else None
        one = Row(labels=("agent",), ours="9 of 10", value=90.0, paper=paper, comparison=compared)
        return Table(
            title="Many seeds",
            label_columns=("agent",),
            unit="won, percent",
            rows=(one,) * rows,
            caption="Of each seed.",
        )

    proof = CheckedProof(agent="az:RUN@3", side="first", rules="tic-tac-toe", claim="wins", sha256="ab", positions=9)
    page = write_markdown(
        study(tables=judged((table(12), table(30), table(30, "5 of 10"))), proofs=(proof,) * 30), tmp_path
    )
    files = {"tournament-paper-seed7-table-2-many-seeds.csv", "tournament-paper-seed7-certificates.csv"}
    written = {path.name for path in tmp_path.glob("*.csv")}
    assert written == set(re.findall(r"Complete table: \[.*?\]\((.*?)\)\.", page.read_text())) == files
    tables = ((tmp_path / name).read_text().splitlines() for name in sorted(files, reverse=True))
    many, certificates = (list(csv.DictReader(lines)) for lines in tables)
    assert [row["value"] for row in many] == ["90"] * 30
    assert [row["SHA-256"] for row in certificates] == ["ab"] * 30
    assert page.read_text().count("Of each seed.") == 3


def test_many_notes_are_a_separate_file(tmp_path: Path) -> None:
    def table(notes: int) -> Table:
        rows = tuple(Row(labels=(str(number),), value=2.0, note=f"note {number % notes}") for number in range(12))
        return Table(title=f"{notes} notes", label_columns=("agent",), unit="seconds", rows=rows)

    page = write_markdown(study(tables=(table(5), table(6))), tmp_path)
    (file,) = tmp_path.glob("*.csv")
    text = page.read_text()
    assert f"Complete table: [{file.name}]({file.name})." in text
    assert (text.count("note 4"), text.count("note 5")) == (1, 0)
    assert [row["note"] for row in csv.DictReader(file.read_text().splitlines())][:6] == [f"note {n}" for n in range(6)]
