"""Boards: the drawing of each of their parts."""

import xml.etree.ElementTree as ET

import pytest

from noughts.document.result import BoardFigure, CellValue
from noughts.reports.boards import BoardOptions, board_drawing, board_svg, describe_position
from noughts.reports.drawing import Circle, Label, Line, Rect, drawing_svg, side_by_side
from noughts.reports.figures import describe_figure, figure_png, figure_svg
from noughts.reports.palette import HEAT_STEPS, ROLES, colour, heat
from noughts.reports.strokes import line_strokes
from noughts.rules import parse_rules
from tests.positions.reached import at

SVG = "{http://www.w3.org/2000/svg}"


WON = at("bttt(D4)", "C3 D3 C4 C2 C5 B6 C6")


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("inline", [False, True])
def test_coordinates_are_letters_down_and_numbers_along(inline: bool) -> None:
    assert texts(board_svg(WON, inline=inline)) == [*"ABCDEFG", *"1234567"]


def test_marks_are_strokes_and_rings_and_a_line_is_struck_through() -> None:
    shapes = board_drawing(WON).shapes
    rings = [shape for shape in shapes if isinstance(shape, Circle)]
    crosses = [s for s in shapes if isinstance(s, Line) and s.stroke == colour("first")]
    struck = [s for s in shapes if isinstance(s, Line) and s.stroke == colour("line")]
    assert (len(rings), len(crosses), len(struck)) == (3, 2 * 4, 1)
    assert struck[0].y1 == struck[0].y2
    assert any(isinstance(s, Line) and s.stroke == colour("hatch") for s in shapes)


@pytest.mark.parametrize(
    ("wrap", "dashes", "words"),
    [
        ("none", 0, "3x4 board;"),
        ("rows", 2 * 4, "3x4 board; top and bottom edges joined;"),
        ("columns", 2 * 3, "3x4 board; left and right edges joined;"),
        ("both", 2 * 4 + 2 * 3, "3x4 board; opposite edges joined;"),
    ],
)
def test_joined_edges_are_dashed_and_described(wrap: str, dashes: int, words: str) -> None:
    position = at(f"mnk(3,4,3,wrap={wrap})", "A1")
    drawn = [s for s in board_drawing(position).shapes if isinstance(s, Line) and s.stroke == colour("ink")]
    assert len(drawn) == dashes
    assert describe_position(position).startswith(words)


@pytest.mark.parametrize(
    ("game", "line", "pieces"),
    [
        ("mnk(3,4,3)", "A1 B2 C3", ["A1 C3"]),
        ("mnk(3,4,3,wrap=both)", "A4 B1 C2", ["A4 A4", "B1 C2"]),
        ("mnk(3,4,3,wrap=both)", "C4 A1 B2", ["C4 C4", "A1 B2"]),
        ("mnk(3,4,3,wrap=both)", "B1 C4 A3", ["B1 B1", "C4 C4", "A3 A3"]),
        ("mnk(3,4,3,wrap=rows)", "C2 A2 B2", ["C2 C2", "A2 B2"]),
        ("mnk(1,3,1)", "A2", ["A2 A2"]),
    ],
)
def test_lines_across_joined_edges_are_drawn_in_pieces(game: str, line: str, pieces: list[str]) -> None:
    rules = parse_rules(game)
    found = line_strokes(rules, tuple(map(rules.cell_of, line.split())))

    def cell(x: float, y: float, to_x: float, to_y: float) -> str:
        """The cell in which a stroke ends, found a little inside its end."""
        x, y = x + (to_x - x) * 0.1, y + (to_y - y) * 0.1
        return rules.name_of(int(y) * rules.cols + int(x))

    assert [f"{cell(x1, y1, x2, y2)} {cell(x2, y2, x1, y1)}" for x1, y1, x2, y2 in found] == pieces
    for x1, y1, _, _ in found[1:]:
        assert {x1, y1} & {0.0, float(rules.cols), float(rules.rows)}  # it continues at the edge


def test_the_last_move_is_framed_unless_disabled() -> None:
    def frames(options: BoardOptions) -> int:
        return sum(isinstance(s, Rect) and s.stroke == colour("ink") for s in board_drawing(WON, options).shapes)

    assert frames(BoardOptions()) == 1
    assert frames(BoardOptions(last_move=False)) == 0
    assert not any(isinstance(s, Rect) and s.line for s in board_drawing(at("tic-tac-toe")).shapes)


def test_move_numbers_values_and_texts_are_written_and_the_best_are_ringed() -> None:
    assert texts(board_svg(WON, BoardOptions(numbers=True)))[14:] == ["6", "4", "1", "3", "5", "7", "2"]
    start = at("bttt(D4)")
    options = BoardOptions(values={0: 12.5, 1: 100.0, 24: 3.0}, texts={1: "all"})
    assert texts(board_svg(start, options))[14:] == ["12.5", "all"]  # a brick has no value
    shades = {shape.fill for shape in board_drawing(start, options).shapes if isinstance(shape, Rect)}
    assert {heat(12.5, (0, 100))[0], heat(100.0, (0, 100))[0]} <= shades
    texts_of = {0: "+5", 2: "?", 24: "no"}  # which needs no values
    options = BoardOptions(values={0: 0.5}, texts=texts_of, best=frozenset({0}), value_range=(0, 1))
    assert texts(board_svg(start, options))[14:] == ["+5", "?"]  # a brick has no text either
    assert sum(isinstance(shape, Circle) for shape in board_drawing(start, options).shapes) == 1


