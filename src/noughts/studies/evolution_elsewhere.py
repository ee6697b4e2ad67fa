"""Evolution against an omniscient adversary on other games of the family, compared with AlphaZero after as many positions."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from noughts.agents import AgentSpec
from noughts.document.citations import BETAZERO_PAPER
from noughts.document.result import Figure, Row, game_figure
from noughts.questions.answers import Answers
from noughts.questions.judged import Judged
from noughts.questions.question import Question
from noughts.questions.trained import Training
from noughts.rules import Rules, parse_rules, task_of
from noughts.rules.text import counted
from noughts.studies.claims import curve_figure, notes, optimal_row, total_of
from noughts.studies.games import in_random_positions
from noughts.studies.study import SCALES, Conclusion, Settings, Study, concluded, listed, section, with_minutes
from noughts.studies.trainings import alphazero, evolution, known_walks, line_while_training, on_both_sides
from noughts.training.alphazero.config import PRESETS

_EQUAL = 4
"""Generations of evolution that play about as many positions as AlphaZero."""
_ROUNDS, _CANDIDATES = 100, 24
_HIDDEN = "18x18"
_SEARCHES = (0, 32)
STRATEGIES: dict[str, dict[str, Any]] = {
    "CMA-ES": {},
    "separable CMA-ES": {"strategy": "separable-cma"},
    "OpenAI-ES": {"strategy": "openai-es"},
}


class LearnedGame(NamedTuple):
    """A game of the study."""

    title: str
    name: str  # its rules, as text
    length: int  # plies of a usual game of evolution, to plan as many positions for AlphaZero
    generations: dict[str, int]  # generations of evolution, by scale
    strategies: tuple[str, ...]  # keys of `STRATEGIES`
    plies: tuple[int, int]  # the first and the last in which moves are judged
    per_ply: int  # at most this many positions of each ply are judged
    walks: bool = True  # whether every reply is walked

    @property
    def rules(self) -> Rules:
        """Its rules."""
        return parse_rules(self.name)


_ALL, _ONE = tuple(STRATEGIES), ("CMA-ES",)
_LONG = {"laptop": 2000, "paper": 10_000}
GAMES = (
    LearnedGame("Notakto 3x3", "notakto(3)", 5, {"quick": 150, **_LONG}, _ALL, (0, 8), 20_000),
    LearnedGame("misere tic-tac-toe", "misere-tic-tac-toe", 8, _LONG, _ALL, (0, 8), 20_000),
    LearnedGame("Notakto 4x4", "notakto(4)", 11, {"laptop": 200, "paper": 5000}, _ONE, (0, 14), 400),
    LearnedGame("4x4, k = 3", "mnk(4,4,3)", 10, {"laptop": 100, "paper": 3000}, _ONE, (0, 14), 100),
    LearnedGame(
        "5x5, k = 4, brick on C3",
        "mnk(5,5,4,bricks=C3)",
        19,
        {"laptop": 8, "paper": 300},
        _ONE,
        (9, 22),
        40,
        walks=False,
    ),
)


_AT = {scale: [game for game in GAMES if scale in game.generations] for scale in SCALES}
"""The games of each scale."""


class ScoredAgent(NamedTuple):
    """An agent of a table: its name, the agent, its training, and the iteration; None for the end."""

    name: str
    spec: AgentSpec
    training: Training
    iteration: int | None

    def spent(self, answers: Answers) -> str:
        """Generations or iterations, positions and seconds, in words."""
        trained = answers[self.training]
        if trained is None:
            return ""
        point = next((point for point in trained.curve if point.iteration == self.iteration), trained.curve[-1])
        return f"{point.iteration:,} iterations, {point.positions:,} positions, {point.seconds:,.0f} s"


class EvolutionElsewhere(Study):
    """Does the method that learns tic-tac-toe learn other games?"""

    name = "evolution-elsewhere"
    title = "Evolution on other games"
    question = "Does evolution against an omniscient adversary learn other games of the family, and how does it compare with AlphaZero after equally many positions?"
    paper = "BetaZero: Tabula Rasa Tic-Tac-Toe (2018) has tic-tac-toe only; the comparison is ours"
    citations = (BETAZERO_PAPER,)
    scales = with_minutes(
        {
            scale: f"{counted(len(games), 'game')}; evolution for {', '.join(f'{game.generations[scale]:,}' for game in games)} generations"
            for scale, games in _AT.items()
        },
        quick=2,
    )
    deviations = (
        "The seeds of rounds are redrawn for each generation, as in the authors' program: with seeds fixed at the start evolution stalls (see betazero-evolution).",
        f"Two hidden layers of 18, as in the paper; only the inputs grow with the board. A generation is {_CANDIDATES} x {_ROUNDS} rounds.",
        "Positions are those of games. They exclude the positions that the omniscient adversary and AlphaZero search, which are many more.",
        "AlphaZero has the preset tic-tac-toe-fast with a line network, for as many positions as four generations have.",
        "An evolved network searches one ply ahead. AlphaZero's plays without search, and with 32 simulations.",
    )
    takes_guests = False

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Trainings; then every reply, and moves compared with exact values."""
        games = _AT[settings.scale]
        walked = [(game.rules, one.spec) for game in games if game.walks for one in scored_agents(game, settings)]
        return [
            *(training for game in games for training in _trainings(game, settings)),
            *(_beside_truth(game, settings) for game in games),
            *(walk for rules, agent in walked for walk in on_both_sides(rules, agent)),
        ]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """One table for each game; curves; lost games."""
        agents = itertools.count()  # counts the agents of all games
        return concluded(*(_game(*one, settings, answers, agents) for one in enumerate(_AT[settings.scale])))


