"""The tests' own questions: they log their execution, fail, write notes, and work in steps."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

from noughts.machine import Recorder
from noughts.questions.question import Question, Rounds
from noughts.rules import Value
from tests.machine.functions import noting_often


class Said(Value):
    """A word."""

    word: str

    @property
    def failure(self) -> str:
        return f"{self.word} is no answer" if self.word.endswith("?") else ""


class Word(Question[Said]):
    """Its own answer, after it is logged to a diary.

    Attributes:
        diary: A file.
        word: The answer. A word that ends with an exclamation mark raises an error; one that ends with a question mark is an
            answer that reports a problem.
        by_itself: Whether nothing may run beside it.
        effort_spent: The effort; an answer must have this many letters.
    """

    effort: ClassVar = frozenset({"letters"})

    diary: str
    word: str
    by_itself: bool = False
    letters: int = 0

    @property
    def alone(self) -> bool:
        return self.by_itself

    def answer(self, needed: Sequence[Any], notes: Recorder) -> Said:
        write_down(self.diary, self.word)
        if self.word.endswith("!"):
            raise ValueError(f"{self.word} is said\ntoo loudly")
        return Said(word=self.word + "." * (self.letters - len(self.word)))

    def accepts(self, answer: Said) -> bool:
        return len(answer.word) >= self.letters


class TrainedWord(Word):
    """A word that counts as a training, so that it precedes others."""

    @property
    def trains(self) -> str:
        return "a run"


class Dying(Word):
    """Ends its process this many times, then answers."""

    word: str = "x"
    times: int

    def answer(self, needed: Sequence[Any], notes: Recorder) -> Said:
        asked = write_down(self.diary, self.word)
        if asked <= self.times:
            os._exit(9)
        return Said(word=str(asked))


class Noting(Question[Said]):
    """Takes a while, and writes notes."""

    times: int

    @property
    def alone(self) -> bool:
        return True

    def answer(self, needed: Sequence[Any], notes: Recorder) -> Said:
        return Said(word=noting_often(f"5 {self.times} 0.1", notes))


class Story(Question[Said]):
    """Some words and then more, one after another.

    Attributes:
        fails_at_once, fails_later: Whether its steps raise an error: before the first question, or at the end.
        is_false: Whether its result is rejected.
    """

    diary: str
    beginning: tuple[str, ...]
    end: tuple[str, ...] = ()
    fails_at_once: bool = False
    fails_later: bool = False
    is_false: bool = False

    def checked(self, answer: Said) -> Said:
        if self.is_false:
            raise ValueError("it did not happen")
        return answer

    def answer(self, needed: Sequence[Any], notes: Recorder) -> Rounds[Said]:
        if self.fails_at_once:
            raise ValueError("it has no beginning")
        words = []
        for chapter in (self.beginning, self.end):
            notes.note(f"a chapter of {len(chapter)} words")
            said = yield [Part(diary=self.diary, word=word) for word in chapter]
            words += [answer.word for answer in said]
        if self.fails_later:
            raise ValueError("it has no end")
        return Said(word=" ".join(words))


class Part(Word):
    """A word of a story."""

    is_part: ClassVar = True


class Words(Question[Said]):
    """Some words, joined by commas as far as they are answered."""

    effort: ClassVar = frozenset({"letters"})
    counted: ClassVar[Literal[True]] = True

    diary: str
    words: tuple[str, ...]
    letters: int = 0

    def needs(self) -> list[Word]:
        return [Word(diary=self.diary, word=word, letters=self.letters) for word in self.words]

    def answer(self, needed: Sequence[Said | None], notes: Recorder) -> Said:
        return Said(word=",".join(answer.word for answer in needed if answer is not None))


def write_down(diary: str, line: str) -> int:
    """Add a line to a file; return the file's number of lines."""
    with Path(diary).open("a") as file:
        file.write(f"{line}\n")
    return len(lines_of(diary))


def lines_of(diary: str | Path) -> list[str]:
    """The lines of the diary."""
    path = Path(diary)
    return path.read_text().split() if path.exists() else []


def all_kinds(kind: type[Question[Value]] = Question) -> set[type[Question[Value]]]:
    """Every loaded class of questions."""
    return {kind, *(found for below in kind.__subclasses__() for found in all_kinds(below))}
