"""`noughts results`: saved results are found, shown, replayed and removed."""

from pathlib import Path

import pytest

from noughts.machine.memory import size_text
from noughts.store.results import Store
from tests.cli.running import Run, Shown, Told


@pytest.fixture
def matches(run: Run, shown: Shown) -> list[str]:
    """The ids of two matches."""
    for b, seed in (("random", "3"), ("minimax:depth=1", "4")):
        run("match", "mcts:sims=20", b, "-n", "4", "--seed", seed, "--opening", "1", "--workers", "0")
    return [found["id"] for found in shown("results", "list")]


def test_runs_are_listed_and_found(matches: list[str], run: Run, shown: Shown, told: Told) -> None:
    def found(*words: str) -> list[str]:
        return [each["id"] for each in shown("results", "list", *words)]

    out = told("results", "list")
    assert all(id in out for id in matches)  # complete even on a narrow terminal, because other commands take it
    wanted: dict[tuple[str, ...], list[str]] = {
        ("--kind", "match"): matches,
        ("--kind", "study"): [],
        ("--agent", "minimax"): matches[1:],
        ("--agent", "=minimax:depth=1"): matches[1:],
        ("--agent", "=minimax"): [],
        ("--rules", "bttt(*)"): [],
        ("--agent", "mcts", "--rules", "tic-tac-toe"): matches,
        ("--study", "mcts-perfect"): [],
    }
    for words, expected in wanted.items():
        assert found(*words) == expected, words
    for ending in ("first", "second", "draw", "error"):
        having = [id for id in matches if shown("results", "games", id, "--ending", ending)]
        assert found("--ending", ending) == having
    assert "no saved result matches" in run("results", "list", "--agent", "nobody")[1]
    assert "did you mean 'match'" in told("results", "list", "--kind", "matsch", code=2)


def test_an_empty_search_lists_what_there_is(run: Run, told: Told) -> None:
    missing = "unknown run, kind of run or study 'gone'; "
    assert f"{missing}there are none\n" in run("results", "show", "gone")[2]
    for kind, name in (("sweep", "a sweep"), ("proof", "perfect"), ("study", "python:mine.py:Mine")):
        with Store.open() as store, store.begin(kind, name, {}, 0) as begun:  # type: ignore[arg-type]
            begun.finish("{}")
    assert f"{missing}choose from: proof, python:mine.py:Mine, study, sweep\n" in told(
        "results", "show", "gone", code=2
    )
    for word in ("proof", "python:mine.py:Mine", "study", "sweep"):
        assert run("results", "show", word)[0] == 0
    said = "study or file 'gone'; choose from: all, proof, python:mine.py:Mine, study, sweep\n"
    for words in (("games", "gone"), ("games", "gone", "--study", "notakto"), ("replay", "gone")):
        assert said in told("results", *words, code=2)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("match", ["match", "random", "minimax:depth=1", "-n", "2"]),
        ("tournament", ["tournament", "random", "minimax:depth=1", "-n", "2"]),
        ("score", ["score", "minimax:depth=1", "--plies", "6"]),
        ("proof", ["prove", "minimax:depth=1,ties=first"]),
        ("solution", ["solve", "tic-tac-toe"]),
    ],
)
def test_a_run_shows_the_output_of_its_command(kind: str, words: list[str], run: Run) -> None:
    _, told, _ = run(*words, "--workers", "0")
    _, out, _ = run("results", "show", kind)
    assert told
    assert {line for line in told.splitlines() if not line.startswith("picture: ")} <= set(out.splitlines())
    assert '{"' not in out


def test_an_abandoned_run_is_interrupted_and_has_no_page(run: Run, shown: Shown) -> None:
    with Store.open() as place, place.begin("study", "notakto", {"scale": "quick", "agents": []}, 0) as at_work:
        assert [each["state"] for each in shown("results", "list")] == ["running"]
    assert [each["state"] for each in shown("results", "list")] == ["interrupted"]
    _, out, _ = run("results", "show", at_work.info.id)
    assert ("state     interrupted" in out, "its page" in out) == (True, False)


