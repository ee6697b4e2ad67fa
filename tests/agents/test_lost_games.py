"""Lost games, by agents of several strengths: the mistake is named in time, and it is one."""

import time

import pytest

from noughts.agents import build_agent, choose
from noughts.positions import Outcome, Position, Rng, Side
from noughts.rules import parse_rules
from noughts.solvers.playthrough import PlaythroughTruth
from noughts.solvers.solution import Budget
from noughts.solvers.solve import Truth

LOSERS = ("random", "minimax:depth=1", "mcts:sims=30", "mc:sims=2")
WINNERS = ("minimax:depth=2", "mcts:sims=400")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["bttt(D4)", "mnk(4,4,3)", "notakto(4)", "tic-tac-toe", "bttt(E5)"])
def test_the_mistake_of_a_lost_game_is_named_in_time(game: str) -> None:
    """Ten lost games each, by agents of several strengths; and what is named is a mistake, as a solver says that knows nothing yet."""
    rules, named = parse_rules(game), []
    for seed in range(200):
        agents = [build_agent(LOSERS[seed % 4]), build_agent(WINNERS[seed // 4 % 2])][:: 1 if seed // 8 % 2 else -1]
        positions, rng = [Position.start(rules)], Rng(seed)
        while not positions[-1].is_over:
            positions.append(positions[-1].play(choose(agents[positions[-1].ply % 2], positions[-1], rng)))
        if positions[-1].outcome is Outcome.DRAW:
            continue
        loser = Side.FIRST if positions[-1].outcome is Outcome.SECOND else Side.SECOND
        begun = time.monotonic()
        found = PlaythroughTruth(Truth(rules, 256 << 20), positions)
        seconds = None
        for _ in found.work(120, time.monotonic, lambda: False):
            if _is_settled(found, loser):
                seconds = time.monotonic() - begun
                break
        mistakes = [ply for ply in found.mistakes if positions[ply].to_move is loser]
        named.append((seconds, mistakes[:1], len(positions) - 1))
        print(game, seed, named[-1])
        if mistakes:
            fresh = Truth(rules, 256 << 20)
            before, after = positions[mistakes[0]], positions[mistakes[0] + 1]
            values = [fresh.prove(each, Budget(30_000_000)) for each in (before, after)]
            assert values[1].high == 1
            assert values[0].low > -values[1].low or values[0].value is None or values[1].value is None
        if len(named) == 10:
            break
    assert len(named) == 10
    assert all(seconds is not None and seconds < 20 for seconds, _, _ in named)


def _is_settled(found: PlaythroughTruth, loser: Side) -> bool:
    """Whether it is known which move of the loser's was the last that gave something away, or that there was none."""
    for index in reversed(range(len(found) - 1)):
        if found.positions[index].to_move is loser:
            if found[index].low > -found[index + 1].low:
                return True
            if found[index].high != -1:
                return False
    return True
