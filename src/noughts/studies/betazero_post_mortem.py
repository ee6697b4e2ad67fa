"""Why BetaZero lost every game of tic-tac-toe: the paper done right, and its mistakes one at a time."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from noughts.matches.judge import Tally
from noughts.matches.match import MatchPlan, Score
from noughts.matches.session import Game, Measurement, Work
from noughts.matches.statistics import wilson
from noughts.positions import Side
from noughts.rules import parse_rules
from noughts.studies.examined import STAGE, Match, Walked, judge_work, judged, unbeatable, walk_work, walks_of, way
from noughts.studies.result import BoardFigure, CurveFigure, Figure, Row, Series, Table
from noughts.studies.study import Conclusion, Results, Settings, Study, interval_series, percent
from noughts.studies.tic_tac_toe import RULES, SQRT_2
from noughts.studies.trained import REUSED, Training
from noughts.training.alphazero.config import PRESETS, AlphaZeroConfig
from noughts.training.schedule import Schedule

BUDGETS = (150, 250, 350, 450, 550, 650, 750)
OPPONENT = f"mcts:sims=750,c={SQRT_2},pick=value"
"""The paper's: the move of best mean value; it leaves the constant open."""

RIGHT, ALL, FAST = "as it should be", "all four mistakes", "fast"
MISTAKES: dict[str, dict[str, Any]] = {
    "network asked where the game is over": {"search": {"terminal": "network"}},
    "ReLU before the softmax": {"network": "mlp:preset=tic-tac-toe,rectified_logits=true"},
    "no move sampling": {"temperature_plies": 0},
    "learning rate 0.2": {"optimiser": {"learning_rate": 0.2}},
}

# The full board that the paper shows, a draw, as a game that leads there.
_FULL = ("A1", "A2", "A3", "B1", "B3", "B2", "C1", "C3", "C2")
POSITIONS: dict[str, tuple[tuple[str, ...], str]] = {
    "the empty board": ((), "0.92"),
    "after a move to the centre": (("B2",), "-0.98"),
    "a full board, drawn": (_FULL, "0.999"),
}


class _Scale(NamedTuple):
    """Iterations of each training, simulations in it, trainings of each condition; simulations of those that are
    examined; games at each of so many budgets; and trainings of the fast preset."""

    iterations: int
    simulations: int
    seeds: int
    sims: int
    games: int
    budgets: Sequence[int]
    fast: int


SIZES = {
    "quick": _Scale(40, 25, 1, 25, 10, BUDGETS[::3], 1),
    "laptop": _Scale(200, 50, 3, 25, 100, BUDGETS, 10),
    "paper": _Scale(400, 100, 10, 25, 100, BUDGETS, 10),
}


class Condition(NamedTuple):
    """One training, and how many of its kind came before it."""

    name: str
    seed: int
    training: Training[AlphaZeroConfig]

    def examined(self, sims: int) -> str:
        """What its measurements with so many simulations are called."""
        return f"{self.training.label} / {way(sims)}"


