"""How many iterations make MCTS perfect at tic-tac-toe? One paper claims 750, after a few games."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from noughts.agents import AgentSpec, parse_agent
from noughts.document.citations import ZHAO_PAPER
from noughts.document.result import BoardFigure, Figure, Row, Series, game_figure
from noughts.examine.walk_result import WalkResult
from noughts.play.playthrough import SIDES
from noughts.play.score import Score
from noughts.positions import derive_seed
from noughts.questions.answers import Answers
from noughts.questions.played import MatchResult, Played
from noughts.questions.question import Question
from noughts.questions.tournament import in_rounds
from noughts.questions.walked import Walked
from noughts.statistics import wilson
from noughts.studies.claims import Claim, Measured, curve_figure, interval_series, notes, rate_row
from noughts.studies.games import SQRT_2, TIC_TAC_TOE, TOE_TASK, against_exact
from noughts.studies.study import Conclusion, Settings, Study, concluded, parse_guests, section, sizes, with_minutes

CLAIMED = 750
BUDGETS = (10, 30, 100, 150, 250, 350, 450, 550, 650, 750, 1000, 2000, 3000, 5000, 10000, 30000)

# The paper's plays the move of best mean value, and its constant is not stated; the others play the most visited move.
SEARCHES = {
    "best value, c = sqrt(2)": f"c={SQRT_2},pick=value",
    "most visits, c = sqrt(2)": f"c={SQRT_2}",
    "most visits, c = 1": "c=1",
}


SCALES = sizes(
    instances=(20, 100, 400),  # of each budget
    rounds=(25, 100, 500),  # against an exact player
    most=(10000, 10000, 30000),  # the largest budget
)


class MctsPerfect(Study):
    """From how many iterations on does no reply beat MCTS?"""

    name = "mcts-perfect"
    title = "How many iterations make MCTS perfect at tic-tac-toe?"
    question = "How many MCTS iterations never lose tic-tac-toe, against every reply and against an exact player?"
    paper = "Zhao, Investigation of self-play deep reinforcement learning for Tic-Tac-Toe (2019), Experiments"
    citations = (ZHAO_PAPER,)
    scales = with_minutes(
        {
            scale: f"{size.instances} seeded copies and {size.rounds} rounds of games for each of three searches at up to {size.most} iterations"
            for scale, size in SCALES.items()
        },
        quick=2,
        laptop=7,
    )
    deviations = (
        "The paper played a few games by hand and MCTS against itself. Here each seeded copy meets every sequence of replies, as X and as O. Perfect means that none of them wins.",
        "A seeded copy always decides alike in the same position. Trying every reply to it assumes an opponent that knows the seed, which real opponents do not. So this shows which losses are possible, and yields no certificates. The verdict on the claim uses games against the exact player, which does not know the seed.",
        "The paper's algorithm returns the move of best mean value, and the paper does not state the constant of UCB1. Further tables use the most visited move, and c = 1.",
        "We also count losses to an exact player (minimax to the end, random among equal moves). It never errs, but it sets no traps, so it finds fewer losses than there are.",
    )

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Games against the exact player, and a walk for each seeded copy and side."""
        agents = [agent for _, _, agent in _agents(settings)]
        instances = range(SCALES[settings.scale].instances)
        walks = [walk for number in instances for agent in agents for walk in _walks(settings, agent, number)]
        return [*in_rounds([_match(settings, agent) for agent in agents]), *walks]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """The claim, a table for each search, two charts, and a game that MCTS with 750 iterations loses."""
        found: dict[str, dict[int, tuple[_Walks, Score]]] = {}
        for search, budget, agent in _agents(settings):
            of_agent = _read_walks(settings, agent, answers), answers[_match(settings, agent)].total
            found.setdefault(search, {})[budget] = of_agent
        # These games are against a player without access to the seeds. They can refute the claim, but never confirm it.
        matches = {search: _match(settings, _searcher(search, CLAIMED)) for search in SEARCHES}
        claims = [
            Claim((search,), match, _kept, paper="perfect", won=1, margin=0.0) for search, match in matches.items()
        ]
        shown = (str(CLAIMED), str(SCALES[settings.scale].most))
        return concluded(
            section(
                f"The claim: {CLAIMED} iterations are perfect",
                ("Search",),
                "games not lost to an exact player, percent",
                [claim.measured(answers) for claim in claims],
                "Half of the games as X, half as O. A perfect player loses to no opponent. Games without a loss do not prove that, so they can refute the claim but not confirm it.",
                finding=f"Games that {CLAIMED} iterations do not lose to an exact player, which knows nothing of their seed",
            ),
            *(
                section(
                    f"MCTS, {search}" if search in SEARCHES else search,
                    ("Iterations",),
                    "seeded copies that no reply beats, percent",
                    [_row(budget, *one) for budget, one in by_budget.items()],
                    "Seeded copies that lose to no sequence of replies, neither as X nor as O, even if the opponent knows the seed.",
                    _figures(found) if number == 0 else None,
                    f"Seeded copies of MCTS with {search} that no reply beats, by iterations",
                    lambda row: row.labels[0] in shown,
                    _never_beaten(search, by_budget),
                )
                for number, (search, by_budget) in enumerate(found.items())
            ),
        )


