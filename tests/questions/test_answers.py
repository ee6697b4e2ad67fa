"""Answers by question: saved and found again as long as dependencies are unchanged and the effort suffices."""

from pathlib import Path
from unittest.mock import Mock

import pytest

from noughts.agents import parse_agent
from noughts.machine.dependencies import Dependencies
from noughts.questions import question
from noughts.questions.answers import Answers
from noughts.questions.question import answer_here
from noughts.questions.walked import EveryReply
from noughts.rules import StoreError, parse_rules
from noughts.store.records import Kept
from noughts.store.results import Store
from tests.messages import without_place
from tests.questions.asking import Memory, asked, found, match
from tests.questions.units import Part, Said, Word, Words, lines_of
from tests.store.samples import begin, execute


def test_a_saved_answer_is_found_and_not_computed_again(diary: str) -> None:
    memory = Memory()
    assert found(Word(diary=diary, word="yes"), memory) == Said(word="yes")
    answers = Answers(memory)
    word = Word(diary=diary, word="yes")
    assert answers[word] is None
    answers.look_up([word])
    assert answers[word] == Said(word="yes")
    assert found(Words(diary=diary, words=("yes", "no")), memory) == Said(word="yes,no")
    assert lines_of(diary) == ["yes", "no"]


def test_without_a_keeper_answers_are_only_in_memory(diary: str) -> None:
    word = Word(diary=diary, word="yes")
    answers = asked([word])
    assert answers[word] == Said(word="yes")
    assert answers.knows(word)
    answers.forget(word)
    assert answers[word] is None
    assert not answers.knows(word)


def test_the_question_is_saved_with_its_answer_unless_it_is_a_part(diary: str) -> None:
    memory, word, part = Memory(), Word(diary=diary, word="a"), Part(diary=diary, word="b")
    asked([word, part], memory)
    assert memory.kept[word.key, word.depends_on().basis] == Kept(
        word.key, word.depends_on().basis, word.to_json(), '{"word":"a"}', ""
    )
    assert memory.kept[part.key, part.depends_on().basis].question == ""


def test_games_are_saved_as_games() -> None:
    memory, played = Memory(), match("random", games=3)
    answers = asked([played], memory)
    assert not memory.kept
    assert [key for key, _ in memory.records] == [unit.key for unit in played.needs()]
    assert [record.seed for record in played.records(answers)] == [unit.seed for unit in played.needs()]
    assert found(played, memory).total == found(played).total  # read again, and played again


def test_a_failure_counts_only_for_its_own_run(diary: str) -> None:
    memory, loud, odd = Memory(), Word(diary=diary, word="no!"), Word(diary=diary, word="why?")
    for _ in range(2):
        answers = asked([loud, odd], memory)
        problems = {key: without_place(problem) for key, problem in answers.problems.items()}
        assert problems == {loud.key: "ValueError: no! is said too loudly", odd.key: "why? is no answer"}
        assert answers[loud] is None
        assert answers[odd] == Said(word="why?")
        assert answers.knows(loud)
    assert lines_of(diary).count("why?") == 1  # it was saved, and the run continues
    memory.next_run()
    assert asked([odd], memory).problems
    assert lines_of(diary).count("why?") == 2


def test_a_group_combines_the_answers_known_so_far(diary: str) -> None:
    words = Words(diary=diary, words=("a", "b"))
    answers = Answers()
    assert answers[words] == Said(word="")
    answers.keep([(words.needs()[1], Said(word="b"))])
    assert answers[words] == Said(word="b")
    answers.keep([(words.needs()[0], Said(word="a"))])
    assert answers[words] == Said(word="a,b")
    answers.keep([(words.needs()[0], Said(word="A"))])  # a better one
    assert answers[words] == Said(word="A,b")


class Chosen(Words):
    """Words, each with the reason for it: a field that has no hash."""

    reasons: dict[str, str]


def test_a_group_may_have_a_field_without_a_hash(diary: str) -> None:
    chosen = Chosen(diary=diary, words=("a", "b"), reasons={"a": "first", "b": "last"})
    answers = asked([chosen])
    assert answers[chosen] == answers[chosen] == Said(word="a,b")


def test_a_group_with_another_effort_is_combined_separately(diary: str) -> None:
    short, long = (Words(diary=diary, words=("a", "b"), letters=letters) for letters in (0, 3))
    assert short.key == long.key
    answers = asked([short])
    assert answers[short] == Said(word="a,b")
    assert answers[long] == Said(word="")
    answers.keep([(unit, answer_here(unit)) for unit in long.needs()])
    assert answers[long] == answers[short] == Said(word="a..,b..")


def test_which_answers_of_other_effort_are_accepted() -> None:
    asks = EveryReply(rules=parse_rules("tic-tac-toe"), agent=parse_agent("random"), side="first", most=50)
    answer = found(asks.model_copy(update={"agent": parse_agent("minimax:depth=9,ties=first"), "most": 10**6}))
    given_up = answer.model_copy(update={"whole": False, "limit": 50})
    assert answer.whole
    for hunt in (None, 5):
        for most in (10, 50, 60):
            walk = asks.model_copy(update={"hunt": hunt, "most": most})
            assert walk.accepts(answer)
            assert walk.accepts(given_up) == (most <= 50)
            assert walk.accepts(answer.model_copy(update={"whole": False, "lost_game": (0,)})) == (hunt is not None)
            every = walk.model_copy(update={"until_lost": False})
            assert every.accepts(given_up.model_copy(update={"lost_game": (0,)})) == (most <= 50)


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


def test_an_answer_that_could_not_be_saved_is_unknown(diary: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Memory, "keep", Mock(side_effect=StoreError("the disk is full")))
    answers, word = Answers(Memory()), Word(diary=diary, word="a")
    answers.look_up([word])
    with pytest.raises(StoreError, match="the disk is full"):
        answers.keep([(word, Said(word="a"))])
    assert not answers.knows(word)
    assert answers[word] is None