class BetazeroPostMortem(Study):
    """Which of the authors' choices made BetaZero lose?"""

    name = "betazero-post-mortem"
    title = "BetaZero: the paper done right, and which mistake broke it"
    question = "Does AlphaZero learn tic-tac-toe so that no reply beats it, and which of the authors' choices kept BetaZero from it?"
    paper = "Zhao, Investigation of self-play deep reinforcement learning for Tic-Tac-Toe (2019), Experiments"
    scales = {
        scale: f"{size.seeds} training{'s' if size.seeds > 1 else ''} of {size.iterations} iterations with {size.simulations} simulations for each of six conditions; {size.games} games at each of {len(size.budgets)} budgets; {size.fast} of the fast preset"
        for scale, size in SIZES.items()
    }
    deviations = (
        "The authors do not say how long they trained. Here each condition gets the same iterations, games and steps.",
        "The paper's policy targets are mean values less the smallest, as shares; here they are shares of visits, as in AlphaZero.",
        "The network asked where the game is over, the ReLU before the softmax, the missing move sampling and the learning rate of 0.2 are in the authors' program; the text mentions none of them, and gives 0.02 as the learning rate.",
        "The opponent is MCTS with 750 iterations that plays the move of best mean value. It can be beaten, so our wins are not losses: the paper counts draws alone, and held its opponent to be perfect.",
        "Half of the games are played as X and half as O; the paper does not say.",
        "Whether an agent can be beaten is settled by walking every reply; the network plays the same move whenever it meets the same position.",
        "A network trained with the network asked at ends also searches so when it plays.",
        REUSED,
    )
    takes_guests = False

    def work(self, settings: Settings) -> Sequence[Work]:
        """Trainings, then games, walks, judgements and values."""
        size = SIZES[settings.scale]
        trainings = [*conditions(settings), *_fast(settings)]
        games: list[Game] = [game for match in _matches(settings).values() for game in match.work()]
        walks = [
            walk_work(found.examined(sims), found.training.agent(sims), RULES, side)
            for found in trainings
            for sims in (0, size.sims)
            for side in Side
        ]
        judgements = [
            judge_work(found.examined(sims), found.training.agent(sims), RULES, 20_000, (0, 8), settings.seed)
            for found in conditions(settings)
            for sims in (0, size.sims)
        ]
        values = [
            Measurement(
                _values_key(found),
                "noughts.studies.betazero_post_mortem:values_job",
                json.dumps({"run": found.training.name, "iteration": found.training.iterations}),
                stage=STAGE,
            )
            for found in conditions(settings)
        ]
        return [*(found.training.work() for found in trainings), *games, *walks, *judgements, *values]

    def conclude(self, settings: Settings, results: Results) -> Conclusion:
        """The paper's table, its positions, the conditions side by side, and the fast preset."""
        size, kinds = SIZES[settings.scale], _kinds(settings)
        scores = {budget: match.score(results) for budget, match in _matches(settings).items()}
        found = {name: [_Examined.read(one, size.sims, results) for one in of_kind] for name, of_kind in kinds.items()}
        bare = {name: [_Examined.read(one, 0, results) for one in of_kind] for name, of_kind in kinds.items()}
        tables = (
            _scores_table(scores),
            _values_table(kinds, results),
            _conditions_table(f"Each mistake alone, with {size.sims} simulations a move", found, kinds, results),
            _conditions_table("Each mistake alone, the network's policy without search", bare, kinds, results),
            _fast_table(settings, results),
        )
        figures = (*_scores_figure(scores), *_optimal_figure(found), *_lost_games(found))
        return Conclusion(tables, figures, tuple(_findings(settings, results, scores, found, bare)))


def conditions(settings: Settings) -> list[Condition]:
    """Every training of the paper's preset: done right, with each mistake, with all of them; seeds together."""
    size = SIZES[settings.scale]
    everything: dict[str, Any] = {}
    for changes in MISTAKES.values():
        everything |= changes
    kinds = {RIGHT: dict[str, Any](), **MISTAKES, ALL: everything}
    return [
        _condition(name, number, "tic-tac-toe", changes, settings, size.iterations, size.simulations)
        for number in range(size.seeds)
        for name, changes in kinds.items()
    ]


def values_job(argument: str, notes: object) -> str:
    """What a network says of the paper's positions, without search, for the side to move; JSON by position."""
    from noughts.networks.weights import load_network
    from noughts.positions import Position
    from noughts.search.guided import GuidedSearch
    from noughts.search.settings import SearchSettings
    from noughts.store.run_folder import RunFolder

    asked = json.loads(argument)
    _, files = RunFolder.find(asked["run"]).weights_at(asked["iteration"])
    search = GuidedSearch(load_network(files).network, SearchSettings(simulations=0))
    rules = parse_rules(RULES)
    positions = [Position.start(rules, tuple(map(rules.cell_of, moves))) for moves, _ in POSITIONS.values()]
    said = search.find(positions)
    return json.dumps({name: float(found.raw_value) for name, (_, found) in zip(POSITIONS, said, strict=True)})


