"""The law of `decide`, which every agent obeys, and its checker."""

from collections.abc import Callable, Sequence

from noughts.agents import Agent, Decision, Want
from noughts.agents.asking import is_shared
from noughts.positions import Position, Rng

SEEDS = range(4)


def check_law(make: Callable[[], Agent], positions: Sequence[Position]) -> None:
    """Raise AssertionError if an agent breaks the law in these positions, which may be of several games."""
    assert list(make().decide([], [])) == []
    moves = _check_batches(make, positions, Want.MOVE)
    analyses = _check_batches(make, positions, Want.ANALYSIS)
    for move, analysis in zip(moves, analyses, strict=True):
        assert analysis.move == move.move
        if analysis.analysis is not None:
            assert analysis.analysis.move == move.move
    named = _check_batches(make, positions, Want.CHOICES)
    for position, decision in zip(positions, named, strict=True):
        assert list(decision.choices) == sorted(set(decision.choices))
        for choice in decision.choices:
            position.require_legal(choice)
    for seed in SEEDS:
        agent = make()
        for position, decision in zip(positions, named, strict=True):
            (made,) = agent.decide([position], [Rng(seed)])
            position.require_legal(made.move)
            assert made.move in (decision.choices or position.legal_moves)


def _check_batches(make: Callable[[], Agent], positions: Sequence[Position], want: Want) -> Sequence[Decision]:
    """Return the decisions, which must be equal alone, in one batch and in another order, as must the random draws."""
    backwards = list(reversed(range(len(positions))))
    orders = [list(range(len(positions))), backwards]
    lists = [*orders, *[[number] for number in backwards]]
    decided: dict[int, Decision] = {}
    states: dict[int, object] = {}
    agent = make()
    for numbers in lists:
        rngs = [Rng(number) for number in numbers]
        found = agent.decide([positions[number] for number in numbers], rngs, want)
        assert len(found) == len(numbers)
        for number, rng, decision in zip(numbers, rngs, found, strict=True):
            # An agent that is not shared may remember results and so save some of the search.
            kept = decision if is_shared(agent) else decision._replace(analysis=None)
            assert decided.setdefault(number, kept) == kept
            assert states.setdefault(number, rng.getstate()) == rng.getstate()
            if want is Want.CHOICES:
                assert rng.getstate() == Rng(number).getstate()
    return [decided[number] for number in range(len(positions))]
