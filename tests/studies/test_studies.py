"""Studies: their questions are reproducible, and their conclusions match the answers."""

import hashlib
import json
import re
from functools import lru_cache
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from noughts.agents import parse_agent
from noughts.machine.dependencies import Dependencies
from noughts.questions.answers import Answers
from noughts.questions.played import Playthrough
from noughts.questions.question import Question, kept_questions
from noughts.questions.timed import Timed
from noughts.questions.trained import Training
from noughts.questions.walked import Walked
from noughts.rules import AgentError, NoughtsError, parse_rules
from noughts.rules.value import Value
from noughts.store.records import Ending, GameRecord
from noughts.studies import mcts_perfect
from noughts.studies.bttt_tournament import ended_full
from noughts.studies.checkpoints import read_settings
from noughts.studies.registry import STUDIES, all_studies, find_study
from noughts.studies.study import SCALES, Settings, check_scale, sizes
from tests.studies.fabricated import record, row, walked

D4 = parse_rules("bttt(D4)")
FIRST_WINS = tuple(map(D4.cell_of, ("A1", "B1", "A2", "B2", "A3", "B3", "A4")))
SECOND_WINS = tuple(map(D4.cell_of, ("A1", "B1", "A2", "B2", "A3", "B3", "C1", "B4")))
UNTRAINED = ("bttt-tournament", "betazero-adversaries", "mcts-perfect")
TAKE_GUESTS = (*UNTRAINED, "is-minimax-perfect")
GUEST = "python:tests.agents.players:First"


@lru_cache(maxsize=3)
def questions_of(name: str, scale: str) -> tuple[Question[Any], ...]:
    return tuple(find_study(name).questions(Settings(scale=scale)))


def units_of(questions: tuple[Question[Any], ...]) -> dict[str, Question[Any]]:
    return {unit.key: unit for unit in kept_questions(questions)}


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_has_its_listed_name_and_a_description(name: str) -> None:
    study = find_study(name)
    assert study.name == name
    assert study.deviations
    assert study.question.endswith("?")


@pytest.mark.heavy
@pytest.mark.parametrize("name", STUDIES)
@pytest.mark.parametrize("scale", SCALES)
def test_equal_settings_make_equal_questions_and_none_twice(name: str, scale: str) -> None:
    study = find_study(name)
    check_scale(study, scale)
    keys = [question.key for question in questions_of(name, scale)]
    assert len(set(keys)) == len(keys) > 0
    if scale != "paper":
        assert keys == [question.key for question in study.questions(Settings(scale=scale))]


@pytest.mark.heavy
@pytest.mark.parametrize("name", UNTRAINED)
def test_games_and_walks_of_quick_are_part_of_a_larger_scale(name: str) -> None:
    quick, laptop = (
        {key for key, unit in units_of(questions_of(name, scale)).items() if not isinstance(unit, Timed)}
        for scale in ("quick", "laptop")
    )
    assert quick
    assert quick <= laptop


@pytest.mark.parametrize("name", STUDIES)
def test_game_seeds_depend_on_the_studys_seed_not_on_training_code(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(seed: int) -> tuple[list[int], set[str]]:
        units = kept_questions(find_study(name).questions(Settings(seed=seed)))
        seeds = [unit.seed for unit in units if isinstance(unit, Playthrough)]
        return seeds, {unit.name for unit in units if isinstance(unit, Training)}

    (seeds, trainings), (others, _) = asked(0), asked(1)
    assert not set(seeds) & set(others)
    another = Dependencies((("method", "another"),))
    monkeypatch.setattr("noughts.training.registry.depends_on", lambda *_: another)
    seeds_then, trainings_then = asked(0)
    assert seeds_then == seeds
    assert not trainings_then & trainings


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("name", "scale"),
    [*product(STUDIES, ("quick", "laptop")), ("betazero-evolution", "paper"), ("evolution-elsewhere", "paper")],
)
def test_weights_are_saved_wherever_a_question_needs_them(name: str, scale: str) -> None:
    units = kept_questions(questions_of(name, scale))
    schedules = {unit.name: unit.settings.schedule for unit in units if isinstance(unit, Training)}
    for run, _, at in {agent.target.partition("@") for unit in units for agent in unit.agents()}:
        schedule = schedules.get(run)
        if schedule is not None and at.endswith("p"):
            assert int(at[:-1]) in schedule.measure_at_positions
        elif schedule is not None and int(at) != schedule.iterations:
            assert schedule.measure_iterations
            assert int(at) % schedule.measure_iterations == 0


def test_frozen_settings_are_files_whose_hash_the_page_names() -> None:
    for name in ("certified-generalisation", "why-it-generalises"):
        file = f"{name.replace('-', '_')}.json"
        content = files("noughts.studies").joinpath(file).read_bytes()
        assert find_study(name).frozen == {f"studies/{file}": hashlib.sha256(content).hexdigest()}


