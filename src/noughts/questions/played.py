"""`Played`: a match of two agents on a task, and its result.

Each game is a question with its own key. So a match that grows from 100 games to 200 plays only the second 100.
"""

import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from noughts.agents import AgentSpec
from noughts.agents.asking import some_of
from noughts.agents.plugin import MAKING_SECONDS
from noughts.agents.registry import from_outside, lockstep_of
from noughts.machine import Recorder
from noughts.play.lockstep import play_together
from noughts.play.playthrough import GamePlan, broken_off, play_game, random_opening, settled
from noughts.play.score import Player, Score, points_with_repeats, wins_with_repeats
from noughts.positions import Rng, derive_seed
from noughts.questions.answers import Answers
from noughts.questions.question import PLAYING, Question, agent_of
from noughts.questions.traits import AgentTraits, Traits
from noughts.rules import AgentError, Rules, Task, Value
from noughts.rules.text import counted
from noughts.statistics import Interval
from noughts.store.records import GameRecord

MAX_GAMES = 1_000_000
_BATCH = 256  # games; a larger batch gains little, and is lost when a session is killed
MoveSeconds = Field(default=None, gt=0, le=86400, allow_inf_nan=False)
"""The field of every time limit for a move, with its validation."""


class Playthrough(GamePlan, Question[GameRecord]):
    """Play one game; the answer is its record."""

    packages: ClassVar = PLAYING

    def needs(self) -> Sequence[AgentTraits]:
        """The traits of third-party agents, which report whether they decide positions in batches."""
        if self.move_seconds is not None:
            return ()
        return [_traits(spec) for spec in (self.first, self.second) if lockstep_of(spec) == "asked"]

    def batch(self, needed: Sequence[Traits | None]) -> int:
        """`_BATCH` if an agent decides positions in batches, and neither needs its games one after another; else 1."""
        if self.move_seconds is not None:
            return 1
        modes = {lockstep_of(self.first), lockstep_of(self.second)}
        gains = "gains" in modes or any(traits.shared for traits in needed if traits is not None)
        return _BATCH if gains and "apart" not in modes else 1

    @property
    def seconds_in_all(self) -> float | None:
        """With a time limit for moves, the most time that all possible moves and building both agents may take."""
        if self.move_seconds is None:
            return None
        return 2 * MAKING_SECONDS + (self.rules.size - len(self.opening)) * self.move_seconds

    def checked(self, answer: GameRecord) -> GameRecord:
        """The record, after a replay."""
        return settled(self, answer)

    def answer(self, needed: Sequence[Any], notes: Recorder) -> GameRecord:
        """Play the game."""
        return play_game(self, (agent_of(self.first), agent_of(self.second)), time.perf_counter, notes)

    @classmethod
    def answer_many(
        cls, questions: Sequence[Self], known: Mapping[str, Value], notes: Recorder
    ) -> Sequence[GameRecord]:
        """Play several games in parallel, with the same records.

        A third-party agent only claims that this changes nothing. So some games are also played alone; if any differs, all are.
        """
        if len(questions) > 1:
            found = play_together(questions, clock=time.perf_counter, notes=notes)
            tried = [n for n in some_of(len(questions)) if any(map(from_outside, questions[n].agents()))]
            if all(_same(questions[number].answer((), notes), found[number]) for number in tried):
                return found
        return [question.answer((), notes) for question in questions]

    def broken(self, note: str, reason: str, died: bool) -> GameRecord:
        """The record of a game whose worker was stopped or died."""
        return broken_off(self, note, reason, died)


def _same(one: GameRecord, other: GameRecord) -> bool:
    return (one.moves, one.ending, one.error) == (other.moves, other.ending, other.error)


class GameScore(NamedTuple):
    """The score in one game of a task.

    Attributes:
        rules: The game.
        score: The score from the point of view of `a`.
        distinct: The number of different playthroughs.
        sides: The same for each side of `a`; empty if `a` plays itself, and in results saved by older versions.
    """

    rules: Rules
    score: Score
    distinct: int
    sides: tuple[tuple[Score, int], ...] = ()

    @property
    def groups(self) -> tuple[tuple[Score, int], ...]:
        """The groups in which repeated games are counted: scores by side, each with the number of different playthroughs."""
        return self.sides or ((self.score, self.distinct),)

    @property
    def win_interval(self) -> Interval:
        """The win rate with its interval, as in `MatchResult`."""
        return wins_with_repeats(self.groups)


