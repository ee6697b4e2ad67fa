"""Answers are found again by whoever asks the same, as long as nothing has changed on which they depend."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, ClassVar, Literal

import pytest

from noughts.machine import Recorder
from noughts.machine.dependencies import Dependencies
from noughts.questions import question
from noughts.questions.answers import Answers
from noughts.questions.carry_out import carry_out
from noughts.questions.question import Question
from noughts.rules import StoreError, Value
from noughts.store import GameRecord
from noughts.store.records import Kept
from noughts.store.results import Run, Store


class Number(Value):
    found: int
    effort: int = 0
    failure: str = ""


class Square(Question[Number]):
    """What is the square of a number? Negative ones fail."""

    effort: ClassVar = frozenset({"spent"})
    asked: ClassVar[list[int]] = []

    number: int
    spent: int = 1

    def answer(self, needed: Sequence[Any], notes: Recorder) -> Number:
        self.asked.append(self.number)
        failure = "negative" if self.number < 0 else ""
        return Number(found=self.number * self.number, effort=self.spent, failure=failure)

    def accepts(self, answer: Number) -> bool:
        return answer.effort >= self.spent


class Sum(Question[Number]):
    """The sum of squares."""

    effort: ClassVar = frozenset({"spent"})
    counted: ClassVar[Literal[True]] = True

    numbers: tuple[int, ...]
    spent: int = 1

    def needs(self) -> Sequence[Square]:
        return [Square(number=number, spent=self.spent) for number in self.numbers]

    def answer(self, needed: Sequence[Number | None], notes: Recorder) -> Number:
        return Number(found=sum(answer.found for answer in needed if answer is not None), effort=self.spent)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    Square.asked.clear()
    with Store.open(str(tmp_path)) as store:
        yield store


def ask(run: Run, *questions: Sum | Square) -> Answers:
    answers = Answers(run)
    list(carry_out(questions, answers, workers=0))
    return answers


def begin(store: Store, seed: int) -> Run:
    return store.begin("match", "m", {}, seed)


def change(store: Store, statement: str) -> None:
    with closing(sqlite3.connect(store.folder / "results.sqlite")) as connection, connection:
        assert connection.execute(statement).rowcount


def test_another_run_asks_only_what_is_new(store: Store) -> None:
    with begin(store, 1) as one, begin(store, 2) as two:
        ask(one, Sum(numbers=(1, 2)))
        assert ask(two, Sum(numbers=(2, 3)))[Sum(numbers=(2, 3))] == Number(found=13, effort=1)
    assert Square.asked == [1, 2, 3]


@pytest.mark.parametrize("answer", ["", "[", "{}", '{"found":"x"}', '{"found":4,"more":1}'])
def test_an_answer_that_cannot_be_read_is_asked_again_and_replaced(store: Store, answer: str) -> None:
    whole = Sum(numbers=(1, 2))
    with begin(store, 1) as run:
        ask(run, whole)
        change(store, f"UPDATE answers SET answer = '{answer}' WHERE question LIKE '%:2,%'")
        only_kept = Answers(store.kept_by(run.id))
        only_kept.look_up(whole.needs())
        assert [only_kept.knows(unit) for unit in whole.needs()] == [True, False]
        assert ask(run, whole)[whole] == Number(found=5, effort=1)
        assert ask(run, whole)[whole] == Number(found=5, effort=1)
    assert Square.asked == [1, 2, 2]


def test_a_failure_is_a_problem_of_its_own_run_and_asked_again_by_others(store: Store) -> None:
    failing = Square(number=-2)
    with begin(store, 1) as one, begin(store, 2) as two:
        for _ in range(2):
            assert ask(one, failing).problems == {failing.key: "negative"}
        assert Square.asked == [-2]
        ask(two, failing)
        assert Square.asked == [-2, -2]


def test_other_code_of_the_question_itself_asks_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with begin(store, 1) as run:
        ask(run, Square(number=3))
        changed = Dependencies((("noughts", "changed"),))
        monkeypatch.setattr(question, "of_class", lambda packages, module: changed)
        ask(run, Square(number=3))
        ask(run, Square(number=3))
    assert Square.asked == [3, 3]


def test_more_effort_asks_again_and_less_does_not(store: Store) -> None:
    with begin(store, 1) as run:
        ask(run, Square(number=3, spent=5))
        ask(run, Square(number=3, spent=4))
        assert Square.asked == [3]
        ask(run, Square(number=3, spent=6))
        assert Square.asked == [3, 3]


def test_what_suffices_for_little_effort_is_not_given_for_much(store: Store) -> None:
    little, much = Sum(numbers=(1, 2), spent=1), Sum(numbers=(1, 2), spent=9)
    assert little.key == much.key
    with begin(store, 1) as run:
        answers = ask(run, little)
        assert answers[little] == Number(found=5, effort=1)
        assert answers[much] == Number(found=0, effort=9)
        list(carry_out([much], answers, workers=0))
        assert answers[much] == Number(found=5, effort=9)


def test_what_could_not_be_kept_is_not_known() -> None:
    class Full:
        order = None

        def answers(self, wanted: Mapping[str, str]) -> Mapping[str, Kept]:
            return {}

        def games(self, wanted: Mapping[str, str]) -> Mapping[str, GameRecord]:
            return {}

        def keep(self, answers: Sequence[Kept], games: Mapping[tuple[str, str], GameRecord]) -> None:
            raise StoreError("the disk is full")

    answers, unit = Answers(Full()), Square(number=3)
    answers.look_up([unit])
    with pytest.raises(StoreError, match="the disk is full"):
        answers.keep([(unit, Number(found=9, effort=1))])
    assert not answers.knows(unit)
    assert answers[unit] is None
