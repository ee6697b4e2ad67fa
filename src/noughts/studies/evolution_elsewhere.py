"""Evolution against an omniscient adversary on other games of the family, beside AlphaZero given as many positions."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from noughts.document.result import BoardFigure, CurveFigure, Figure, Row, Series, Table
from noughts.examine.judge import Tally
from noughts.positions import Side
from noughts.questions.session import Work
from noughts.studies.examined import Walked, judge_work, judged, walk_work, walks_of
from noughts.studies.study import Conclusion, Results, Settings, Study, optimal_row, percent
from noughts.studies.trained import REUSED, Trained, Training
from noughts.training.alphazero.config import PRESETS, AlphaZeroConfig
from noughts.training.evolution.config import EvolutionConfig
from noughts.training.schedule import Schedule

STUDY = "evolution-elsewhere"
_EQUAL = 4
"""Generations of evolution for as many positions as AlphaZero is given."""
_ROUNDS, _CANDIDATES = 100, 24
_HIDDEN = "18x18"
_SEARCHES = (0, 32)
STRATEGIES: dict[str, dict[str, Any]] = {
    "CMA-ES": {},
    "separable CMA-ES": {"strategy": "separable-cma"},
    "OpenAI-ES": {"strategy": "openai-es"},
}


class Board(NamedTuple):
    """A game of the study.

    Attributes:
        rules: As text.
        length: Plies of a usual game of evolution's, by which AlphaZero's share of positions is planned.
        generations: Of evolution in the end, by scale.
        strategies: Keys of `STRATEGIES`.
        plies: In which moves are judged.
        per_ply: Positions of each, if there are more.
        walks: Whether every reply is walked.
    """

    rules: str
    length: int
    generations: dict[str, int]
    strategies: tuple[str, ...]
    plies: tuple[int, int]
    per_ply: int
    walks: bool = True


BOARDS = {
    "Notakto 3x3": Board(
        "notakto(3)", 5, {"quick": 150, "laptop": 2000, "paper": 10_000}, tuple(STRATEGIES), (0, 8), 20_000
    ),
    "misere tic-tac-toe": Board(
        "misere-tic-tac-toe", 8, {"laptop": 2000, "paper": 10_000}, tuple(STRATEGIES), (0, 8), 20_000
    ),
    "Notakto 4x4": Board("notakto(4)", 11, {"laptop": 200, "paper": 5000}, ("CMA-ES",), (0, 14), 400),
    "4x4, k = 3": Board("mnk(4,4,3)", 10, {"laptop": 100, "paper": 3000}, ("CMA-ES",), (0, 14), 100),
    "5x5, k = 4, brick on C3": Board(
        "mnk(5,5,4,bricks=C3)", 19, {"laptop": 8, "paper": 300}, ("CMA-ES",), (9, 22), 40, walks=False
    ),
}


class Agent(NamedTuple):
    """Somebody who is scored.

    Attributes:
        name: What people call it.
        text: Of the agent.
        training: Where it comes from.
        iteration: At which it is taken; None for the end.
    """

    board: str
    name: str
    text: str
    training: Training[Any]
    iteration: int | None

    @property
    def examined(self) -> str:
        """What its measurements are called."""
        return f"{self.board} / {self.name}"

    def spent(self, results: Results) -> str:
        """Generations or iterations, positions and seconds, in words."""
        trained: Trained | None = self.training.trained(results)
        if trained is None:
            return ""
        point = next((point for point in trained.curve if point.iteration == self.iteration), trained.curve[-1])
        return f"{point.iteration:,} iterations, {point.positions:,} positions, {point.seconds:,.0f} s"


class EvolutionElsewhere(Study):
    """What does the method that learns tic-tac-toe learn of other games?"""

    name = STUDY
    title = "Evolution on other games"
    question = "Does evolution against an omniscient adversary learn other games of the family, and how does it compare with AlphaZero that saw as many positions?"
    paper = "BetaZero: Tabula Rasa Tic-Tac-Toe (2018) has tic-tac-toe only; the comparison is ours"
    scales = {
        scale: f"{sum(scale in board.generations for board in BOARDS.values())} games; evolution for "
        + ", ".join(f"{board.generations[scale]:,}" for board in BOARDS.values() if scale in board.generations)
        + " generations"
        for scale in ("quick", "laptop", "paper")
    }
    deviations = (
        "The seeds of rounds are redrawn for each generation, as in the authors' program: with seeds fixed at the start evolution stalls (see betazero-evolution).",
        f"Two hidden layers of 18, as in the paper; only the inputs grow with the board. A generation is {_CANDIDATES} x {_ROUNDS} rounds.",
        "Positions are those of games. What the omniscient adversary thinks and what AlphaZero searches is not counted: both look at many more.",
        "AlphaZero: the preset tic-tac-toe-fast with a line network, planned for as many positions as four generations have.",
        "A network of evolution is asked one ply ahead; AlphaZero's without search, and with 32 simulations.",
        REUSED,
    )
    takes_guests = False

    def work(self, settings: Settings) -> Sequence[Work]:
        """Trainings; then every reply, and moves beside exact truth."""
        trainings = [training for name in _boards(settings) for training in _trainings(name, settings)]
        work: list[Work] = [training.work() for training in trainings]
        for agent in _agents(settings):
            board = BOARDS[agent.board]
            work.append(judge_work(agent.examined, agent.text, board.rules, board.per_ply, board.plies, settings.seed))
            if board.walks:
                work += [walk_work(agent.examined, agent.text, board.rules, side) for side in Side]
        return work

    def conclude(self, settings: Settings, results: Results) -> Conclusion:
        """One table for each game; curves; and games that were lost."""
        agents = _agents(settings)
        tables = tuple(_table(name, [a for a in agents if a.board == name], results) for name in _boards(settings))
        return Conclusion(
            tables,
            (*_figures(settings, results), *_lost_games(agents, results)),
            tuple(_findings(settings, agents, results)),
        )


def _boards(settings: Settings) -> list[str]:
    return [name for name, board in BOARDS.items() if settings.scale in board.generations]


def _trainings(name: str, settings: Settings) -> list[Training[Any]]:
    """AlphaZero's first, then evolution's, one for each strategy."""
    return [_alphazero(name, settings), *(_evolution(name, s, settings) for s in BOARDS[name].strategies)]


def _alphazero(name: str, settings: Settings) -> Training[AlphaZeroConfig]:
    board, preset = BOARDS[name], PRESETS["tic-tac-toe-fast"]
    positions = _EQUAL * _CANDIDATES * _ROUNDS * 2 * board.length
    config = AlphaZeroConfig.preset(
        "tic-tac-toe-fast",
        task=board.rules,
        network="line",
        seed=settings.seed,
        schedule=Schedule(iterations=round(positions / (preset["games"] * preset["plies"])), measure_minutes=None),
        measure_games=1,
        measure_simulations=0,
        measure_positions=0,
    )
    return Training(STUDY, f"{name}, AlphaZero", config)


def _evolution(name: str, strategy: str, settings: Settings) -> Training[EvolutionConfig]:
    board = BOARDS[name]
    config = EvolutionConfig(
        task=board.rules,
        widths=_HIDDEN,
        seeds="redrawn",
        seed=settings.seed,
        schedule=Schedule(
            iterations=board.generations[settings.scale],
            measure_iterations=_EQUAL,
            measure_minutes=None,
        ),
        **STRATEGIES[strategy],
    )
    return Training(STUDY, f"{name}, {strategy}", config, "es", 1)


def _agents(settings: Settings) -> list[Agent]:
    """Everybody who is scored, game by game."""
    found = []
    for name in _boards(settings):
        alphazero, *evolved = _trainings(name, settings)
        for sims in _SEARCHES:
            called = f"AlphaZero, {sims} simulations" if sims else "AlphaZero, no search"
            found.append(Agent(name, called, alphazero.agent(sims), alphazero, None))
        for strategy, training in zip(BOARDS[name].strategies, evolved, strict=True):
            early = training.agent(iteration=_EQUAL)
            found.append(Agent(name, f"{strategy}, as many positions", early, training, _EQUAL))
            found.append(Agent(name, f"{strategy}, in the end", training.agent(), training, None))
    return found


def _table(name: str, agents: Sequence[Agent], results: Results) -> Table:
    return Table(
        title=name,
        label_columns=("Agent",),
        unit="optimal moves where the choice matters, percent",
        rows=tuple(_row(agent, results) for agent in agents),
        caption="Beside exact truth, in positions of random play; some moves keep their value and some do not."
        + (" Proved: every reply and every tie walked." if BOARDS[name].walks else ""),
    )


def _row(agent: Agent, results: Results) -> Row:
    notes = [_said(side, walk) for side, walk in walks_of(agent.examined, results).items()]
    spent = agent.spent(results)
    return optimal_row((agent.name,), _total(agent, results), "; ".join([*notes, *([spent] if spent else [])]))


def _said(side: Side, walk: Walked) -> str:
    return f"as {side.name.lower()} player {walk}"


def _total(agent: Agent, results: Results) -> Tally:
    return sum(judged(agent.examined, results).values(), Tally(complete=True))


def _figures(settings: Settings, results: Results) -> Iterator[Figure]:
    """How many rounds evolution loses, by positions seen."""
    for number, name in enumerate(_boards(settings)):
        series = []
        for strategy in BOARDS[name].strategies:
            trained = _evolution(name, strategy, settings).trained(results)
            points = [] if trained is None else [p for p in trained.curve if p.values.get("lost_rounds") is not None]
            if points:
                series.append(
                    Series(
                        name=strategy,
                        x=tuple(float(point.positions) for point in points),
                        y=tuple(float(point.values["lost_rounds"] or 0.0) for point in points),
                    )
                )
        if series:
            yield CurveFigure(
                name=f"lost-{number}",
                title=f"{name}: games lost to minimax",
                x_label="positions seen",
                y_label="percent of games",
                log_x=True,
                y_range=(0.0, 100.0),
                series=tuple(series),
            )


def _lost_games(agents: Sequence[Agent], results: Results) -> Iterator[Figure]:
    """A game lost by evolution's agent in the end, for each game where somebody should not lose."""
    for number, agent in enumerate(agents):
        if not agent.name.startswith("CMA-ES, in the end"):
            continue
        for side, walk in walks_of(agent.examined, results).items():
            if walk.lost_game is not None:
                yield BoardFigure(
                    name=f"lost-game-{number}-{side.name.lower()}",
                    title=f"{agent.board}: evolution loses as {side.name.lower()} player",
                    rules=BOARDS[agent.board].rules,
                    moves=walk.lost_game,
                )


def _findings(settings: Settings, agents: Sequence[Agent], results: Results) -> Iterator[str]:
    for name in _boards(settings):
        shares = {
            agent.name: percent(total.optimal / total.choices)
            for agent in agents
            if agent.board == name and (total := _total(agent, results)).choices
        }
        if len(shares) == sum(agent.board == name for agent in agents):
            said = "; ".join(f"{called} {share:.1f}" for called, share in shares.items())
            yield f"{name}, percent of moves that keep the value where the choice matters: {said}."
        proved = [
            f"{agent.name} as {side.name.lower()} player"
            for agent in agents
            if agent.board == name
            for side, walk in walks_of(agent.examined, results).items()
            if walk.proved
        ]
        if proved:
            yield f"{name}: no reply beats {'; '.join(proved)}."
