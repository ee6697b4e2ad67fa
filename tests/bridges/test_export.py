"""Exported games are read back as the same games, by noughts or by other libraries."""

import io
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import numpy as np
import pyspiel
import pytest
from pyarrow import parquet

import noughts.bridges.openspiel  # noqa: F401 - registers our game
from noughts.bridges.dataset import NO_MOVE, NOT_LEGAL, write_dataset
from noughts.bridges.formats import (
    FORMS,
    content_of,
    form_of,
    read_games,
    read_json_lines,
    write_action_lists,
    write_json_lines,
    write_parquet,
)
from noughts.bridges.found import Wanted, find_runs, games_of, note_on_versions
from noughts.bridges.positions import by_rules, positions_of, write_positions
from noughts.bridges.rows import game_of, row_of
from noughts.play.playthrough import replay
from noughts.positions import Position, Side
from noughts.rules import Rules, RulesError, StoreError, parse_rules
from noughts.solvers.solution import Solution
from noughts.solvers.solve import Truth
from noughts.store.files import write_atomically
from noughts.store.records import GameRecord, StoredGame
from noughts.store.results import Store
from tests.questions.asking import asked, match
from tests.rules.one_field import PAIRS

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "reference" / "games.schema.json").read_text())

TASKS = ("tic-tac-toe", "bttt(D4)", "notakto(3,boards=2)", "misere-tic-tac-toe", "mnk(2,3,2,marks=shared,full=second)")


@cache
def games(task: str, count: int = 6) -> tuple[GameRecord, ...]:
    """Random games with an opening."""
    played = match("random", "mc:sims=2", count, task, opening_plies=1, seed=5)
    return tuple(played.records(asked([played])))


def odd_games() -> list[GameRecord]:
    """Games with every oddity that a record may have: huge seeds, quotes, an error."""
    first = games("tic-tac-toe")[0]
    odd = {"first": 'process:sh -c "a  \\b" [x]', "second": "python:a.py:Ü\u2028", "seed": 2**64 - 1}
    broken = {"moves": (4, 0), "ending": "error", "error": 'ValueError: "no" \\ [Result "1-0"]', "culprit": "second"}
    return [
        first.model_copy(update=odd | {"seconds_first": 1 / 3, "seconds_second": 1e-9}),
        GameRecord(**first.model_dump() | odd | broken),
        GameRecord(**first.model_dump() | broken | {"moves": (), "opening": 0, "culprit": "", "seed": -3}),
    ]


@cache
def tic_tac_toe_truth() -> dict[Position, Solution]:
    truth = Truth(parse_rules("tic-tac-toe"))
    return {position: truth.solve(position) for position in positions_of(games("tic-tac-toe"))}


def kept_games(version: str) -> list[StoredGame]:
    return [
        StoredGame(**record.model_dump() | {"run_id": "20261123-120000-00000000", "basis": version})
        for record in games("tic-tac-toe")
    ]


def all_games() -> list[GameRecord]:
    """Games of all tasks and rules, odd ones, and those with a known run and version."""
    unplayed = odd_games()[2].model_dump()
    return [
        *(record for task in TASKS for record in games(task)),
        *odd_games(),
        *(GameRecord(**unplayed | {"rules": str(rules)}) for pair in PAIRS.values() for rules in pair),
        *kept_games("one"),
        *kept_games("two"),
    ]


@pytest.mark.heavy
@pytest.mark.parametrize("form", ["games", "csv", "pgn"])
def test_games_are_read_back(form: str, tmp_path: Path) -> None:
    records = all_games()
    path = tmp_path / f"games{FORMS[form].suffix}"
    write_atomically(path, content_of(form, records, {}))
    assert read_games(path) == records
    path.write_bytes(b"\xff")
    with pytest.raises(StoreError, match=r"games\.\w+: "):
        read_games(path)


def test_parquet_has_a_row_for_each_game() -> None:
    rows = parquet.read_table(io.BytesIO(write_parquet(all_games()))).to_pylist()
    assert [row.pop("version") for row in rows] == [1] * len(rows)
    assert rows == [row_of(record) for record in all_games()]
    assert [game_of(row) for row in rows] == all_games()


def test_the_schema_names_every_field_of_the_rules() -> None:
    said = SCHEMA["$defs"]["game"]["properties"]["game"]["description"]
    assert [field for field in Rules.model_fields if not re.search(rf"\b{field}\b", said)] == []