class _Examined(NamedTuple):
    """What is known of one training with some simulations."""

    condition: Condition
    walks: Mapping[Side, Walked]
    tallies: Mapping[int, Tally]

    @classmethod
    def read(cls, condition: Condition, sims: int, results: Results) -> "_Examined":
        name = condition.examined(sims)
        return cls(condition, walks_of(name, results), judged(name, results))

    @property
    def unbeatable(self) -> bool | None:
        """Whether no reply beats it on either side; None while that is not known."""
        return unbeatable(self.walks)

    @property
    def total(self) -> Tally:
        """All positions."""
        return sum(self.tallies.values(), Tally(complete=True))


def _condition(
    name: str, number: int, preset: str, changes: Mapping[str, Any], settings: Settings, iterations: int, sims: int
) -> Condition:
    plain = PRESETS[preset]
    fields = {
        field: {**plain[field], **value} if isinstance(value, dict) else value for field, value in changes.items()
    }
    search = {**plain["search"], **fields.pop("search", {}), "simulations": sims}
    config = AlphaZeroConfig.preset(
        preset,
        task=RULES,
        seed=settings.seed * 1000 + number,
        schedule=Schedule(iterations=iterations, measure_minutes=None),
        search=search,
        measure_games=1,  # what it has learned is examined at the end, and here only costs time
        measure_simulations=0,
        measure_positions=0,
        **fields,
    )
    return Condition(name, number, Training(BetazeroPostMortem.name, f"{name}, seed {number}", config))


def _fast(settings: Settings) -> list[Condition]:
    preset = PRESETS["tic-tac-toe-fast"]
    return [
        _condition(
            FAST,
            number,
            "tic-tac-toe-fast",
            {},
            settings,
            preset["schedule"]["iterations"],
            preset["search"]["simulations"],
        )
        for number in range(SIZES[settings.scale].fast)
    ]


def _kinds(settings: Settings) -> dict[str, list[Condition]]:
    kinds: dict[str, list[Condition]] = {}
    for condition in conditions(settings):
        kinds.setdefault(condition.name, []).append(condition)
    return kinds


def _matches(settings: Settings) -> dict[int, Match]:
    """By budget: the first training that was done right, against the paper's opponent."""
    size, agent = SIZES[settings.scale], conditions(settings)[0].training
    return {
        sims: Match(
            f"{RIGHT} / {sims} simulations / MCTS 750",
            MatchPlan(
                rules=RULES, a=agent.agent(sims), b=OPPONENT, games=size.games, colours="swapped", seed=settings.seed
            ),
        )
        for sims in size.budgets
    }


def _values_key(condition: Condition) -> str:
    return f"values / {condition.training.label}"


def _scores_table(scores: Mapping[int, Score]) -> Table:
    return Table(
        title="The paper's table: BetaZero done right against MCTS 750",
        label_columns=("Simulations",),
        unit="games drawn or won, percent",
        rows=tuple(_score_row(sims, score) for sims, score in scores.items()),
        caption="The paper gives the share of draws: 0 of 100 at every budget, so it lost them all.",
    )


def _score_row(sims: int, score: Score) -> Row:
    if not score.games:
        return Row(labels=(str(sims),), paper="0 drawn of 100")
    kept = score.wins + score.draws
    share = wilson(kept, score.games)
    return Row(
        labels=(str(sims),),
        paper="0 drawn of 100",
        ours=f"{kept} of {score.games} not lost",
        value=percent(share.share),
        low=percent(share.low),
        high=percent(share.high),
        count=score.games,
        verdict="differs" if score.draws else "agrees",
        note=f"{score.wins} won, {score.draws} drawn, {score.losses} lost",
    )


