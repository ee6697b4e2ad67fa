"""The tournament of the Brick Tic-Tac-Toe paper: its Tables 3, 4 and 5, without the rows of AlphaZero."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from noughts.agents import AgentSpec, parse_agent
from noughts.document.citations import BRICK_PAPER
from noughts.document.result import BoardFigure, Figure, MatrixFigure, Row, Table, beside, judged
from noughts.positions import Position
from noughts.questions.answers import Answers
from noughts.questions.played import MatchResult, Played
from noughts.questions.question import Question
from noughts.questions.timed import Timed
from noughts.questions.tournament import in_rounds, round_robin
from noughts.rules import Rules, parse_rules, task_of
from noughts.statistics import compare, compare_with_always, mean_interval
from noughts.store.records import GameRecord
from noughts.studies.study import (
    Conclusion,
    Settings,
    Study,
    count_row,
    parse_guests,
    percent,
    verdicts_in_words,
    with_minutes,
)

VARIANTS = {"Variant 1": parse_rules("bttt(D4)"), "Variant 2": parse_rules("bttt(E5)")}

LINE_UP = {
    "Random": parse_agent("random"),
    "MCTS 1000": parse_agent("mcts:sims=1000"),
    "MCTS 10000": parse_agent("mcts:sims=10000"),
    "Minimax": parse_agent("minimax:depth=2"),
    "Minimax, ties=first": parse_agent("minimax:depth=2,ties=first"),
}
_OURS = ("Minimax, ties=first",)  # of the line-up, not in the paper

PAPER_GAMES = 100
GAMES = {"quick": 30, "laptop": 4 * PAPER_GAMES, "paper": PAPER_GAMES}  # more than the paper is cheap here
TIMED_MOVES = {"quick": 20, "laptop": 50, "paper": 100}

# Wins of the first player in 100 games, Variant 1 and Variant 2.
TABLE_3_RANDOM = (60, 53)
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
_CROSS_TABLE = (
    "Each cell says what share of its games the row's agent won, moving first, against the column's; on the "
    "diagonal an agent plays itself. Where the two variants look alike, the brick's square makes no difference."
)
TABLE_5 = {"Random": 0.000006, "MCTS 1000": 1.88, "MCTS 10000": 18.8, "Minimax": 0.97}


class _Pair(NamedTuple):
    """One match of the tournament, with what the paper says of it."""

    variant: str
    first: str
    second: str
    played: Played
    result: MatchResult
    paper_wins: int | None
    always: bool
    full_boards: int


class BtttTournament(Study):
    """Who beats whom at Brick Tic-Tac-Toe, and does it matter where the brick lies?"""

    name = "bttt-tournament"
    title = "The Brick Tic-Tac-Toe tournament"
    question = "Do Random, MCTS and Minimax fare as in the paper, and alike with the brick on D4 and on E5?"
    paper = (
        "Tan Chong Min and Motani, Brick Tic-Tac-Toe: Exploring the Generalizability of AlphaZero to "
        "Novel Test Environments, Tables 3, 4 and 5"
    )
    citations = (BRICK_PAPER,)
    scales = with_minutes(
        {scale: f"{games} games a pair on both variants (the paper: 100)" for scale, games in GAMES.items()},
        quick=1,
        paper=1,
    )
    deviations = (
        "A full board is the second player's win, as the paper's text says; its authors' program counts a draw. The findings say how many full boards there were.",
        "Minimax breaks ties among equal moves at random, and sums Table 2 in whole numbers. The authors' program also picks at random, but rounding of decimals splits sums that are equal by symmetry. A second Minimax, which takes the first of equal moves, shows how much hangs on this.",
        "In the authors' program a finished game counts +1 or -1 beside Table 2's sums. Here a win outranks any sum, and is preferred the sooner it comes.",
        "MCTS is as the text states it: random rollouts, C = 1, the number of iterations that its name says. The authors' program runs 2,500 heuristic iterations whatever is asked.",
        "The appendix names the brick squares D3 and E4; the figures and the text say D4 and E5, and so do we.",
        "The rows of AlphaZero are left to the studies of learning.",
        "The paper calls the first player O and the second X; here the first is X.",
    )

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Every pair of the line-up on both variants, game by game, then the timings."""
        line_up = _line_up(settings)
        matches = [match for variant in VARIANTS for match in _matches(settings, line_up, variant)]
        return [*in_rounds(matches), *(_timed(settings, agent) for agent in line_up.values())]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """Tables 3, 4 and 5, a cross-table for each variant, and what stands out."""
        line_up = _line_up(settings)
        pairs = list(_pairs(settings, line_up, answers))
        table_3 = [pair for pair in pairs if "Random" in (pair.first, pair.second)]
        table_4 = [pair for pair in pairs if "Random" not in (pair.first, pair.second)]
        unit = "games won by the first player, percent"
        labels = ("First player", "Second player", "Brick")
        tables = judged(
            (
                Table(
                    title="Everybody against Random (the paper's Table 3)",
                    label_columns=labels,
                    unit=unit,
                    rows=tuple(map(_row, table_3)),
                    caption="The paper says that any agent beats Random in every game: one loss refutes that.",
                ),
                Table(
                    title="The round robin (the paper's Table 4)",
                    label_columns=labels,
                    unit=unit,
                    rows=tuple(map(_row, table_4)),
                    caption="The paper prints the same numbers for D4 and E5. Rows without a paper's number are ours. Where fewer games differ than were played, the others are "
                    "repeats: they say how often chance leads there, and nothing of other games.",
                ),
                _table_5(settings, line_up, answers),
            )
        )
        figures = [
            *beside(tables[1], _cross_tables(line_up, pairs), _CROSS_TABLE),
            *beside(tables[1], _boards(pairs, answers), "One of the games that were played; numbers are plies."),
        ]
        return Conclusion(tables, tuple(figures), tuple(_findings(pairs, tables)))