class MatchResult(Value):
    """The result of a match so far, from the point of view of `a`.

    Attributes:
        a, b: The agents.
        a_first: a's score in the games in which it moved first.
        a_second: a's score in the games in which b moved first.
        distinct: The number of different games. Deterministic agents repeat games, and a repeated game is no further
            evidence. If an agent plays itself, a game counts once for both sides.
        distinct_first, distinct_second: The number of different games in which a, or b, moved first.
        seconds_a, seconds_b: Mean seconds for a move.
        problems: The error of each aborted game.
        by_game: The scores by game of the task; games that were not played are left out.
    """

    a: str
    b: str
    a_first: Score = Score()
    a_second: Score = Score()
    distinct: int = 0
    distinct_first: int = 0
    distinct_second: int = 0
    seconds_a: float = 0.0
    seconds_b: float = 0.0
    problems: tuple[str, ...] = ()
    by_game: tuple[GameScore, ...] = ()

    def __str__(self) -> str:
        """The agents, a's wins - draws - losses, and its win rate with the interval, in words."""
        total = self.total
        share, low, high = (f"{100 * number:.1f}" for number in self.win_interval)
        won_text = f", won {share} percent ({low} to {high})" if total.games else ""
        failed = f", {len(self.problems):,} broken off" if self.problems else ""
        return f"{self.a} against {self.b}: {total} in {counted(total.games, 'game')} ({self.distinct:,} distinct){won_text}{failed}"

    @property
    def total(self) -> Score:
        """a's score over all games."""
        return self.a_first + self.a_second

    @property
    def repeats(self) -> bool:
        """Whether some games were played more than once."""
        return self.distinct < self.total.games

    @property
    def win_interval(self) -> Interval:
        """a's win rate with its 95 percent confidence interval: Wilson's, in which repeated games count as in
        `effective_games`."""
        return wins_with_repeats(self.groups)

    @property
    def points_interval(self) -> Interval:
        """a's mean points in a game, 1 for a win and 1/2 for a draw, with the 95 percent confidence interval: Tango's."""
        return points_with_repeats(self.groups)

    @property
    def groups(self) -> list[tuple[Score, int]]:
        """Those of all games; see `GameScore`."""
        return [group for game in self.by_game for group in game.groups]

    @property
    def win_interval_first(self) -> Interval:
        """The same for the games in which a moved first."""
        return wins_with_repeats([(self.a_first, self.distinct_first)])

    @property
    def win_interval_second(self) -> Interval:
        """The same for the games in which b moved first."""
        return wins_with_repeats([(self.a_second, self.distinct_second)])


class Played(Question[MatchResult]):
    """Play a match.

    Attributes:
        task: The games; each is played equally often, as far as the number of games allows.
        a, b: The agents.
        games: The total number of playthroughs.
        moves_first: ``a`` or ``b`` for all games, or ``turns``: a pair of games, in which each agent moves first once, shares
            its seed and its opening. If an agent plays itself, each game has its own seed, because both would be the same.
        opening_plies: The number of random moves before the agents begin, drawn from the game's seed. Without them, two
            deterministic agents repeat the same game.
        seed: Each game's seed is derived from it, the rules, the number of the game (or of its pair) and `draws`.
        draws: Names from which seeds are also derived; empty for the names of the two agents, so that matches are
            independent. With equal names in several questions, their opponents draw the same random numbers.
        move_seconds: A game in which a move takes longer is aborted; None for no limit.
    """

    error_type: ClassVar = AgentError
    called: ClassVar = "match"
    counted: ClassVar[Literal[True]] = True
    allowed: ClassVar = {
        "games": f"a whole number from 1 to {MAX_GAMES}",
        "move_seconds": "a number of seconds above 0 and up to 86400",
    }

    task: Task
    a: AgentSpec
    b: AgentSpec
    games: int = Field(ge=1, le=MAX_GAMES)
    moves_first: Literal["a", "b", "turns"]
    opening_plies: int = Field(default=0, ge=0, le=361)
    seed: int = 0
    draws: tuple[str, ...] = ()
    move_seconds: float | None = MoveSeconds

    @model_validator(mode="after")
    def _openings_leave_moves(self) -> Self:
        most = max(0, min(rules.size - len(rules.brick_cells) for rules in self.task.rules) - 2)
        if self.opening_plies > most:
            raise ValueError(
                f"opening_plies={self.opening_plies} leaves an agent without a move: on so many cells at most {most} are allowed"
            )
        return self

    def needs(self) -> Sequence[Playthrough]:
        """Every playthrough; each can be played by itself, on any machine. The games of the task take turns.

        Raises:
            AgentError: an opening cannot have `opening_plies` moves, because each further one ends the game.
        """
        return _playthroughs(self)

    def answer(self, needed: Sequence[GameRecord | None], notes: Recorder) -> MatchResult:
        """Count the games that were played."""
        moved, spent = [0, 0], [0.0, 0.0]
        problems: list[str] = []
        games: dict[Rules, dict[Player, list[GameRecord]]] = {}
        for (game, side), record in zip(self.sided(), needed, strict=True):
            if record is None:
                continue
            own = len(record.moves) - record.opening
            first_moves = (own + 1 - record.opening % 2) // 2
            by_side = ((first_moves, record.seconds_first), (own - first_moves, record.seconds_second))
            for agent, (moves, seconds) in enumerate(by_side if side == "first" else reversed(by_side)):
                moved[agent] += moves
                spent[agent] += seconds
            games.setdefault(game.rules, {"first": [], "second": []})[side].append(record)
            problems += filter(None, [record.failure])
        by_game = [self._game_score(rules, games[rules]) for rules in self.task.rules if rules in games]
        return MatchResult(
            a=str(self.a),
            b=str(self.b),
            a_first=sum((Score.of(records["first"], "first") for records in games.values()), Score()),
            a_second=sum((Score.of(records["second"], "second") for records in games.values()), Score()),
            distinct=sum(game.distinct for game in by_game),
            distinct_first=sum(_distinct(records["first"]) for records in games.values()),
            distinct_second=sum(_distinct(records["second"]) for records in games.values()),
            seconds_a=spent[0] / max(1, moved[0]),
            seconds_b=spent[1] / max(1, moved[1]),
            problems=tuple(problems),
            by_game=tuple(by_game),
        )

    @property
    def is_against_itself(self) -> bool:
        """Whether both are the same agent, even if they are spelt differently."""
        return _spelling(self.a) == _spelling(self.b)

    def records(self, answers: Answers) -> list[GameRecord]:
        """The available records, in the order of the games."""
        return [record for game in self.needs() if (record := answers[game]) is not None]

    def lost(self, answers: Answers, rules: Rules | None = None) -> GameRecord | None:
        """The first finished game that `a` lost, in one game of the task or in any; None if it lost none."""
        for game, side in self.sided():
            if rules is None or game.rules == rules:
                record = answers[game]
                if record is not None and record.ending not in ("draw", "error", side):
                    return record
        return None

    def _game_score(self, rules: Rules, records: dict[Player, list[GameRecord]]) -> GameScore:
        sides = tuple((Score.of(some, side), _distinct(some)) for side, some in records.items())
        score, distinct = sum((score for score, _ in sides), Score()), sum(different for _, different in sides)
        if self.is_against_itself:
            distinct, sides = _distinct(records["first"] + records["second"]), ()
        return GameScore(rules, score, distinct, sides)

    def sided(self) -> list[tuple[Playthrough, Player]]:
        """Every playthrough, and the side that `a` plays in it."""
        if self.moves_first != "turns":
            side: Player = "first" if self.moves_first == "a" else "second"
            return [(game, side) for game in self.needs()]
        return [(game, "second" if number % 2 else "first") for number, game in enumerate(self.needs())]


