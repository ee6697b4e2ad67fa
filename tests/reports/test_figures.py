"""Figures: well-formed, reproducible, and harmless to their page."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from typing import Any

import matplotlib
import pytest

from noughts.document.result import CurveFigure, Figure, Series
from noughts.reports.figures import describe_figure, figure_png, figure_svg
from noughts.rules import NoughtsError
from tests.reports.samples import BOARD, CURVE, FIGURES, HOSTILE

SVG = "{http://www.w3.org/2000/svg}"
KINDS = pytest.mark.parametrize("figure", FIGURES, ids=["curve", "board", "boards"])


@pytest.mark.heavy
@KINDS
def test_svg_is_reproducible_well_formed_and_self_contained(figure: Figure) -> None:
    for inline in (False, True):
        svg = figure_svg(figure, inline=inline)
        assert svg == figure_svg(figure, inline=inline)
        root = ET.fromstring(svg)
        assert root.tag == f"{SVG}svg"
        assert (root.findtext(f"{SVG}desc") or "").strip() == describe_figure(figure).strip()
        assert root.findtext(f"{SVG}title")
        assert "<script" not in svg
        assert not re.search(r"(?:href|src)=\"(?!#)", svg)
        assert not list(root.iter(f"{SVG}style"))  # it would affect the whole page
        assert "DOCTYPE" not in svg
        assert "<metadata" not in svg


@KINDS
def test_png_is_reproducible_and_large_enough(figure: Figure) -> None:
    png = figure_png(figure)
    assert png == figure_png(figure)
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = (int.from_bytes(png[at : at + 4]) for at in (16, 20))
    assert 300 <= width <= 3000
    assert 200 <= height <= 3000


def test_text_in_a_figure_is_text_as_written() -> None:
    labels = " ".join(element.text or "" for element in ET.fromstring(figure_svg(CURVE)).iter(f"{SVG}text"))
    assert HOSTILE.split("\x1b")[0] in labels
    assert "$x$" in labels  # no mathematics
    assert "without an interval" in labels  # though its name begins with an underscore
    assert "1,000" in labels


def test_figures_in_one_page_have_unique_ids() -> None:
    other = CURVE.model_copy(update={"name": "other"})
    names = [set(re.findall(r' id="([^"]*)"', figure_svg(figure, inline=True))) for figure in (CURVE, other)]
    assert names[0]
    assert not names[0] & names[1]
    svg = figure_svg(CURVE, inline=True)
    assert set(re.findall(r'(?:href="|url\()#([^")]+)', svg)) == names[0]


def test_every_colour_of_an_inline_figure_follows_the_page() -> None:
    for figure in FIGURES:
        loose = re.sub(r"var\(--[\w-]+, #[0-9a-f]{6}\)", "", figure_svg(figure, inline=True))
        assert not re.findall(r"[:=]\"?\s*#[0-9a-f]{3,6}\b", loose)


def curve(*series: Series, name: str = "f", log_x: bool = False) -> CurveFigure:
    return CurveFigure(name=name, title="t", x_label="x", y_label="y", log_x=log_x, series=series)


@pytest.mark.parametrize(
    "figure",
    [
        CurveFigure(name="none", title="", x_label="", y_label="", series=()),
        curve(Series(name="a", x=(), y=()), name="waiting", log_x=True),
        curve(Series(name="a", x=(0, 1, 10), y=(1, 2, 3)), name="zero", log_x=True),
        curve(*(Series(name=f"run {n}", x=tuple(range(50)), y=tuple(range(n, n + 50))) for n in range(15)), name="many"),
    ],
    ids=lambda figure: figure.name,
)  # fmt: skip
def test_figures_of_a_study_with_hardly_any_data(figure: Figure) -> None:
    ET.fromstring(figure_svg(figure))
    assert describe_figure(figure)


def test_a_zero_on_a_logarithmic_axis_is_drawn() -> None:
    def marks(x: tuple[float, ...]) -> int:
        return figure_svg(curve(Series(name="a", x=x, y=(1, 2, 3), points_only=True), log_x=True)).count("<use")

    assert marks((0, 10, 100)) == marks((1, 10, 100)) == 3


def markers_of(figure: CurveFigure) -> list[tuple[str, bool]]:
    """The marker of each series: its colour and whether it is hollow. The legend's markers, drawn last, are equal."""
    styles = re.findall(r'<use [^>]*style="([^"]*stroke: [^"]*)"', figure_svg(figure))
    found = [(re.findall("stroke: (#[0-9a-f]+)", style)[0], "fill-opacity: 0" in style) for style in styles]
    count = len(figure.series)
    assert found[:count] == found[count:]
    return found[:count]


def test_a_papers_points_have_their_lines_colour_and_take_none_away() -> None:
    def series(name: str, **fields: Any) -> Series:
        return Series(name=name, x=(1,), y=(len(name),), **fields)

    lines = (series("a"), series("ab"), series("abc"))
    paper = (series("abcd", points_only=True, colour_of="a"), series("abcde", points_only=True, colour_of="abc"))
    alone = markers_of(curve(*lines))
    assert len(set(alone)) == 3
    assert not any(hollow for _, hollow in alone)
    both = curve(paper[0], *lines, paper[1])
    first, *ours, last = markers_of(both)
    assert ours == alone
    assert [first, last] == [(alone[0][0], True), (alone[2][0], True)]
    assert figure_png(both) != figure_png(both.model_copy(update={"series": lines}))


@pytest.mark.parametrize("line", ["nobody", "b"])
def test_a_colour_can_only_be_copied_from_a_series_that_has_its_own(line: str) -> None:
    a, b = Series(name="a", x=(), y=()), Series(name="b", x=(), y=(), colour_of="a")
    with pytest.raises(NoughtsError, match="is no series with a colour of its own"):
        curve(a, b, Series(name="c", x=(), y=(), colour_of=line))


def test_the_users_matplotlib_settings_are_neither_used_nor_changed() -> None:
    with matplotlib.rc_context({"font.size": 30, "svg.fonttype": "path", "axes.facecolor": "red"}):
        unusual = figure_svg(CURVE), figure_png(BOARD)
        assert matplotlib.rcParams["font.size"] == 30
    assert unusual == (figure_svg(CURVE), figure_png(BOARD))


def test_importing_reports_loads_no_drawing_library() -> None:
    code = (
        "import sys, noughts.reports, noughts.reports.boards, noughts.reports.figures\n"
        "print([m for m in ('matplotlib', 'jinja2', 'rich', 'jax', 'numba', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
