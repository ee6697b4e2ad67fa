"""Every run finds saved answers to its questions in a store, as long as none of their dependencies has changed."""

from pathlib import Path

import pytest

from noughts.machine.dependencies import Dependencies
from noughts.questions import question
from noughts.questions.answers import Answers
from noughts.rules import StoreError
from noughts.store.results import Store
from tests.questions.asking import Memory, asked
from tests.questions.units import Said, Word, Words, lines_of
from tests.store.samples import begin, execute


@pytest.mark.parametrize("answer", ["", "[", "{}", '{"word":[]}', '{"word":"b","more":1}'])
def test_an_unreadable_answer_is_computed_again_and_replaced(tmp_path: Path, diary: str, answer: str) -> None:
    whole = Words(diary=diary, words=("a", "b"))
    with Store.open(str(tmp_path)) as store, begin(store) as run:
        asked([whole], run)
        execute(str(tmp_path), f"UPDATE answers SET answer = '{answer}' WHERE key = '{whole.needs()[1].key}'")
        only_kept = Answers(store.kept_by(run.id))
        only_kept.look_up(whole.needs())
        assert [only_kept.knows(unit) for unit in whole.needs()] == [True, False]
        for _ in range(2):
            assert asked([whole], run)[whole] == Said(word="a,b")
    assert lines_of(diary) == ["a", "b", "b"]


def test_changed_code_of_the_question_computes_it_again(diary: str, monkeypatch: pytest.MonkeyPatch) -> None:
    word, memory = Word(diary=diary, word="a"), Memory()
    asked([word], memory)
    changed = Dependencies((("noughts", "changed"),))
    monkeypatch.setattr(question, "of_class", lambda packages, module: changed)
    asked([word], memory)
    asked([word], memory)
    assert lines_of(diary) == ["a", "a"]


def test_an_answer_that_could_not_be_saved_is_unknown(diary: str) -> None:
    class Full(Memory):
        def keep(self, *_: object) -> None:
            raise StoreError("the disk is full")

    answers, word = Answers(Full()), Word(diary=diary, word="a")
    answers.look_up([word])
    with pytest.raises(StoreError, match="the disk is full"):
        answers.keep([(word, Said(word="a"))])
    assert not answers.knows(word)
    assert answers[word] is None
