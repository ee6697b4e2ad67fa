"""What `generalisation` found, one sentence for each question it was asked."""

from collections.abc import Iterator, Mapping

from noughts.play.score import Score
from noughts.rules import Rules
from noughts.rules.symmetry import image_classes
from noughts.studies.generalisation.outcome import Found, best_sims, by_class, halves, total
from noughts.studies.generalisation.plan import TRAINED_ON, Contender, Plan, simulations
from noughts.studies.study import percent


def findings(plan: Plan, found: Found) -> Iterator[str]:
    """Sentences, only of what was measured."""
    yield from _unseen(plan, found)
    yield from _proved(plan, found)
    yield from _more_squares(plan, found)
    yield from _more_search(plan, found)
    yield from _truth(plan, found)
    yield from _elsewhere(plan, found)
    yield from _ties(plan, found)


def _unseen(plan: Plan, found: Found) -> Iterator[str]:
    for contender in plan.contenders:
        sims = best_sims(contender)
        trained, scores = found.trained(contender), found.by_square(contender, sims, "random")
        if contender.squares != "D4" or trained is None or not scores:
            continue
        seen, _ = halves(contender, scores)
        unseen = {rules: score for rules, score in scores.items() if rules.bricks[0] not in contender.seen()}
        won = sum(score.wins == score.games > 0 for score in scores.values())
        yield f"Trained on D4 alone ({trained.budget}), the {contender.network} network wins {_share(unseen)} on squares it never saw and {seen.wins} of {seen.games} on D4, {simulations(sims)}; every game on {won} of {len(scores)} squares (the paper's agent: 139 of 490 games with 100 simulations)."


def _proved(plan: Plan, found: Found) -> Iterator[str]:
    for contender in plan.contenders:
        for sims in contender.proved[-1:]:
            walks = found.walks(contender, sims)
            if walks:
                proved = sum(walk.wins for walk in walks.values())
                lost = sum(walk.lost_game is not None for walk in walks.values())
                who = f"{contender.called(sims)}, seen from one side"
                if len(walks) == 1:
                    (rules,) = walks
                    said = (
                        "is proved to win against every reply"
                        if proved
                        else "can be beaten"
                        if lost
                        else "is not decided"
                    )
                    yield f"{who}: on {rules.brick_names()} it {said}; one square of one training."
                    continue
                classes = image_classes(walks)
                unseen = [group for group in classes if group[0].bricks[0] not in contender.seen()]
                whole, new = (sum(walks[group[0]].wins for group in groups) for groups in (classes, unseen))
                yield f"{who}: it is proved to win against every reply on {proved} of {len(walks)} squares, and can be beaten on {lost}. To an agent that sees from one side these are {len(classes)} classes of images, of which {whole} are proved, {new} of the {len(unseen)} never seen; one training of one seed."


def _more_squares(plan: Plan, found: Found) -> Iterator[str]:
    for network in dict.fromkeys(contender.network for contender in plan.contenders):
        group = [contender for contender in plan.contenders if contender.network == network]
        common = set.intersection(*(set(contender.played) for contender in group))
        if len(group) < 2 or not common:
            continue
        sims = max(common)
        won = {c.squares: total(found.by_square(c, sims, "random")) for c in group}
        if all(score.games for score in won.values()):
            shares = ", ".join(
                f"{squares}: {won[squares].wins} of {won[squares].games}" for squares in TRAINED_ON if squares in won
            )
            yield f"More training squares, {network} network, {simulations(sims)}: wins on all squares after training on {shares}."


def _more_search(plan: Plan, found: Found) -> Iterator[str]:
    for contender in plan.contenders:
        won = {sims: total(found.by_square(contender, sims, "random")) for sims in contender.played}
        if len(won) > 1 and all(score.games for score in won.values()):
            shares = ", ".join(f"{simulations(sims)} {score.wins} of {score.games}" for sims, score in won.items())
            yield f"More search, {contender.label}: {shares}."


def _truth(plan: Plan, found: Found) -> Iterator[str]:
    for contender in plan.contenders:
        sims = best_sims(contender)
        judged = found.judged(contender, sims)
        if judged.seen.choices and judged.unseen.choices:
            seen, unseen = judged.seen.optimal_interval, judged.unseen.optimal_interval
            yield f"{contender.called(sims)}: where the choice matters it keeps the value in {percent(seen.share):.1f} percent of {judged.seen.choices:,} random positions on squares it saw, and in {percent(unseen.share):.1f} percent of {judged.unseen.choices:,} ({percent(unseen.low):.1f} to {percent(unseen.high):.1f}) on others."


def _elsewhere(plan: Plan, found: Found) -> Iterator[str]:
    for contender in plan.contenders:
        for sims in contender.moved[-1:]:
            parts = []
            for board in plan.boards:
                scores = found.elsewhere(contender, sims, board)
                if scores:
                    won = sum(score.wins == score.games > 0 for score in scores.values())
                    parts.append(
                        f"{board}: all games on {won} of {len(scores)} places of the bricks ({_share(scores)})"
                    )
            if parts:
                yield f"{contender.called(sims)}, on boards it was never trained on, wins against Minimax on {'; '.join(parts)}."


def _ties(plan: Plan, found: Found) -> Iterator[str]:
    for contender in plan.everybody:
        sims = _most(contender)
        scores = found.by_square(contender, sims, "random")
        random, first = total(scores), total(found.by_square(contender, sims, "first"))
        if random.games and first.games and contender.training is None:
            yield f"Minimax itself, as first player, wins {random.wins} of {random.games} games against itself with random ties, and {first.wins} of {first.games} against the first of equal moves."
        elif random.games and first.games:
            yield f"{contender.called(sims)}: {_share(scores)} against random ties, and {first.wins} of {first.games} squares against an opponent that always plays the first of equal moves."


def _most(contender: Contender) -> int:
    return max(contender.played)


def _share(scores: Mapping[Rules, Score]) -> str:
    score, (_, low, high) = total(scores), by_class(scores).interval
    return f"{score.wins} of {score.games} games ({percent(low):.1f} to {percent(high):.1f} percent)"
