"""What `betazero-post-mortem` found, in sentences."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from noughts.play.score import Score
from noughts.questions.answers import Answers
from noughts.statistics import LEVEL, holm, mean_difference, same_rate_paired
from noughts.studies.betazero_post_mortem.outcome import Examined, Opposed
from noughts.studies.betazero_post_mortem.plan import ALL, MISTAKES, RIGHT, SCALES, fast_runs
from noughts.studies.betazero_post_mortem.tables import Found
from noughts.studies.study import Settings, percent


def findings(
    settings: Settings,
    answers: Answers,
    scores: Mapping[int, Opposed],
    opposed: Mapping[str, Opposed],
    found: Found,
    bare: Found,
) -> Iterator[str]:
    """What follows from the games, by budget and by condition, and from what was examined with search (`found`) and
    without (`bare`)."""
    total = sum((one.total for one in scores.values()), Score())
    if total.games:
        yield f"Done right, BetaZero loses {total.losses} of {total.games} games to MCTS 750 over {len(scores)} budgets, draws {total.draws} and wins {total.wins}; the paper's drew none of 700."
    sims = SCALES[settings.scale].sims
    beaten = {
        name: (sum(one.unbeatable is False for one in examined), sum(one.unbeatable is not None for one in examined))
        for name, examined in found.items()
    }
    if all(known for _, known in beaten.values()):
        lost, known = beaten[RIGHT]
        yield f"Done right, {known - lost} of {known} trainings lose to no reply, as X or as O, with {sims} simulations a move."
        if lost == known:
            yield "So nothing can be blamed on a mistake here: this budget is too small."
        else:
            yield from _mistakes(found, beaten, sims)
        lost, known = beaten[ALL]
        yield f"With all four, {lost} of {known} trainings can be beaten."
    if all(one.scores for one in opposed.values()):
        kept = "; ".join(f"{name} {one.not_lost} of {one.total.games}" for name, one in opposed.items())
        yield f"Games not lost to MCTS 750 with {SCALES[settings.scale].budgets[-1]} simulations, where the paper's lost all of 100: {kept}."
    yield from _policies(bare)
    fast = [(Examined.read(run, sims, settings, answers), answers[run.training]) for run in fast_runs(settings)]
    seconds = sorted(trained.seconds for _, trained in fast if trained is not None)
    proved = sum(one.unbeatable is True for one, _ in fast)
    if seconds:
        yield f"The preset tic-tac-toe-fast is proved on both sides in {proved} of {len(fast)} trainings, after {seconds[0]:.0f} to {seconds[-1]:.0f} seconds each."


def _policies(bare: Found) -> Iterator[str]:
    """What each mistake changes in what the network itself has learned, trainings of equal seeds beside each other."""
    shares = {
        name: {one.run.seed: one.total.optimal_interval for one in examined if one.total.choices}
        for name, examined in bare.items()
    }
    right = shares.get(RIGHT, {})
    told = []
    for name in MISTAKES:
        seeds = sorted(right.keys() & shares.get(name, {}).keys())
        if len(seeds) > 1:
            value, low, high = map(
                percent, mean_difference([shares[name][seed] for seed in seeds], [right[seed] for seed in seeds])
            )
            told.append(f"{name} {value:+.1f} points ({low:+.1f} to {high:+.1f})")
    if told:
        mean = percent(fmean(share.share for share in right.values()))
        yield f"Without search, a policy that was trained without a mistake keeps the value in {mean:.1f} percent of the choices; beside that, by seed: {'; '.join(told)}."


def _mistakes(found: Found, beaten: Mapping[str, tuple[int, int]], sims: int) -> Iterator[str]:
    """Which mistakes make more trainings beatable than none does, as far as a test can tell.

    Each is trained from the same seeds as what is done right, so that trainings come in pairs.
    """
    right = {one.run.seed: one.unbeatable for one in found[RIGHT] if one.unbeatable is not None}
    p_values = {
        name: same_rate_paired(
            [
                (not one.unbeatable, not right[one.run.seed])
                for one in found[name]
                if one.unbeatable is not None and one.run.seed in right
            ]
        )
        for name in MISTAKES
    }
    adjusted = dict(zip(p_values, holm(list(p_values.values())), strict=True))
    worse = [name for name in MISTAKES if beaten[name][0] * beaten[RIGHT][1] > beaten[RIGHT][0] * beaten[name][1]]

    def written(names: Sequence[str]) -> str:
        return "; ".join(f"{name} ({beaten[name][0]} of {beaten[name][1]}, p = {adjusted[name]:.2g})" for name in names)

    told = [name for name in worse if adjusted[name] < LEVEL]
    if told:
        yield f"With {sims} simulations, these mistakes alone make more trainings beatable than none does (McNemar's exact test by seed, after Holm): {written(told)}."
    if others := [name for name in MISTAKES if name not in told]:
        yield f"With {sims} simulations, these alone are not distinguishable from doing it right, by {beaten[RIGHT][1]} seed{'s' if beaten[RIGHT][1] > 1 else ''}: {written(others)}."
