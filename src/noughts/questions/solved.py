"""`Solved`: the exact value of each game of a task, and on request its length, its moves' values and its certificate.

Symmetric games, such as bttt(C3) and bttt(E5), are solved once for all of them.
"""

import hashlib
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from noughts.machine import Recorder
from noughts.machine.memory import GIB
from noughts.positions import Position, Side
from noughts.questions.question import SOLVING, OfGame, Question
from noughts.rules import Rules, SolverError, Task, Value
from noughts.rules.rules import LineRule, Marks
from noughts.rules.symmetry import image_onto, least_image
from noughts.rules.text import counted, worth_text
from noughts.solvers.bits import position_of
from noughts.solvers.certificate import Certificate, file_name, image_of, read_certificate, write_certificate
from noughts.solvers.extract import LIMIT, extract
from noughts.solvers.solution import Budget, Solution, Span
from noughts.solvers.solve import Distances, Truth
from noughts.solvers.verify import MAX_RECORDS, BadCertificate, verify

_BESIDE = 8
"""The most GiB of solver tables with which other jobs may run in parallel."""

ALLOWED: dict[str, str] = {
    "nodes": "a whole number above 0",
    "seconds": "a number above 0",
    "memory": "a whole number of GiB above 0",
    "limit": f"a whole number from 1 to {MAX_RECORDS}, which is what the checker reads",
}


class SolvedMove(Value):
    """The proved bounds on a move's value for the side that plays it, and the plies to the end."""

    move: int
    low: int
    high: int
    plies: int | None = None


class WrittenCertificate(Value):
    """The certificate of a game, or why it was not written.

    Attributes:
        game: The text of the game.
        path: The file's path; empty if there is no file.
        entries: The number of its entries.
        problem: Why a won game lacks a requested certificate; empty otherwise.
        blocked: The path of another file in its place, if that is the problem; empty otherwise.
        sha256: The SHA-256 of the file, in hexadecimal; empty if there is no file.
    """

    game: str
    path: str = ""
    entries: int = 0
    problem: str = ""
    blocked: str = ""
    sha256: str = ""

    @model_validator(mode="before")
    @classmethod
    def _without_kept(cls, given: Any) -> Any:
        """Leave out whether the file existed before, which older versions of noughts wrote."""
        return {name: value for name, value in given.items() if name != "kept"} if isinstance(given, dict) else given

    @classmethod
    def at(cls, path: Path, rules: Rules, entries: int) -> Self:
        """The certificate in an existing file."""
        return cls(game=str(rules), path=str(path), entries=entries, sha256=_sha256(path))

    @property
    def is_there(self) -> bool:
        """Whether the file, if there was one, is unchanged."""
        return not self.path or (Path(self.path).is_file() and _sha256(Path(self.path)) == self.sha256)


class GameValue(Value):
    """The solution of one game.

    Attributes:
        low, high: Bounds on the value for the side to move.
        plies: The length of the game if the winner plays the fastest win and the loser delays it; None if not proved.
        moves: The moves whose values were requested.
        solver: The name of the solver that proved it.
        nodes: Work done, in the solver's unit.
        seconds: Time taken, without certificates.
        certificates: The requested certificates.
        effort: The limits of nodes, seconds and GiB.
    """

    low: int
    high: int
    plies: int | None = None
    moves: tuple[SolvedMove, ...] = ()
    solver: str
    nodes: int
    seconds: float
    certificates: tuple[WrittenCertificate, ...] = ()
    effort: tuple[int | None, float | None, int]

    def __str__(self) -> str:
        """The value for the side to move, or its bounds, and the number of plies, in words."""
        return worth_text(self.low, self.high) + (
            "" if self.plies is None else f" in {counted(self.plies, 'ply', 'plies')}"
        )

    @property
    def value(self) -> int | None:
        """The exact value for the side to move, or None while it is not proved."""
        return self.low if self.low == self.high else None

    def certificate_of(self, rules: Rules) -> WrittenCertificate | None:
        """The certificate of this game or a symmetric one, if it was requested and the game is won; else None."""
        game = str(rules)
        return next((written for written in self.certificates if written.game == game), None)

    def moved(self, image: Sequence[int]) -> "GameValue":
        """The solution of a symmetric game, in which `cell` becomes ``image[cell]``."""
        moves = (move.model_copy(update={"move": image[move.move]}) for move in self.moves)
        return self.model_copy(update={"moves": tuple(sorted(moves, key=lambda move: move.move))})


