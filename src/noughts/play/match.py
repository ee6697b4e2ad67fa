"""A match: many games between two agents under one set of rules."""

from collections.abc import Iterable
from typing import ClassVar, Literal, Self

from pydantic import Field

from noughts.agents import parse_agent
from noughts.play.playthrough import GamePlan
from noughts.play.statistics import Interval, wilson
from noughts.positions import Position, Rng, derive_seed
from noughts.rules import AgentError, Rules, Value, format_rules, parse_rules
from noughts.store.records import GameRecord

Colours = Literal["fixed", "swapped"]
MAX_GAMES = 1_000_000


class MatchPlan(Value):
    """What to play.

    Attributes:
        rules: Text form.
        a, b: Text forms of the agents.
        games: How many.
        colours: ``fixed``: a always moves first. ``swapped``: they take turns; a pair of games, one with each
            side first, shares its seed and its opening.
        opening_plies: Random moves made before the agents begin, drawn from the game's seed: without them,
            two deterministic agents play the same game each time.
        seed: Each game's seed is derived from it, the rules, the agents and the game's number (with swapped
            colours the pair's number, and the agents in either order), so that matches are independent.
        move_seconds: A game in which a move takes longer is broken off; None for no limit.
    """

    error_type: ClassVar = AgentError
    called: ClassVar = "match"
    allowed: ClassVar = {
        "games": f"a whole number from 1 to {MAX_GAMES}",
        "colours": "fixed or swapped",
        "opening_plies": "a whole number from 0 to 361",
        "move_seconds": "a number of seconds above 0 and up to 86400",
    }

    rules: str
    a: str
    b: str
    games: int = Field(ge=1, le=MAX_GAMES)
    colours: Colours = "fixed"
    opening_plies: int = Field(default=0, ge=0, le=361)
    seed: int = 0
    move_seconds: float | None = Field(default=None, gt=0, le=86400, allow_inf_nan=False)

    @property
    def name(self) -> str:
        """What names the match within a run: rules and agents."""
        return f"{self.rules} / {self.a} / {self.b}"


def make_match(plan: MatchPlan) -> MatchPlan:
    """The same plan with its texts in canonical form, so that equal matches get equal seeds."""
    canonical = {
        "rules": format_rules(parse_rules(plan.rules)),
        "a": str(parse_agent(plan.a)),
        "b": str(parse_agent(plan.b)),
    }
    return plan.model_copy(update=canonical)


def match_games(plan: MatchPlan) -> list[GamePlan]:
    """Every game of a match, in order; each can be played alone, anywhere, at any time."""
    plan = make_match(plan)
    rules = parse_rules(plan.rules)
    games = []
    for number in range(plan.games):
        swapped = plan.colours == "swapped"
        pair = number // 2 if swapped else number
        agents = sorted((plan.a, plan.b)) if swapped else (plan.a, plan.b)
        seed = derive_seed(plan.seed, rules.to_json(), *agents, pair)
        first, second = (plan.b, plan.a) if swapped and number % 2 else (plan.a, plan.b)
        games.append(
            GamePlan(
                key=f"{plan.name} / {number:06d}",
                rules=plan.rules,
                first=first,
                second=second,
                seed=seed,
                opening=random_opening(rules, plan.opening_plies, Rng(derive_seed(seed, "opening"))),
                move_seconds=plan.move_seconds,
            )
        )
    return games


def random_opening(rules: Rules, plies: int, rng: Rng) -> tuple[int, ...]:
    """Random legal moves that do not end the game; fewer than `plies` only if every further move would."""
    position = Position.start(rules)
    while position.ply < plies:
        legal = list(position.legal_moves)
        while legal:
            after = position.play(legal.pop(rng.below(len(legal))))
            if not after.is_over:
                break
        else:
            break  # every move would end the game
        position = after
    return position.moves


class Score(Value):
    """Games counted from one agent's point of view. Games that ended in an error count apart, for nobody."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    errors: int = 0

    @property
    def games(self) -> int:
        """Games that were decided or drawn."""
        return self.wins + self.draws + self.losses

    @property
    def win_interval(self) -> Interval:
        """Share of wins, with its Wilson interval."""
        return wilson(self.wins, self.games)

    @property
    def draw_interval(self) -> Interval:
        """Share of draws."""
        return wilson(self.draws, self.games)

    @property
    def loss_interval(self) -> Interval:
        """Share of losses."""
        return wilson(self.losses, self.games)

    def __str__(self) -> str:
        """Wins - losses, with draws between them if there are any."""
        counts = (self.wins, self.draws, self.losses) if self.draws else (self.wins, self.losses)
        return " - ".join(map(str, counts))

    def __add__(self, other: Self) -> "Score":
        return Score(**{name: getattr(self, name) + getattr(other, name) for name in Score.model_fields})


class MatchResult(Value):
    """How a match stands or ended, from the point of view of `a`.

    Attributes:
        a, b: The agents.
        a_first: a's score in the games it began.
        a_second: a's score in the games b began.
        distinct: How many different games were played: deterministic agents repeat themselves, and repeated
            games are no further evidence.
        seconds_a, seconds_b: Mean seconds a move.
        problems: The error of each game that was broken off, with its key.
    """

    a: str
    b: str
    a_first: Score
    a_second: Score
    distinct: int
    seconds_a: float
    seconds_b: float
    problems: tuple[str, ...] = ()

    @property
    def total(self) -> Score:
        """a's score over all games."""
        return self.a_first + self.a_second

    @property
    def repeats(self) -> bool:
        """Whether some games were played more than once."""
        return self.distinct < self.total.games


def match_result(plan: MatchPlan, records: Iterable[GameRecord]) -> MatchResult:
    """The result of the games of a match; records of other matches are left out."""
    plan = make_match(plan)
    scores = [Score(), Score()]
    moved, spent = [0, 0], [0.0, 0.0]
    games, problems = set(), []
    for record in records:
        if not record.key.startswith(plan.name + " / "):
            continue
        a_is_second = record.first != plan.a or (_number(record) % 2 == 1 and plan.colours == "swapped")
        counts = dict.fromkeys(("wins", "draws", "losses", "errors"), 0)
        if record.ending == "error":
            counts["errors"] = 1
            problems.append(f"{record.key}: {record.culprit or 'game'}: {record.error}")
        elif record.ending == "draw":
            counts["draws"] = 1
        else:
            counts["wins" if (record.ending == "second") == a_is_second else "losses"] = 1
        if record.ending != "error":
            games.add((a_is_second, record.moves))
        scores[a_is_second] += Score(**counts)
        own = len(record.moves) - record.opening
        first_moves = (own + 1 - record.opening % 2) // 2
        by_side = ((first_moves, record.seconds_first), (own - first_moves, record.seconds_second))
        for agent, (moves, seconds) in enumerate(reversed(by_side) if a_is_second else by_side):
            moved[agent] += moves
            spent[agent] += seconds
    return MatchResult(
        a=plan.a,
        b=plan.b,
        a_first=scores[0],
        a_second=scores[1],
        distinct=len(games),
        seconds_a=spent[0] / max(1, moved[0]),
        seconds_b=spent[1] / max(1, moved[1]),
        problems=tuple(problems),
    )


def _number(record: GameRecord) -> int:
    return int(record.key.rpartition(" / ")[2])
