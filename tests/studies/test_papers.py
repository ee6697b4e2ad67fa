"""The papers' numbers, as the papers print them: each is in the table of the paper's study."""

import pytest

from noughts.document.result import Row
from noughts.studies import generalisation
from noughts.studies.registry import find_study
from noughts.studies.study import Settings
from tests.studies.fabricated import Fabricated

BRICK_TABLES_3_AND_4 = """
Random Random 60 - 40 53 - 47
MCTS 1000 MCTS 1000 70 - 30 70 - 30
MCTS 1000 MCTS 10000 15 - 85 15 - 85
MCTS 10000 MCTS 1000 100 - 0 100 - 0
MCTS 10000 MCTS 10000 70 - 30 70 - 30
Minimax MCTS 1000 100 - 0 100 - 0
Minimax MCTS 10000 100 - 0 100 - 0
Minimax Minimax 100 - 0 100 - 0
MCTS 1000 Minimax 9 - 91 9 - 91
MCTS 10000 Minimax 51 - 49 51 - 49
"""
BRICK_TABLE_5 = {"Random": 0.000006, "MCTS 1000": 1.88, "MCTS 10000": 18.8, "Minimax": 0.97}
BRICK_TABLE_7 = {
    ("D4", 100): "139 - 351",
    ("D3 D4", 100): "306 - 184",
    ("C3 D3 D4", 100): "443 - 47",
    ("D4", 1000): "364 - 126",
    ("D3 D4", 1000): "415 - 75",
    ("C3 D3 D4", 1000): "483 - 7",
}
# Draws and losses in 100 rounds, by budget.
ADVERSARIES = {
    "Flat Monte Carlo": "1 18.5 81.5, 10 52.5 47.5, 100 75.5 24.5, 1000 79 21, 10000 82.5 17.5",
    "Omniscient adversary with minimax inside": "1 49.5 50.5, 3 70.5 29.5, 10 91.5 8.5, 30 98.5 1.5, 100 100 0",
    "MCTS, best value, c = sqrt(2)": "1 11.5 88.5, 3 22.5 77.5, 10 37 63, 30 48 52, 100 72.5 27.5, 300 88 12, "
    "1000 95.5 4.5, 3000 97 3, 10000 98 2",
}


def rows(name: str, scale: str = "quick") -> list[Row]:
    """Every row of a study without answers."""
    return [row for table in find_study(name).conclude(Settings(scale), Fabricated()).tables for row in table.rows]


def test_tables_3_4_and_5_of_brick_tic_tac_toe() -> None:
    printed: dict[tuple[str, str], str] = {}
    for line in filter(None, BRICK_TABLES_3_AND_4.splitlines()):
        words = line.split()
        agents, first, second = " ".join(words[:-6]), " ".join(words[-6:-3]), " ".join(words[-3:])
        printed |= {(agents, "D4"): first, (agents, "E5"): second}
    found = {(" ".join(row.labels[:2]), row.labels[2]): row.paper for row in rows("bttt-tournament") if row.labels[1:]}
    assert printed == {pair: found[pair] for pair in printed}
    assert {found[f"{name} Random", at] for name in ("MCTS 1000", "Minimax") for at in ("D4", "E5")} == {"100 - 0"}
    assert found["Random MCTS 10000", "D4"] == "0 - 100"
    times = {row.labels[0]: row.paper for row in rows("bttt-tournament") if not row.labels[1:] and row.paper}
    assert {name: float(said.removesuffix(" s")) for name, said in times.items()} == BRICK_TABLE_5


def test_tables_4_6_and_7_of_alphazero() -> None:
    found = {pair: f"{wins} - {490 - wins}" for pair, wins in generalisation.TABLE_7.items()}
    assert found == BRICK_TABLE_7
    won = {key: wins for key, wins in generalisation.TABLE_6.items() if wins != 100}
    assert won == {("D4", sims, "E5"): 0 for sims in (0, 100, 1000)}


@pytest.mark.parametrize("adversary", ADVERSARIES)
def test_the_adversaries_of_betazero(adversary: str) -> None:
    tables = find_study("betazero-adversaries").conclude(Settings(), Fabricated()).tables
    table = next(table for table in tables if table.title == f"{adversary} against minimax")
    printed = [line.split() for line in ADVERSARIES[adversary].split(", ")]
    expected = [(budget, f"{drawn} / {lost}") for budget, drawn, lost in printed]
    assert [(row.labels[0].split(" = ")[1], row.paper) for row in table.rows] == expected


@pytest.mark.parametrize(
    ("name", "labels", "paper"),
    [
        ("betazero-evolution", ("the text",), "5 of 10 reach and keep 0 losses"),
        ("betazero-post-mortem", ("750",), "0 drawn of 100"),
        ("betazero-post-mortem", ("the empty board", "as it should be"), "0.92"),
        ("mcts-perfect", ("best value, c = sqrt(2)",), "perfect"),
        ("not-knowing-the-rules", ("MuZero", "32 simulations"), "every decision"),
        ("exact-values", ("bttt(A1)", "A1 A7 G1 G7"), "first wins"),
        ("is-minimax-perfect", ("A1", "A1 A7 G1 G7"), "perfect"),
    ],
)
def test_the_papers_numbers_in_a_row(name: str, labels: tuple[str, ...], paper: str) -> None:
    assert paper in [row.paper for row in rows(name) if row.labels == labels]


def test_the_papers_notakto_numbers() -> None:
    tables = {table.title: table for table in find_study("notakto").conclude(Settings("laptop"), Fabricated()).tables}
    for title, said in (("3x3, first", "100 percent"), ("4x4, second", "at best 46 percent")):
        papers = {row.labels[0]: row.paper for row in tables[f"{title} player, fully connected: games"].rows}
        assert papers == {"random": "", "avoids an immediate loss": said, "exact": ""}
