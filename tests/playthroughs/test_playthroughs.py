import pytest

from noughts.rules import PRESETS
from tests.playthroughs.generate import FOLDER, GAMES, playthrough


@pytest.mark.heavy
@pytest.mark.parametrize("name", GAMES)
def test_the_file_is_what_would_be_written_now(name: str) -> None:
    written = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert playthrough(GAMES[name]) == written, "if the change is meant: uv run python -m tests.playthroughs"


def test_every_preset_has_a_file_and_every_file_a_game() -> None:
    assert {text.split("(")[0] for text in GAMES.values()} == set(PRESETS)
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(GAMES)
