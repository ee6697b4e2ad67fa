"""Why BetaZero lost every game of tic-tac-toe: the paper done right, its mistakes one at a time and together, and the fast preset."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from noughts.agents import parse_agent
from noughts.document.citations import ZHAO_PAPER
from noughts.document.result import BoardFigure, Figure, Row, game_figure
from noughts.examine.judge import Tally
from noughts.play.score import Score
from noughts.questions.answers import Answers
from noughts.questions.judged import Judged
from noughts.questions.network_values import NetworkValues
from noughts.questions.played import MatchResult, Played
from noughts.questions.question import Question
from noughts.questions.trained import Training
from noughts.rules import format_task
from noughts.rules.text import counted
from noughts.statistics import ClusteredShare, clustered_share, compare, holm, same_rate_paired
from noughts.studies.claims import (
    beside_by_seed,
    curve_figure,
    in_points,
    interval_series,
    line_of,
    notes,
    percent,
    rate_row,
)
from noughts.studies.games import SQRT_2, TIC_TAC_TOE, TOE_TASK
from noughts.studies.study import Conclusion, Settings, Study, concluded, listed, section, sizes, with_minutes
from noughts.studies.trainings import (
    MARK,
    NumberedRun,
    Walks,
    alphazero,
    by_kind,
    known_walks,
    numbered_runs,
    on_both_sides,
    unbeatable,
)
from noughts.training.alphazero.config import PRESETS
from noughts.training.settings import merge

PAPER_GAMES = 100
"""The paper's games at each budget, all of them lost."""
BUDGETS = (150, 250, 350, 450, 550, 650, 750)
OPPONENT = parse_agent(f"mcts:sims=750,c={SQRT_2},pick=value")
"""The paper's opponent plays the move of best mean value. The paper does not state the constant c."""

RIGHT, ALL, FAST = "as it should be", "all four mistakes", "fast"
MISTAKES: dict[str, dict[str, Any]] = {
    "network evaluated after the end of the game": {"search": {"terminal": "network"}},
    "ReLU before the softmax": {"network": "mlp:preset=tic-tac-toe,rectified_logits=true"},
    "no move sampling": {"temperature_plies": 0},
    "learning rate 0.2": {"optimiser": {"learning_rate": 0.2}},
}

CONDITIONS = {
    RIGHT: dict[str, Any](),
    **MISTAKES,
    ALL: {field: value for changes in MISTAKES.values() for field, value in changes.items()},
}
"""Changes to the preset, by name of the condition."""

# A game that ends on the full board that the paper shows, a draw.
_FULL = ("A1", "A2", "A3", "B1", "B3", "B2", "C1", "C3", "C2")

POSITIONS: dict[str, tuple[tuple[str, ...], str]] = {
    "the empty board": ((), "0.92"),
    "after a move to the centre": (("B2",), "-0.98"),
    "a full board, drawn": (_FULL, "0.999"),
}


SCALES = sizes(
    iterations=(40, 200, 400),  # of each training
    simulations=(25, 50, 100),  # of each move in training
    seeds=(1, 10, 10),  # trainings of each condition
    sims=(25, 25, 25),  # of each move of the examined agents
    games=(10, 100, 100),  # at each budget of simulations
    budgets=(BUDGETS[::3], BUDGETS, BUDGETS),
    fast=(1, 10, 10),  # trainings of the fast preset
)


class Examined(NamedTuple):
    """One training with a number of simulations: its walks, and its moves beside exact values by ply."""

    run: NumberedRun[str]
    walks: Walks
    tallies: Mapping[int, Tally]

    @property
    def unbeatable(self) -> bool | None:
        """Whether no reply beats it on either side; None while unknown."""
        return unbeatable(self.walks)

    @property
    def total(self) -> Tally:
        """The tally of all plies."""
        return sum(self.tallies.values(), Tally(complete=True))


_Found = Mapping[str, Sequence[Examined]]
"""The trainings of each condition."""


