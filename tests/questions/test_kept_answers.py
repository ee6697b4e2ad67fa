"""Answers in a store are found again by every run that asks the same, as long as nothing has changed on which they depend."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from noughts.machine.dependencies import Dependencies
from noughts.questions import question
from noughts.questions.answers import Answers
from noughts.rules import StoreError
from noughts.store import GameRecord
from noughts.store.records import Kept
from noughts.store.results import Run, Store
from tests.questions.asking import Memory, asked
from tests.questions.units import Said, Word, Words, lines_of


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(str(tmp_path)) as store:
        yield store


@pytest.fixture
def diary(tmp_path: Path) -> str:
    return str(tmp_path / "diary")


def begin(store: Store, seed: int) -> Run:
    return store.begin("match", "m", {}, seed)


def change(store: Store, statement: str) -> None:
    with closing(sqlite3.connect(store.folder / "results.sqlite")) as connection, connection:
        assert connection.execute(statement).rowcount


@pytest.mark.parametrize("answer", ["", "[", "{}", '{"word":[]}', '{"word":"b","more":1}'])
def test_an_answer_that_cannot_be_read_is_asked_again_and_replaced(store: Store, diary: str, answer: str) -> None:
    whole = Words(diary=diary, words=("a", "b"))
    with begin(store, 1) as run:
        asked([whole], run)
        change(store, f"""UPDATE answers SET answer = '{answer}' WHERE question LIKE '%"word":"b"%'""")
        only_kept = Answers(store.kept_by(run.id))
        only_kept.look_up(whole.needs())
        assert [only_kept.knows(unit) for unit in whole.needs()] == [True, False]
        for _ in range(2):
            assert asked([whole], run)[whole] == Said(word="a,b")
    assert lines_of(diary) == ["a", "b", "b"]


def test_other_code_of_the_question_itself_asks_again(
    store: Store, diary: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    word = Word(diary=diary, word="a")
    with begin(store, 1) as run:
        asked([word], run)
        changed = Dependencies((("noughts", "changed"),))
        monkeypatch.setattr(question, "of_class", lambda packages, module: changed)
        asked([word], run)
        asked([word], run)
    assert lines_of(diary) == ["a", "a"]


def test_what_could_not_be_kept_is_not_known(diary: str) -> None:
    class Full(Memory):
        def keep(self, answers: Sequence[Kept], games: Mapping[tuple[str, str], GameRecord]) -> None:
            raise StoreError("the disk is full")

    answers, word = Answers(Full()), Word(diary=diary, word="a")
    answers.look_up([word])
    with pytest.raises(StoreError, match="the disk is full"):
        answers.keep([(word, Said(word="a"))])
    assert not answers.knows(word)
    assert answers[word] is None