@pytest.mark.parametrize("name", ["certified_generalisation", "why_it_generalises"])
def test_frozen_settings_have_no_misspelt_field(name: str) -> None:
    columns = re.findall(r"^ {8,}(.+?)  ", read_settings.__doc__ or "", re.MULTILINE)
    settings = json.loads(files("noughts.studies").joinpath(f"{name}.json").read_bytes())
    parts = (settings, *settings["scales"].values(), *settings.get("variants", {}).values())
    assert {field for part in parts for field in part} <= set(re.findall(r"\w+", " ".join(columns)))


@pytest.mark.parametrize("name", UNTRAINED)
def test_games_of_all_matches_are_played_in_equal_numbers(name: str) -> None:
    games = [question for question in questions_of(name, "quick") if isinstance(question, Playthrough)]
    pairs = {(game.rules, *sorted(map(str, game.agents()))) for game in games}
    begun = {(game.rules, *sorted(map(str, game.agents()))) for game in games[: 2 * len(pairs)]}
    assert begun == pairs


@pytest.mark.parametrize("name", STUDIES)
def test_without_answers_nothing_is_concluded(name: str) -> None:
    conclusion = find_study(name).conclude(Settings("laptop"), Answers())
    assert conclusion.findings == ()
    assert all(row.verdict == "no claim" and row.ours == "" for table in conclusion.tables for row in table.rows)


def test_studies_that_train_or_solve_reject_guests() -> None:
    assert {name for name, study in all_studies().items() if study.takes_guests} == set(TAKE_GUESTS)


@pytest.mark.parametrize("name", TAKE_GUESTS)
def test_a_guest_joins_the_line_up(name: str) -> None:
    study, settings = find_study(name), Settings(agents=(GUEST,))
    alone = units_of(tuple(study.questions(Settings())))
    with_guest = units_of(tuple(study.questions(settings)))
    assert alone.keys() < with_guest.keys()
    assert all(GUEST in map(str, unit.agents()) for key, unit in with_guest.items() if key not in alone)
    conclusion = study.conclude(settings, Answers())
    assert any(GUEST in table.title or GUEST in row.labels for table in conclusion.tables for row in table.rows)


@pytest.mark.parametrize("name", TAKE_GUESTS)
def test_a_guest_that_is_named_twice_or_in_the_line_up_is_refused(name: str) -> None:
    member = "mcts:c=1,sims=1000" if name in UNTRAINED else "minimax:depth=2"
    for agents in ((GUEST, GUEST), (member,)):
        refused = re.escape(f"agent '{parse_agent(agents[0])}' is in the study already: name only others")
        with pytest.raises(AgentError, match=refused):
            find_study(name).questions(Settings(agents=agents))


def test_unknown_studies_and_scales_list_the_known_ones() -> None:
    with pytest.raises(NoughtsError, match=r"unknown study 'bttt'.*bttt-tournament"):
        find_study("bttt")
    with pytest.raises(NoughtsError, match=r"mcts-perfect has no scale 'huge'.*laptop, paper, quick"):
        check_scale(find_study("mcts-perfect"), "huge")


@pytest.mark.parametrize("name", STUDIES)
def test_the_stated_duration_of_quick_matches_the_measured_one(name: str) -> None:
    said = re.search(r"about (a|\d+) minutes? on two cores", find_study(name).scales["quick"])
    assert said is not None
    minutes = 1 if said[1] == "a" else int(said[1])
    findings = (Path(__file__).parents[2] / "docs" / "findings.md").read_text(encoding="utf-8")
    measured = re.search(rf"^\| `{name}` .*\[`quick`\]\([^)]*\): (\d+) min (\d+) s(?! \(plus)", findings, re.MULTILINE)
    if measured is not None:
        assert abs(int(measured[1]) + int(measured[2]) / 60 - minutes) <= 0.5


def test_sizes_have_a_value_per_scale() -> None:
    found = sizes(games=(10, 20, 30), seeds=(1, 2, 3))
    assert [(size.games, size.seeds) for size in map(found.get, SCALES) if size] == [(10, 1), (20, 2), (30, 3)]
    with pytest.raises(ValueError, match="argument"):
        sizes(games=(10, 20))


def games_of(name: str, first: str, second: str, scale: str = "quick") -> list[Playthrough]:
    games = (question for question in questions_of(name, scale) if isinstance(question, Playthrough))
    return [game for game in games if (str(game.first), str(game.second)) == (first, second)]


def knowing(*found: tuple[Question[Any], Value]) -> Answers:
    answers = Answers()
    answers.keep(found)
    return answers


def test_tournament_reads_off_wins_refutations_repeats_and_full_boards() -> None:
    name = "bttt-tournament"
    wins = [game for game in games_of(name, "minimax:depth=2", "mcts:sims=1000") if game.rules == D4]
    lost = next(game for game in games_of(name, "mcts:sims=1000", "random") if game.rules == D4)
    answers = knowing(
        *((game, record(game, "first", FIRST_WINS)) for game in wins),
        (lost, record(lost, "second", SECOND_WINS)),
    )
    conclusion = find_study(name).conclude(Settings(), answers)
    won = row(conclusion, "Minimax", "MCTS 1000", "D4")
    assert (won.ours, won.value, won.verdict) == (f"{len(wins)} - 0", 100.0, "not distinguishable")
    assert (won.count, won.distinct) == (len(wins), 1)
    refuted = row(conclusion, "MCTS 1000", "Random", "D4")
    assert (refuted.ours, refuted.verdict) == ("0 - 1", "refuted")
    assert any("0 of 31 games ended on a full board" in finding for finding in conclusion.findings)
    untouched = row(conclusion, "MCTS 1000", "MCTS 1000", "E5")
    assert (untouched.paper, untouched.ours, untouched.verdict) == ("70 - 30", "", "no claim")


