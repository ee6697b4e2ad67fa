"""Three adversaries against a minimax player in tic-tac-toe: the tables of BetaZero by CMA-ES."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from noughts.agents import AgentSpec, parse_agent
from noughts.document.citations import BETAZERO_PAPER
from noughts.document.result import CurveFigure, Row, Series, Table, beside, judged
from noughts.play.score import Score
from noughts.questions.answers import Answers
from noughts.questions.played import MatchResult, Played
from noughts.questions.question import Question
from noughts.questions.tournament import in_rounds
from noughts.statistics import compare
from noughts.studies.study import (
    Conclusion,
    Settings,
    Study,
    interval_series,
    parse_guests,
    percent,
    share_row,
    verdicts_in_words,
    with_minutes,
)
from noughts.studies.tic_tac_toe import EXACT_PLAYER, SQRT_2, TASK

PAPER_ROUNDS = 100
ROUNDS = {"quick": 30, "laptop": 60, "paper": PAPER_ROUNDS}


class _Adversary(NamedTuple):
    """One of the paper's tables: `agent` with its budget filled in, and draws in 100 rounds by budget."""

    title: str
    budget: str
    agent: str
    draws: dict[int, float]
    in_paper: bool = True

    def with_budget(self, budget: int) -> AgentSpec:
        """The agent; a guest has no budget to vary."""
        return parse_agent(self.agent.format(budget=budget) if self.budget else self.agent)


MCTS = "MCTS, best value, c = sqrt(2)"
MCTS_DRAWS = {1: 11.5, 3: 22.5, 10: 37.0, 30: 48.0, 100: 72.5, 300: 88.0, 1000: 95.5, 3000: 97.0, 10000: 98.0}

ADVERSARIES = (
    _Adversary(
        "Flat Monte Carlo", "nPlay", "mc:sims={budget}", {1: 18.5, 10: 52.5, 100: 75.5, 1000: 79.0, 10000: 82.5}
    ),
    _Adversary(
        "Omniscient adversary with minimax inside",
        "nPlay",
        f"omniscient:sims={{budget}},inside=({EXACT_PLAYER})",
        {1: 49.5, 3: 70.5, 10: 91.5, 30: 98.5, 100: 100.0},
    ),
    _Adversary(MCTS, "nBudg", f"mcts:sims={{budget}},c={SQRT_2},pick=value", MCTS_DRAWS),
    _Adversary(
        "MCTS, most visits, c = sqrt(2)", "nBudg", f"mcts:sims={{budget}},c={SQRT_2}", MCTS_DRAWS, in_paper=False
    ),
    _Adversary("MCTS, most visits, c = 1", "nBudg", "mcts:sims={budget}", MCTS_DRAWS, in_paper=False),
)


_LOSSES = (
    "All adversaries at once, with their 95% intervals; hollow points are the paper's, in the colour of the line beside "
    "which they stand. The more search, the fewer losses: how fast a line falls is what the paper compares."
)


class BetazeroAdversaries(Study):
    """How much search does each adversary need before a perfect player no longer beats it?"""

    name = "betazero-adversaries"
    title = "Adversaries for learning tic-tac-toe"
    question = "How often do flat Monte Carlo, the omniscient adversary and MCTS lose to a minimax player?"
    paper = "BetaZero: Tabula Rasa Tic-Tac-Toe (2018), the three tables of adversaries against minimax"
    citations = (BETAZERO_PAPER,)
    scales = with_minutes(
        {scale: f"{rounds} rounds of two games a row (the paper: 100)" for scale, rounds in ROUNDS.items()},
        quick=1,
        paper=1,
    )
    deviations = (
        "A round is two games, the adversary first as X and then as O, with one seed: the paper's n = 100 counts such rounds, which its halves show.",
        "The minimax player searches to the end, prefers fast wins, opens anywhere and is random among equals.",
        "The paper states neither the constant of its MCTS nor which move is played at the end. We use UCB1's sqrt(2) and the move of best mean value, the value that the paper gives a node, and show the most visited move, and c = 1, beside it.",
        "The authors' MCTS drops the rest of its budget when it meets a drawn leaf. Ours spends the whole budget.",
        "All randomness, of ties too, comes from the game's seed. MCTS takes the first tried of equal moves, and tries them in random order.",
    )

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Every game of every row, and of guests."""
        return in_rounds([played for _, _, played in _matches(settings)])

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """One table for each adversary, one picture for all."""
        scores: dict[str, dict[int, Score]] = {}
        rows: dict[str, list[Row]] = {}
        for adversary, budget, played in _matches(settings):
            result = answers[played]
            scores.setdefault(adversary.title, {})[budget] = result.total
            rows.setdefault(adversary.title, []).append(_row(adversary, budget, result))
        tables = judged(
            [
                Table(
                    title=f"{title} against minimax",
                    label_columns=("Budget",),
                    unit="games drawn, percent",
                    rows=tuple(rows[title]),
                    caption="Draws / losses, percent of the games. Minimax plays perfectly, so a win would be an error of ours.",
                )
                for title in rows
            ]
        )
        by_title = {title: table.rows for title, table in zip(rows, tables, strict=True)}
        return Conclusion(tables, beside(tables[0], [_figure(scores)], _LOSSES), tuple(_findings(by_title, scores)))


def _matches(settings: Settings) -> Iterator[tuple[_Adversary, int, Played]]:
    """Each row's adversary, budget and games."""
    line_up = [adversary.with_budget(budget) for adversary in ADVERSARIES for budget in adversary.draws]
    guests = (_Adversary(str(guest), "", str(guest), {0: 0.0}, False) for guest in parse_guests(settings, line_up))
    for adversary in (*ADVERSARIES, *guests):
        for budget in adversary.draws:
            played = Played(
                task=TASK,
                a=adversary.with_budget(budget),
                b=EXACT_PLAYER,
                games=2 * ROUNDS[settings.scale],
                moves_first="turns",
                seed=settings.seed,
                move_seconds=settings.move_seconds,
            )
            yield adversary, budget, played


