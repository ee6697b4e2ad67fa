"""Running a study: a finished one is found, and rewritten. Tests of questions check that nothing runs twice."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from noughts.document.result import StudyResult, Table
from noughts.library.studies import study
from noughts.questions.answers import Answers
from noughts.questions.played import Played
from noughts.questions.question import Question
from noughts.questions.trained import REUSED
from noughts.rules import NoughtsError
from noughts.store.results import RunInfo, Store
from noughts.studies import betazero_adversaries
from noughts.studies.claims import rate_row
from noughts.studies.registry import find_study
from noughts.studies.run import about_run, conclude_again, repeat_command, study_result
from noughts.studies.study import Conclusion, Settings, Study
from tests.questions import asking
from tests.studies.test_sweep_document import SWEPT

GAMES = 40
DIARY = "python:tests.agents.deciders:Diary"
SMALL, OF_GAMES, REWORDED = (f"python:tests.library.test_studies:{name}" for name in ("Small", "OfGames", "Reworded"))


class Small(Study):
    """Games of an agent that writes down each position it is asked about."""

    title = "A small study"
    question = "Does it go on?"
    paper = "None"
    deviations = ()
    scales = {"quick": "a few games", "laptop": "more of them"}

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        return [match(settings)]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        score = answers[match(settings)].total
        row = rate_row(("games",), score.wins, score.games, ours=str(score))
        return Conclusion((Table(title="Games", label_columns=("What",), unit="percent", rows=(row,)),), (), ())


class OfGames(Small):
    takes_guests = False


class Reworded(Small):
    title = "A small study, said better"


def match(settings: Settings) -> Played:
    games = GAMES if settings.scale == "quick" else 2 * GAMES
    return asking.match(DIARY, games=games, seed=settings.seed)


@pytest.fixture
def diary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DIARY", str(tmp_path / "diary"))
    return tmp_path / "diary"


class Finished(NamedTuple):
    """A finished run in its store."""

    store: Store
    info: RunInfo
    result: StudyResult
    diary: Path


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Finished]:
    folder = tmp_path_factory.mktemp("finished")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DIARY", str(folder / "diary"))
        patch.setenv("NOUGHTS_STORE", str(folder / "store"))
        result, store = study(SMALL, seed=7, workers=0), Store.open()
        (info,) = store.runs()
        yield Finished(store, info, result, folder / "diary")


@pytest.mark.heavy
def test_a_paper_s_study_runs_from_its_questions_to_its_verdicts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scale quick of one study, with the smallest budget of each adversary."""
    small = [one._replace(draws={1: one.draws[1]}) for one in betazero_adversaries.ADVERSARIES]
    monkeypatch.setattr(betazero_adversaries, "ADVERSARIES", tuple(small))
    result = study("betazero-adversaries", workers=0)
    rows = [row for table in result.tables for row in table.rows]
    assert [row.count for row in rows] == [2 * betazero_adversaries.ROUNDS["quick"]] * len(small)
    assert {row.verdict for row in rows if row.paper} <= {"agrees", "not distinguishable", "differs"}
    assert not result.problems
    with Store.open() as store:
        (info,) = store.runs("study")
        assert conclude_again(find_study(info.name), info, store).tables == result.tables


def test_a_finished_run_is_rewritten_from_its_answers(finished: Finished) -> None:
    store, info, result, diary = finished
    asked = diary.read_text()
    assert info.result is not None
    again = conclude_again(find_study(SMALL), info, store)
    assert StudyResult.from_json(info.result) == result == again.model_copy(update={"seconds": result.seconds})
    assert again.seconds == info.seconds >= result.seconds, "to write the page takes time, too"
    reworded = conclude_again(find_study(REWORDED), info, store)
    assert (reworded.title, reworded.tables) == (Reworded.title, again.tables)
    assert diary.read_text() == asked


def test_a_page_tells_of_reused_trainings_only_if_there_are_some(finished: Finished) -> None:
    about = about_run(finished.info) | {"taken_over": 0}
    asked: Sequence[Sequence[Question[Any]]] = ([match(Settings())], [match(Settings()), asking.evolved()], [SWEPT])
    small = find_study(SMALL)
    told = [study_result(small, Settings(), some, Answers(), False, **about).deviations for some in asked]
    assert told == [(), (REUSED,), (REUSED,)]


def test_a_run_with_missing_answers_is_not_rewritten(finished: Finished) -> None:
    store, info, _, diary = finished
    asked = diary.read_text()
    larger = {**info.identity, "scale": "laptop"}
    with store.begin("study", SMALL, larger, 7) as run, pytest.raises(NoughtsError) as raised:
        conclude_again(find_study(SMALL), run.info, store)
    assert str(raised.value) == (
        f"{GAMES} of the {2 * GAMES} answers that {SMALL} needs now are missing, because its questions "
        f"or their code changed since run {run.id}. `noughts study run {SMALL} --scale laptop --seed 7` computes them; the run can "
        "still be shown as it was"
    )
    assert diary.read_text() == asked


def test_the_command_that_repeats_a_study_has_all_its_options() -> None:
    settings = Settings("laptop", 3, ("minimax:depth=2", "python:a b:C"), 2.0)
    small = find_study(SMALL)
    assert repeat_command(small, settings) == (
        f"noughts study run {SMALL} --scale laptop --seed 3 --agent minimax:depth=2 --agent 'python:a b:C' --move-seconds 2"
    )
    assert repeat_command(small, Settings()) == f"noughts study run {SMALL} --scale quick --seed 0"


def test_unknown_scales_and_unwanted_guests_are_rejected() -> None:
    with pytest.raises(NoughtsError, match=f"{SMALL} has no scale 'paper'"):
        study(SMALL, "paper")
    with pytest.raises(NoughtsError, match=f"{OF_GAMES} is about games and takes no agents: leave 'random' out"):
        study(OF_GAMES, agents=["random"])


def test_a_finished_study_is_found_and_not_run_again(diary: Path) -> None:
    result = study(SMALL, seed=7, workers=0)
    asked = diary.read_text()
    with Store.open() as store:
        (info,) = store.runs()
        assert study(SMALL, seed=7, workers=0) == result.model_copy(update={"seconds": info.seconds})
        assert diary.read_text() == asked
        study(SMALL, seed=8, workers=0)
        study(SMALL, "laptop", seed=7, workers=0)
        assert len(store.runs()) == 3


@pytest.mark.heavy
def test_a_finished_study_with_failed_games_is_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.library.test_studies.DIARY", asking.PLAYERS + "Raises")
    for runs in (1, 2):
        assert study(SMALL, workers=0).problems
        with Store.open() as store:
            assert len(store.runs()) == runs