def test_games_are_filtered_listed_exported_and_converted(
    matches: list[str], run: Run, tmp_path: Path, shown: Shown, told: Told
) -> None:
    everything = shown("results", "games", matches[0])
    assert [game["number"] for game in everything] == [1, 2, 3, 4]
    for ending in ("first", "second", "draw"):
        found = shown("results", "games", matches[0], "--ending", ending)
        assert found == [game for game in everything if game["ending"] == ending]
    assert run("results", "games", matches[0], "--ending", "won")[0] == 2
    file = tmp_path / "games.jsonl"
    wanted = shown("results", "games", "all", "--agent", "minimax")
    assert wanted == [game for game in shown("results", "games", "all") if "minimax" in game["first"] + game["second"]]
    export = ("results", "export", "all", "--format", "games", "--to", file)
    assert run(*export, "--agent", "minimax")[0] == 0
    again = shown("results", "games", file)
    assert [game | {"number": 0} for game in again] == [game | {"number": 0} for game in wanted]
    counts: dict[tuple[str, ...], int] = {
        ("all", "--agent", "=minimax:depth=1"): 4,
        ("all", "--agent", "=minimax:depth"): 0,
        (matches[0], "--rules", "bttt(*)"): 0,
        ("--study", "notakto"): 0,
        (str(file), "--agent", "mcts"): 4,
        (str(file), "--agent", "random"): 0,
    }
    for words, count in counts.items():
        assert len(shown("results", "games", *words)) == count, words
    positions = tmp_path / "positions.jsonl"
    positions.write_text("to be written over")
    said = shown("export", file, "-f", "positions", "--to", positions, "--force", "--workers", "0")
    assert said["not_proved"] == 0
    assert said["positions"] == len(positions.read_text().splitlines()) > 4
    assert "has no such games" in told(*export, "--agent", "nobody", "--force", code=2)
    assert "does not record in which study" in told("results", "games", file, "--study", "notakto", code=2)


def test_games_are_replayed_and_can_be_played_again(
    matches: list[str], run: Run, shown: Shown, monkeypatch: pytest.MonkeyPatch, told: Told
) -> None:
    assert run("results", "replay", matches[0])[1] == "4 games replayed: each ends as its record states\n"
    assert shown("results", "replay", matches[0]) == {"games": 4}
    assert "4 games played again: 4 the same" in run("results", "replay", matches[1], "--rerun")[1]
    assert "played again: the same" in told("results", "replay", matches[0], "2", "--rerun")
    assert "has games 1 to 4" in told("results", "replay", matches[0], "9", code=2)
    monkeypatch.setattr("noughts.play.playthrough.choose", lambda agent, position, rng: position.legal_moves[-1])
    assert "played again it differs" in told("results", "replay", matches[0], "2", "--rerun", code=1)
    found = shown("results", "replay", matches[0], "--rerun", code=1)
    assert found["same"] + len(found["different"]) == found["games"] == 4
    assert "played again it differs" in found["different"][0]["how"]


def test_a_replay_reports_a_changed_agent(run: Run, tmp_path: Path, shown: Shown) -> None:
    file = tmp_path / "agent.py"
    file.write_text("class First:\n    def choose(self, position, rng):\n        return position.legal_moves[0]\n")
    code, _, err = run("match", f"python:{file}:First", "random", "-n", "4", "--workers", "0")
    assert code == 0, err
    assert shown("results", "replay", "match", "--rerun")["other_version"] == 0
    file.write_text(file.read_text() + "VERSION = 2\n")
    _, out, err = run("results", "replay", "match", "--rerun")
    assert "4 games played again: 4 the same" in out
    assert "4 of them were played by another version of their agents" in err
    assert shown("results", "replay", "match", "1", "--rerun")["other_version"]
    _, _, err = run("results", "replay", "match", "1", "--rerun")
    assert "it was played by another version of its agents: code, libraries or weights have changed since" in err