@pytest.mark.parametrize("task", TASKS)
def test_every_line_matches_the_schema(task: str) -> None:
    worth = tic_tac_toe_truth() if task == "tic-tac-toe" else {}
    texts = {
        "game": write_json_lines([*games(task), *odd_games()]),
        "position": write_positions(games(task), worth),
        "action_list": write_action_lists(games(task)),
    }
    for part, text in texts.items():
        schema = {"$defs": SCHEMA["$defs"], "$ref": f"#/$defs/{part}"}
        validator = jsonschema_rs.validator_for(schema)
        lines = [json.loads(line) for line in text.splitlines()]
        assert lines
        for line in lines:
            validator.validate(line)
        assert not validator.is_valid(lines[0] | {"rules": 5})


@pytest.mark.parametrize("task", [*TASKS, "mnk(4,5,3)", "mnk(3,4,3,line=loses)"])
def test_openspiel_plays_our_actions_to_the_same_returns(task: str) -> None:
    records = games(task)
    lines = [json.loads(line) for line in write_action_lists([*records, odd_games()[1]]).splitlines()]
    assert lines.pop()["returns"] == []  # a game that ended with an error
    assert [tuple(line["actions"]) for line in lines] == [record.moves for record in records]
    for line in lines:
        state = pyspiel.load_game(line["game"]).new_initial_state()
        for action in line["actions"]:
            state.apply_action(action)
        assert state.is_terminal()
        assert list(state.returns()) == line["returns"]


def test_a_line_that_is_no_game_is_refused() -> None:
    whole = json.loads(write_json_lines(games("tic-tac-toe")[:1]))
    for line, words in (
        ({}, ": rules, first, second, moves are missing"),
        ({"version": 2}, ": it is of version 2"),
        (5, " cannot be read"),
        *((whole | {"moves": moves}, "") for moves in (["A1", "A1"], ["Z9"], 5)),
        (whole | {"game": whole["game"] | {"k": 2}}, ": `game` is not tic-tac-toe, which `rules` names"),
    ):
        with pytest.raises(StoreError, match=f"line 1{words}"):
            read_json_lines(json.dumps(line))
    with pytest.raises(StoreError, match="line 1 cannot be read"):
        read_json_lines("[")


def lies() -> list[GameRecord]:
    """Game records with a field that contradicts their moves."""
    true = {"rules": "tic-tac-toe", "first": "ann", "second": "bob", "seed": 0, "moves": (0, 1, 3, 4, 6)}
    reason = {"error": "ValueError: no", "culprit": "second"}
    return [
        GameRecord(**true | {"ending": "second"}),
        GameRecord(**true | {"ending": "error"}),
        GameRecord(**true | {"ending": "first", "opening": 6}),
        GameRecord(**true | {"ending": "first", "opening": -1}),
        GameRecord(**true | {"ending": "draw", "moves": (0, 1, 3)}),
        GameRecord(**true | {"ending": "first"} | reason),
    ]


@pytest.mark.parametrize(("form", "number"), [*(("games", number) for number in range(6)), ("csv", 0), ("pgn", 0)])
def test_fields_that_contradict_the_moves_are_rejected(form: str, number: int, tmp_path: Path) -> None:
    path = tmp_path / f"lie{FORMS[form].suffix}"
    write_atomically(path, content_of(form, lies()[number : number + 1], {}))
    with pytest.raises(StoreError, match=r"(row|line|game) 1: (its moves|opening=)"):
        read_games(path)


def test_each_position_appears_once_with_all_moves_played_there() -> None:
    records = games("tic-tac-toe", 40)
    seen = positions_of(records)
    assert sum(played.total() for played, _ in seen.values()) == sum(len(record.moves) for record in records)
    _, endings = next(counts for position, counts in seen.items() if position.ply == 0)
    assert endings.total() == 40
    lines = [json.loads(line) for line in write_positions(records, {}).splitlines()]
    assert [sorted(one["played"].values()) for one in lines] == [sorted(played.values()) for played, _ in seen.values()]


def test_exact_values_are_written_with_their_positions() -> None:
    truth = tic_tac_toe_truth()
    lines = write_positions(games("tic-tac-toe"), truth).splitlines()
    for (position, worth), text in zip(truth.items(), lines, strict=True):
        line = json.loads(text)
        assert line["settled"]
        assert line["optimal"] == [position.rules.name_of(move) for move in worth.optimal]


