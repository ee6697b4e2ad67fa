"""Three adversaries against a minimax player in tic-tac-toe: the tables of BetaZero by CMA-ES."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from noughts.agents import AgentSpec, parse_agent
from noughts.document.citations import BETAZERO_PAPER
from noughts.document.result import CurveFigure
from noughts.play.score import Score
from noughts.questions.answers import Answers
from noughts.questions.played import MatchResult, Played
from noughts.questions.question import Question
from noughts.questions.tournament import in_rounds
from noughts.studies.claims import Claim, Measured, interval_series, line_of, notes, percent
from noughts.studies.games import EXACT_PLAYER, SQRT_2, against_exact
from noughts.studies.study import Conclusion, Settings, Study, concluded, parse_guests, section, with_minutes

PAPER_ROUNDS = 100
ROUNDS = {"quick": 30, "laptop": 60, "paper": PAPER_ROUNDS}


class _Adversary(NamedTuple):
    """One of the paper's tables, or one of ours beside them."""

    name: str
    budget: str  # what is varied; empty for a guest
    agent: str  # a template for the budget
    draws: Mapping[int, float]  # the paper's draws in 100 rounds, by budget
    in_paper: bool = True

    def with_budget(self, budget: int) -> AgentSpec:
        """The agent; a guest has no budget to vary."""
        return parse_agent(self.agent.format(budget=budget) if self.budget else self.agent)


MCTS = "MCTS, best value, c = sqrt(2)"
MCTS_DRAWS = {1: 11.5, 3: 22.5, 10: 37.0, 30: 48.0, 100: 72.5, 300: 88.0, 1000: 95.5, 3000: 97.0, 10000: 98.0}
FLAT_DRAWS = {1: 18.5, 10: 52.5, 100: 75.5, 1000: 79.0, 10000: 82.5}
OMNISCIENT = f"omniscient:sims={{budget}},inside=({EXACT_PLAYER})"
OMNISCIENT_DRAWS = {1: 49.5, 3: 70.5, 10: 91.5, 30: 98.5, 100: 100.0}

ADVERSARIES = (
    _Adversary("Flat Monte Carlo", "nPlay", "mc:sims={budget}", FLAT_DRAWS),
    _Adversary("Omniscient adversary with minimax inside", "nPlay", OMNISCIENT, OMNISCIENT_DRAWS),
    _Adversary(MCTS, "nBudg", f"mcts:sims={{budget}},c={SQRT_2},pick=value", MCTS_DRAWS),
    _Adversary("MCTS, most visits, c = sqrt(2)", "nBudg", f"mcts:sims={{budget}},c={SQRT_2}", MCTS_DRAWS, False),
    _Adversary("MCTS, most visits, c = 1", "nBudg", "mcts:sims={budget}", MCTS_DRAWS, False),
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
        "A round is two games with one seed, in which the adversary is first X and then O. The paper's n = 100 counts such rounds, because it prints halves.",
        "The minimax player searches to the end, prefers fast wins, opens anywhere and picks at random among equal moves.",
        "The paper states neither the constant of its MCTS nor how it picks the final move. We use UCB1's sqrt(2) and the move of best mean value, because the paper gives a node this value. Further tables use the most visited move, and c = 1.",
        "The authors' MCTS drops the rest of its budget when it meets a drawn leaf. Ours spends the whole budget.",
        "All randomness, including ties, comes from the game's seed. MCTS tries moves in random order and takes the first of equal ones.",
    )

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """The matches of every row, guests' included."""
        return in_rounds([_match(settings, *pair) for pair in _pairs(settings)])

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """One table for each adversary, one chart for all."""
        scores = {(who.name, budget): answers[_match(settings, who, budget)].total for who, budget in _pairs(settings)}
        about = "All adversaries with their 95% intervals. Hollow points are the paper's, in the colour of our line. More search means fewer losses; the paper compares how fast a line falls."
        names = dict.fromkeys(who.name for who, _ in _pairs(settings))
        return concluded(
            *(
                section(
                    f"{name} against minimax",
                    ("Budget",),
                    "games drawn, percent",
                    [_claim(settings, *pair).measured(answers) for pair in _pairs(settings) if pair[0].name == name],
                    "Draws / losses, percent of the games. Minimax plays perfectly, so a win would be our error.",
                    {about: [_losses(scores)]} if number == 0 else None,
                    findings=_findings(scores) if number == 0 else (),
                )
                for number, name in enumerate(names)
            )
        )


_Scores = Mapping[tuple[str, int], Score]
"""By the adversary's name and its budget."""


def _pairs(settings: Settings) -> list[tuple[_Adversary, int]]:
    line_up = [adversary.with_budget(budget) for adversary in ADVERSARIES for budget in adversary.draws]
    guests = [_Adversary(str(guest), "", str(guest), {0: 0.0}, False) for guest in parse_guests(settings, line_up)]
    return [(adversary, budget) for adversary in (*ADVERSARIES, *guests) for budget in adversary.draws]


def _match(settings: Settings, adversary: _Adversary, budget: int) -> Played:
    return against_exact(adversary.with_budget(budget), ROUNDS[settings.scale], settings)


def _claim(settings: Settings, adversary: _Adversary, budget: int) -> Claim:
    drawn = adversary.draws[budget]
    return Claim(
        row=(f"{adversary.budget} = {budget}" if adversary.budget else "as given",),
        ask=_match(settings, adversary, budget),
        metric=_draws,
        paper=f"{drawn:g} / {100 - drawn:g}" if adversary.in_paper else "",
        won=round(2 * drawn) if adversary.in_paper else None,  # of two games a round
        of=2 * PAPER_ROUNDS,
    )


def _draws(result: MatchResult) -> Measured:
    score = result.total
    ours = f"{percent(score.draw_interval.value):.1f} / {percent(score.loss_interval.value):.1f}"
    broken, won = len(result.problems), score.wins
    note = notes(f"{broken} broken off" if broken else "", f"{won} games won" if won else "")
    return Measured(score.draws, score.games, ours, result.distinct, note if score.games else "")


def _losses(scores: _Scores) -> CurveFigure:
    series = []
    for adversary in ADVERSARIES:
        own = {budget: score for (who, budget), score in scores.items() if who == adversary.name and score.games}
        losses = {budget: score.loss_interval for budget, score in own.items()}
        series.append(interval_series(adversary.name, losses))
        if adversary.in_paper:
            lost = {float(budget): 100 - drawn for budget, drawn in adversary.draws.items()}
            paper = line_of(f"{adversary.name.split(',')[0]} (paper)", lost)
            series.append(paper.model_copy(update={"points_only": True, "colour_of": adversary.name}))
    return CurveFigure(
        name="losses",
        title="Games lost to a minimax player",
        x_label="simulations (for MCTS: a move in all; else: for each legal move)",
        y_label="lost, percent",
        log_x=True,
        y_range=(0.0, 100.0),
        series=tuple(series),
    )


def _findings(scores: _Scores) -> Iterator[str]:
    if any(score.games for score in scores.values()):
        yield f"Games won against the minimax player: {sum(score.wins for score in scores.values())}; the paper reports none."
    for adversary in ADVERSARIES:
        own = {budget: score for (who, budget), score in scores.items() if who == adversary.name}
        lossless = [budget for budget, score in own.items() if score.games and not score.losses]
        top = max(own)
        if lossless:
            yield f"{adversary.name} lost no game at a budget of {', '.join(map(str, lossless))}."
        elif own[top].games:
            yield f"{adversary.name} still lost {own[top].losses} of {own[top].games} games at a budget of {top}."