def _spelling(spec: AgentSpec) -> tuple[str, str, list[tuple[str, str]]]:
    """A form that is equal for all spellings of an agent, which differ in the order of options or in the path of its file."""
    place, colon, name = spec.target.rpartition(":")
    target = f"{Path(place).resolve()}:{name}" if colon and place.endswith(".py") else spec.target
    return spec.name, target, sorted(spec.options)


def _distinct(records: Sequence[GameRecord]) -> int:
    return len({record.moves for record in records if record.ending != "error" or record.culprit})


@lru_cache(maxsize=256)  # a match may have a million games
def _playthroughs(played: Played) -> tuple[Playthrough, ...]:
    turns = played.moves_first == "turns"
    pair = (played.b, played.a) if played.moves_first == "b" else (played.a, played.b)
    names = sorted(map(str, pair)) if turns else list(map(str, pair))
    games = []
    for dealt in range(played.games):
        round_, rules = _deal(dealt, played.task.rules, 2 if turns else 1)
        number = round_ // 2 if turns and not played.is_against_itself else round_
        if played.draws:
            seed = derive_seed(played.seed, *played.draws, rules.to_json(), number)
        else:
            seed = derive_seed(played.seed, rules.to_json(), *names, number)
        first, second = reversed(pair) if turns and round_ % 2 else pair
        games.append(
            Playthrough(
                rules=rules,
                first=first,
                second=second,
                seed=seed,
                opening=_opening(rules, played.opening_plies, seed),
                move_seconds=played.move_seconds,
            )
        )
    return tuple(games)


def _opening(rules: Rules, plies: int, seed: int) -> tuple[int, ...]:
    opening = random_opening(rules, plies, Rng(derive_seed(seed, "opening"))) if plies else ()
    if len(opening) < plies:
        raise AgentError(
            f"an opening of {plies} moves leaves an agent without a move in {rules}, "
            f"where one ends after {len(opening)}: ask for fewer"
        )
    return opening


def _deal(number: int, games: Sequence[Rules], at_once: int) -> tuple[int, Rules]:
    """The game of playthrough `number`, and its index among that game's playthroughs; `at_once` of one game are consecutive."""
    turn, within = divmod(number, at_once)
    round_, place = divmod(turn, len(games))
    return round_ * at_once + within, games[place]


@lru_cache(maxsize=256)
def _traits(spec: AgentSpec) -> AgentTraits:
    return AgentTraits(agent=spec)
