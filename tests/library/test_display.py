"""Notebooks: positions, games and figures are drawn, results are tables, and texts in them are escaped."""

import re
import subprocess
import sys
from typing import Any

import pytest

import noughts
from noughts.document.result import BoardFigure, StudyResult
from noughts.rules import Value
from tests.reports.samples import BOARD, study


def test_positions_rules_games_and_figures_are_drawn() -> None:
    position = noughts.position("bttt(D4)", "C4 C3")
    record = noughts.play_game("random", "random", "tic-tac-toe")
    figure = BoardFigure(name="b", title="a board", rules="tic-tac-toe")
    for value in (position, position.rules, record, figure):
        assert (value._repr_svg_() or "").rstrip().endswith("</svg>")
        assert value._repr_html_() is None
    assert position._repr_svg_() == noughts.board_svg(position)


def cells(value: Any) -> str:
    """The notebook display of a value: its tables as rows of cells, without attributes and blanks."""
    shown = re.sub(r"<(?:wbr)>", "", value._repr_html_() or "")
    shown = re.sub(r"<(/?)t([hdr])\b[^>]*>", lambda tag: f"<{tag[1]}t{'r' if tag[2] == 'r' else 'd'}>", shown)
    return re.sub(r">\s+<", "><", shown).strip()


def test_results_are_tables_and_print_in_words() -> None:
    match = noughts.match("random", "minimax:depth=2", "tic-tac-toe(bricks=A1|B2)", 8, workers=0)
    proof = noughts.prove("minimax:depth=1,eval=none,ties=first", workers=0)
    held = noughts.prove("minimax:depth=6,ties=first", "mnk(2,3,3)", side="second", workers=0)
    score = noughts.score("perfect", "mnk(2,3,2)", workers=0)
    scores = noughts.score("random", "mnk(2,3,2,line=wins|loses)", workers=0)
    solved = noughts.solve("mnk(2,3,2)", distances=True, workers=0)
    drawn = noughts.solve("tic-tac-toe", workers=0)
    chances = noughts.losing_chances("minimax:depth=4,eval=none,ties=first", "tic-tac-toe", workers=0)
    lost = chances.games[0].result
    optimal = r"(\d+) of \1 moves are optimal in non-trivial positions"
    for result, row, words in (
        (match, "<td>tic-tac-toe(bricks=B2)</td><td>4</td>", r"random against minimax:depth=2: .* in 8 games \(.*"),
        (proof, "<td>loses in", r"tic-tac-toe: loses in \d plies"),
        (held, "<td>never loses</td>", r"mnk\(2,3,3\): never loses"),
        (score, "<td>all</td>", rf"perfect\S* in mnk\(2,3,2\): {optimal}"),
        (scores, "mnk(2,3,2,line=loses)</td>", r"random in mnk\(2,3,2\): .*\nrandom in mnk\(2,3,2,line=loses\): .*"),
        (solved, "<td>first wins</td><td>3</td>", r"mnk\(2,3,2\): \+1 in 3 plies"),
        (drawn, "<td>a draw</td>", "tic-tac-toe: 0"),
        (chances, f"<td>tic-tac-toe</td><td>{lost}</td>", f"tic-tac-toe: loses {lost} percent against a best response"),
    ):
        shown = cells(result)
        assert row in shown
        assert shown.count("<td>") == shown.count("</td>")
        assert re.fullmatch(words, str(result)), str(result)
        assert result._repr_svg_() is None
    assert "<svg" in (proof._repr_html_() or "")
    assert "<?xml" not in (proof._repr_html_() or "")


def test_moves_games_and_studies_print_in_words() -> None:
    threat = noughts.position("tic-tac-toe", "A1 B1 A2 B2")
    thought = noughts.analyse("minimax:depth=1", threat)
    assert str(thought).startswith("A3, value +1, line A3, ")
    assert "<td>A3</td><td>+1.000</td><td>exact</td>" in cells(thought)
    solution = noughts.Truth("tic-tac-toe").solve(threat, distances="all")
    assert str(solution) == "+1 in 1 ply; A3 +1, B3 0, C1 -1, C2 -1, C3 -1"
    game = noughts.play_game("minimax:depth=2", "random", seed=1)
    assert str(game).startswith("minimax:depth=2 against random, tic-tac-toe ")
    assert str(game).endswith(": the first wins")
    title, *findings = str(study()).splitlines()
    assert title.startswith(study().title)
    assert findings == [f"- {finding}" for finding in study().findings]


def test_a_solution_is_a_table_of_the_moves() -> None:
    position = noughts.position("mnk(2,3,2)", "A1")
    (solution,) = noughts.solve_many([position], workers=0, distances=True)
    shown = cells(solution)
    assert shown.count("<tr>") == 2 + len(position.legal_moves)
    assert all(f"<td>{position.rules.name_of(move)}</td>" in shown for move in position.legal_moves)
    assert "<td>position</td><td>-1</td><td>2</td>" in shown
    unknown = cells(noughts.Solution(-1, 1, None, (noughts.MoveSolution(3, -1, 0, None),), "none", 1000))
    assert "<td>cell 3</td><td>-1 to 0</td><td></td>" in unknown
    assert unknown.endswith('<p class="about">none, 1,000 nodes; values are for the side to move in the position</p>')


def test_a_study_is_a_page_in_a_frame_without_scripts() -> None:
    result: StudyResult = study(figures=(BOARD,))
    shown = result._repr_html_()
    assert shown is not None
    assert shown.startswith("<iframe sandbox srcdoc=")
    assert re.fullmatch(r'<iframe sandbox srcdoc="[^"]*" style="[^"]*"></iframe>', shown)


def test_a_value_without_a_drawing_is_shown_as_text() -> None:
    class Plain(Value):
        number: int = 3

    assert Plain()._repr_html_() is None
    assert Plain()._repr_svg_() is None


def test_drawing_libraries_are_loaded_on_first_use() -> None:
    program = (
        "import sys\n"
        "from noughts.positions import Position\n"
        "from noughts.rules import parse_rules\n"
        "at = Position.start(parse_rules('tic-tac-toe'))\n"
        "assert not any(name.startswith(('noughts.reports', 'noughts.library', 'matplotlib')) for name in sys.modules)\n"
        "assert at._repr_svg_().rstrip().endswith('</svg>')\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("value", [noughts.parse_rules("tic-tac-toe"), noughts.position("tic-tac-toe", "A1")])
def test_displaying_changes_nothing_else(value: object) -> None:
    import copy
    import pickle

    assert pickle.loads(pickle.dumps(value)) == copy.deepcopy(value) == value
