"""The tournament of the Brick Tic-Tac-Toe paper: its Tables 3, 4 and 5, without the rows of AlphaZero."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from noughts.agents import AgentSpec, parse_agent
from noughts.document.citations import BRICK_PAPER
from noughts.document.result import BoardFigure, Row, game_figure
from noughts.play.score import Score
from noughts.positions import Position
from noughts.questions.answers import Answers
from noughts.questions.played import MatchResult, Played
from noughts.questions.question import Question
from noughts.questions.timed import Timed
from noughts.questions.tournament import in_rounds, round_robin
from noughts.rules import Rules, parse_rules, task_of
from noughts.rules.text import counted
from noughts.statistics import mean_interval
from noughts.store.records import GameRecord
from noughts.studies.claims import Claim, notes, wins
from noughts.studies.study import Conclusion, Settings, Study, concluded, parse_guests, section, with_minutes

VARIANTS = {"Variant 1": parse_rules("bttt(D4)"), "Variant 2": parse_rules("bttt(E5)")}

LINE_UP = {
    "Random": parse_agent("random"),
    "MCTS 1000": parse_agent("mcts:sims=1000"),
    "MCTS 10000": parse_agent("mcts:sims=10000"),
    "Minimax": parse_agent("minimax:depth=2"),
    "Minimax, ties=first": parse_agent("minimax:depth=2,ties=first"),
}
_OURS = ("Minimax, ties=first",)  # in the line-up, not in the paper

PAPER_GAMES = 100
GAMES = {"quick": 30, "laptop": 4 * PAPER_GAMES, "paper": PAPER_GAMES}  # more games than the paper's are cheap here
TIMED_MOVES = {"quick": 20, "laptop": 50, "paper": 100}

AGAINST_RANDOM = "Every agent against Random (the paper's Table 3)"
ROUND_ROBIN = "The round robin (the paper's Table 4)"

# Wins of the first player in 100 games.
TABLE_3_RANDOM = {"Variant 1": 60, "Variant 2": 53}
TABLE_4 = {
    ("MCTS 1000", "MCTS 1000"): 70,
    ("MCTS 1000", "MCTS 10000"): 15,
    ("MCTS 10000", "MCTS 1000"): 100,
    ("MCTS 10000", "MCTS 10000"): 70,
    ("Minimax", "MCTS 1000"): 100,
    ("Minimax", "MCTS 10000"): 100,
    ("Minimax", "Minimax"): 100,
    ("MCTS 1000", "Minimax"): 9,
    ("MCTS 10000", "Minimax"): 51,
}
TABLE_5 = {"Random": 0.000006, "MCTS 1000": 1.88, "MCTS 10000": 18.8, "Minimax": 0.97}


class BtttTournament(Study):
    """Which agent beats which at Brick Tic-Tac-Toe, and does the brick's square matter?"""

    name = "bttt-tournament"
    title = "The Brick Tic-Tac-Toe tournament"
    question = "Do Random, MCTS and Minimax score as in the paper, and equally with the brick on D4 and on E5?"
    paper = "Tan Chong Min and Motani, Brick Tic-Tac-Toe: Exploring the Generalizability of AlphaZero to Novel Test Environments, Tables 3, 4 and 5"
    citations = (BRICK_PAPER,)
    scales = with_minutes(
        {scale: f"{games} games a pair on both variants (the paper: 100)" for scale, games in GAMES.items()},
        quick=1,
        paper=1,
    )
    deviations = (
        "A full board is the second player's win, as in the paper's text. The authors' program counts a draw. The findings count the full boards.",
        "Minimax breaks ties among equal moves at random, and sums Table 2 in whole numbers. The authors' program also picks at random, but rounding of decimals splits sums that are equal by symmetry. A second Minimax, which takes the first of equal moves, shows how much this matters.",
        "In the authors' program a finished game counts +1 or -1 among Table 2's sums. Here a win outranks any sum, and a faster win a slower one.",
        "MCTS follows the text: random rollouts, C = 1, and the number of iterations in its name. The authors' program always runs 2,500 heuristic iterations.",
        "The appendix names the brick squares D3 and E4. We use D4 and E5, as in the figures and the text.",
        "Other studies cover the rows of AlphaZero.",
        "The paper calls the first player O and the second X; here the first is X.",
    )

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Every pair of the line-up on both variants, game by game, then the timings."""
        line_up = _line_up(settings)
        matches = [match for variant in VARIANTS for match in _matches(settings, line_up, variant)]
        return [*in_rounds(matches), *(_timed(settings, agent) for agent in line_up.values())]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """Tables 3, 4 and 5, a game, and findings."""
        line_up = _line_up(settings)
        pairs = [pair for variant in VARIANTS for pair in _pairs(settings, line_up, variant, answers)]
        columns, unit = ("First player", "Second player", "Brick"), "games won by the first player, percent"
        table_3, table_4 = (
            [pair.claim.measured(answers) for pair in pairs if ("Random" in pair.names) is random]
            for random in (True, False)
        )
        return concluded(
            section(
                AGAINST_RANDOM,
                columns,
                unit,
                table_3,
                "The paper claims that any agent beats Random in every game, so one loss refutes it.",
            ),
            section(
                ROUND_ROBIN,
                columns,
                unit,
                table_4,
                "The paper prints the same numbers for D4 and E5. Rows without a paper's number are ours. If fewer games are distinct than were played, the others are repeats and no further evidence.",
                {"One of the games that were played; numbers are plies.": _games(pairs, answers)},
                findings=_findings(pairs),
            ),
            section(
                "Time a move (the paper's Table 5)",
                ("Agent",),
                "seconds for an opening move, mean",
                [_timed_row(settings, name, agent, answers) for name, agent in line_up.items()],
                "Opening moves of Variant 1, with one worker and no other work of ours. This neither confirms nor refutes times on other machines.",
            ),
        )


class _Pair(NamedTuple):
    """One match of the tournament: its variant, the first player's name and the second's, and the paper's claim."""

    variant: str
    names: tuple[str, str]
    played: Played
    result: MatchResult
    claim: Claim
    full: int  # games that ended on a full board with no line