def test_several_boards_are_side_by_side_and_closed_ones_are_marked() -> None:
    five = at("mnk(3,3,3,marks=shared,line=loses,boards=5)", "1.A1 1.B2 1.C3 4.A1")
    drawing = board_drawing(five)
    named = [shape for shape in drawing.shapes if isinstance(shape, Label) and shape.bold]
    assert [label.text for label in named] == ["Board 1, closed", "Board 2", "Board 3", "Board 4", "Board 5"]
    assert named[0].y == named[1].y < named[4].y
    assert all(0 <= label.x <= drawing.width and 0 <= label.y <= drawing.height for label in named)


def test_a_drawing_has_a_description_in_words() -> None:
    root = ET.fromstring(board_svg(WON, title="A <win>"))
    assert root.findtext(f"{SVG}title") == "A <win>"
    assert root.findtext(f"{SVG}desc") == describe_position(WON)
    assert describe_position(WON) == (
        "7x7 board; brick on D4; moves 1 X C3, 2 O D3, 3 X C4, 4 O C2, 5 X C5, 6 O B6, 7 X C6; line C3 C4 C5 C6;"
        " the first player has won."
    )
    assert describe_position(at("tic-tac-toe")) == "3x3 board; no moves; first player to move."


def test_an_unknown_order_of_moves_is_not_described() -> None:
    options = BoardOptions(numbers=True, ordered=False)
    drawn = board_drawing(WON, options)
    assert drawn.description == (
        "7x7 board; brick on D4; marks O B6, O C2, X C3, X C4, X C5, X C6, O D3; line C3 C4 C5 C6; the first player has won."
    )
    assert texts(board_svg(WON, options)) == [*"ABCDEFG", *"1234567"]
    assert not any(isinstance(s, Rect) and s.fill == colour("last") for s in drawn.shapes)


def test_drawings_can_be_placed_side_by_side() -> None:
    one, other = board_drawing(WON), board_drawing(at("tic-tac-toe", "B2"))
    joined = side_by_side([one, other, other], 2, "Three")
    assert (joined.width, joined.height) == (2 * one.width, 2 * one.height)
    assert len(joined.shapes) == len(one.shapes) + 2 * len(other.shapes)
    assert joined.shapes[: len(one.shapes)] == one.shapes
    labels = [shape for shape in joined.shapes if isinstance(shape, Label) and shape.text == "C"]
    where = [(label.x, label.y) for label in labels]
    assert (where[2][0], where[2][1]) == (where[1][0] - one.width, where[1][1] + one.height)
    assert joined.description.startswith(f"1: {one.description} 2: {other.description} 3: ")
    root = ET.fromstring(drawing_svg(joined, scale=0.5))
    assert float(root.attrib["width"]) == one.width
    assert root.attrib["viewBox"] == f"0 0 {2 * one.width:g} {2 * one.height:g}"


def test_a_separate_drawing_has_fixed_colours_and_an_inline_one_the_pages() -> None:
    alone, inline = board_svg(WON), board_svg(WON, inline=True)
    assert "var(" not in alone
    assert f'fill="{colour("paper")}"' in alone
    assert f"var(--first, {colour('first')})" in inline
    assert not inline.startswith("<?xml")
    assert " id=" not in inline  # so boards on one page cannot clash


def _luminance(shade: str) -> float:
    channels = [value / 255 for value in bytes.fromhex(shade[1:])]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_each_role_has_its_own_colour() -> None:
    assert len({on_paper for on_paper, _ in ROLES.values()}) == len(ROLES)


@pytest.mark.parametrize("dark", [False, True])
def test_texts_and_lines_have_enough_contrast(dark: bool) -> None:
    shade = {role: colours[dark] for role, colours in ROLES.items()}
    on_paper = {colours[0]: role for role, colours in ROLES.items()}
    for step in range(HEAT_STEPS):
        fill, ink = (on_paper[c] for c in heat(step, (0, HEAT_STEPS - 1)))
        assert _contrast(shade[fill], shade[ink]) >= 4.1, (fill, ink)
    for role in ("ink", "muted", "first", "second", "line", *(f"series-{number}" for number in range(1, 7))):
        assert _contrast(shade[role], shade["paper"]) >= 4.5, role
    lightness = [_luminance(shade[f"heat-{step}"]) for step in range(HEAT_STEPS)]
    assert lightness == sorted(lightness, reverse=not dark)  # still a scale in grey


def test_a_board_of_values_is_drawn_and_described() -> None:
    figure = BoardFigure(
        name="board",
        title="Values",
        rules="mnk(2,3,2)",
        values=tuple(CellValue(cell=cell, value=10.0 * cell, text=f"W{cell}") for cell in range(3)),
        value_label="who wins",
    )
    assert describe_figure(figure).endswith("who wins: A1 W0; A2 W1; A3 W2.")
    svg = figure_svg(figure)
    assert all(f">W{cell}<" in svg for cell in range(3))
    assert figure_png(figure).startswith(b"\x89PNG")
