"""The tables and figures of `not-knowing-the-rules`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from noughts.document.result import CurveFigure, Figure, Row, Table, beside
from noughts.examine.imagining import ImaginedTally
from noughts.examine.judge import Tally
from noughts.questions.answers import Answers
from noughts.questions.imagined import ImaginedJudged
from noughts.questions.trained import Point
from noughts.questions.walked import Walked
from noughts.statistics import (
    Comparison,
    Difference,
    Interval,
    compare,
    compare_with_always,
    mean_difference,
    mean_share,
    wilson,
)
from noughts.studies.not_knowing_the_rules.plan import (
    NOTAKTO,
    SEEN,
    UNSEEN,
    ModelPlan,
    PlannedRun,
)
from noughts.studies.study import count_row, interval_series, percent, share_row

_NONE = "no search"


def tables(plan: ModelPlan, answers: Answers) -> tuple[Table, ...]:
    """Proofs on 3x3, all decisions there, the bricks, Notakto, what is imagined, and repairs."""
    return (
        _toe_table(plan, answers),
        _decisions_table(plan, answers),
        _bricks_table(plan, answers),
        _notakto_table(plan, answers),
        _model_table(plan, answers),
        _repairs_table(plan, answers),
    )


def figures(plan: ModelPlan, answers: Answers, shown: Sequence[Table]) -> tuple[Figure, ...]:
    """What is wrong with what is imagined, by depth."""
    return beside(
        shown[4], _depth_figures(plan, answers), "By moves from the position that the search sees; with 95% intervals."
    )


def toe_proof(plan: ModelPlan, run: PlannedRun, sims: int, answers: Answers) -> Point | None:
    """The first measurement at which no reply beats a learner on either side of 3x3; None if there is none, or not yet."""
    walks = plan.toe_walks(run)
    return _first(
        run, {point: [walks[point, sims, "first"], walks[point, sims, "second"]] for point in run.points}, answers
    )


def notakto_proof(plan: ModelPlan, game: str, run: PlannedRun, sims: int, answers: Answers) -> Point | None:
    """The same of the side that wins a game of Notakto."""
    walks = plan.notakto_walks(game, run)
    return _first(run, {point: [walks[point, sims]] for point in run.points}, answers)


def _first(run: PlannedRun, walks: Mapping[int, Sequence[Walked]], answers: Answers) -> Point | None:
    trained = answers[run.training]
    if trained is None:
        return None
    for point, asked in walks.items():
        results = [game.result for walk in asked for game in answers[walk].games]
        reached = [p for p in trained.curve if p.positions >= point]
        if len(results) == len(asked) and all(result.proved for result in results) and reached:
            return reached[0]
    return None


def _known(runs: Iterable[PlannedRun], answers: Answers) -> list[PlannedRun]:
    """Those that are trained."""
    return [run for run in runs if answers[run.training] is not None]


def _toe_table(plan: ModelPlan, answers: Answers) -> Table:
    rows = []
    for sims in (32, 0):
        for learner in ("AlphaZero", "MuZero"):
            own = [run for run in _known(plan.on_toe(), answers) if run.learner == learner]
            proofs = [proof for run in own if (proof := toe_proof(plan, run, sims, answers)) is not None]
            share = wilson(len(proofs), len(own)) if own else None
            note = ""
            if proofs:
                middle = sorted(proof.positions for proof in proofs)[len(proofs) // 2]
                note = (
                    f"half of those proved by {middle:,} positions, {middle * 32:,} simulations of "
                    f"self-play; {min(p.seconds for p in proofs) / 60:.1f} to {max(p.seconds for p in proofs) / 60:.1f} minutes "
                    "on one core each"
                )
            rows.append(
                share_row(
                    labels=(learner, _searched(sims)),
                    ours=f"{len(proofs)} of {len(own)}" if own else "",
                    share=share,
                    count=len(own),
                    note=note,
                )
            )
    return Table(
        title="3x3: no reply beats it, on either side",
        label_columns=("Learner", "Plays with"),
        unit="seeds proved on both sides, percent",
        rows=tuple(rows),
        caption="Every reply was walked, as first and as second player, at each measurement: the first proof counts.",
    )


def _decisions_table(plan: ModelPlan, answers: Answers) -> Table:
    rows, found = [], answers[plan.toe_judged()]
    for sims in (32, 0):
        for learner in ("AlphaZero", "MuZero"):
            runs = [run for run in _known(plan.on_toe(), answers) if run.learner == learner]
            tallies = [sum(found.of(run.agent(sims)).values(), Tally()) for run in runs]
            total = sum(tallies, Tally())
            right = sum(tally.choices > 0 and tally.optimal == tally.choices for tally in tallies)
            claimed = learner == "MuZero" and sims
            note = f"{right} of {len(runs)} seeds decide right everywhere; {_each(tallies)}" if total.choices else ""
            comparison = (
                compare_with_always(total.optimal, total.choices, contrary="differs")
                if claimed and total.choices
                else None
            )
            rows.append(
                _share_row((learner, _searched(sims)), total, note, "every decision" if claimed else "", comparison)
            )
    return Table(
        title="3x3: every decision there is",
        label_columns=("Learner", "Plays with"),
        unit="optimal moves where the choice matters, percent",
        rows=tuple(rows),
        claimed="enpasos/muzero",
        caption="All positions of the game in which some moves keep the value and some do not, also those that good play never reaches; all seeds together.",
    )


def _each(tallies: Sequence[Tally]) -> str:
    """How many decisions are wrong, from the best seed to the worst."""
    wrong = sorted(tally.choices - tally.optimal for tally in tallies)
    return f"wrong in {wrong[0]} to {wrong[-1]} of {tallies[0].choices:,}" if len(wrong) > 1 else f"wrong in {wrong[0]}"


def _bricks_table(plan: ModelPlan, answers: Answers) -> Table:
    rows = []
    known = _known(plan.on_bricks(), answers)
    scores = {run.learner: answers[plan.games(run)].total for run in known}
    for run in known:
        score, other = scores[run.learner], scores.get("AlphaZero")
        beside_other = run.learner == "MuZero" and other is not None and other.games and score.games
        comparison = compare(score.wins, score.games, other.wins, other.games) if beside_other and other else None
        rows.append(
            count_row(
                (run.learner, "wins on 49 squares", "24 simulations"),
                score,
                f"{other.wins} of {other.games}" if comparison is not None and other is not None else "",
                comparison,
            )
        )
    for task, name in ((SEEN, "optimal on D4"), (UNSEEN, "optimal on squares never seen")):
        found = answers[plan.brick_judged(task)]
        for sims in (24, 0):
            totals = {run.learner: sum(found.of(run.agent(sims)).values(), Tally()) for run in known}
            for learner, total in totals.items():
                base = totals.get("AlphaZero")
                beside_base = learner == "MuZero" and base is not None and base.choices and total.choices
                comparison = (
                    compare(total.optimal, total.choices, base.optimal, base.choices) if beside_base and base else None
                )
                said = f"{base.optimal} of {base.choices}" if comparison is not None and base is not None else ""
                note = f"a random player {percent(total.chance_share):.0f} percent" if total.choices else ""
                rows.append(_share_row((learner, name, _searched(sims)), total, note, said, comparison))
    for run in known:
        for sims in (24, 0):
            walks = answers[plan.brick_walk(run, sims)].games
            if walks:
                result = walks[0].result
                rows.append(
                    Row(
                        labels=(run.learner, "every reply on D4", _searched(sims)),
                        ours=str(result),
                        proved=True,
                        count=result.decisions,
                        note=f"trained {trained.budget}" if (trained := answers[run.training]) is not None else "",
                    )
                )
    return Table(
        title="bttt(D4): networks of one kind, equal positions and simulations",
        label_columns=("Learner", "What", "Plays with"),
        unit="games won or optimal moves, percent",
        rows=tuple(rows),
        claimed="AlphaZero here",
        caption="Both were trained on D4 alone, once each. A verdict compares this MuZero with this AlphaZero, in the same positions; it says nothing of other seeds.",
    )


def _notakto_table(plan: ModelPlan, answers: Answers) -> Table:
    rows = []
    for game in plan.size.notakto:
        for run in _known(plan.on_notakto(game), answers):
            trained = answers[run.training]
            for sims in (64, 0):
                proof = notakto_proof(plan, game, run, sims, answers)
                last = answers[plan.notakto_walks(game, run)[run.points[-1], sims]].games
                rows.append(
                    Row(
                        labels=(f"{game}, {NOTAKTO[game][1]}", run.learner, _searched(sims)),
                        ours="not proved"
                        if proof is None and last
                        else ""
                        if proof is None
                        else f"{proof.positions:,} positions",
                        value=None if proof is None else proof.seconds,
                        count=len(run.points),
                        note=f"trained {trained.budget}" if trained is not None else "",
                    )
                )
    return Table(
        title="Notakto: until no reply beats it",
        label_columns=("Board and side", "Learner", "Plays with"),
        unit="seconds of training, compiling and measuring included",
        rows=tuple(rows),
        caption="The first measurement at which every reply was walked and none wins. One training of each.",
    )


MODEL_FACTS = (
    ("moves that are illegal", "illegal", "made"),
    ("ends missed", "missed", "ended"),
    ("ends invented", "invented", "going"),
    ("sides mistaken", "sides_mistaken", "sides"),
    ("boards wrong in some cell", "boards_wrong", "boards"),
    ("values of the wrong kind", "values_wrong", "values"),
)
"""In words, and as a part of a whole of `ImaginedTally`."""


def imagined(asked: Iterable[ImaginedJudged], answers: Answers) -> dict[int, ImaginedTally]:
    """What was found, by depth, all together."""
    found: dict[int, ImaginedTally] = {}
    for question in asked:
        for depth, tally in answers[question].depths:
            found[depth] = found.get(depth, ImaginedTally()) + tally
    return dict(sorted(found.items()))


def models(plan: ModelPlan) -> dict[str, list[ImaginedJudged]]:
    """What is asked of models, by where."""
    return {
        "3x3": list(plan.toe_imagined().values()),
        "D4, seen": [plan.brick_imagined(SEEN)],
        "squares never seen": [plan.brick_imagined(UNSEEN)],
    }


def _model_table(plan: ModelPlan, answers: Answers) -> Table:
    rows = []
    for where, asked in models(plan).items():
        depths = imagined(asked, answers)
        total = sum(depths.values(), ImaginedTally())
        for name, part, whole in MODEL_FACTS:
            share = total.share(part, whole)
            if share is not None:
                rows.append(
                    share_row(
                        labels=(where, name),
                        ours=f"{getattr(total, part):,} of {getattr(total, whole):,}",
                        share=share,
                        count=getattr(total, whole),
                        note=_by_depth(depths, part, whole),
                    )
                )
    return Table(
        title="What is wrong with what MuZero imagines",
        label_columns=("Where", "What"),
        unit="imagined positions, percent",
        rows=tuple(rows),
        caption="All positions that searches went through, from real positions of random play, beside the rules and exact values. Intervals take positions for independent, which those of one search are not.",
    )


def _by_depth(depths: "dict[int, ImaginedTally]", part: str, whole: str) -> str:
    shares = {depth: share for depth, tally in depths.items() if (share := tally.share(part, whole)) is not None}
    return "by depth: " + ", ".join(f"{depth}: {percent(share.share):.0f}" for depth, share in list(shares.items())[:6])


def _repairs_table(plan: ModelPlan, answers: Answers) -> Table:
    rows, differences = [], repaired_beside_none(plan, answers)
    for name, by_seed in repaired_tallies(plan, answers).items():
        known = _known(plan.repaired()[name], answers)
        if not by_seed:
            continue
        total = sum(by_seed.values(), Tally())
        seen = sum((tally for run in known for _, tally in answers[plan.repair_imagined(run)].depths), ImaginedTally())
        facts = [
            f"{words} {percent(share.share):.1f}"
            for words, part, whole in MODEL_FACTS
            if (share := seen.share(part, whole)) is not None
        ]
        found = differences.get(name)
        rows.append(
            share_row(
                labels=(name, str(len(by_seed)), "" if found is None else in_points(found)),
                ours=f"{total.optimal:,} of {total.choices:,}",
                share=mean_share([tally.optimal_interval for tally in by_seed.values()]),
                count=total.choices,
                note="; ".join(facts),
            )
        )
    return Table(
        title="What repairs it: one thing added to MuZero on 3x3",
        label_columns=("Added", "Seeds", "Beside none, points"),
        unit="optimal moves where the choice matters, percent",
        rows=tuple(rows),
        caption=f"After {plan.size.repair_positions:,} positions, with 32 simulations, in all positions of the game: the mean over seeds, and its difference from the same seeds without it, with intervals over seeds; notes are shares of what is imagined, percent.",
    )


def repaired_tallies(plan: ModelPlan, answers: Answers) -> dict[str, dict[int, Tally]]:
    """By what is added to MuZero and by seed: its moves beside truth, with search; of what is known."""
    found = answers[plan.repair_judged()]
    tallies = {
        name: {run.seed: sum(found.of(run.agent(32)).values(), Tally()) for run in _known(runs, answers)}
        for name, runs in plan.repaired().items()
    }
    return {
        name: {seed: tally for seed, tally in by_seed.items() if tally.choices} for name, by_seed in tallies.items()
    }


def repaired_beside_none(plan: ModelPlan, answers: Answers) -> dict[str, Difference]:
    """How much larger the share of optimal moves is with each thing added than without, over the seeds that both have;
    nothing with less than two of these."""
    tallies = repaired_tallies(plan, answers)
    none = tallies.pop("none", {})
    found = {}
    for name, by_seed in tallies.items():
        seeds = sorted(by_seed.keys() & none.keys())
        if len(seeds) > 1:
            found[name] = mean_difference(
                [by_seed[seed].optimal_interval for seed in seeds], [none[seed].optimal_interval for seed in seeds]
            )
    return found


def in_points(found: Difference) -> str:
    """A difference of shares in points, with its interval."""
    value, low, high = map(percent, found)
    return f"{value:+.1f} ({low:+.1f} to {high:+.1f})"


def _depth_figures(plan: ModelPlan, answers: Answers) -> Iterator[Figure]:
    for where, asked in models(plan).items():
        depths = imagined(asked, answers)
        series = []
        for name, part, whole in MODEL_FACTS:
            shares: dict[int, Interval] = {}
            for depth, tally in depths.items():
                share = tally.share(part, whole)
                if share is not None:
                    shares[depth] = share
            if shares:
                series.append(interval_series(name, shares))
        if series:
            yield CurveFigure(
                name=f"imagined {where}",
                title=f"{where}: what is wrong, by depth of imagination",
                x_label="moves from the position that is seen",
                y_label="percent",
                y_range=(0.0, 100.0),
                series=tuple(series),
            )


def _share_row(labels: tuple[str, ...], tally: Tally, note: str, said: str, comparison: Comparison | None) -> Row:
    if not tally.choices:
        return Row(labels=labels)
    share = tally.optimal_interval
    return share_row(
        labels=labels,
        paper=said,
        ours=f"{tally.optimal:,} of {tally.choices:,}",
        share=share,
        count=tally.choices,
        comparison=comparison,
        note=note,
    )


def _searched(sims: int) -> str:
    return f"{sims} simulations" if sims else _NONE
