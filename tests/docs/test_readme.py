"""The README is short, keeps its two commands, and shows what the commands beside it print."""

import re
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, ROOT, blocks, games_in
from tests.docs.test_pages import assert_prints, run_command

TEXT = (ROOT / "README.md").read_text()
STUDY = DOCS / "findings" / "studies"
PAPERS_GAMES = 490
"""Games of Minimax as first player, all won: Table 7 of the Brick Tic-Tac-Toe paper."""


def test_it_is_short() -> None:
    assert len(TEXT.split()) <= 650


def test_its_two_commands_are_present() -> None:
    assert "python3 -m venv .venv && .venv/bin/pip install uv\n" in TEXT
    assert "\n.venv/bin/uv run --no-dev noughts study run generalisation " in TEXT
    assert "\n.venv/bin/uv run pytest " in TEXT


def test_every_number_of_its_result_comes_from_a_command() -> None:
    values, walks = games_in("brick-exact-values.json"), games_in("minimax-every-reply.json")
    squares = len(walks)
    won = sum(game["answer"] == "wins" for game in walks)
    lost = sum(game["answer"] == "refuted" for game in walks)
    assert won + lost == squares
    trained = [game["answer"] == "wins" for game in games_in("trained-on-d4/both.json")]
    seeds = [games_in(f"trained-on-d4/{path.name}") for path in sorted(DOCS.glob("findings/trained-on-d4/both*.json"))]
    proved = sum(all(game["answer"] == "wins" for game in games) for games in seeds)
    result = TEXT.partition("\n## A result\n")[2].partition("\n## ")[0].replace(",000", "000")
    said = [int(number) for number in re.findall(r"\b\d+\b", re.sub(r"`[^`]*`|\(docs/[^)]*\)", "", result))]
    first_player_wins = sum(game["value"] == 1 for game in values)
    page = (STUDY / "generalisation-reached.md").read_text()
    assert "| paper's resnet | D4 | 100 | E5 | 0 - 100 |" in page
    counts = [first_player_wins, len(values), won, squares, sum(trained), len(trained), proved, len(seeds)]
    assert said == [*counts, squares, PAPERS_GAMES, lost, 100]


@pytest.mark.heavy
@pytest.mark.usefixtures("own_store")
def test_its_commands_print_the_shown_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code, transcript = (block.text for block in blocks(ROOT / "README.md") if block.kind in ("python", "console"))
    Path("mine.py").write_text(code)
    for part in transcript.split("$ ")[1:]:
        command, _, shown = part.partition("\n")
        run_command(f"uv run {command}")
        assert_prints(capsys.readouterr().out, shown)


def test_its_picture_is_the_studys() -> None:
    pictures = [DOCS / "images" / "is-minimax-perfect-every-tie.svg", STUDY / "is-minimax-perfect-quick-every-tie.svg"]
    assert pictures[0].read_text() == pictures[1].read_text()
    assert 'src="docs/images/is-minimax-perfect-every-tie.svg"' in TEXT
