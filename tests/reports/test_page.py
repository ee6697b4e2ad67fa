"""The page: self-contained, escaped, complete; and the files written beside it."""

import base64
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from noughts.document.citations import BRICK_PAPER
from noughts.document.result import StudyResult, judged
from noughts.reports.page import study_page, write_report
from tests.reports.samples import BOARD, COMPARED, FIGURES, HOSTILE, TIMES, TOURNAMENT, study, study_markdown

VOID = {"meta", "link", "br", "wbr", "img", "hr", "input"}


class Reader(HTMLParser):
    """Reads a page strictly: every element closed in order, unique ids."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)
        self.close()
        assert self.open == []
        ids = [attributes["id"] for _, attributes in self.tags if "id" in attributes]
        assert len(ids) == len(set(ids))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="module")
def html() -> str:
    return study_page(study())


@pytest.fixture(scope="module")
def page(html: str) -> Reader:
    return Reader(html)


def test_the_page_loads_nothing_and_has_no_scripts(html: str, page: Reader) -> None:
    assert not {"script", "iframe", "object", "embed", "img", "form"} & {tag for tag, _ in page.tags}
    for _, attributes in page.tags:
        for name in ("href", "src", "xlink:href"):
            assert (attributes.get(name) or "#").startswith(("#", "data:"))
        assert not any(name.startswith("on") for name in attributes)
    assert "@import" not in html
    assert re.findall(r"url\((?!#)", html) == []
    addresses = set(re.findall(r"https?://[^\s\"'<]+", html))
    assert addresses == {"https://example.org/paper", "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}


def test_hostile_text_is_escaped(page: Reader) -> None:
    assert page.text.count(HOSTILE.split("\x1b", maxsplit=1)[0]) >= 4
    assert "\x1b" not in page.text
    assert "\x00" not in page.text


def test_the_page_is_complete(page: Reader) -> None:
    text = " ".join(page.text.split())
    for words in (
        "Does the tournament reproduce?", "The first finding.", "70-30", "1404-596", "68.2 to 72.2", "2,000",
        "✓ agrees", "≠ differs", "✗ refuted", "– no claim", "need not reproduce", "0.0000011 to 0.0000013",
        "2,000 games a pair instead of 100.", "noughts study run tournament --scale paper --seed 7",
        "2025-11-03 14:05 UTC", "3 h 25 min", "abc+changes", "Linux <x>", "numpy 2.4.6",
        "✓ agrees: 1, ≠ differs: 1, ✗ refuted: 1, – no claim: 2.",
    ):  # fmt: skip
        assert words in text, words
    assert "Not finished" not in text


def test_tables_have_captions_and_scopes(page: Reader) -> None:
    assert len(page.all("caption")) == len(page.all("table")) == 3 + 1
    assert all(attributes.get("scope") in ("row", "col") for attributes in page.all("th"))
    assert len(page.all("h1")) == 1


def test_a_row_of_percentages_has_a_bar(html: str, page: Reader) -> None:
    bars = [attributes for attributes in page.all("svg") if attributes.get("class") == "bar"]
    assert len(bars) == 4  # none for missing measurements, none for seconds
    assert html.count('<path class="paper"') == 1  # the legend; no row is compared
    assert study_page(compared()).count('<path class="paper"') == 2


def test_figures_can_be_downloaded(page: Reader) -> None:
    links = {a["download"]: a["href"] or "" for a in page.all("a") if "download" in a}
    assert sum((name or "").endswith(".png") for name in links) == len(FIGURES)
    png = links["tournament-paper-seed7-draws-by-budget.png"]
    assert base64.b64decode(png.removeprefix("data:image/png;base64,")).startswith(b"\x89PNG")
    json = base64.b64decode(links["tournament-paper-seed7.json"].removeprefix("data:application/json;base64,"))
    assert StudyResult.from_json(json) == study()


def test_a_study_with_a_cross_table_of_an_older_version_is_read_without_it() -> None:
    old = study().to_json().replace('"figures":[', '"figures":[{"kind":"matrix","name":"variant-1","rows":["Random"]},')
    assert StudyResult.from_json(old) == study()


def test_an_unfinished_study_is_marked_as_such() -> None:
    page = Reader(study_page(study(complete=False, figures=(), findings=(), deviations=(), tables=study().tables[:1])))
    assert "Not finished" in page.text
    assert "… waiting: 1" in " ".join(page.text.split())


def test_an_empty_study_has_a_page() -> None:
    page = Reader(study_page(study(tables=(), figures=(), findings=(), deviations=(), started="some day", seconds=1)))
    assert [len(page.all(tag)) for tag in ("h1", "table", "figure")] == [1, 0, 0]
    assert "some day" in page.text
    assert "Not finished" not in page.text


@pytest.mark.heavy
def test_files_are_written_whole_and_leave_no_others(html: str, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "reports"
    path = write_report(study(), folder)
    names = {file.name for file in folder.iterdir()}
    figures = {"draws-by-budget", "win", "win-2"}  # two figures with one name
    assert path == folder / "tournament-paper-seed7.html"
    assert names == {path.name} | {f"tournament-paper-seed7-{n}.{end}" for n in figures for end in ("svg", "png")}
    assert path.read_text(encoding="utf-8") == html
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    write_report(study(), folder)
    assert before == {file.name: file.read_bytes() for file in folder.iterdir()}


def test_a_name_cannot_escape_the_folder(tmp_path: Path) -> None:
    path = write_report(study(name="../../x", scale="/", figures=()), tmp_path / "in")
    assert path.parent == tmp_path / "in"
    assert list(tmp_path.iterdir()) == [tmp_path / "in"]


def compared() -> StudyResult:
    """A study with one compared row."""
    row = COMPARED.model_copy(update={"labels": ("a", "b", "1")})
    table = TOURNAMENT.model_copy(update={"rows": (row, *TOURNAMENT.rows)})
    return study(tables=judged([table, TIMES]), figures=())


def test_a_figure_is_beside_its_table_with_its_caption() -> None:
    beside = BOARD.model_copy(update={"table": TOURNAMENT.title, "about": "How to read it."})
    result = study(tables=(TOURNAMENT, TIMES), figures=(beside, BOARD))
    html = study_page(result)
    table, figure, next_table, others = (
        html.index(text) for text in ('id="section-2"', "How to read it.", 'id="section-3"', 'id="section-4"')
    )
    assert table < figure < next_table < others
    assert html.count("How to read it.") == 1
    text = study_markdown(result)
    assert text.index("## Round-robin tournament") < text.index("How to read it") < text.index("## Time per move")


def test_the_page_explains_its_verdicts_and_multiple_testing(html: str) -> None:
    result = compared()
    page = Reader(study_page(result))
    for words in (
        "not distinguishable, which is no agreement",
        "Claims compared: 1, with a margin of 10 points; tested: 1",
        "Significant differences: 0 without correction, of which chance explains at most 0.05 if all claims are right",
        "A verdict is about the claim as tested here",
        "200 (12 distinct)",
        "0.0 (-1",
        "not distinguishable",
    ):
        assert words in page.text, words
        assert words in study_markdown(result).replace("\\", ""), words
    assert "Significant differences" not in html
    assert "A verdict is about" not in html
    proved = TOURNAMENT.model_copy(update={"rows": (TOURNAMENT.rows[0].model_copy(update={"proved": True}),)})
    for tables, told in (((proved,), True), ((TOURNAMENT,), False)):
        assert ("Proofs need no statistics" in study_page(study(tables=tables, figures=()))) == told


def test_the_page_explains_how_to_cite_the_papers_and_us(html: str) -> None:
    result = study(citations=(BRICK_PAPER,), figures=())
    for text in (Reader(study_page(result)).text, study_markdown(result)):
        assert "@article{tan2022brick," in text
        assert "@misc{noughts," in text
    assert "@misc{noughts," not in html
