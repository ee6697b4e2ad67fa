"""``noughts store``: what is there is told, what is damaged is named, and repaired without removing anything."""

import json
import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from noughts.cli.main import main
from noughts.store.results import Store
from noughts.store.run_folder import RunFolder, training_folder
from noughts.training.loop import train
from noughts.training.schedule import Schedule
from tests.cli.belongings import MATCH, SCHEDULE, command, make
from tests.training.test_loop import outcome
from tests.training.toy import Toy, ToyConfig


@pytest.fixture
def place(own_store: Path) -> Path:
    make(own_store)
    return own_store


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(["store", *words])
    return code, *capsys.readouterr()


def change(place: Path, *statements: str) -> None:
    with closing(sqlite3.connect(place / "results.sqlite")) as connection, connection:
        for statement in statements:
            assert connection.execute(statement).rowcount >= 1


def test_a_whole_store_is_told(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "check")
    assert (code, err) == (0, "")
    assert "nothing is damaged" in out
    code, out, _ = run(capsys, "check", "--json")
    found = json.loads(out)
    parts = {part["name"]: part for part in found["parts"]}
    assert code == 0
    assert found["damaged"] == []
    assert {name: parts[name]["count"] for name in ("runs", "games", "saved_games", "training run toy")} == {
        "runs": 1,
        "games": 20,  # both sides are the same agent, and so are the games of a pair
        "saved_games": 3,
        "training run toy": 3,
    }
    assert parts["database"]["bytes"] == (place / "results.sqlite").stat().st_size
    assert parts["training run toy"]["bytes"] > 1000
    assert run(capsys, "repair") == (0, "nothing is damaged\n", "")
    assert not (place / "damaged").exists()


def test_no_store_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in ("check", "repair"):
        code, _, err = run(capsys, words, "--store", str(tmp_path / "none"))
        assert (code, err) == (2, f"error: there is no store in {tmp_path / 'none'}\n")


