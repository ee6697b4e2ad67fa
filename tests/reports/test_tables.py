"""Tables for papers: CSV contains everything in a row, and a paper can include the LaTeX unchanged."""

import csv
import io
import re
from pathlib import Path

import pytest

from noughts.document.result import Row, Table, judged
from noughts.reports.tables import listing_latex, table_csv, table_listing, write_csv_tables, write_latex_tables
from tests.reports.samples import COMPARED, HOSTILE, TIMES, TOURNAMENT, study

(GAMES,) = judged([Table(title="Games & more", label_columns=("who",), unit="games won, percent", rows=(COMPARED,))])


def table_latex(table: Table) -> str:
    return listing_latex(table_listing(table, complete=True), "it")


def rows_of(table: Table) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(table_csv(table))))


def test_csv_has_the_labels_and_every_figure_of_a_row() -> None:
    (row,) = rows_of(GAMES)
    assert len(row) == 18
    compared = GAMES.rows[0].comparison
    assert compared is not None
    assert (row["claimed"], row["measured"], row["count"], row["distinct"]) == ("70 - 30", "140 - 60", "200", "12")
    assert row["claimed_count"] == "100"
    assert (float(row["value"]), float(row["low"]), float(row["high"])) == (70.0, 63.3, 75.9)
    for name, expected in (
        ("difference", 100 * compared.value),
        ("difference_low", 100 * compared.low),
        ("difference_high", 100 * compared.high),
        ("margin", 10.0),
        ("p_value", compared.p_value),
    ):
        assert float(row[name]) == pytest.approx(expected, rel=1e-11)
    assert (row["verdict"], row["note"], row["spread"]) == ("not distinguishable", "of one kind", "interval")


def test_csv_leaves_unknown_values_empty_and_quotes_hostile_text() -> None:
    rows = rows_of(TOURNAMENT)
    assert len(rows) == len(TOURNAMENT.rows)
    assert (rows[3]["value"], rows[3]["p_value"], rows[3]["spread"]) == ("", "", "")
    assert rows[3]["second"] == HOSTILE


def test_latex_special_characters_are_escaped() -> None:
    text = table_latex(GAMES)
    assert r"a\_b & 70 - 30 & 140 - 60 & 63.3 to 75.9 & 0.0 ($-$1" in text
    assert r"\caption{Games \& more.}" in text
    for note in (
        r"95\% interval: of games won, percent\\",
        r"paper: of 100 trials\\",
        r"difference: ours minus paper, in points, with its 95\% interval in parentheses\\",
        r"(1) of one kind\\",
    ):
        assert note in text
    assert " & difference & " in text
    assert r"\label{tab:it}" in text
    assert r"200 (12 distinct) & not distinguishable & (1) \\" in text
    hostile = table_latex(TOURNAMENT)
    for latex in (text, hostile, table_latex(TIMES)):
        columns = re.findall(r"tabular\}\{(\w+)\}", latex)[0]
        assert (r"\footnotesize" + "\n" + r"\setlength{\tabcolsep}{3pt}" in latex) == (len(columns) >= 7)
    assert r"\textless{}script\textgreater{}" in hostile
    assert r"\$\{1\}" in hostile
    assert not re.search(r"(?<!\\)[%&#](?![^\n]*\\\\)", hostile.replace(" & ", " "))


def test_latex_is_balanced_and_has_a_cell_for_each_column() -> None:
    for table in (GAMES, TOURNAMENT, TIMES):
        text = table_latex(table)
        opened = re.findall(r"\\begin\{(\w+)\}", text)
        assert opened == list(reversed(re.findall(r"\\end\{(\w+)\}", text)))
        bare = re.sub(r"\\[{}]", "", text)
        assert bare.count("{") == bare.count("}")
        match = re.search(r"\\begin\{tabular\}\{(\w+)\}", text)
        assert match is not None
        body = text[text.index(r"\toprule") : text.index(r"\bottomrule")].splitlines()[1:]
        for line in body:
            if line != r"\midrule":
                assert len(re.findall(r"(?<!\\)&", line)) + 1 == len(match[1]), line


def test_each_table_is_a_file(tmp_path: Path) -> None:
    result = study(tables=(GAMES, TIMES))
    names = [path.name for path in write_csv_tables(result, tmp_path)]
    assert names == [
        "tournament-paper-seed7-table-1-games-more.csv",
        "tournament-paper-seed7-table-2-time-per-move.csv",
    ]
    assert (tmp_path / names[0]).read_text() == table_csv(GAMES)
    assert [path.suffix for path in write_latex_tables(result, tmp_path)] == [".tex", ".tex"]


def test_a_minus_is_a_minus_and_a_hyphen_a_hyphen() -> None:
    texts = {
        "-5.2 (-13.9 to +6.7)": "$-$5.2 ($-$13.9 to +6.7)",
        "[-1, -.5]": "[$-$1, -.5]",
        "26 - 42 - 32": "26 - 42 - 32",
        "70-30": "70-30",
        "on 2026-01-31, seed-7": "on 2026-01-31, seed-7",
        "mcts:c=-1 --seed 3": "mcts:c=-1 --seed 3",
    }
    for text, expected in texts.items():
        row = Row(labels=("who",), ours=text, note=text)
        told = table_latex(Table(title="T", label_columns=("",), unit="games", rows=(row,), caption=text))
        assert told.count(f"{expected} &") + told.count(f"{expected}\\") == 3, text  # cell, caption, note


def test_tables_of_several_runs_of_a_study_fit_into_one_paper(tmp_path: Path) -> None:
    def labels(*tables: Table, **fields: object) -> list[str]:
        paths = write_latex_tables(study(tables=tables, **fields), tmp_path)
        return [label for path in paths for label in re.findall(r"\\label\{(.*)\}", path.read_text())]

    long = TIMES.model_copy(update={"title": "Omniscient adversary with minimax inside against minimax"})
    assert labels(GAMES, long, long, seed=0) == [
        "tab:tournament-paper-seed0-games-more",
        "tab:tournament-paper-seed0-omniscient-adversary-with",
        "tab:tournament-paper-seed0-omniscient-adversary-with-2",
    ]
    assert labels(GAMES, seed=1) == ["tab:tournament-paper-seed1-games-more"]
    assert labels(GAMES, seed=1, agents=("random",))[0] not in labels(GAMES, seed=1)


@pytest.mark.parametrize(("spread", "header"), [("interval", "95\\% interval"), ("range", "range")])
def test_a_range_is_not_called_an_interval(spread: str, header: str) -> None:
    text = table_latex(TIMES.model_copy(update={"spread": spread}))
    assert f" & {header} & " in text or f" & {header} \\\\" in text


def test_bounds_have_their_columns_and_are_not_called_an_interval() -> None:
    rows = (
        Row(labels=("known",), ours="100.00", value=100.0, low=100.0, high=100.0),
        Row(labels=("between",), ours="20.00 to 60.00", low=20.0, high=60.0),
    )
    table = Table(title="Bounds", label_columns=("who",), unit="games lost, percent", spread="bounds", rows=rows)
    known, between = rows_of(table)
    assert (known["value"], known["low"], known["high"], known["spread"]) == ("100", "100", "100", "bounds")
    assert (between["value"], between["low"], between["high"]) == ("", "20", "60")
    text = table_latex(table)
    assert "20.00 to 60.00" in text
    assert "interval" not in text
    assert "exact, or two bounds: games lost, percent" in text
