"""The tournament of the Brick Tic-Tac-Toe paper: its Tables 3, 4 and 5, without the rows of AlphaZero."""

import json
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from noughts.agents import build_agent, choose, parse_agent
from noughts.document.result import BoardFigure, Figure, MatrixFigure, Row, Table
from noughts.play.match import MatchPlan, MatchResult, Score, match_games
from noughts.play.playthrough import Notes, replay
from noughts.play.statistics import mean_interval
from noughts.play.tournament import round_robin, standings
from noughts.positions import Position, Rng, derive_seed
from noughts.questions.session import Game, Measurement, Work
from noughts.rules import parse_rules
from noughts.store.records import GameRecord
from noughts.studies.study import Conclusion, Results, Settings, Study, compare, count_row, percent

VARIANTS = {"Variant 1": "bttt(D4)", "Variant 2": "bttt(E5)"}

LINE_UP = {
    "Random": "random",
    "MCTS 1000": "mcts:sims=1000",
    "MCTS 10000": "mcts:sims=10000",
    "Minimax": "minimax:depth=2",
    "Minimax, ties=first": "minimax:depth=2,ties=first",
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
TABLE_5 = {"Random": 0.000006, "MCTS 1000": 1.88, "MCTS 10000": 18.8, "Minimax": 0.97}


class _Pair(NamedTuple):
    """One match of the tournament, with what the paper says of it."""

    variant: str
    first: str
    second: str
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
    scales = {scale: f"{games} games a pair on both variants (the paper: 100)" for scale, games in GAMES.items()}
    deviations = (
        "A full board is the second player's win, as the paper's text says; its authors' program counts a draw. The findings say how many full boards there were.",
        "Minimax breaks ties among equal moves at random, and sums Table 2 in whole numbers. The authors' program also picks at random, but rounding of decimals splits sums that are equal by symmetry. A second Minimax, which takes the first of equal moves, shows how much hangs on this.",
        "In the authors' program a finished game counts +1 or -1 beside Table 2's sums. Here a win outranks any sum, and is preferred the sooner it comes.",
        "MCTS is as the text states it: random rollouts, C = 1, the number of iterations that its name says. The authors' program runs 2,500 heuristic iterations whatever is asked.",
        "The appendix names the brick squares D3 and E4; the figures and the text say D4 and E5, and so do we.",
        "The rows of AlphaZero are left to the studies of learning.",
        "The paper calls the first player O and the second X; here the first is X.",
    )

    def work(self, settings: Settings) -> Sequence[Work]:
        """Every pair of the line-up on both variants, game by game, then the timings."""
        plans = [plan for _, plans in self._plans(settings) for plan in plans]
        games = [game for plan in plans for game in match_games(plan)]
        games.sort(key=lambda game: game.key.rpartition(" / ")[2])  # so that all pairs fill up together
        timings = [
            Measurement(
                key=f"seconds / {agent}",
                function="noughts.studies.bttt_tournament:time_opening_moves",
                argument=json.dumps(
                    {
                        "agent": agent,
                        "rules": VARIANTS["Variant 1"],
                        "moves": TIMED_MOVES[settings.scale],
                        "seed": settings.seed,
                        "move_seconds": settings.move_seconds,
                    }
                ),
                alone=True,
            )
            for agent in self._line_up(settings).values()
        ]
        return [*map(Game, games), *timings]

    def conclude(self, settings: Settings, results: Results) -> Conclusion:
        """Tables 3, 4 and 5, a cross-table for each variant, and what stands out."""
        pairs = list(self._pairs(settings, results))
        table_3 = [pair for pair in pairs if "Random" in (pair.first, pair.second)]
        table_4 = [pair for pair in pairs if "Random" not in (pair.first, pair.second)]
        unit = "games won by the first player, percent"
        labels = ("First player", "Second player", "Brick")
        tables = (
            Table(
                title="Table 3: everybody against Random",
                label_columns=labels,
                unit=unit,
                rows=tuple(map(_row, table_3)),
                caption="The paper says that any agent beats Random in every game: one loss refutes that.",
            ),
            Table(
                title="Table 4: the round robin",
                label_columns=labels,
                unit=unit,
                rows=tuple(map(_row, table_4)),
                caption="Each row is compared on its own by Fisher's exact test: about one true claim in twenty will "
                "look different by chance. Rows without a paper's number are ours. Where a note counts the different games, "
                "the others are repeats, and no further evidence: the interval is then too narrow.",
            ),
            self._table_5(settings, results),
        )
        figures = [*_cross_tables(self._line_up(settings), pairs), *_boards(results)]
        return Conclusion(tables, tuple(figures), tuple(_findings(pairs, results)))

    @staticmethod
    def _line_up(settings: Settings) -> dict[str, str]:
        """Agents by the name that the tables show, guests last."""
        return LINE_UP | {text: text for text in map(str, map(parse_agent, settings.agents))}

    def _plans(self, settings: Settings) -> Iterator[tuple[str, list[MatchPlan]]]:
        agents = list(self._line_up(settings).values())
        for variant, rules in VARIANTS.items():
            yield (
                variant,
                round_robin(
                    rules,
                    agents,
                    GAMES[settings.scale],
                    settings.seed,
                    with_itself=True,
                    move_seconds=settings.move_seconds,
                ),
            )

    def _pairs(self, settings: Settings, results: Results) -> Iterator[_Pair]:
        names = {text: name for name, text in self._line_up(settings).items()}
        for number, (variant, plans) in enumerate(self._plans(settings)):
            full = _full_boards(plans, results)
            for plan, result in standings(plans, results.games.values()):
                first, second = names[plan.a], names[plan.b]
                paper, always = _claim(first, second, number)
                yield _Pair(variant, first, second, result, paper, always, full[plan.name])

    def _table_5(self, settings: Settings, results: Results) -> Table:
        rows = []
        for name, agent in self._line_up(settings).items():
            seconds = json.loads(results.measurements.get(f"seconds / {agent}", "[]"))
            paper = TABLE_5.get(name)
            row = Row(labels=(name,), paper=f"{paper:g} s" if paper else "")
            if seconds:
                mean, low, high = mean_interval(seconds)
                faster = f"{paper / mean:,.0f} times faster than the paper's program on its machine" if paper else ""
                row = Row(
                    labels=(name,),
                    paper=row.paper,
                    ours=f"{mean:.2g} s",
                    value=mean,
                    low=max(0.0, low),
                    high=high,
                    count=len(seconds),
                    note=faster if paper and paper > 2 * mean else "",
                )
            rows.append(row)
        return Table(
            title="Table 5: time a move",
            label_columns=("Agent",),
            unit="seconds for an opening move, mean",
            rows=tuple(rows),
            caption="Opening moves of Variant 1, one worker, nothing else of ours running. Times on other machines "
            "are neither confirmed nor refuted.",
        )


def time_opening_moves(argument: str, notes: Notes) -> str:
    """Seconds that an agent takes for each of some opening moves, as a JSON list; one more goes before to warm up."""
    asked = json.loads(argument)
    position = Position.start(parse_rules(asked["rules"]))
    seconds = []
    for number in range(asked["moves"] + 1):
        agent = build_agent(asked["agent"])  # a new one each time: none answers from memory
        rng = Rng(derive_seed(asked["seed"], "opening move", number))
        notes.note(f"opening move {number}", asked["move_seconds"])
        begun = time.perf_counter()
        choose(agent, position, rng)
        seconds.append(time.perf_counter() - begun)
    return json.dumps(seconds[1:])


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
    paper, verdict = "", compare(Score(), 0, 0)
    if pair.paper_wins is not None:
        paper = f"{pair.paper_wins} - {PAPER_GAMES - pair.paper_wins}"
        verdict = compare(score, pair.paper_wins, PAPER_GAMES, pair.always)
    notes = []
    if pair.result.repeats:
        notes.append(f"only {_different_games(pair.result)}")
    if pair.full_boards:
        notes.append(f"{pair.full_boards} on a full board")
    if pair.result.problems:
        notes.append(f"{len(pair.result.problems)} broken off")
    return count_row(labels, score, paper, verdict, "; ".join(notes))


def _different_games(result: MatchResult) -> str:
    return f"{result.distinct} different game{'s' if result.distinct > 1 else ''}"


def _is_full_board(record: GameRecord) -> bool:
    """Whether a game ended with no line."""
    rules = parse_rules(record.rules)
    if record.ending == "error" or len(record.moves) < rules.size - len(rules.bricks):
        return False
    return not replay(record)[1].winning_lines()


def _full_boards(plans: Sequence[MatchPlan], results: Results) -> dict[str, int]:
    matches = results.by_match()
    return {plan.name: sum(map(_is_full_board, matches.get(plan.name, []))) for plan in plans}


def _cross_tables(line_up: dict[str, str], pairs: list[_Pair]) -> Iterator[Figure]:
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


def _boards(results: Results) -> Iterator[Figure]:
    """A game worth looking at: a loss of Minimax as first player, or else its win against the stronger MCTS."""
    played = sorted((game for game in results.games.values() if game.ending != "error"), key=lambda game: game.key)
    minimax = [game for game in played if game.first == LINE_UP["Minimax"]]
    lost = [game for game in minimax if game.ending == "second"]
    won = [game for game in minimax if game.second == LINE_UP["MCTS 10000"]]
    if lost:
        yield _board("minimax-loses", f"Minimax (X) moves first and loses to {lost[0].second} (O)", lost[0])
    elif won:
        yield _board("minimax-wins", f"Minimax (X) beats {won[0].second} (O)", won[0])


def _board(name: str, title: str, record: GameRecord) -> BoardFigure:
    return BoardFigure(name=name, title=title, rules=record.rules, moves=record.moves)


def _findings(pairs: list[_Pair], results: Results) -> Iterator[str]:
    rows = [_row(pair) for pair in pairs if pair.paper_wins is not None and pair.result.total.games]
    if not rows:
        return
    agreeing = sum(row.verdict == "agrees" for row in rows)
    yield f"{agreeing} of {len(rows)} rows of Tables 3 and 4 agree with the paper."
    for row in rows:
        if row.verdict != "agrees":
            first, second, brick = row.labels
            yield f"{first} - {second} with the brick on {brick}: the paper has {row.paper}, we {row.ours} ({row.verdict})."
    for name in ("Minimax", *_OURS):
        begun = [pair.result.total for pair in pairs if pair.first == name]
        games, lost = sum(score.games for score in begun), sum(score.losses for score in begun)
        if games:
            so = "as the paper says" if not lost else "so its play is not perfect"
            yield f"{name} moved first in {games} games and lost {lost}, {so}."
    decided = [game for game in results.games.values() if game.ending != "error"]
    full = sum(pair.full_boards for pair in pairs)
    yield f"{full} of {len(decided)} games ended on a full board, which the text gives to the second player and the authors' program to nobody."
    for pair in pairs:
        if pair.result.repeats and pair.result.distinct <= pair.result.total.games / 2:
            yield f"{pair.first} - {pair.second} ({pair.variant}) repeats itself: {_different_games(pair.result)} of {pair.result.total.games}."