def test_damaged_rows_are_named_set_aside_and_asked_again(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = command(place, *MATCH, "-n", "40")[0]["total"]
    with closing(sqlite3.connect(place / "results.sqlite")) as connection:
        keys = [key for (key,) in connection.execute("SELECT key FROM games ORDER BY key")]
        ((run_id, *_), *_) = connection.execute("SELECT id FROM runs ORDER BY started")
        ((game_id,), *_) = connection.execute("SELECT id FROM saved_games")
    change(
        place,
        f"UPDATE games SET moves = '[0]', ending = 'draw' WHERE key = '{keys[7]}'",
        f"UPDATE games SET rules = CAST(X'ff00' AS TEXT) WHERE key = '{keys[8]}'",
        f"UPDATE runs SET result = '' WHERE id = '{run_id}'",
        f"UPDATE saved_games SET document = '' WHERE id = '{game_id}'",
    )
    named = {f"games {keys[7]}", f"games {keys[8]}", f"runs {run_id}", f"saved_games {game_id}"}
    before = (place / "results.sqlite").read_bytes()
    code, _, err = run(capsys, "check")
    assert code == 1
    assert {line.removeprefix("damaged: ").partition(":")[0] for line in err.splitlines()[:-1]} == named
    assert (place / "results.sqlite").read_bytes() == before
    code, out, _ = run(capsys, "repair")
    first, *rest = out.splitlines()
    (aside,) = (place / "damaged").iterdir()
    assert (code, first) == (0, f"database: written anew; the file as it was is kept in {aside}")
    assert (aside / "results.sqlite").read_bytes() == before
    assert set(rest) == {f"{name}: set aside, and asked again when it is wanted" for name in named}
    found = json.loads(run(capsys, "check", "--json")[1])
    assert found["damaged"] == []
    assert {part["name"]: part["set_aside"] for part in found["parts"] if part["set_aside"]} == {
        "games": 2,
        "runs": 1,
        "saved_games": 1,
    }
    with Store.open(str(place)) as store:
        assert run_id not in {info.id for info in store.runs()}
        assert len(store.saved_games.list()) == 2
    again, said = command(place, *MATCH, "-n", "40")
    assert (again["total"], said) == (expected, "")


def test_a_damaged_game_is_named_by_the_match_that_wants_it(place: Path) -> None:
    expected = command(place, *MATCH, "-n", "40")[0]["total"]
    change(place, "UPDATE games SET ending = 'draw', moves = '[]'")
    again, said = command(place, *MATCH, "-n", "40")
    assert again["total"] == expected
    first, *_, last = said.splitlines()
    assert first.startswith("damaged in the store, set aside and asked again: games playthrough ")
    assert (len(said.splitlines()), last) == (11, "and 10 more")


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(6))
def test_pages_that_cannot_be_read_cost_no_more_than_their_rows(
    place: Path, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    command(place, *MATCH, "-n", "300")
    expected = command(place, *MATCH, "-n", "300")[0]["total"]
    file = place / "results.sqlite"
    content, rng = bytearray(file.read_bytes()), random.Random(seed)
    page = 4096 * rng.randrange(1, len(content) // 4096)
    content[page : page + 4096] = rng.randbytes(4096)
    file.write_bytes(content)
    assert run(capsys, "check")[0] == 1
    assert run(capsys, "repair")[0] == 0
    assert run(capsys, "check")[0] == 0
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT count(*) FROM games").fetchone()[0] > 100 or page < 4096 * 16
    assert command(place, *MATCH, "-n", "300")[0]["total"] == expected


def test_a_store_in_use_is_not_repaired(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Store.open(str(place)) as store:
        store.runs()
        change(place, "UPDATE games SET moves = '[]'")
        code, _, err = run(capsys, "repair")
    assert (code, err) == (
        2,
        f"error: {place / 'results.sqlite'} is in use: stop every noughts that uses it, and try again\n",
    )


def resumed(place: Path, iterations: int) -> RunFolder:
    run = RunFolder.open(training_folder(str(place)) / "toy")
    config = ToyConfig(schedule=Schedule(**SCHEDULE | {"iterations": iterations}))
    list(train(Toy(config), run, config.schedule, float))
    return run


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("damaged", "said"),
    [
        (["status.json"], "status.json: set aside, and written anew from the last checkpoint"),
        (["checkpoints/00000006/hash"], "training goes on from the one before"),
        (
            ["weights/00000006/weights.safetensors"],
            "those of a last checkpoint are made again by `noughts runs resume`",
        ),
        (["metrics.jsonl"], "what it said in the lines that are damaged or missing is lost; the others are kept"),
        (["status.json", "metrics.jsonl", "weights/00000006/manifest.json"], "written anew from the last checkpoint"),
    ],
)
def test_a_damaged_training_goes_on(
    place: Path, damaged: Sequence[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = training_folder(str(place)) / "toy"
    expected = outcome(RunFolder.open(folder))
    for name in damaged:
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content[:9] + bytes([content[9] ^ 1]) + content[10:])
    code, _, err = run(capsys, "check")
    assert code == 1
    assert err.count("damaged: training run toy: ") >= 1
    code, out, _ = run(capsys, "repair")
    assert code == 0
    assert said in out
    assert run(capsys, "check")[0] == 0
    lines, *after = outcome(resumed(place, 6))
    assert tuple(after) == expected[1:]
    lost = 1 if "metrics.jsonl" in damaged else 0
    assert sorted(lines, key=str) == sorted(expected[0][lost:], key=str)
    assert list((place / "damaged").rglob(Path(damaged[0]).name))


def test_a_run_that_nobody_can_read_is_set_aside_whole(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = training_folder(str(place)) / "toy"
    (folder / "run.json").write_text("{")
    assert run(capsys, "check")[0] == 1
    code, out, _ = run(capsys, "repair", "--json")
    (line,) = json.loads(out)["mended"]
    assert code == 0
    assert line.endswith("train it again")
    assert not folder.exists()
    assert len(list((place / "damaged").glob("*/toy/weights/*"))) == 3
    assert run(capsys, "check")[0] == 0