def ended_full(rules: Rules, record: GameRecord) -> bool:
    """Whether a game ended on a full board with no line."""
    if len(record.moves) < rules.size - len(rules.bricks) or record.ending == "error":
        return False
    return not Position.start(rules, record.moves).winning_lines()


def _line_up(settings: Settings) -> dict[str, AgentSpec]:
    """Agents by their names in the tables, guests last."""
    return LINE_UP | {str(guest): guest for guest in parse_guests(settings, LINE_UP.values())}


def _matches(settings: Settings, line_up: Mapping[str, AgentSpec], variant: str) -> list[Played]:
    task, agents, games = task_of(VARIANTS[variant]), list(line_up.values()), GAMES[settings.scale]
    return round_robin(task, agents, games, settings.seed, with_itself=True, move_seconds=settings.move_seconds)


def _timed(settings: Settings, agent: AgentSpec) -> Timed:
    return Timed(
        agent=agent,
        rules=VARIANTS["Variant 1"],
        moves=TIMED_MOVES[settings.scale],
        seed=settings.seed,
        move_seconds=settings.move_seconds,
    )


def _pairs(settings: Settings, line_up: Mapping[str, AgentSpec], variant: str, answers: Answers) -> Iterator[_Pair]:
    names, rules = {agent: name for name, agent in line_up.items()}, VARIANTS[variant]
    for played in _matches(settings, line_up, variant):
        pair, result = (names[played.a], names[played.b]), answers[played]
        full = sum(ended_full(rules, record) for record in played.records(answers))
        won, of = _claimed(*pair, variant)
        paper, broken = "" if won is None else f"{won} - {PAPER_GAMES - won}", len(result.problems)
        note = notes(f"{full} on a full board" * bool(full), f"{broken} broken off" * bool(broken))
        claim = Claim((*pair, rules.brick_names()), played, wins, paper, won, of, note=note)
        yield _Pair(variant, pair, played, result, claim, full)


def _claimed(first: str, second: str, variant: str) -> tuple[int | None, int]:
    """The first player's wins in the paper, and its number of games: 0 if the paper claims the wins of every game."""
    if first == second == "Random":
        return TABLE_3_RANDOM[variant], PAPER_GAMES
    if "Random" in (first, second):
        own = first in LINE_UP and second in LINE_UP and not {first, second} & set(_OURS)
        return ((0 if first == "Random" else PAPER_GAMES) if own else None), 0
    # "This shows that Minimax is playing perfectly as it wins all the time as Player 1" (section 5).
    return TABLE_4.get((first, second)), 0 if first == "Minimax" else PAPER_GAMES


def _timed_row(settings: Settings, name: str, agent: AgentSpec, answers: Answers) -> Row:
    paper, seconds, note = TABLE_5.get(name), answers[_timed(settings, agent)], ""
    row = Row(labels=(name,), paper=f"{_plain(paper)} s" if paper else "")
    if seconds is None:
        return row
    mean, low, high = mean_interval(list(seconds.values))
    if paper and paper > 2 * mean:
        note = f"{paper / mean:,.0f} times faster than the paper's program on its machine"
    interval = {"value": mean, "low": max(0.0, low), "high": high, "count": len(seconds.values)}
    return row.model_copy(update={"ours": f"{_plain(mean)} s", "note": note, **interval})


def _plain(seconds: float) -> str:
    """A time with two or three digits, never in exponent notation: 0.0000060, 18.8."""
    return f"{seconds:.3g}" if seconds >= 0.001 else f"{seconds:.7f}"


def _games(pairs: Sequence[_Pair], answers: Answers) -> Iterator[BoardFigure]:
    """A notable game: a loss of Minimax as first player, or else its win against the stronger MCTS."""
    minimax = [pair for pair in pairs if pair.names[0] == "Minimax"]
    for pair in minimax:
        if lost := pair.played.lost(answers):
            title = f"Minimax (X) moves first and loses to {lost.second} (O)"
            yield game_figure("minimax-loses", title, lost.game, lost.moves)
            return
    for pair in minimax:
        if pair.names[1] == "MCTS 10000" and pair.result.total.wins:
            won = next(record for record in pair.played.records(answers) if record.ending == "first")
            yield game_figure("minimax-wins", f"Minimax (X) beats {won.second} (O)", won.game, won.moves)
            return


def _findings(pairs: Sequence[_Pair]) -> Iterator[str]:
    if not any(pair.result.total.games for pair in pairs):
        return
    for name in ("Minimax", *_OURS):
        total = sum((pair.result.total for pair in pairs if pair.names[0] == name), Score())
        if total.games:
            yield f"{name} moved first in {total.games} games and lost {total.losses}; the paper claims that Minimax wins every game as first player."
    games, full = sum(pair.result.total.games for pair in pairs), sum(pair.full for pair in pairs)
    yield f"{full} of {games} games ended on a full board, which is the second player's win in the text and a draw in the authors' program."
    for pair in pairs:
        if pair.result.repeats and pair.result.distinct <= pair.result.total.games / 2:
            different = counted(pair.result.distinct, "different game")
            yield f"{' - '.join(pair.names)} ({pair.variant}) repeats itself: {different} of {pair.result.total.games}."