def _trainings(game: LearnedGame, settings: Settings) -> list[Training]:
    """AlphaZero's training, then one of evolution for each strategy."""
    return [learned(game, settings), *(evolved(game, strategy, settings) for strategy in game.strategies)]


def learned(game: LearnedGame, settings: Settings) -> Training:
    """AlphaZero, for about as many positions as evolution has played after `_EQUAL` generations."""
    preset = PRESETS["tic-tac-toe-fast"]
    positions = _EQUAL * _CANDIDATES * _ROUNDS * 2 * game.length
    iterations = round(positions / (preset["games"] * preset["plies"]))
    label, task = f"{game.title}, AlphaZero", str(game.rules)
    return alphazero(label, "tic-tac-toe-fast", task, settings.seed, iterations, cores=None, network="line")


def evolved(game: LearnedGame, strategy: str, settings: Settings) -> Training:
    """Evolution by one of `STRATEGIES`."""
    fields = {"widths": _HIDDEN, "seeds": "redrawn", **STRATEGIES[strategy]}
    generations, label = game.generations[settings.scale], f"{game.title}, {strategy}"
    return evolution(label, str(game.rules), settings.seed, generations, _EQUAL, **fields)


def scored_agents(game: LearnedGame, settings: Settings) -> list[ScoredAgent]:
    """All agents that are scored in a game."""
    first, *others = _trainings(game, settings)
    called = {sims: f"AlphaZero, {sims} simulations" if sims else "AlphaZero, no search" for sims in _SEARCHES}
    found = [ScoredAgent(own, first.agent(sims), first, None) for sims, own in called.items()]
    for strategy, training in zip(game.strategies, others, strict=True):
        early, end = training.agent(iteration=_EQUAL), training.agent()
        found.append(ScoredAgent(f"{strategy}, as many positions", early, training, _EQUAL))
        found.append(ScoredAgent(f"{strategy}, in the end", end, training, None))
    return found


def _beside_truth(game: LearnedGame, settings: Settings) -> Judged:
    """The moves of all agents that play a game, compared with exact values."""
    agents = (agent.spec for agent in scored_agents(game, settings))
    return in_random_positions(
        agents, task_of(game.rules), game.plies, game.per_ply, None, all_up_to=game.per_ply, seed=settings.seed
    )


def _game(number: int, game: LearnedGame, settings: Settings, answers: Answers, agents: Iterator[int]) -> Conclusion:
    name, judged, title = game.title, answers[_beside_truth(game, settings)], f"{game.title}: games lost to minimax"
    rows, games, proved = list[Row](), list[Figure](), dict[str, str]()
    for agent in scored_agents(game, settings):
        place, walks = next(agents), known_walks(game.rules, agent.spec, answers)
        said = (f"as {side} player {walk}" for side, walk in walks.items())
        rows.append(optimal_row((agent.name,), total_of(judged, agent.spec), notes(*said, agent.spent(answers))))
        if sides := [side for side, walk in walks.items() if walk.proved]:
            proved[f"{agent.name} as"] = " and ".join(sides)
        for side, walk in walks.items():
            if agent.name == "CMA-ES, in the end" and walk.lost_game is not None:
                lost = f"{name}: evolution loses as {side} player"
                games += [game_figure(f"lost-game-{place}-{side}", lost, game.rules, walk.lost_game)]
    lines = [
        line_while_training(strategy, answers[evolved(game, strategy, settings)], "lost_rounds")
        for strategy in game.strategies
    ]
    measured = (
        "Measured during training, in games against a minimax player. Losing none is no proof; for that see the table."
    )
    return section(
        name,
        ("Agent",),
        "optimal moves in non-trivial positions, percent",
        rows,
        "Compared with exact values, in non-trivial positions of random play."
        + " Proved: no reply beats it, however ties are broken." * game.walks,
        {
            measured: curve_figure(f"lost-{number}", title, lines, "positions seen", "percent of games", log_x=True),
            "The agent at the end of its training, which some reply beats; numbers are plies.": games,
        },
        f"{name}, optimal moves in non-trivial positions",
        findings=listed(f"{name}, no reply beats", proved),
    )