@pytest.mark.parametrize(
    ("opponent", "ending", "moves", "figure"),
    [
        ("mcts:sims=1000", "second", SECOND_WINS, "minimax-loses"),
        ("mcts:sims=10000", "first", FIRST_WINS, "minimax-wins"),
    ],
)
def test_tournament_shows_a_game_of_minimax(opponent: str, ending: Ending, moves: tuple[int, ...], figure: str) -> None:
    game = games_of("bttt-tournament", "minimax:depth=2", opponent)[0]
    conclusion = find_study("bttt-tournament").conclude(Settings(), knowing((game, record(game, ending, moves))))
    assert [shown.name for shown in conclusion.figures] == [figure]
    assert opponent in conclusion.figures[-1].title


def test_a_full_board_is_distinguished_from_a_line_on_the_last_cell() -> None:
    full, line = parse_rules("mnk(1,4,3,full=second)"), parse_rules("mnk(1,3,2)")
    record = GameRecord(rules="", first="a", second="b", seed=0, moves=(0, 1, 2, 3), ending="second")
    assert ended_full(full, record)
    assert not ended_full(full, record.model_copy(update={"moves": (0, 1), "ending": "error"}))
    assert not ended_full(line, record.model_copy(update={"moves": (0, 2, 1), "ending": "first"}))


def test_adversaries_are_scored_from_their_own_side() -> None:
    name, exact = "betazero-adversaries", "minimax:depth=9,eval=none"
    begins, follows = games_of(name, "mc:sims=1", exact)[0], games_of(name, exact, "mc:sims=1")[0]
    assert begins.seed == follows.seed
    lost = ((begins, record(begins, "second")), (follows, record(follows, "first")))
    found = row(find_study(name).conclude(Settings(), knowing(*lost)), "nPlay = 1")
    assert (found.ours, found.count) == ("0.0 / 100.0", 2)


def test_a_lost_game_refutes_but_a_loss_to_a_clairvoyant_does_not() -> None:
    asked = questions_of("mcts-perfect", "quick")
    claimed = [walk for walk in asked if isinstance(walk, Walked) and "sims=750," in str(walk.agent)]
    bad = next(walk.instance for walk in claimed if "pick=value" in str(walk.agent))
    played = [unit for unit in asked if isinstance(unit, Playthrough) and "sims=750," in f"{unit.first} {unit.second}"]
    lost = next(unit for unit in played if "pick=value" in str(unit.first))
    games = [(unit, record(unit, "second" if unit == lost else "draw")) for unit in played]
    walks = [
        (unit, walked((0, 4, 1, 2, 3, 6) if walk.instance == bad else None))
        for walk in claimed
        for unit in walk.needs()
    ]
    conclusion = find_study("mcts-perfect").conclude(Settings(), knowing(*games, *walks))
    claimed_of = {search: row(conclusion, search, table="The claim") for search in mcts_perfect.SEARCHES}
    refuted = claimed_of["best value, c = sqrt(2)"]
    assert (refuted.ours, refuted.verdict) == ("49 of 50 not lost", "refuted")
    assert claimed_of["most visits, c = sqrt(2)"].verdict == "not distinguishable"
    beaten = row(conclusion, "750", table="MCTS, best value, c = sqrt(2)")
    instances = mcts_perfect.SCALES["quick"].instances
    assert (beaten.ours, beaten.verdict) == (f"{instances - 1} of {instances}", "no claim")
    assert beaten.note.startswith(f"2 of {instances * 2 + 2} games against every reply lost")
    assert [figure.name for figure in conclusion.figures] == ["unbeaten", "losses", "lost-game"]
    said = " ".join(conclusion.findings)
    assert "nothing of their seed: best value, c = sqrt(2): 49 of 50 not lost" in said
    copies = "Seeded copies of MCTS with best value, c = sqrt(2) that no reply beats, by iterations"
    assert f"{copies}: 750: {instances - 1} of {instances}" in said


def test_an_instance_with_one_side_walked_does_not_count_yet() -> None:
    walk, other = [question for question in questions_of("mcts-perfect", "quick") if isinstance(question, Walked)][:2]
    assert (walk.side, other.side, walk.instance) == ("first", "second", other.instance)
    answers = knowing(*((unit, walked()) for unit in walk.needs()))
    conclusion = find_study("mcts-perfect").conclude(Settings(), answers)
    assert all(row.ours == "" for table in conclusion.tables for row in table.rows)
