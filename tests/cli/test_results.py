"""`noughts results`: what is kept is found, shown, replayed and removed."""

import json
from pathlib import Path

import pytest

from noughts.reports.presenting.text import size_text
from noughts.store.results import Store
from tests.agents.runs import make_run, weights
from tests.cli.running import Run, Shown


@pytest.fixture
def matches(run: Run, shown: Shown) -> list[str]:
    """The ids of two matches."""
    for b, seed in (("random", "3"), ("minimax:depth=1", "4")):
        run("match", "mcts:sims=20", b, "-n", "4", "--seed", seed, "--opening", "1", "--workers", "0")
    return [found["id"] for found in shown("results", "list")]


def test_runs_are_listed_and_found(matches: list[str], run: Run, shown: Shown) -> None:
    assert len(matches) == 2
    code, out, _ = run("results", "list")
    assert code == 0
    assert all(id in out for id in matches)  # whole, also on a narrow terminal: it is what the other commands take
    assert [found["games"] for found in shown("results", "list", "--kind", "match")] == [4, 4]
    assert [found["id"] for found in shown("results", "list", "--agent", "minimax")] == matches[1:]
    assert [found["id"] for found in shown("results", "list", "--agent", "=minimax:depth=1")] == matches[1:]
    assert shown("results", "games", "all", "--agent", "=minimax:depth") == []
    assert len(shown("results", "games", "all", "--agent", "=minimax:depth=1")) == 4
    assert shown("results", "list", "--agent", "=minimax") == []
    assert shown("results", "list", "--kind", "study") == []
    assert "no saved result matches" in run("results", "list", "--agent", "nobody")[1]
    code, _, err = run("results", "list", "--kind", "matsch")
    assert (code, "did you mean 'match'" in err) == (2, True)


def test_where_nothing_is_found_it_is_said_what_there_is(run: Run) -> None:
    missing = "unknown run, kind of run or study 'gone'; "
    assert f"{missing}there are none\n" in run("results", "show", "gone")[2]
    for kind, name in (("sweep", "a sweep"), ("proof", "perfect"), ("study", "python:mine.py:Mine")):
        with Store.open() as store, store.begin(kind, name, {}, 0) as begun:  # type: ignore[arg-type]
            begun.finish("{}")
    code, _, err = run("results", "show", "gone")
    assert (code, f"{missing}choose from: proof, python:mine.py:Mine, study, sweep\n" in err) == (2, True)
    for word in ("proof", "python:mine.py:Mine", "study", "sweep"):
        assert run("results", "show", word)[0] == 0
    for words in (("games", "gone"), ("games", "gone", "--since", "2020-01-01"), ("replay", "gone")):
        code, _, err = run("results", *words)
        assert code == 2
        assert "study or file 'gone'; choose from: all, proof, python:mine.py:Mine, study, sweep\n" in err


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
def test_a_run_shows_what_its_command_showed(kind: str, words: list[str], run: Run) -> None:
    _, told, _ = run(*words, "--workers", "0")
    _, out, _ = run("results", "show", kind)
    assert told
    assert {line for line in told.splitlines() if not line.startswith("picture: ")} <= set(out.splitlines())
    assert '{"' not in out


def test_a_run_that_nobody_works_on_is_interrupted(run: Run, shown: Shown) -> None:
    with Store.open() as place, place.begin("match", "a - b", {"question": {}}, 0) as at_work:
        assert [each["state"] for each in shown("results", "list")] == ["running"]
    assert [each["state"] for each in shown("results", "list")] == ["interrupted"]
    assert "state     interrupted" in run("results", "show", at_work.info.id)[1]


def test_a_run_of_which_some_failed_says_how_many(run: Run, shown: Shown) -> None:
    with Store.open() as place:
        for name, result in (("one", '{"problems": ["a", "b"]}'), ("two", '[{"problems": ["c"]}, {}]'), ("all", "{}")):
            with place.begin("sweep", name, {}, 0) as at_work:
                at_work.finish(result)
    found = shown("results", "list")
    assert [(each["state"], each["failed"]) for each in found] == [("finished", 2), ("finished", 1), ("finished", 0)]
    _, out, _ = run("results", "list")
    assert [line.count("finished, ") for line in out.splitlines() if "sweep" in line] == [1, 1, 0]
    assert "finished, 2 failed" in out
    assert "state     finished, 2 failed" in run("results", "show", "one")[1]


def test_games_are_listed_by_what_is_wanted(matches: list[str], run: Run, shown: Shown) -> None:
    everything = shown("results", "games", matches[0])
    assert [game["number"] for game in everything] == [1, 2, 3, 4]
    for ending in ("first", "second", "draw"):
        found = shown("results", "games", matches[0], "--ending", ending)
        assert found == [game for game in everything if game["ending"] == ending]
    assert shown("results", "games", "all", "--agent", "minimax") == [
        game for game in shown("results", "games", "all") if "minimax" in game["first"] + game["second"]
    ]
    assert shown("results", "games", matches[0], "--rules", "bttt(*)") == []
    assert run("results", "games", matches[0], "--ending", "won")[0] == 2
    assert "tic-tac-toe" in run("results", "games", matches[0])[1]