def _row(adversary: _Adversary, budget: int, result: MatchResult) -> Row:
    score, problems = result.total, result.problems
    label = f"{adversary.budget} = {budget}" if adversary.budget else "as given"
    drawn = adversary.draws[budget]
    paper = f"{drawn:g} / {100 - drawn:g}" if adversary.in_paper else ""
    if score.games == 0:
        return Row(labels=(label,), paper=paper)
    share = score.draw_interval
    paper_draws = round(2 * drawn)  # of two games a round
    notes = [f"{len(problems)} broken off"] if problems else []
    if score.wins:
        notes.append(f"{score.wins} games won")
    return share_row(
        labels=(label,),
        paper=paper,
        ours=f"{percent(share.share):.1f} / {percent(score.loss_interval.share):.1f}",
        share=share,
        count=score.games,
        distinct=result.distinct,
        comparison=compare(score.draws, score.games, paper_draws, 2 * PAPER_ROUNDS) if adversary.in_paper else None,
        note="; ".join(notes),
    )


def _figure(scores: dict[str, dict[int, Score]]) -> CurveFigure:
    series = []
    for adversary in ADVERSARIES:
        scored = scores[adversary.title].items()
        losses = {budget: score.loss_interval for budget, score in scored if score.games}
        series.append(interval_series(adversary.title, losses))
        if adversary.in_paper:
            series.append(
                Series(
                    name=f"{adversary.title.split(',')[0]} (paper)",
                    x=tuple(map(float, adversary.draws)),
                    y=tuple(100 - drawn for drawn in adversary.draws.values()),
                    points_only=True,
                    colour_of=adversary.title,
                )
            )
    return CurveFigure(
        name="losses",
        title="Games lost to a minimax player",
        x_label="simulations (for MCTS: a move in all; else: for each legal move)",
        y_label="lost, percent",
        log_x=True,
        y_range=(0.0, 100.0),
        series=tuple(series),
    )


def _findings(rows: Mapping[str, Sequence[Row]], scores: dict[str, dict[int, Score]]) -> Iterator[str]:
    claimed = [row for table in rows.values() for row in table if row.verdict != "no claim"]
    if not claimed:
        return
    yield f"Rows beside the paper's: {verdicts_in_words(claimed)}."
    wins = sum(score.wins for table in scores.values() for score in table.values())
    yield (
        f"Nobody beat the minimax player: {wins} wins, as the paper says."
        if not wins
        else f"{wins} games were won against minimax, which cannot be."
    )
    for adversary in ADVERSARIES:
        table = scores[adversary.title]
        lossless = [budget for budget, score in table.items() if score.games and not score.losses]
        top = max(table)
        if lossless:
            yield f"{adversary.title} lost no game at a budget of {', '.join(map(str, lossless))}."
        elif table[top].games:
            yield f"{adversary.title} still lost {table[top].losses} of {table[top].games} games at a budget of {top}."
    strong = [row for row in rows[MCTS] if row.verdict == "differs" and int(row.labels[0].split()[-1]) >= 1000]
    if strong and all(row.value == 100.0 for row in strong):
        yield "Where the paper's MCTS still loses at large budgets, ours does not: theirs drops the rest of its budget at drawn leaves."