def ended_full(rules: Rules, record: GameRecord) -> bool:
    """Whether a game ended on a full board with no line."""
    if len(record.moves) < rules.size - len(rules.bricks) or record.ending == "error":
        return False
    return not Position.start(rules, record.moves).winning_lines()


def _line_up(settings: Settings) -> dict[str, AgentSpec]:
    """Agents by the name that the tables show, guests last."""
    return LINE_UP | {str(guest): guest for guest in parse_guests(settings, LINE_UP.values())}


def _matches(settings: Settings, line_up: Mapping[str, AgentSpec], variant: str) -> list[Played]:
    return round_robin(
        task_of(VARIANTS[variant]),
        list(line_up.values()),
        GAMES[settings.scale],
        settings.seed,
        with_itself=True,
        move_seconds=settings.move_seconds,
    )


def _timed(settings: Settings, agent: AgentSpec) -> Timed:
    return Timed(
        agent=agent,
        rules=VARIANTS["Variant 1"],
        moves=TIMED_MOVES[settings.scale],
        seed=settings.seed,
        move_seconds=settings.move_seconds,
    )


def _pairs(settings: Settings, line_up: Mapping[str, AgentSpec], answers: Answers) -> Iterator[_Pair]:
    names = {agent: name for name, agent in line_up.items()}
    for number, (variant, rules) in enumerate(VARIANTS.items()):
        for played in _matches(settings, line_up, variant):
            first, second = names[played.a], names[played.b]
            paper, always = _claim(first, second, number)
            full = sum(ended_full(rules, record) for record in played.records(answers))
            yield _Pair(variant, first, second, played, answers[played], paper, always, full)


def _table_5(settings: Settings, line_up: Mapping[str, AgentSpec], answers: Answers) -> Table:
    return Table(
        title="Time a move (the paper's Table 5)",
        label_columns=("Agent",),
        unit="seconds for an opening move, mean",
        rows=tuple(_timed_row(settings, name, agent, answers) for name, agent in line_up.items()),
        caption="Opening moves of Variant 1, one worker, nothing else of ours running. Times on other machines "
        "are neither confirmed nor refuted.",
    )


def _timed_row(settings: Settings, name: str, agent: AgentSpec, answers: Answers) -> Row:
    paper = TABLE_5.get(name)
    written = f"{_plain(paper)} s" if paper else ""
    seconds = answers[_timed(settings, agent)]
    if seconds is None:
        return Row(labels=(name,), paper=written)
    mean, low, high = mean_interval(list(seconds.moves))
    note = ""
    if paper and paper > 2 * mean:
        note = f"{paper / mean:,.0f} times faster than the paper's program on its machine"
    return Row(
        labels=(name,),
        paper=written,
        ours=f"{_plain(mean)} s",
        value=mean,
        low=max(0.0, low),
        high=high,
        count=len(seconds.moves),
        note=note,
    )


def _plain(seconds: float) -> str:
    """To two or three digits, never as a power of ten: 0.0000060, 18.8."""
    return f"{seconds:.3g}" if seconds >= 0.001 else f"{seconds:.7f}"