class AboutValues(Value):
    """Options for solving games, and the budget.

    Attributes:
        played: The moves that lead to the position, as cell indices.
        every_move: Whether to find the value of every move, and not only of the position.
        distances: Whether to find how long the game lasts.
        certificates: The folder for certificates; None for no certificates.
        limit: The most entries of a certificate.
        nodes: The limit of work, in the solver's unit; None for no limit.
        seconds: The time limit; None for no limit.
        memory: The limit of GiB for the tables of each solver.
        force: Whether certificates may overwrite existing files that do not prove the game.
    """

    error_type: ClassVar = SolverError
    called: ClassVar = "question"
    allowed: ClassVar = ALLOWED
    packages: ClassVar[tuple[str, ...]] = SOLVING
    effort: ClassVar[frozenset[str]] = frozenset({"nodes", "seconds", "memory", "force"})

    played: tuple[int, ...] = ()
    every_move: bool = False
    distances: bool = False
    certificates: str | None = None
    limit: Annotated[int, Field(ge=1, le=MAX_RECORDS)] = LIMIT
    nodes: Annotated[int, Field(ge=1)] | None = None
    seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    memory: Annotated[int, Field(ge=1)] = 1
    force: bool = False


class ExactValue(AboutValues, Question[GameValue]):
    """Find the exact value of one position.

    Attributes:
        rules: The game.
        certified: The symmetric games that get a certificate if the game is won.
    """

    rules: Rules
    certified: tuple[Rules, ...] = ()

    @property
    def alone(self) -> bool:
        """Whether its tables are so large that parallel jobs might leave too little memory for them."""
        return self.memory > _BESIDE

    def makes(self) -> Path | None:
        """The folder of its certificates; None if it writes none."""
        return None if self.certificates is None else Path(self.certificates).absolute()

    def accepts(self, answer: GameValue) -> bool:
        """Whether the answer will do: all of it is decided, or its budget was no smaller. Its certificates must still exist."""
        if not all(written.is_there for written in answer.certificates):
            return False
        if any(one.blocked and (self.force or not Path(one.blocked).exists()) for one in answer.certificates):
            return False
        nodes, seconds, memory = answer.effort
        settled = answer.value is not None and all(move.low == move.high for move in answer.moves)
        settled = settled and not any(written.problem for written in answer.certificates)
        settled = settled and not (self.distances and answer.value and answer.plies is None)
        no_less = _no_less(nodes, self.nodes) and _no_less(seconds, self.seconds) and memory >= self.memory
        return settled or no_less

    def answer(self, needed: Sequence[Any], notes: Recorder) -> GameValue:
        """Solve the position.

        Raises:
            SolverError: no solver covers the game, or memory is short.
            StoreError: a certificate cannot be written.
        """
        compile_solvers(self.rules)
        begun = time.monotonic()
        end = None if self.seconds is None else begun + self.seconds
        game = str(self.rules)

        def expired() -> bool:
            notes.note(f"solving {game}: {budget.spent:,} nodes")
            return end is not None and time.monotonic() >= end

        budget = Budget(self.nodes, expired)
        truth, position = Truth(self.rules, self.memory * GIB), Position.start(self.rules, self.played)
        solution = self._solve(truth, position, budget)
        seconds = time.monotonic() - begun
        moves = (SolvedMove(move=m.move, low=m.low, high=m.high, plies=_plies(m.span)) for m in solution.moves)
        return GameValue(
            low=solution.low,
            high=solution.high,
            plies=_plies(solution.span),
            moves=tuple(sorted(moves, key=lambda move: move.move)),
            solver=solution.solver,
            nodes=solution.nodes,
            seconds=seconds,
            certificates=tuple(self._certificates(truth, position, solution, budget, notes)),
            effort=(self.nodes, self.seconds, self.memory),
        )

    def _solve(self, truth: Truth, position: Position, budget: Budget) -> Solution:
        distances: Distances = "none" if not self.distances else "all" if self.every_move else "best"
        if self.every_move or self.distances:
            return truth.solve(position, budget, distances)
        proof = truth.prove(position, budget)
        solver = "the rules" if position.is_over else truth.solver(position).name
        return Solution(proof.low, proof.high, None, (), solver, budget.spent)

    def _certificates(
        self, truth: Truth, start: Position, solution: Solution, budget: Budget, notes: Recorder
    ) -> list[WrittenCertificate]:
        """Write each certificate, unless its file exists and proves the game; return the outcomes."""
        if self.certificates is None or not solution.value:
            return []
        winner = start.to_move if solution.value == 1 else start.to_move.other
        proved: Certificate | None = None
        found = []
        for rules in self.certified:
            game, path = str(rules), Path(self.certificates) / file_name(rules)
            kept = _read_kept(path, rules, winner)
            if kept is not None:
                proved = kept if rules == self.rules else proved
                found.append(WrittenCertificate.at(path, rules, len(kept)))
                continue
            if path.exists() and not self.force:
                problem = f"{path} is there already and proves nothing of it: --force writes over it"
                found.append(WrittenCertificate(game=game, problem=problem, blocked=str(path)))
                continue
            if proved is None:
                try:
                    proved = self._prove(winner, truth, start, budget, notes)
                except SolverError:
                    if not budget.exhausted:
                        raise
                    problem = "the budget did not suffice for its certificate"
                    found.append(WrittenCertificate(game=game, problem=problem))
                    continue
            certificate = proved if rules == self.rules else image_of(proved, rules)
            write_certificate(path, certificate)
            found.append(WrittenCertificate.at(path, rules, len(certificate)))
        return found

    def _prove(self, winner: Side, truth: Truth, start: Position, budget: Budget, notes: Recorder) -> Certificate:
        """Extract a certificate; it wins as fast as possible if the length of the game is proved."""
        plies = truth.span(start, winner, budget).plies  # from the start

        def winning_move(first: int, second: int) -> int | None:
            position = position_of(self.rules, first, second)
            return truth.winning_move(position, None if plies is None else plies - position.ply, budget)

        return extract(
            self.rules,
            winner,
            winning_move,
            self.limit,
            lambda entries: notes.note(f"certificate of {self.rules}: {entries:,} positions"),
        )