_Walks = Sequence[Sequence[WalkResult]]
"""Walks of every reply to some seeded copies, each as X and as O."""

_Found = Mapping[str, Mapping[int, tuple[_Walks, Score]]]
"""By search and iterations: the walks, and the score against an exact player."""


def _agents(settings: Settings) -> Iterator[tuple[str, int, AgentSpec]]:
    """The search's name, its iterations and the agent; guests have no iterations to vary."""
    line_up = {
        (search, budget): _searcher(search, budget)
        for search in SEARCHES
        for budget in BUDGETS
        if budget <= SCALES[settings.scale].most
    }
    yield from ((search, budget, agent) for (search, budget), agent in line_up.items())
    yield from ((str(guest), 0, guest) for guest in parse_guests(settings, line_up.values()))


def _searcher(search: str, budget: int) -> AgentSpec:
    return parse_agent(f"mcts:sims={budget},{SEARCHES[search]}")


def _match(settings: Settings, agent: AgentSpec) -> Played:
    return against_exact(agent, SCALES[settings.scale].rounds, settings)


def _walks(settings: Settings, agent: AgentSpec, number: int) -> list[Walked]:
    """Every reply to one seeded copy, as X and as O."""
    return [
        Walked(
            task=TOE_TASK,
            agent=agent,
            side=side,
            instance=derive_seed(settings.seed, str(agent), "instance", number),
            until_lost=False,
            certify=False,  # there are thousands, and none is called proved
            move_seconds=settings.move_seconds,
        )
        for side in SIDES
    ]


def _read_walks(settings: Settings, agent: AgentSpec, answers: Answers) -> _Walks:
    found = (
        [game.result for walked in _walks(settings, agent, number) for game in answers[walked].games]
        for number in range(SCALES[settings.scale].instances)
    )
    return [sides for sides in found if len(sides) == len(SIDES)]


def _unbeaten(walks: _Walks) -> int:
    return sum(not any(side.lost for side in sides) for sides in walks)


def _kept(result: MatchResult) -> Measured:
    games, kept = result.total.games, result.total.games - result.total.losses
    return Measured(kept, games, f"{kept} of {games} not lost", result.distinct)


def _row(budget: int, walks: _Walks, score: Score) -> Row:
    lost, games = (sum(getattr(side, name) for sides in walks for side in sides) for name in ("lost", "games"))
    walked = (
        f"{lost} of {games:,} games against every reply lost; {score.losses} of {score.games} against the exact player"
    )
    broken = f"{score.errors} broken off" if score.errors else ""
    note = notes(walked if walks else "", broken)
    return rate_row((f"{budget}" if budget else "as given",), _unbeaten(walks), len(walks), note=note)


def _figures(found: _Found) -> dict[str, Iterable[Figure]]:
    unbeaten, lost = list[Series](), list[Series]()
    for search in SEARCHES:
        own = found[search].items()
        shares = {budget: wilson(_unbeaten(walks), len(walks)) for budget, (walks, _) in own if walks}
        losses = {budget: score.loss_interval for budget, (_, score) in own if score.games}
        unbeaten.append(interval_series(search, shares))
        lost.append(interval_series(search, losses))
    title, lost_to, over = "Seeded copies that no reply beats", "Games lost to an exact player", "iterations a move"
    return {
        "The percentage of seeded copies that lose to no sequence of replies, with 95% intervals. The opponent knows the seed, which the claim does not require.": curve_figure(
            "unbeaten", title, unbeaten, over, "percent", log_x=True
        ),
        "The same searches in games against a player that never errs, but sets no traps. It finds fewer losses than there are, so games alone are no proof.": curve_figure(
            "losses", lost_to, lost, over, "lost, percent", log_x=True, y_range=None
        ),
        "Found by trying every reply; it did not occur in the paper's games.": _lost_game(found),
    }


def _lost_game(found: _Found) -> Iterator[BoardFigure]:
    walks = ((search, side) for search in SEARCHES for sides in found[search][CLAIMED][0] for side in sides)
    for search, game in [(search, side.lost_game) for search, side in walks if side.lost_game is not None][:1]:
        title = f"A game that MCTS with {CLAIMED} iterations ({search}) loses"
        yield game_figure("lost-game", title, TIC_TAC_TOE, game)


def _never_beaten(search: str, found: Mapping[int, tuple[_Walks, Score]]) -> Iterator[str]:
    """A finding: the iterations from which on no seeded copy was beaten."""
    beaten = {budget: _unbeaten(walks) < len(walks) for budget, (walks, _) in found.items() if walks}
    last = max((budget for budget, lost in beaten.items() if lost), default=0)
    if beaten and last < max(beaten):
        first = min(budget for budget in beaten if budget > last)
        yield f"MCTS with {search}: no seeded copy was beaten from {first} iterations on, up to {max(beaten)}."
