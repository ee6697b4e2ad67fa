"""Evolution against an omniscient adversary on other games of the family, beside AlphaZero given as many positions."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from noughts.agents import AgentSpec
from noughts.document.citations import BETAZERO_PAPER
from noughts.document.result import Figure, Row
from noughts.questions.answers import Answers
from noughts.questions.judged import Judged
from noughts.questions.question import Question
from noughts.questions.trained import REUSED, Training
from noughts.rules import Rules, parse_rules, task_of
from noughts.studies.claims import (
    Section,
    concluded,
    curve_figure,
    game_figure,
    line_while_training,
    listed,
    notes,
    optimal_row,
    section,
    total_of,
)
from noughts.studies.study import SCALES, Conclusion, Settings, Study, with_minutes
from noughts.studies.walks import Walks, known_walks, on_both_sides
from noughts.training.alphazero.config import PRESETS, AlphaZeroConfig
from noughts.training.evolution.config import EvolutionConfig
from noughts.training.schedule import Schedule

_EQUAL = 4
"""Generations of evolution for as many positions as AlphaZero is given."""
_ROUNDS, _CANDIDATES = 100, 24
_HIDDEN = "18x18"
_SEARCHES = (0, 32)
_MOST_POSITIONS = 20_000  # so many are all judged, of more a sample
STRATEGIES: dict[str, dict[str, Any]] = {
    "CMA-ES": {},
    "separable CMA-ES": {"strategy": "separable-cma"},
    "OpenAI-ES": {"strategy": "openai-es"},
}


class LearnedGame(NamedTuple):
    """A game of the study.

    Attributes:
        name: Its rules, as text.
        length: Plies of a usual game of evolution's, by which AlphaZero's share of positions is planned.
        generations: Of evolution in the end, by scale.
        strategies: Keys of `STRATEGIES`.
        plies: In which moves are judged.
        per_ply: Positions of each, if there are more.
        walks: Whether every reply is walked.
    """

    name: str
    length: int
    generations: dict[str, int]
    strategies: tuple[str, ...]
    plies: tuple[int, int]
    per_ply: int
    walks: bool = True

    @property
    def rules(self) -> Rules:
        """What is played."""
        return parse_rules(self.name)


GAMES = {
    "Notakto 3x3": LearnedGame(
        "notakto(3)", 5, {"quick": 150, "laptop": 2000, "paper": 10_000}, tuple(STRATEGIES), (0, 8), 20_000
    ),
    "misere tic-tac-toe": LearnedGame(
        "misere-tic-tac-toe", 8, {"laptop": 2000, "paper": 10_000}, tuple(STRATEGIES), (0, 8), 20_000
    ),
    "Notakto 4x4": LearnedGame("notakto(4)", 11, {"laptop": 200, "paper": 5000}, ("CMA-ES",), (0, 14), 400),
    "4x4, k = 3": LearnedGame("mnk(4,4,3)", 10, {"laptop": 100, "paper": 3000}, ("CMA-ES",), (0, 14), 100),
    "5x5, k = 4, brick on C3": LearnedGame(
        "mnk(5,5,4,bricks=C3)", 19, {"laptop": 8, "paper": 300}, ("CMA-ES",), (9, 22), 40, walks=False
    ),
}


class ScoredAgent(NamedTuple):
    """Somebody who is scored.

    Attributes:
        game: A key of `GAMES`.
        name: What people call it.
        spec: The agent.
        training: Where it comes from.
        iteration: At which it is taken; None for the end.
    """

    game: str
    name: str
    spec: AgentSpec
    training: Training
    iteration: int | None

    @property
    def rules(self) -> Rules:
        """What it plays."""
        return GAMES[self.game].rules

    def walks(self, answers: Answers) -> Walks:
        """What is known of every reply to it, by side."""
        return known_walks(self.rules, self.spec, answers)

    def spent(self, answers: Answers) -> str:
        """Generations or iterations, positions and seconds, in words."""
        trained = answers[self.training]
        if trained is None:
            return ""
        point = next((point for point in trained.curve if point.iteration == self.iteration), trained.curve[-1])
        return f"{point.iteration:,} iterations, {point.positions:,} positions, {point.seconds:,.0f} s"


class EvolutionElsewhere(Study):
    """What does the method that learns tic-tac-toe learn of other games?"""

    name = "evolution-elsewhere"
    title = "Evolution on other games"
    question = "Does evolution against an omniscient adversary learn other games of the family, and how does it compare with AlphaZero that saw as many positions?"
    paper = "BetaZero: Tabula Rasa Tic-Tac-Toe (2018) has tic-tac-toe only; the comparison is ours"
    citations = (BETAZERO_PAPER,)
    scales = with_minutes(
        {
            scale: f"{sum(scale in game.generations for game in GAMES.values())} games; evolution for "
            + ", ".join(f"{game.generations[scale]:,}" for game in GAMES.values() if scale in game.generations)
            + " generations"
            for scale in SCALES
        },
        quick=2,
    )
    deviations = (
        "The seeds of rounds are redrawn for each generation, as in the authors' program: with seeds fixed at the start evolution stalls (see betazero-evolution).",
        f"Two hidden layers of 18, as in the paper; only the inputs grow with the board. A generation is {_CANDIDATES} x {_ROUNDS} rounds.",
        "Positions are those of games. What the omniscient adversary thinks and what AlphaZero searches is not counted: both look at many more.",
        "AlphaZero: the preset tic-tac-toe-fast with a line network, planned for as many positions as four generations have.",
        "A network of evolution is asked one ply ahead; AlphaZero's without search, and with 32 simulations.",
        REUSED,
    )
    takes_guests = False

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Trainings; then every reply, and moves beside exact truth."""
        agents = scored_agents(settings)
        return [
            *(training for name in _games(settings) for training in _trainings(name, settings)),
            *(_beside_truth(name, settings) for name in _games(settings)),
            *(walk for agent in agents if GAMES[agent.game].walks for walk in on_both_sides(agent.rules, agent.spec)),
        ]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """One table for each game; curves; and games that were lost."""
        lost = itertools.count()  # of all agents of all games
        return concluded(
            *(_game(number, name, settings, answers, lost) for number, name in enumerate(_games(settings)))
        )