@pytest.mark.parametrize("task", TASKS)
def test_a_dataset_has_its_games_and_their_steps(task: str) -> None:
    truth = tic_tac_toe_truth() if task == "tic-tac-toe" else {}
    records = [*games(task), *(kept_games("one") if truth else ())]
    with np.load(io.BytesIO(write_dataset([*records, odd_games()[1]], truth)), allow_pickle=False) as file:
        arrays: dict[str, Any] = {name: file[name] for name in file.files}
    assert json.loads(str(arrays["about"]))["version"] == 1
    for name in ("rules", "first", "second", "ending", "run_id", "basis", "opening"):
        assert arrays[name].tolist() == [getattr(record, name, "") for record in records]
    assert arrays["seed"].tolist() == [record.seed for record in records]
    assert arrays["seconds"].tolist() == [[record.seconds_first, record.seconds_second] for record in records]
    at = 0
    for number, record in enumerate(records):
        position = Position.start(replay(record)[0])
        for move in [*record.moves, NO_MOVE]:
            assert bytes(arrays["observation"][at]) == position.cells
            assert arrays["action"][at] == move
            assert (arrays["episode"][at], arrays["ply"][at]) == (number, position.ply)
            assert (arrays["is_first"][at], arrays["to_move"][at]) == (position.ply == 0, position.to_move)
            assert tuple(np.flatnonzero(arrays["legal"][at])) == position.legal_moves
            assert (arrays["move_low"][at] == NOT_LEGAL).tolist() == (~arrays["legal"][at]).tolist()
            over = position.is_over
            assert (arrays["is_last"][at], arrays["is_terminal"][at], arrays["discount"][at]) == (over, over, not over)
            if move != NO_MOVE:
                known = truth.get(position) or by_rules(position)
                assert tuple(np.flatnonzero(arrays["optimal"][at])) == known.optimal
                position = position.play(move)
                ended = [position.outcome.value(side) if position.is_over else 0 for side in Side]
                assert arrays["reward"][at].tolist() == ended
            else:
                assert arrays["value_low"][at] == arrays["value_high"][at] == position.outcome.value(position.to_move)
            at += 1
    assert at == len(arrays["ply"])


def test_impossible_datasets_are_rejected() -> None:
    with pytest.raises(RulesError, match="share one board size"):
        write_dataset([*games("tic-tac-toe"), *games("bttt(D4)")], {})
    with pytest.raises(StoreError, match="no game was played to its end"):
        write_dataset(odd_games()[1:], {})
    with pytest.raises(StoreError, match="its moves do not end the game"):
        write_dataset(lies()[4:5], {})


def test_formats_are_recognised_by_file_name(tmp_path: Path) -> None:
    for name, form in FORMS.items():
        if form.write is not None:
            assert form_of(name, tmp_path / "x") == name
            assert FORMS[form_of(None, tmp_path / f"x{form.suffix}")].suffix == form.suffix
    with pytest.raises(StoreError, match=r"the form of .* is unknown"):
        form_of(None, tmp_path / "games")
    with pytest.raises(StoreError, match="unknown form 'pdf'"):
        form_of("pdf", tmp_path / "games")


def test_games_of_several_versions_are_reported() -> None:
    assert note_on_versions([*kept_games("one"), *games("tic-tac-toe")]) == ""
    said = note_on_versions([*kept_games("one"), *kept_games("two")])
    assert "on tic-tac-toe are of 2 versions" in said
    assert "`basis`" in said


def test_a_run_includes_games_that_earlier_runs_saved(tmp_path: Path) -> None:
    store = Store.open(str(tmp_path / "store"))

    for count, seed in ((4, 1), (10, 1), (3, 2)):
        played = match("random", games=count, seed=seed)
        with store.begin("match", "random - random", {"question": played.model_dump(mode="json")}, seed) as run:
            asked([played], run)
            run.finish("{}")
    infos = store.runs("match")
    assert [store.game_counts()[info.id] for info in infos] == [4, 6, 3]
    assert [len(games_of(store, info.id)) for info in infos] == [4, 10, 3]
    assert games_of(store, infos[1].id)[:4] == games_of(store, infos[0].id)
    assert len(games_of(store, "match")) == 3
    assert len(games_of(store, "all")) == 13
    with pytest.raises(StoreError, match="unknown run, kind of run, study or file 'nothing'"):
        games_of(store, "nothing")


@pytest.mark.parametrize("field", PAIRS)
def test_a_run_without_games_is_found_by_its_rules(tmp_path: Path, field: str) -> None:
    store = Store.open(str(tmp_path / "store"))
    ids = []
    for rules in PAIRS[field]:
        with store.begin("solution", "a value", {"question": rules.model_dump(mode="json")}, 0) as run:
            run.finish("{}")
        ids.append(run.id)
    found = [[one.id for one in find_runs(store, Wanted(rules=str(rules)))] for rules in PAIRS[field]]
    assert found == [[id] for id in ids]