class BetazeroPostMortem(Study):
    """Which of the authors' choices made BetaZero lose?

    Attributes:
        runs: Every training of the paper's preset: without mistakes, with each mistake, with all; first seeds first.
        kinds: The same trainings by condition.
        fast: The trainings of the fast preset, which has no mistake.
    """

    name = "betazero-post-mortem"
    title = "BetaZero: the paper done right, and which mistake broke it"
    question = (
        "Does AlphaZero learn tic-tac-toe so that no reply beats it, and which of the authors' choices prevented that?"
    )
    paper = "Zhao, Investigation of self-play deep reinforcement learning for Tic-Tac-Toe (2019), Experiments"
    citations = (ZHAO_PAPER,)
    scales = with_minutes(
        {
            scale: f"{counted(size.seeds, 'training')} of {size.iterations} iterations with {size.simulations} simulations for each of six conditions; {size.games} games at each of {len(size.budgets)} budgets done right, and at the largest with each mistake; {size.fast} of the fast preset"
            for scale, size in SCALES.items()
        },
        quick=3,
        laptop=22,
    )
    deviations = (
        "The authors do not state how long they trained. Here each condition gets equal numbers of iterations, games and steps.",
        "The paper's policy targets are mean values minus the smallest, normalised. Here they are fractions of visits, as in AlphaZero.",
        "The authors' program has all four mistakes: it evaluates the network where the game is over, applies a ReLU before the softmax, samples no moves, and has a learning rate of 0.2. The text mentions none of them, and gives 0.02 as the learning rate.",
        "The opponent is MCTS with 750 iterations that plays the move of best mean value. It can be beaten, so we count wins with draws. The paper counts only draws, because it took its opponent for perfect.",
        "Half of the games are played as X and half as O. The paper does not state this.",
        "We try every reply to find out whether an agent can be beaten. The network always plays the same move in the same position.",
        "A network that was trained with evaluations of finished games also searches with them when it plays.",
    )
    takes_guests = False

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Trainings, then games, walks, judgements and values."""
        study = self.at(settings)
        trainings = [run.training for run in (*study.runs, *study.fast)]
        agents = [training.agent(sims) for training in trainings for sims in (0, study.size.sims)]
        return [
            *trainings,
            *(played for sims in study.size.budgets for played in study.matches(RIGHT, sims)),
            *(played for name in study.kinds if name != RIGHT for played in study.matches(name, study.most)),
            *(walk for agent in agents for walk in on_both_sides(TIC_TAC_TOE, agent)),
            *(study.beside_truth(run) for run in study.runs),
            *map(network_values, study.runs),
        ]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """The paper's table, its positions, the conditions side by side, and the fast preset."""
        study = self.at(settings, answers)
        sims, most = study.size.sims, study.most
        return concluded(
            _budgets(study),
            _values(study),
            _conditions(study, f"Each mistake alone, with {sims} simulations a move", sims),
            _conditions(study, "Each mistake alone, the network's policy without search", 0),
            section(
                f"Each mistake alone against MCTS 750, with {most} simulations a move",
                ("Trained",),
                _NOT_LOST,
                [_opposed_row(name, study.opposed(name, most), claimed=name == ALL) for name in study.kinds],
                f"Does it lose all games, as the paper's did? The row with all four mistakes is compared with the paper's, whose program has these. {_BY_TRAINING}",
                finding=f"Games not lost to MCTS 750 with {most} simulations, where the paper's lost all of 100",
            ),
            _fast(study),
        )

    def _plan(self, settings: Settings) -> None:
        size = self.size = SCALES[settings.scale]
        self.seed, self.most = settings.seed, size.budgets[-1]
        self.runs = numbered_runs(dict.fromkeys(CONDITIONS, size.seeds).items(), self._training)
        self.kinds = by_kind(self.runs)
        self.fast = numbered_runs([(FAST, size.fast)], self._training)

    def matches(self, name: str, sims: int) -> list[Played]:
        """The matches of a condition against the paper's opponent. Its trainings share the games, an even number each."""
        trainings = [run.training for run in self.kinds[name]]
        return [
            Played(
                task=TOE_TASK,
                a=training.agent(sims),
                b=OPPONENT,
                games=max(2, self.size.games // len(trainings) // 2 * 2),
                moves_first="turns",
                seed=self.seed,
                draws=(BetazeroPostMortem.name, name, f"{sims} simulations", str(number)),
            )
            for number, training in enumerate(trainings)
        ]

    def opposed(self, name: str, sims: int) -> list[MatchResult]:
        """The results of these matches, for the trainings that have played."""
        return [result for played in self.matches(name, sims) if (result := self.answers[played]).total.games]

    def beside_truth(self, run: NumberedRun[str]) -> Judged:
        """A run's moves in every position of the game, without search and with it, compared with exact values."""
        agents = (run.training.agent(0), run.training.agent(self.size.sims))
        return Judged(task=TOE_TASK, named=agents, per_ply=20_000, plies=(0, 8), nodes=None, seed=self.seed)

    def examined(self, runs: Sequence[NumberedRun[str]], sims: int) -> list[Examined]:
        """These trainings, examined with `sims` simulations."""
        agents = [(run, run.training.agent(sims)) for run in runs]
        return [
            Examined(run, known_walks(TIC_TAC_TOE, agent, self.answers), self.answers[self.beside_truth(run)].of(agent))
            for run, agent in agents
        ]

    def _training(self, name: str, number: int) -> Training:
        label, task, seed = f"{name}, seed {number}", format_task(TOE_TASK), self.seed * 1000 + number
        if name == FAST:
            preset = "tic-tac-toe-fast"
            return alphazero(label, preset, task, seed, PRESETS[preset]["schedule"]["iterations"])
        preset, changes = "tic-tac-toe", merge(CONDITIONS[name], {"search": {"simulations": self.size.simulations}})
        fields = {field: value for field, value in merge(PRESETS[preset], changes).items() if field in changes}
        return alphazero(label, preset, task, seed, self.size.iterations, **fields)


def network_values(run: NumberedRun[str]) -> NetworkValues:
    """The values that a run's network gives the paper's positions, in the order of `POSITIONS`."""
    positions = tuple(tuple(map(TIC_TAC_TOE.cell_of, moves)) for moves, _ in POSITIONS.values())
    return NetworkValues(agent=run.training.agent(0), rules=TIC_TAC_TOE, positions=positions)


_NOT_LOST = "games drawn or won, percent"
_BY_TRAINING = "Intervals are bootstrapped over trainings, because games of one training may be similar."


def _budgets(study: BetazeroPostMortem) -> Conclusion:
    opposed = {sims: study.opposed(RIGHT, sims) for sims in study.size.budgets}
    known = {sims: _share(found).interval for sims, found in opposed.items() if found}
    lines = [interval_series(RIGHT, known), line_of("the paper", dict.fromkeys(BUDGETS, 0.0))] if known else []
    about = "The paper's points are at 0, because it lost every game at every budget. Ours are drawn or won, with 95% intervals."
    title = "Games against MCTS 750 that are not lost"
    return section(
        "The paper's table: BetaZero done right against MCTS 750",
        ("Simulations",),
        _NOT_LOST,
        [_opposed_row(str(sims), found, claimed=True) for sims, found in opposed.items()],
        f"The paper gives the share of draws: 0 of 100 at every budget, so it lost them all. {_BY_TRAINING}",
        {about: curve_figure("not-lost", title, lines, "simulations a move", "percent")},
        "Done right, games not lost to MCTS 750 by simulations; the paper's drew none of 700",
    )


def _opposed_row(label: str, opposed: Sequence[MatchResult], claimed: bool) -> Row:
    """A row of games not lost, compared with the paper's 100 lost games if `claimed`."""
    paper = "0 drawn of 100" if claimed else ""
    if not opposed:
        return Row(labels=(label,), paper=paper)
    total, share = sum((result.total for result in opposed), Score()), _share(opposed)
    kept = total.games - total.losses
    return rate_row(
        (label,),
        kept,
        total.games,
        ours=f"{kept} of {total.games} not lost",
        share=share.interval,
        paper=paper,
        distinct=sum(result.distinct for result in opposed),  # counted within each training
        comparison=compare(kept, total.games, 0, PAPER_GAMES, clustered=share) if claimed else None,
        note=f"{total.wins} won, {total.draws} drawn, {total.losses} lost",
    )


def _share(opposed: Sequence[MatchResult]) -> ClusteredShare:
    """The share of games not lost, clustered by training, because games of one training may be alike."""
    scores = [result.total for result in opposed]
    return clustered_share([one.games - one.losses for one in scores], [one.games for one in scores])


def _values(study: BetazeroPostMortem) -> Conclusion:
    def row(number: int, position: str, paper: str, name: str) -> Row:
        found = (study.answers[network_values(run)] for run in study.kinds[name])
        values = [one.values[number] for one in found if one is not None]
        mean = sum(values) / len(values) if values else None
        return Row(
            labels=(position, name),
            paper=paper * (name == RIGHT),
            ours="" if mean is None else f"{mean:+.3f}",
            value=mean,
            low=min(values, default=None),
            high=max(values, default=None),
            count=len(values),
            note="exactly 0" * (name == RIGHT),
        )

    positions = enumerate(POSITIONS.items())
    return section(
        "The network's values of the paper's positions",
        ("Position", "Trained"),
        "value for the side to move",
        (row(number, position, paper, name) for number, (position, (_, paper)) in positions for name in study.kinds),
        "The network alone, without search: the mean of the trainings, with the range from the smallest to the largest. All three values are exactly 0. A search that knows the rules never evaluates the last position.",
        spread="range",
    )


def _conditions(study: BetazeroPostMortem, title: str, sims: int) -> Conclusion:
    """Every condition with `sims` simulations: trainings that can be beaten, and the share of optimal moves."""
    found = {name: study.examined(runs, sims) for name, runs in study.kinds.items()}
    figures = {_IN_ALL: _optimal_figure(found), "Some reply leads to it; numbers are plies.": _lost_games(found)}
    return section(
        title,
        ("Trained",),
        "optimal moves in non-trivial positions, percent",
        [_condition_row(study, name, examined) for name, examined in found.items()],
        "Over all non-trivial positions of the 4,520 before the end of the game, that is, those in which some moves are optimal and some are not. The range is from the smallest to the largest of the trainings. Beaten means that some sequence of replies, found by trying all of them, beats it as X or as O.",
        figures if sims else None,
        f"{title}, trainings that can be beaten, and optimal moves (if training without mistakes can be beaten, too, the mistakes are not to blame)"
        if sims
        else "",
        findings=_told_from_chance(found) if sims else _policies(found),
        spread="range",
    )


_IN_ALL = "With search, in all non-trivial positions of the game, over all trainings of a condition."


def _condition_row(study: BetazeroPostMortem, name: str, examined: Sequence[Examined]) -> Row:
    known = [one for one in examined if one.unbeatable is not None]
    lost = [one for one in known if one.unbeatable is False]
    totals = [one.total for one in examined if one.total.choices]
    optimal, choices = sum(total.optimal for total in totals), sum(total.choices for total in totals)
    shares = [percent(total.optimal / total.choices) for total in totals]
    lengths = [len(walk.lost_game) for one in lost for walk in one.walks.values() if walk.lost_game is not None]
    trained = study.answers[study.kinds[name][0].training]
    return Row(
        labels=(name,),
        paper="loses all games" if name == ALL else "",
        ours=f"{len(lost)} of {len(known)} can be beaten" if known else "",
        value=percent(optimal / choices) if choices else None,
        low=min(shares, default=None),
        high=max(shares, default=None),
        count=len(known),
        note=notes(
            f"{optimal:,} of {choices:,} choices are optimal" * bool(choices),
            f"the shortest lost game has {min(lengths)} plies" if lengths else "",
            f"each {trained.budget}" if trained is not None else "",
        ),
    )


def _optimal_figure(found: _Found) -> tuple[Figure, ...]:
    lines = []
    for name, examined in found.items():
        plies = sorted({ply for one in examined for ply in one.tallies})
        totals = {ply: sum((one.tallies.get(ply, Tally()) for one in examined), Tally()) for ply in plies}
        # All positions of the game are judged, so there are no intervals.
        shares = {ply: percent(total.optimal_interval.value) for ply, total in totals.items() if total.choices}
        lines.append(line_of(name, shares))
    title = "Optimal moves in all non-trivial positions of the game"
    return curve_figure("optimal-moves", title, lines, "ply", "percent")


def _lost_games(found: _Found) -> Iterator[BoardFigure]:
    """One lost game for each condition that can be beaten."""
    for number, (name, examined) in enumerate(found.items()):
        walks = [(walk.lost_game, side) for one in examined for side, walk in one.walks.items()]
        lost = [(game, side) for game, side in walks if game is not None]
        if lost:
            shortest, side = min(lost, key=lambda game: len(game[0]))
            title = f"{name}: a game that it loses as {MARK[side]}"
            yield game_figure(f"lost-game-{number}", title, TIC_TAC_TOE, shortest)


def _told_from_chance(found: _Found) -> Iterator[str]:
    """The p-value of each mistake against training without mistakes, paired because both use the same seeds."""
    known = {
        name: {one.run.number: one.unbeatable for one in some if one.unbeatable is not None}
        for name, some in found.items()
    }
    right = known[RIGHT]
    pairs = {
        name: [(not beats, not right[seed]) for seed, beats in known[name].items() if seed in right]
        for name in MISTAKES
    }
    if all(known.values()):
        adjusted = zip(MISTAKES, holm([same_rate_paired(pairs[name]) for name in MISTAKES]), strict=True)
        legend = "Each mistake alone, trainings that can be beaten, compared with training without mistakes (McNemar's exact test by seed, after Holm; significant below 0.05)"
        yield from listed(legend, {f"{name}, p =": f"{p_value:.2g}" for name, p_value in adjusted})


def _policies(bare: _Found) -> Iterator[str]:
    """The effect of each mistake on the policy without search, paired by seed."""
    shares = {
        name: {one.run.number: one.total.optimal_interval for one in examined if one.total.choices}
        for name, examined in bare.items()
    }
    right = shares[RIGHT]
    told = {name: in_points(more) for name in MISTAKES if (more := beside_by_seed(shares[name], right))}
    if told:
        mean = percent(fmean(share.value for share in right.values()))
        legend = f"Without search, a policy that was trained without a mistake plays {mean:.1f} percent optimal moves; differences from that, by seed"
        yield from listed(legend, told)


def _fast(study: BetazeroPostMortem) -> Conclusion:
    said = {True: "proved on both sides", False: "can be beaten", None: ""}

    def row(one: Examined, bare: Examined) -> Row:
        trained, policy = study.answers[one.run.training], said[bare.unbeatable]
        return Row(
            labels=(str(one.run.number),),
            ours=said[one.unbeatable],
            value=None if trained is None else trained.seconds,
            count=sum(walk.decisions for walk in one.walks.values()),
            note=notes(f"without search {policy}" * bool(policy), "" if trained is None else trained.budget),
        )

    searched, bare = (study.examined(study.fast, sims) for sims in (study.size.sims, 0))
    return section(
        "From nothing to unbeatable: the preset tic-tac-toe-fast",
        ("Seed",),
        "seconds to train, compiling included",
        map(row, searched, bare),
        f"Every reply is tried as X and as O, with {study.size.sims} simulations a move and without search.",
        finding="The preset tic-tac-toe-fast, by seed",
    )
