"""Carrying out questions: equal answers for any workers and interruptions, nothing twice, and separate failures."""

import itertools
import math
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from noughts.agents import parse_agent
from noughts.questions.answers import Answers
from noughts.questions.carry_out import carry_out
from noughts.questions.question import Question, agent_of
from noughts.rules import ComputeError, Value
from tests.messages import without_place
from tests.questions.asking import PLAYERS, TOGETHER, Memory, asked, match, some_steps
from tests.questions.units import Dying, Noting, Said, Story, TrainedWord, Word, Words, lines_of


def mixed(diary: str) -> list[Question[Said]]:
    story = Story(diary=diary, beginning=("once", "upon"), end=("ever", "after"))
    words = Words(diary=diary, words=tuple("abcdefgh"))
    return [words, story, Word(diary=diary, word="late", by_itself=True), Word(diary=diary, word="a")]


@pytest.mark.heavy
@pytest.mark.parametrize(("workers", "spread"), [(0, False), (0, True), (1, False), (2, True)])
def test_answers_are_equal_for_any_workers_spread_or_not(workers: int, spread: bool, diary: str) -> None:
    answers = Answers(Memory())
    questions = mixed(diary)
    steps = list(carry_out(questions, answers, workers, spread=spread))
    assert (steps[0].done, steps[-1].done, steps[-1].new, steps[-1].total) == (0, 10, 10, 10)
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    assert [str(answers[question]) for question in questions] == [
        *("word='a,b,c,d,e,f,g,h'", "word='once upon ever after'", "word='late'", "word='a'")
    ]
    assert sorted(lines_of(diary)) == sorted(["once", "upon", "ever", "after", "late", *"abcdefgh"])