def _games(settings: Settings) -> list[str]:
    return [name for name, game in GAMES.items() if settings.scale in game.generations]


def _trainings(name: str, settings: Settings) -> list[Training]:
    """AlphaZero's first, then evolution's, one for each strategy."""
    return [alphazero(name, settings), *(evolution(name, s, settings) for s in GAMES[name].strategies)]


def alphazero(name: str, settings: Settings) -> Training:
    """AlphaZero on a game of `GAMES`, for as many positions as evolution has seen after a few generations."""
    game, preset = GAMES[name], PRESETS["tic-tac-toe-fast"]
    positions = _EQUAL * _CANDIDATES * _ROUNDS * 2 * game.length
    config = AlphaZeroConfig.preset(
        "tic-tac-toe-fast",
        task=str(game.rules),
        network="line",
        seed=settings.seed,
        schedule=Schedule(iterations=round(positions / (preset["games"] * preset["plies"])), measure_minutes=None),
        measure_games=1,
        measure_simulations=0,
        measure_positions=0,
    )
    return Training(label=f"{name}, AlphaZero", config=config)


def evolution(name: str, strategy: str, settings: Settings) -> Training:
    """Evolution on a game of `GAMES`, by one of `STRATEGIES`."""
    game = GAMES[name]
    config = EvolutionConfig(
        task=str(game.rules),
        widths=_HIDDEN,
        seeds="redrawn",
        seed=settings.seed,
        schedule=Schedule(
            iterations=game.generations[settings.scale],
            measure_iterations=_EQUAL,
            measure_minutes=None,
        ),
        **STRATEGIES[strategy],
    )
    return Training(label=f"{name}, {strategy}", method="es", config=config, cores=1)


def scored_agents(settings: Settings) -> list[ScoredAgent]:
    """Everybody who is scored, game by game."""
    found = []
    for name in _games(settings):
        learned, *evolved = _trainings(name, settings)
        for sims in _SEARCHES:
            called = f"AlphaZero, {sims} simulations" if sims else "AlphaZero, no search"
            found.append(ScoredAgent(name, called, learned.agent(sims), learned, None))
        for strategy, training in zip(GAMES[name].strategies, evolved, strict=True):
            early = training.agent(iteration=_EQUAL)
            found.append(ScoredAgent(name, f"{strategy}, as many positions", early, training, _EQUAL))
            found.append(ScoredAgent(name, f"{strategy}, in the end", training.agent(), training, None))
    return found


def _beside_truth(name: str, settings: Settings) -> Judged:
    """The moves of everybody who plays a game, beside exact truth."""
    game = GAMES[name]
    return Judged(
        task=task_of(game.rules),
        named=tuple(agent.spec for agent in scored_agents(settings) if agent.game == name),
        all_up_to=min(game.per_ply, _MOST_POSITIONS),
        per_ply=game.per_ply,
        plies=game.plies,
        nodes=None,
        seed=settings.seed,
    )


def _game(number: int, name: str, settings: Settings, answers: Answers, agents: Iterator[int]) -> Section:
    judged, title = answers[_beside_truth(name, settings)], f"{name}: games lost to minimax"
    rows, games, proved = list[Row](), list[Figure](), dict[str, str]()
    for agent in (agent for agent in scored_agents(settings) if agent.game == name):
        place, walks = next(agents), agent.walks(answers)
        said = (f"as {side} player {walk}" for side, walk in walks.items())
        rows.append(optimal_row((agent.name,), total_of(judged, agent.spec), notes(*said, agent.spent(answers))))
        if sides := [side for side, walk in walks.items() if walk.proved]:
            proved[f"{agent.name} as"] = " and ".join(sides)
        for side, walk in walks.items():
            if agent.name == "CMA-ES, in the end" and walk.lost_game is not None:
                lost = f"{name}: evolution loses as {side} player"
                games += [game_figure(f"lost-game-{place}-{side}", lost, agent.rules, walk.lost_game)]
    lines = [
        line_while_training(strategy, answers[evolution(name, strategy, settings)], "lost_rounds")
        for strategy in GAMES[name].strategies
    ]
    measured = (
        "Measured on the way, in games against a minimax player. Losing none is no proof: the table says what every reply and "
        "exact truth say."
    )
    return section(
        name,
        ("Agent",),
        "optimal moves where the choice matters, percent",
        rows,
        "Beside exact truth, in positions of random play; some moves keep their value and some do not."
        + " Proved: every reply and every tie walked." * GAMES[name].walks,
        {
            measured: curve_figure(f"lost-{number}", title, lines, "positions seen", "percent of games", log_x=True),
            "The agent at the end of its training, which some reply beats; numbers are plies.": games,
        },
        f"{name}, moves that keep the value where the choice matters",
        findings=listed(f"{name}, no reply beats", proved),
    )