class SolvedTask(Value):
    """The solutions of a task's games; games without a solution are left out."""

    games: tuple[OfGame[GameValue], ...]

    def __str__(self) -> str:
        """A line for each game: its value for the side to move, and its length."""
        return "\n".join(f"{game.rules}: {game.result}" for game in self.games)


class Solved(AboutValues, Question[SolvedTask]):
    """Find the exact values of a task.

    Attributes:
        task: The games.
    """

    counted: ClassVar[Literal[True]] = True

    task: Task

    def needs(self) -> Sequence[ExactValue]:
        """One question for each class of symmetric games."""
        return list(dict.fromkeys(map(self._value_of, self.task.rules)))

    def answer(self, needed: Sequence[GameValue | None], notes: Recorder) -> SolvedTask:
        """The solution of each game."""
        found = dict(zip(self.needs(), needed, strict=True))
        games = []
        for rules in self.task.rules:
            asked = self._value_of(rules)
            value, image = found[asked], image_onto(asked.rules, rules)
            if value is not None and image is not None:
                games.append(OfGame(rules, value.moved(image)))
        return SolvedTask(games=tuple(games))

    def _value_of(self, rules: Rules) -> ExactValue:
        """The question that solves one game. Only games from the start are replaced by a symmetric one."""
        image = rules if self.played else least_image(rules)
        certified = (
            tuple(r for r in self.task.rules if least_image(r) == least_image(rules)) if self.certificates else ()
        )
        shared = {name: getattr(self, name) for name in AboutValues.model_fields}
        return ExactValue(rules=image, certified=certified, **shared)


def _no_less(allowed: float | None, asked: float | None) -> bool:
    """Whether an earlier limit is at least the new one; None is no limit."""
    return allowed is None or (asked is not None and allowed >= asked)


def compile_solvers(rules: Rules) -> None:
    """Load or compile the machine code for such games by solving a tiny one, so that measured times contain solving alone."""
    _compile(rules.marks, rules.line, rules.boards > 1)


@cache
def _compile(marks: Marks, line: LineRule, several: bool) -> None:
    rules = Rules(rows=2, cols=2, k=2, marks=marks, line=line, boards=2 if several else 1)
    Truth(rules).solve(Position.start(rules), distances="all")


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _plies(span: Span | None) -> int | None:
    return None if span is None else span.plies


def _read_kept(path: Path, rules: Rules, winner: Side) -> Certificate | None:
    """The certificate in an existing file; None unless it is of this game and proves it."""
    try:
        report = verify(path)
    except (OSError, BadCertificate):
        return None
    if report.agent or (report.rules, report.side) != (rules.model_dump(mode="json"), str(winner)):
        return None
    return read_certificate(path)
