"""A game settled: its value, how long it lasts, its best moves, and a certificate, as a job for a pool of processes.

Games that are images of one another, such as bttt(C3) and bttt(E5), are settled once for all of them.
"""

import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Annotated, ClassVar, NamedTuple

from pydantic import Field

from noughts.machine import Recorder
from noughts.machine.memory import GIB
from noughts.positions import Position, Side
from noughts.rules import CertificateError, Rules, SolverError, StoreError, Value, format_rules, parse_rules
from noughts.rules.rules import LineRule, Marks
from noughts.rules.symmetry import image_onto
from noughts.solvers.certificate import (
    Certificate,
    file_name,
    image_of,
    read_certificate,
    write_certificate,
)
from noughts.solvers.extract import LIMIT, extract, moves_of
from noughts.solvers.solution import Budget, Solution, Span
from noughts.solvers.solve import Distances, Truth
from noughts.solvers.verify import MAX_RECORDS, BadCertificate, verify


class Question(Value):
    """What is asked about a game.

    Attributes:
        games: Texts of games that are images of the first.
        moves: Cell indices in the first game, played before the question is asked; only of a single game.
        every_move: Whether to find the value of every move, and not only of the position.
        distances: Whether to find how long the game lasts.
        nodes: Work for each game, in the solver's unit; None for any amount.
        seconds: Time for each game; None for any.
        memory: GiB that each solver's tables may take.
        certificates: Folder for certificates of what is won; None for none.
        limit: Most entries of a certificate.
    """

    error_type: ClassVar = SolverError
    called: ClassVar = "question"
    allowed: ClassVar = {
        "nodes": "a whole number above 0",
        "seconds": "a number above 0",
        "memory": "a whole number of GiB above 0",
        "limit": f"a whole number from 1 to {MAX_RECORDS}, which is what the checker reads",
    }

    games: tuple[str, ...]
    moves: tuple[int, ...] = ()
    every_move: bool = False
    distances: bool = False
    nodes: Annotated[int, Field(ge=1)] | None = None
    seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    memory: Annotated[int, Field(ge=1)] = 1
    certificates: str | None = None
    limit: Annotated[int, Field(ge=1, le=MAX_RECORDS)] = LIMIT


class MoveAnswer(Value):
    """What is proved about a move: bounds on its value for the side that plays it, and plies to the end."""

    move: int
    low: int
    high: int
    plies: int | None = None


class Answer(Value):
    """What was found about one game.

    Attributes:
        game: Its text.
        low, high: Bounds on the value for the side to move.
        plies: How long the game lasts, the winner hurrying and the loser resisting; None if that is not proved.
        moves: The moves about which something was asked.
        solver: Which solver proved it.
        nodes: Work done, in its unit.
        seconds: Time taken for this game and its images, without the certificate.
        certificate: The file's path; empty if there is none.
        entries: How many it has.
        kept: Whether the certificate was there before.
        problem: Why a game that is won has no certificate though one was asked for; empty otherwise.
    """

    game: str
    low: int
    high: int
    plies: int | None = None
    moves: tuple[MoveAnswer, ...] = ()
    solver: str
    nodes: int
    seconds: float
    certificate: str = ""
    entries: int = 0
    kept: bool = False
    problem: str = ""

    @property
    def value(self) -> int | None:
        """The exact value for the side to move, or None while it is not proved."""
        return self.low if self.low == self.high else None


class Answers(Value):
    """The answers to one question, one for each of its games."""

    answers: tuple[Answer, ...]


def settle_job(argument: str, notes: Recorder) -> str:
    """Answer a `Question`, as JSON; gives `Answers`."""
    return Answers(answers=settle(Question.from_json(argument), notes)).to_json()


def settle(question: Question, notes: Recorder, clock: Callable[[], float] = time.monotonic) -> tuple[Answer, ...]:
    """Answer a question about the first of its games, and carry the answer over to the others.

    Raises:
        SolverError: no solver covers the game, or memory is short.
        StoreError: a certificate cannot be written.
    """
    games = tuple(map(parse_rules, question.games))
    first = games[0]
    _load(first.marks, first.line, first.boards > 1)
    begun = clock()
    end = None if question.seconds is None else begun + question.seconds
    game = format_rules(first)

    def expired() -> bool:
        notes.note(f"solving {game}: {budget.spent:,} nodes")
        return end is not None and clock() >= end

    budget = Budget(question.nodes, expired)
    truth, position = Truth(first, question.memory * GIB), Position.start(first, question.moves)
    solution = _solve(truth, position, question, budget)
    seconds = clock() - begun
    certificates = _certificates(games, question, truth, position, solution, budget, notes)
    return tuple(
        _answer(text, image_onto(first, rules), solution, seconds, certificate)
        for text, rules, certificate in zip(question.games, games, certificates, strict=True)
    )