def _claim(first: str, second: str, variant: int) -> tuple[int | None, bool]:
    """The first player's wins in 100 games according to the paper, and whether it claims that of every game."""
    if first == second == "Random":
        return TABLE_3_RANDOM[variant], False
    if second == "Random" and first in LINE_UP:
        return (100, True) if first not in _OURS else (None, False)
    if first == "Random" and second in LINE_UP:
        return (0, True) if second not in _OURS else (None, False)
    # "This shows that Minimax is playing perfectly as it wins all the time as Player 1" (section 5).
    return TABLE_4.get((first, second)), first == "Minimax"


def _row(pair: _Pair) -> Row:
    labels = (pair.first, pair.second, "D4" if pair.variant == "Variant 1" else "E5")
    score = pair.result.total
    paper, comparison = "", None
    if pair.paper_wins is not None:
        paper = f"{pair.paper_wins} - {PAPER_GAMES - pair.paper_wins}"
        comparison = (
            compare_with_always(score.wins, score.games, bool(pair.paper_wins))
            if pair.always
            else compare(score.wins, score.games, pair.paper_wins, PAPER_GAMES)
        )
    notes = []
    if pair.full_boards:
        notes.append(f"{pair.full_boards} on a full board")
    if pair.result.problems:
        notes.append(f"{len(pair.result.problems)} broken off")
    return count_row(labels, score, paper, comparison, "; ".join(notes), pair.result.distinct)


def _different_games(result: MatchResult) -> str:
    return f"{result.distinct} different game{'s' if result.distinct > 1 else ''}"


def _cross_tables(line_up: Mapping[str, AgentSpec], pairs: Sequence[_Pair]) -> Iterator[Figure]:
    names = tuple(line_up)
    for variant in VARIANTS:
        found = {(pair.first, pair.second): pair.result.total for pair in pairs if pair.variant == variant}
        yield MatrixFigure(
            name=variant.lower().replace(" ", "-"),
            title=f"{variant}: games won by the first player, percent",
            row_label="first player",
            col_label="second player",
            rows=names,
            cols=names,
            values=tuple(
                tuple(percent(found[a, b].win_interval.share) if found[a, b].games else None for b in names)
                for a in names
            ),
            texts=tuple(
                tuple(f"{percent(found[a, b].win_interval.share):.0f}" if found[a, b].games else "" for b in names)
                for a in names
            ),
            value_label="percent won",
        )


def _boards(pairs: Sequence[_Pair], answers: Answers) -> Iterator[Figure]:
    """A game worth looking at: a loss of Minimax as first player, or else its win against the stronger MCTS."""
    minimax = [pair for pair in pairs if pair.first == "Minimax"]
    for pair in minimax:
        if lost := pair.played.lost(answers):
            yield _board("minimax-loses", f"Minimax (X) moves first and loses to {lost.second} (O)", lost)
            return
    for pair in minimax:
        if pair.second == "MCTS 10000" and pair.result.total.wins:
            won = next(record for record in pair.played.records(answers) if record.ending == "first")
            yield _board("minimax-wins", f"Minimax (X) beats {won.second} (O)", won)
            return


def _board(name: str, title: str, record: GameRecord) -> BoardFigure:
    return BoardFigure(name=name, title=title, rules=record.rules, moves=record.moves)


def _findings(pairs: Sequence[_Pair], tables: Sequence[Table]) -> Iterator[str]:
    rows = [row for table in tables for row in table.rows if row.comparison is not None]
    if not rows:
        return
    yield f"Rows of Tables 3 and 4 beside the paper's: {verdicts_in_words(rows)}."
    for row in rows:
        if row.verdict in ("differs", "refuted"):
            first, second, brick = row.labels
            yield f"{first} - {second} with the brick on {brick}: the paper has {row.paper}, we {row.ours} ({row.verdict})."
    for name in ("Minimax", *_OURS):
        begun = [pair.result.total for pair in pairs if pair.first == name]
        games, lost = sum(score.games for score in begun), sum(score.losses for score in begun)
        if games:
            so = "as the paper says" if not lost else "so its play is not perfect"
            yield f"{name} moved first in {games} games and lost {lost}, {so}."
    decided = sum(pair.result.total.games for pair in pairs)
    full = sum(pair.full_boards for pair in pairs)
    yield f"{full} of {decided} games ended on a full board, which the text gives to the second player and the authors' program to nobody."
    for pair in pairs:
        if pair.result.repeats and pair.result.distinct <= pair.result.total.games / 2:
            yield f"{pair.first} - {pair.second} ({pair.variant}) repeats itself: {_different_games(pair.result)} of {pair.result.total.games}."