def _values_table(kinds: Mapping[str, Sequence[Condition]], results: Results) -> Table:
    rows = []
    for position, (_, paper) in POSITIONS.items():
        for name, of_kind in kinds.items():
            texts = [results.measurements.get(_values_key(condition)) for condition in of_kind]
            values = [float(json.loads(text)[position]) for text in texts if text is not None]
            mean = sum(values) / len(values) if values else None
            rows.append(
                Row(
                    labels=(position, name),
                    paper=paper if name == RIGHT else "",
                    ours="" if mean is None else f"{mean:+.3f}",
                    value=mean,
                    low=min(values, default=None),
                    high=max(values, default=None),
                    count=len(values),
                    note="" if name != RIGHT else "exactly 0",
                )
            )
    return Table(
        title="What the network says of the paper's positions",
        label_columns=("Position", "Trained"),
        unit="value for the side to move",
        rows=tuple(rows),
        caption="The network alone, without search; the mean of the trainings, and from the smallest to the largest. All three are exactly 0. A search that knows the rules never asks about the last one.",
    )


def _conditions_table(
    title: str, found: Mapping[str, Sequence[_Examined]], kinds: Mapping[str, Sequence[Condition]], results: Results
) -> Table:
    rows = []
    for name, examined in found.items():
        known = [one for one in examined if one.unbeatable is not None]
        lost = [one for one in known if one.unbeatable is False]
        totals = [one.total for one in examined if one.tallies]
        optimal, choices = sum(total.optimal for total in totals), sum(total.choices for total in totals)
        shares = [percent(total.optimal / total.choices) for total in totals if total.choices]
        trained = kinds[name][0].training.trained(results)
        notes = [f"{optimal:,} of {choices:,} choices kept the value"] if choices else []
        lengths = [len(walk.lost_game) for one in lost for walk in one.walks.values() if walk.lost_game is not None]
        notes += [f"the shortest lost game has {min(lengths)} plies"] if lengths else []
        notes += [f"each {trained.budget}"] if trained is not None else []
        rows.append(
            Row(
                labels=(name,),
                paper="loses all games" if name == ALL else "",
                ours=f"{len(lost)} of {len(known)} can be beaten" if known else "",
                value=percent(optimal / choices) if choices else None,
                low=min(shares, default=None),
                high=max(shares, default=None),
                count=len(known),
                verdict="no claim",
                note="; ".join(notes),
            )
        )
    return Table(
        title=title,
        label_columns=("Trained",),
        unit="optimal moves where the choice matters, percent",
        rows=tuple(rows),
        caption="Over all 4,520 positions of the game that are not over, of which those count where some moves keep the value and some do not. From the smallest to the largest of the trainings. Beaten means that some sequence of replies, found by walking all of them, beats it as X or as O.",
    )


def _fast_table(settings: Settings, results: Results) -> Table:
    sims, rows = SIZES[settings.scale].sims, []
    for condition in _fast(settings):
        trained = condition.training.trained(results)
        searched, bare = (_Examined.read(condition, n, results) for n in (sims, 0))
        said = {True: "proved on both sides", False: "can be beaten", None: ""}
        rows.append(
            Row(
                labels=(str(condition.seed),),
                ours=said[searched.unbeatable],
                value=None if trained is None else trained.seconds,
                count=sum(walk.decisions for walk in searched.walks.values()),
                note="; ".join(
                    [f"without search {said[bare.unbeatable]}"] * (bare.unbeatable is not None)
                    + ([trained.budget] if trained is not None else [])
                ),
            )
        )
    return Table(
        title="From nothing to unbeatable: the preset tic-tac-toe-fast",
        label_columns=("Seed",),
        unit="seconds to train, compiling included",
        rows=tuple(rows),
        caption=f"Every reply is walked as X and as O, with {sims} simulations a move, and without any.",
    )


def _scores_figure(scores: Mapping[int, Score]) -> Iterator[Figure]:
    known = {sims: wilson(score.wins + score.draws, score.games) for sims, score in scores.items() if score.games}
    if known:
        yield CurveFigure(
            name="not-lost",
            title="Games against MCTS 750 that are not lost",
            x_label="simulations a move",
            y_label="percent",
            y_range=(0.0, 100.0),
            series=(
                interval_series(RIGHT, known),
                Series(name="the paper", x=tuple(map(float, BUDGETS)), y=(0.0,) * len(BUDGETS)),
            ),
        )