@pytest.fixture
def each_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every answer is saved at once."""
    monkeypatch.setattr("noughts.questions.work._ACKNOWLEDGE_SECONDS", 0.0)


@pytest.mark.usefixtures("each_at_once")
@pytest.mark.parametrize("spread", [False, True])
def test_an_interrupted_session_resumes_and_computes_nothing_twice(spread: bool, diary: str) -> None:
    """Stopped one step later each time, until every answer is known."""
    whole = Memory()
    asked(mixed(diary), whole, 0, spread)
    before, memory, sittings = lines_of(diary), Memory(), 0
    Path(diary).unlink()
    while some_steps(mixed(diary), memory, sittings % 4 + 2, workers=0, spread=spread)[0].done != 10:
        sittings += 1
        assert sittings < 50
    assert sittings >= 4
    assert memory.everything == whole.everything
    assert memory.replaced == []
    assert sorted(lines_of(diary)) == sorted(before)


def test_answers_are_kept_when_a_session_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.questions.work._ACKNOWLEDGE_SECONDS", math.inf)  # only the first batch is due
    memory, played = Memory(), match("mcts:sims=50", games=24)
    steps = carry_out([played], Answers(memory), 0)
    next(steps)
    assert next(steps).done == 1
    steps.close()
    assert len(memory.records) == 1
    monkeypatch.setattr("noughts.questions.work._ACKNOWLEDGE_SECONDS", 0.0)
    taken = some_steps([played], memory, 4, workers=1)
    assert len(memory.records) >= taken[-1].done == taken[-1].new + 1 >= 3


def test_questions_that_differ_only_in_effort_share_answers_if_possible(diary: str) -> None:
    def words(*letters: int) -> list[Word]:
        return [Word(diary=diary, word="w", letters=count) for count in letters]

    memory, answers = Memory(), Answers()
    steps = list(carry_out(words(4, 2, 3, 4), answers, 0))
    assert (steps[-1].done, steps[-1].total) == (3, 3)
    assert [answers[word] for word in words(4, 2)] == [Said(word="w...")] * 2
    assert lines_of(diary) == ["w"]
    asked(words(0, 3, 2), memory)
    assert lines_of(diary) == ["w"] * 3
    assert memory.replaced == [words(0)[0].key]


@pytest.mark.heavy
def test_trainings_come_first_and_exclusive_questions_last(diary: str) -> None:
    questions = [
        Word(diary=diary, word="c"),
        Word(diary=diary, word="d", by_itself=True),
        TrainedWord(diary=diary, word="b", by_itself=True),
        TrainedWord(diary=diary, word="a"),
    ]
    for workers in (0, 2):
        Path(diary).unlink(missing_ok=True)
        steps = list(carry_out(questions, Answers(), workers))
        assert lines_of(diary) == list("abcd")
        ends = [(step.stage, step.done, step.total) for step in steps if step.done == step.total]
        assert ends == [(1, 2, 2), (2, 2, 2)]
        assert {step.stages for step in steps} == {2}
        assert (2, 0, 0) in {(step.stage, step.done, step.new) for step in steps}


@pytest.mark.usefixtures("each_at_once")
def test_two_sessions_that_ask_the_same_share_the_work(diary: str) -> None:
    """Each goes its own way, and leaves out what the other has answered since."""
    words = Words(diary=diary, words=tuple("abcdefghijklmnopqrstuvwxyz"))
    memory, everybody, sessions = Memory(), [], []
    for order in ("one", "two"):
        keeper = Memory()
        keeper.order, keeper.kept = order, memory.kept
        everybody.append(Answers(keeper))
        sessions.append(carry_out([words], everybody[-1], 0))
    steps = list(itertools.zip_longest(*sessions))  # one step of each in turn
    asked = lines_of(diary)
    assert sorted(asked) == list("abcdefghijklmnopqrstuvwxyz")
    assert [str(answers[words]) for answers in everybody] == [f"word='{','.join('abcdefghijklmnopqrstuvwxyz')}'"] * 2
    for session in zip(*steps, strict=True):
        done = [step.done for step in session if step is not None]
        assert done == sorted(done)
        assert done[-1] == 26


@pytest.mark.parametrize(("workers", "spread"), [(0, False), (2, True)])
def test_a_question_with_rounds_that_fails_leaves_others_as_they_are(workers: int, spread: bool, diary: str) -> None:
    good = [Story(diary=diary, beginning=("a", number), end=("b",)) for number in "12"]
    bad = {
        Story(diary=diary, beginning=("a",), fails_at_once=True): "ValueError: it has no beginning",
        Story(diary=diary, beginning=("a",), fails_later=True): "ValueError: it has no end",
        Story(diary=diary, beginning=("a",), is_false=True): "ValueError: it did not happen",
        Story(diary=diary, beginning=("a", "b!"), end=("never",)): "ValueError: b! is said too loudly",
    }
    answers = Answers(Memory())
    steps = list(carry_out([good[0], *bad, good[1]], answers, workers, spread=spread))
    assert (steps[-1].done, steps[-1].new, steps[-1].total) == (6, 6, 6)
    assert [answers[story] for story in good] == [Said(word="a 1 b"), Said(word="a 2 b")]
    for story, problem in bad.items():
        told = without_place(answers.problems[story.key])
        assert told.removeprefix("its process returned an impossible answer: ") == problem
        assert answers[story] is None
    assert "never" not in lines_of(diary)


@pytest.mark.usefixtures("each_at_once")
def test_a_part_that_fails_ends_its_question_at_once(diary: str) -> None:
    story = Story(diary=diary, beginning=("a!", *map(str, range(500))))
    answers = Answers()
    list(carry_out([story], answers, 0, spread=True))
    assert without_place(answers.problems[story.key]) == "ValueError: a! is said too loudly"
    assert len(lines_of(diary)) < 10


@pytest.mark.heavy
def test_a_question_whose_process_dies_is_repeated_once(tmp_path: Path) -> None:
    asks = [Dying(diary=str(tmp_path / f"{n} {a}"), times=n, by_itself=a) for n in (1, 2) for a in (False, True)]
    answers = asked(asks, Memory(), workers=2)
    for question in asks:
        if question.times == 1:
            assert answers[question] == Said(word="2")
        else:
            assert answers[question] is None
            assert answers.problems[question.key] == "its process ended with exit code 9"
            assert lines_of(question.diary) == ["x", "x"]


@pytest.mark.heavy
def test_notes_of_a_long_job_are_shown_while_it_runs() -> None:
    steps = list(carry_out([match("random", games=1), Noting(times=20)], Answers(), 1))
    shown = [step.note for step in steps if step.note]
    assert shown
    assert all(note.startswith("note ") for note in shown)
    assert len(set(shown)) == len(shown) <= 3  # about one a second, each more recent than the one before
    assert steps[-1].note == ""
    assert [step.done for step in steps] == sorted(step.done for step in steps)


def test_the_notes_of_a_game_are_not_for_people() -> None:
    hanging = match(PLAYERS + "Hangs", games=1, move_seconds=1.5)
    assert {step.note for step in carry_out([hanging], Answers(), 1)} == {""}


def test_an_unenforceable_time_limit_is_rejected() -> None:
    with pytest.raises(ComputeError, match="needs workers"):
        asked([match("random", move_seconds=1.0)])


def test_a_keeper_that_fails_ends_the_session_and_its_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Memory, "keep", Mock(side_effect=ComputeError("the disk is full")))
    with pytest.raises(ComputeError, match="the disk is full"):
        asked([match("random", games=50)], Memory(), workers=1)


def test_games_of_agents_that_decide_in_batches_are_played_together(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.agents import together

    monkeypatch.setattr(together.Together, "asked_together", [])
    memory = Memory()
    both = [match(TOGETHER + "Together", games=40), match(TOGETHER + "Together", games=3, task="notakto(3)")]
    asked(both, memory)
    assert len(memory.records) == 43
    assert max(together.Together.asked_together) == 43
    asked_then = len(together.Together.asked_together)
    alone = Memory()
    asked([question.model_copy(update={"b": question.b}) for question in both], alone, workers=1)
    assert alone.everything == memory.everything
    for b in ("perfect:nodes=5", "omniscient:inside=perfect"):  # its games take too much memory
        asked([match(TOGETHER + "Together", b, games=2)])
    assert len(together.Together.asked_together) == asked_then


@pytest.mark.heavy
@pytest.mark.parametrize(("name", "workers"), [("Quits", 0), ("Dies", 1)])
def test_games_whose_process_ends_are_played_one_by_one(name: str, workers: int) -> None:
    played = match(TOGETHER + name, games=3)
    answers = asked([played], Memory(), workers)
    errors = [record.error for record in played.records(answers) if record.error]
    assert 0 < len(errors) < 3
    assert len(set(errors)) == 1
    total = answers[played].total
    assert (total.errors, total.games) == (len(errors), 3)
    assert total.losses >= len(errors)


def test_a_missing_answer_is_an_error(diary: str) -> None:
    class Forgetful(Answers):
        def _remember(self, unit: Question[Any], answer: Value) -> None:
            if unit.key != Word(diary=diary, word="b").key:
                super()._remember(unit, answer)

    words = [Word(diary=diary, word=word) for word in "abc"]
    with pytest.raises(ComputeError, match=r"^1 of 3 questions were not answered, word .* among them$"):
        list(carry_out(words, Forgetful(), 0))


def test_each_piece_of_work_makes_its_agents_anew() -> None:
    """Because code on which an agent depends, such as a network's, may have changed since."""
    minimax = parse_agent("minimax")
    before = agent_of(minimax)
    assert agent_of(minimax) is before
    list(carry_out([], Answers(Memory()), 0))
    assert agent_of(minimax) is not before