def test_a_game_is_replayed_and_its_agents_play_it_again(
    matches: list[str], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _ = run("results", "replay", matches[0], "2", "--rerun")
    assert (code, "played again: the same" in out) == (0, True)
    code, _, err = run("results", "replay", matches[0], "9")
    assert (code, "has games 1 to 4" in err) == (2, True)
    from noughts.play import playthrough

    monkeypatch.setattr(playthrough, "choose", lambda agent, position, rng: position.legal_moves[-1])
    code, out, _ = run("results", "replay", matches[0], "2", "--rerun")
    assert (code, "played again it differs" in out) == (1, True)


def test_runs_are_found_by_rules_ending_study_and_day(matches: list[str], run: Run, shown: Shown) -> None:
    def found(*words: str) -> list[str]:
        return [run["id"] for run in shown("results", "list", *words)]

    assert found("--rules", "tic-tac-toe") == matches
    assert found("--rules", "bttt(*)") == []
    assert found("--agent", "mcts", "--rules", "tic-tac-toe") == matches
    for ending in ("first", "second", "draw", "error"):
        having = [id for id in matches if shown("results", "games", id, "--ending", ending)]
        assert found("--ending", ending) == having
    assert found("--study", "mcts-perfect") == []
    day = shown("results", "list")[0]["started"][:10]
    assert found("--since", day, "--until", day) == matches
    assert found("--since", "2999-01-01") == []
    assert found("--until", "1999-12-31") == []
    code, _, err = run("results", "list", "--since", "today")
    assert (code, "write one such as 2026-01-31" in err) == (2, True)


def test_games_are_found_by_the_day_of_their_run(matches: list[str], run: Run, tmp_path: Path, shown: Shown) -> None:
    day = shown("results", "list")[0]["started"][:10]
    assert len(shown("results", "games", "--since", day)) == 8
    assert shown("results", "games", "--until", "1999-12-31") == []
    assert shown("results", "games", "--study", "notakto") == []
    file = tmp_path / "games.jsonl"
    run("results", "export", "all", "--to", str(file))
    assert len(shown("results", "games", str(file), "--agent", "minimax")) == 4
    code, _, err = run("results", "games", str(file), "--since", day)
    assert (code, "does not record when" in err) == (2, True)


@pytest.mark.usefixtures("matches")
def test_games_are_exported_with_what_is_wanted_of_them(run: Run, tmp_path: Path, shown: Shown) -> None:
    file = tmp_path / "games.jsonl"
    words = ("--format", "games", "--to", str(file))
    code, _, err = run("results", "export", "all", "--agent", "minimax", *words)
    assert code == 0, err
    wanted = shown("results", "games", "all", "--agent", "minimax")
    again = shown("results", "games", str(file))
    assert [game | {"number": 0} for game in again] == [game | {"number": 0} for game in wanted]
    code, _, err = run("results", "export", "all", "--agent", "nobody", "--force", *words)
    assert (code, "has no such games" in err) == (2, True)


def test_all_games_of_a_run_are_replayed_and_played_again(
    matches: list[str], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "4 games replayed: 4 the same" in run("results", "replay", matches[0])[1]
    assert "4 games played again: 4 the same" in run("results", "replay", matches[1], "--rerun")[1]
    from noughts.play import playthrough

    monkeypatch.setattr(playthrough, "choose", lambda agent, position, rng: position.legal_moves[-1])
    code, out, _ = run("results", "replay", matches[0], "--rerun", "--json")
    found = json.loads(out)
    assert code == 1
    assert found["same"] + len(found["different"]) == found["games"] == 4
    assert "played again it differs" in found["different"][0]["how"]


def test_a_replay_says_that_an_agent_is_another_version_by_now(run: Run, tmp_path: Path, shown: Shown) -> None:
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


def test_what_is_on_the_disk_is_measured(matches: list[str], run: Run, shown: Shown) -> None:
    assert run("solve", "tic-tac-toe", "--workers", "0")[0] == 0
    with Store.open() as store:
        (store.folder / "pages").mkdir()
        (store.folder / "pages" / "page.html").write_text("0" * 100_000)
        least = (store.folder / "results.sqlite").stat().st_size
    found = shown("results", "usage")
    parts, held = found["parts"], {run["run"]: run for run in found["runs"]}
    (database,) = (part for part in parts if part["name"] == "database")
    assert {"name": "pages", "files": 1, "bytes": 100_000} in parts
    assert found["total_bytes"] == sum(part["bytes"] for part in parts)
    assert [held[id]["games"] for id in matches] == [4, 4]
    assert found["runs_total_bytes"] == sum(run["bytes"] for run in held.values())
    assert 0 < found["runs_total_bytes"] < database["bytes"]
    assert database["bytes"] >= least
    out = run("results", "usage")[1]
    assert "database" in out
    assert all(id in out for id in matches)
    disk, runs = (line.split() for line in out.splitlines() if "total" in line)
    assert disk == ["total", str(sum(part["files"] for part in parts)), *size_text(found["total_bytes"]).split()]
    answers = str(sum(run["answers"] for run in held.values()))
    assert answers != "0"
    assert runs == ["total", "3", "runs", "8", answers, *size_text(found["runs_total_bytes"]).split()]
    assert (size_text(812), size_text(3 * 1024 * 1024 + 400_000)) == ("812 B", "3.4 MiB")


def test_trainings_are_one_row_of_the_disk(matches: list[str], run: Run, shown: Shown) -> None:
    for name in ("one", "two"):
        make_run(name, {1: weights(1)})
    parts = shown("results", "usage")["parts"]
    of_one, of_two = (next(part for part in parts if part["name"] == f"training/{name}") for name in ("one", "two"))
    lines = [line.split() for line in run("results", "usage")[1].splitlines()]
    (row,) = (line for line in lines if "trainings:" in line)
    size = size_text(of_one["bytes"] + of_two["bytes"]).split()
    assert row == ["2", "trainings:", "see", "noughts", "runs", "list", str(of_one["files"] + of_two["files"]), *size]


def test_a_total_is_of_all_runs_though_the_largest_alone_are_shown(run: Run, shown: Shown) -> None:
    for number in range(22):
        with Store.open() as store, store.begin("match", f"match {number}", {"number": number}, 0) as begun:
            begun.finish("{}")
    size = size_text(shown("results", "usage")["runs_total_bytes"])
    out = run("results", "usage")[1]
    assert ["total", "22", "runs", "0", "0", *size.split()] in [line.split() for line in out.splitlines()]
    assert "2 more are in the total: --json has all" in out


def test_runs_are_removed_when_that_is_confirmed(
    matches: list[str], run: Run, monkeypatch: pytest.MonkeyPatch, shown: Shown
) -> None:
    assert run("results", "remove", matches[0], "no-such-run", "--yes")[0] == 2
    assert len(shown("results", "list")) == 2
    monkeypatch.setattr("typer.confirm", lambda *_, **__: False)
    assert run("results", "remove", matches[0])[0] == 0
    assert len(shown("results", "list")) == 2
    _, out, _ = run("results", "remove", "match", matches[1], "--yes")  # the latest match, twice
    assert out.splitlines() == [f"removed {matches[1]}: 4 games, 0 other answers"]
    assert [found["id"] for found in shown("results", "list")] == matches[:1]
    assert len(shown("results", "games", "all")) == 4


def test_games_of_which_nothing_was_found_are_counted(monkeypatch: pytest.MonkeyPatch, run: Run, shown: Shown) -> None:
    assert run("solve", "mnk(9,8,5)", "--workers", "0")[0] == 2
    assert run("solve", "tic-tac-toe", "--workers", "0")[0] == 0
    assert [(found["kind"], found["failed"]) for found in shown("results", "list")] == [
        ("solution", 1),
        ("solution", 0),
    ]
    monkeypatch.setenv("COLUMNS", "160")
    assert "finished, 1 failed" in run("results", "list")[1]


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
    """A study from a file, and the ids of two of its runs: the second found all its games kept."""
    file = tmp_path / "explore.py"
    file.write_text(STUDY)
    for seed in ("0", "3"):
        code, _, err = run("study", "run", f"python:{file}:Exploring", "--seed", seed, "--workers", "0")
        assert code == 0, err
    found = shown("results", "list")
    assert [each["games"] for each in found] == [4, 0]
    return found[0]["name"], [each["id"] for each in found]


def test_runs_of_a_study_are_told_apart(
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
    assert "quick, seed 3" in " ".join(run("results", "usage")[1].split())


def test_a_study_that_is_not_finished_has_no_page(run: Run) -> None:
    with Store.open() as place, place.begin("study", "notakto", {"scale": "quick", "agents": []}, 0) as begun:
        pass
    assert "its page" not in run("results", "show", begun.id)[1]


def test_a_study_is_found_by_the_games_that_were_played_in_it(studied: tuple[str, list[str]], shown: Shown) -> None:
    """The other one found all its games kept; the study itself is not loaded."""
    name, ids = studied

    def found(*words: str) -> list[str]:
        return [each["id"] for each in shown("results", "list", *words)]

    Path(name.split(":")[1]).unlink()
    assert found("--agent", "mcts", "--rules", "tic-tac-toe") == ids[:1]
    assert found("--rules", "mnk(3,3,2)", "--agent", "random", "--kind", "study") == ids[:1]
    assert found("--agent", "mcts", "--rules", "mnk(3,3,2)") == []  # no game was played so
    assert found("--agent", "mcts", "--kind", "match") == []
    assert found("--study", name) == ids