@cache
def _load(marks: Marks, line: LineRule, several: bool) -> None:
    """Load or compile the machine code of solvers by a game of a moment, so that times are of solving alone."""
    rules = Rules(rows=2, cols=2, k=2, marks=marks, line=line, boards=2 if several else 1)
    Truth(rules).solve(Position.start(rules), distances="all")


def _solve(truth: Truth, position: Position, question: Question, budget: Budget) -> Solution:
    distances: Distances = "none" if not question.distances else "all" if question.every_move else "best"
    if question.every_move or question.distances:
        return truth.solve(position, budget, distances)
    proof = truth.prove(position, budget)
    solver = "the rules" if position.is_over else truth.solver(position).name
    return Solution(proof.low, proof.high, None, (), solver, budget.spent)


def _answer(
    game: str,
    image: tuple[int, ...] | None,
    solution: Solution,
    seconds: float,
    certificate: "_Written",
) -> Answer:
    """What was found about the first game, as it is in one of its images."""
    assert image is not None
    return Answer(
        game=game,
        low=solution.low,
        high=solution.high,
        plies=_plies(solution.span),
        moves=tuple(
            sorted(
                (
                    MoveAnswer(move=image[move.move], low=move.low, high=move.high, plies=_plies(move.span))
                    for move in solution.moves
                ),
                key=lambda answer: answer.move,
            )
        ),
        solver=solution.solver,
        nodes=solution.nodes,
        seconds=seconds,
        **certificate._asdict(),
    )


def _plies(span: Span | None) -> int | None:
    return None if span is None else span.plies


class _Written(NamedTuple):
    """What became of a certificate, as in `Answer`."""

    certificate: str = ""
    entries: int = 0
    kept: bool = False
    problem: str = ""


def _certificates(
    games: tuple[Rules, ...],
    question: Question,
    truth: Truth,
    start: Position,
    solution: Solution,
    budget: Budget,
    notes: Recorder,
) -> list[_Written]:
    """What became of each game's certificate; those that are there and prove their games stay."""
    if question.certificates is None or not solution.value:
        return [_Written()] * len(games)
    winner = start.to_move if solution.value == 1 else start.to_move.other
    proved: Certificate | None = None
    found = []
    for rules in games:
        path = Path(question.certificates) / file_name(rules)
        kept = _read_kept(path, rules, winner)
        if kept is not None:
            proved = kept if rules == games[0] else proved
            found.append(_Written(str(path), len(kept), kept=True))
            continue
        if proved is None:
            try:
                proved = _prove(games[0], winner, truth, start, question, budget, notes)
            except SolverError:
                if not budget.exhausted:
                    raise
                found.append(_Written(problem="the budget did not suffice for its certificate"))
                continue
        certificate = proved if rules == games[0] else image_of(proved, rules)
        write_certificate(path, certificate)
        found.append(_Written(str(path), len(certificate)))
    return found


def _read_kept(path: Path, rules: Rules, winner: Side) -> Certificate | None:
    """The certificate that an earlier run left, if it is of this game and proves it."""
    try:
        certificate = read_certificate(path)
        verify(path)
    except (CertificateError, StoreError, BadCertificate):
        return None
    return certificate if (certificate.rules, certificate.winner) == (rules, winner) else None


def _prove(
    rules: Rules, winner: Side, truth: Truth, start: Position, question: Question, budget: Budget, notes: Recorder
) -> Certificate:
    """A certificate that wins as soon as can be, where it is known how soon that is."""
    game = format_rules(rules)
    plies = truth.span(start, winner, budget).plies
    return extract(
        rules,
        winner,
        moves_of(truth, rules, plies, budget),
        question.limit,
        lambda entries: notes.note(f"certificate of {game}: {entries:,} positions"),
    )