def _optimal_figure(found: Mapping[str, Sequence[_Examined]]) -> Iterator[Figure]:
    series = []
    for name, examined in found.items():
        by_ply: dict[int, Tally] = {}
        for one in examined:
            for ply, tally in one.tallies.items():
                by_ply[ply] = by_ply.get(ply, Tally(complete=True)) + tally
        known = {ply: tally.optimal_interval.share for ply, tally in sorted(by_ply.items()) if tally.choices}
        if known:
            series.append(
                Series(name=name, x=tuple(map(float, known)), y=tuple(percent(share) for share in known.values()))
            )
    if series:
        yield CurveFigure(
            name="optimal-moves",
            title="Optimal moves where the choice matters, in all positions of the game",
            x_label="ply",
            y_label="percent",
            y_range=(0.0, 100.0),
            series=tuple(series),
        )


def _lost_games(found: Mapping[str, Sequence[_Examined]]) -> Iterator[Figure]:
    """One game for each condition that can be beaten."""
    for number, (name, examined) in enumerate(found.items()):
        lost = [walk for one in examined for walk in one.walks.values() if walk.lost_game is not None]
        if lost:
            shortest = min(lost, key=lambda walk: len(walk.lost_game or ()))
            yield BoardFigure(
                name=f"lost-game-{number}",
                title=f"{name}: a game that it loses as {'X' if shortest.side == 'first' else 'O'}",
                rules=RULES,
                moves=shortest.lost_game or (),
            )


def _findings(
    settings: Settings,
    results: Results,
    scores: Mapping[int, Score],
    found: Mapping[str, Sequence[_Examined]],
    bare: Mapping[str, Sequence[_Examined]],
) -> Iterator[str]:
    total = sum(scores.values(), Score())
    if total.games:
        yield f"Done right, BetaZero loses {total.losses} of {total.games} games to MCTS 750 over {len(scores)} budgets, draws {total.draws} and wins {total.wins}; the paper's drew none of 700."
    sims = SIZES[settings.scale].sims
    beaten = {
        name: (sum(one.unbeatable is False for one in examined), sum(one.unbeatable is not None for one in examined))
        for name, examined in found.items()
    }
    if all(known for _, known in beaten.values()):
        lost, known = beaten[RIGHT]
        yield f"Done right, {known - lost} of {known} trainings lose to no reply, as X or as O, with {sims} simulations a move."
        worse = [name for name in MISTAKES if beaten[name][0] * known > lost * beaten[name][1]]
        if lost == known:
            yield "So nothing can be blamed on a mistake here: this budget is too small."
        elif worse:
            written = "; ".join(f"{name} ({beaten[name][0]} of {beaten[name][1]})" for name in worse)
            yield f"With {sims} simulations, these mistakes alone make more trainings beatable than that: {written}."
        if lost < known and (harmless := [name for name in MISTAKES if name not in worse]):
            yield f"With {sims} simulations, these alone do not: {'; '.join(harmless)}."
        lost, known = beaten[ALL]
        yield f"With all four, {lost} of {known} trainings can be beaten."
    shares = {
        name: sum(one.total.optimal for one in examined) / choices
        for name, examined in bare.items()
        if (choices := sum(one.total.choices for one in examined))
    }
    if RIGHT in shares and all(name in shares for name in MISTAKES):
        worst = min(MISTAKES, key=shares.__getitem__)
        yield f"What the network itself has learned suffers most from this: {worst}. Its policy keeps the value in {percent(shares[worst]):.1f} percent of the choices, and in {percent(shares[RIGHT]):.1f} without a mistake."
    fast = [(_Examined.read(one, sims, results), one.training.trained(results)) for one in _fast(settings)]
    seconds = sorted(trained.seconds for _, trained in fast if trained is not None)
    proved = sum(one.unbeatable is True for one, _ in fast)
    if seconds:
        yield f"The preset tic-tac-toe-fast is proved on both sides in {proved} of {len(fast)} trainings, after {seconds[0]:.0f} to {seconds[-1]:.0f} seconds each."