@pytest.mark.usefixtures("matches")
def test_disk_usage_is_measured(run: Run, shown: Shown) -> None:
    with Store.open() as store:
        (store.folder / "pages").mkdir()
        (store.folder / "pages" / "page.html").write_text("0" * 100_000)
    found = shown("results", "usage")
    parts = found["parts"]
    assert parts[0]["name"] == "database"
    assert parts[0]["bytes"] > 0
    assert {"name": "pages", "files": 1, "bytes": 100_000} in parts
    assert found["total_bytes"] == sum(part["bytes"] for part in parts)
    (total,) = (line.split() for line in run("results", "usage")[1].splitlines() if "total" in line)
    assert total == ["total", str(sum(part["files"] for part in parts)), *size_text(found["total_bytes"]).split()]
    assert (size_text(812), size_text(3 * 1024 * 1024 + 400_000)) == ("812 B", "3.4 MiB")


def test_removals_are_confirmed(matches: list[str], run: Run, monkeypatch: pytest.MonkeyPatch, shown: Shown) -> None:
    assert run("results", "remove", matches[0], "no-such-run", "--yes")[0] == 2
    assert len(shown("results", "list")) == 2
    monkeypatch.setattr("typer.confirm", lambda *_, **__: False)
    assert run("results", "remove", matches[0])[0] == 0
    assert len(shown("results", "list")) == 2
    _, out, _ = run("results", "remove", "match", matches[1], "--yes")  # the latest match, twice
    assert out.splitlines() == [f"removed {matches[1]}: 4 games, 0 other answers"]
    assert [found["id"] for found in shown("results", "list")] == matches[:1]
    assert len(shown("results", "games", "all")) == 4


STUDY = """
from noughts.agents import parse_agent
from noughts.questions.played import Played
from noughts.rules import parse_task
from noughts.studies import Conclusion, Study

class Exploring(Study):
    title = question = "Which is better?"
    takes_guests = False

    def questions(self, settings):
        a, b = (parse_agent(f"mcts:sims={sims}") for sims in (10, 20))
        return [
            Played(task=parse_task("tic-tac-toe"), a=a, b=b, games=2, moves_first="a"),
            Played(task=parse_task("mnk(3,3,2)"), a=parse_agent("random"), b=parse_agent("minimax:depth=1"), games=2, moves_first="a"),
        ]

    def conclude(self, settings, answers):
        return Conclusion((), (), ())
"""


@pytest.fixture
def studied(run: Run, tmp_path: Path, shown: Shown) -> tuple[str, list[str]]:
    """A study from a file, and the ids of two of its runs; the second reused all games."""
    file = tmp_path / "explore.py"
    file.write_text(STUDY)
    for seed in ("0", "3"):
        code, _, err = run("study", "run", f"python:{file}:Exploring", "--seed", seed, "--workers", "0")
        assert code == 0, err
    found = shown("results", "list")
    assert [each["games"] for each in found] == [4, 0]
    return found[0]["name"], [each["id"] for each in found]


def test_runs_of_a_study_are_distinguishable(
    studied: tuple[str, list[str]], run: Run, monkeypatch: pytest.MonkeyPatch, shown: Shown
) -> None:
    name, ids = studied
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = run("results", "list", "--study", name)
    assert (code, max(map(len, out.splitlines())) <= 80) == (0, True)
    told = " ".join(out.split())
    assert all(f"quick, seed {seed}" in told for seed in (0, 3))
    found = shown("results", "list", "--study", name)
    assert [(each["scale"], each["seed"]) for each in found] == [("quick", 0), ("quick", 3)]
    _, out, _ = run("results", "show", ids[0])
    assert "scale     quick\nseed      0\n" in out
    page = f"noughts study show {name} --run {ids[0]}"
    assert f"its page: {page}\n" in out
    assert run(*page.split()[1:])[0] == 0


def test_a_study_is_found_by_its_games(studied: tuple[str, list[str]], shown: Shown) -> None:
    """The other run reused all its games; the study itself is not loaded."""
    name, ids = studied

    def found(*words: str) -> list[str]:
        return [each["id"] for each in shown("results", "list", *words)]

    Path(name.split(":")[1]).unlink()
    assert found("--agent", "mcts", "--rules", "tic-tac-toe") == ids[:1]
    assert found("--rules", "mnk(3,3,2)", "--agent", "random", "--kind", "study") == ids[:1]
    assert found("--agent", "mcts", "--rules", "mnk(3,3,2)") == []  # no game was played with these
    assert found("--agent", "mcts", "--kind", "match") == []
    assert found("--study", name) == ids
