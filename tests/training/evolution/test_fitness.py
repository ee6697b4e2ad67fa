"""The games of a generation: equal tallies on any number of threads, for any game of a task, on either backend."""

import numpy as np
import pytest

from noughts.networks.value_network import Parameters, parameter_count
from noughts.rules import NoughtsError, parse_rules
from noughts.training.evolution import fitness
from noughts.training.evolution.direct import NetworkStack
from noughts.training.evolution.fitness import Playing, Rounds
from noughts.training.evolution.rounds import OpponentSettings, RoundTally, play_round
from tests.networks.value_networks import Remembering, random_network

GAMES = tuple(map(parse_rules, ("tic-tac-toe", "misere-tic-tac-toe", "mnk(3,3,3,bricks=B2)")))
WIDTHS = (18, 3, 2, 1)
SETTINGS = (
    OpponentSettings(own=False, omniscient=True, simulations=1, random_moves=0.0),
    OpponentSettings(own=True, omniscient=True, simulations=2, random_moves=0.0),
    OpponentSettings(own=False, omniscient=False, simulations=1, random_moves=0.3),
)


def networks(seeds: range) -> Parameters:
    return np.stack([random_network(GAMES[0], seed).parameters for seed in seeds])


def some_rounds(candidates: int, count: int, games: int = 1) -> list[Rounds]:
    """Different rounds for every candidate."""
    generator = np.random.default_rng(3)
    return [
        Rounds(generator.integers(0, 1 << 63, count, dtype=np.uint64), generator.integers(0, games, count))
        for _ in range(candidates)
    ]


def stack(numbers: tuple[int, ...], parameters: Parameters) -> NetworkStack:
    return NetworkStack(np.array(WIDTHS), parameters, np.array(numbers, np.int64), 1e-6)


BEST = stack((1,), networks(range(2, 3)))
HALL = stack((4, 5, 6), networks(range(6, 9)))
NOBODY = stack((), np.empty((0, parameter_count(WIDTHS))))


def by_the_readable_account(
    candidates: Parameters, rounds: list[Rounds], opponents: NetworkStack, settings: OpponentSettings
) -> list[RoundTally]:
    found = []
    for parameters, asked in zip(candidates, rounds, strict=True):
        tally = RoundTally()
        for seed, game in zip(asked.seeds, asked.games, strict=True):  # caches belong to one game
            networks = [Remembering(WIDTHS, kept) for kept in opponents.parameters]
            candidate = Remembering(WIDTHS, parameters)
            tally += play_round(GAMES[game], candidate, networks or [None], settings, 1e-6, int(seed))
        found.append(tally)
    return found


@pytest.mark.heavy
@pytest.mark.parametrize("small", [True, False])
def test_candidates_play_own_rounds_on_any_number_of_threads(monkeypatch: pytest.MonkeyPatch, small: bool) -> None:
    monkeypatch.setattr(fitness, "is_small", lambda rules: small)
    candidates, rounds = networks(range(1, 6)), some_rounds(5, 3, 3)
    for settings, opponents in zip(SETTINGS, (HALL, NOBODY, BEST), strict=True):
        expected = by_the_readable_account(candidates, rounds, opponents, settings)
        for threads in (1, 3):
            playing = Playing(GAMES, WIDTHS, 1e-6, settings, threads)
            assert playing.tallies(candidates, rounds, opponents) == expected
    # A task of one game does not draw a game.
    of_the_first = [Rounds(asked.seeds, np.zeros_like(asked.games)) for asked in rounds]
    one, several = (Playing(games, WIDTHS, 1e-6, SETTINGS[0], 2) for games in (GAMES[:1], GAMES))
    assert one.tallies(candidates, of_the_first, NOBODY) == several.tallies(candidates, of_the_first, NOBODY)


@pytest.mark.parametrize("small", [True, False])
def test_memories_of_one_network_are_not_used_for_another(monkeypatch: pytest.MonkeyPatch, small: bool) -> None:
    """What is remembered of one is not taken for another's: opponents come, go and come back, candidates never do."""
    monkeypatch.setattr(fitness, "is_small", lambda rules: small)
    others = networks(range(11, 19))
    history = [
        (stack((1,), others[:1]), networks(range(1, 5))),
        (stack((2,), others[1:2]), networks(range(5, 9))),
        (stack((1, 2, 3), others[:3]), networks(range(1, 5))),
        (NOBODY, networks(range(1, 5))),
        (stack((3, 1), others[[2, 0]]), networks(range(21, 25))),
        (stack((1,), others[:1]), networks(range(5, 9))),
    ]
    rounds = some_rounds(4, 10)
    playing = Playing(GAMES[:1], WIDTHS, 1e-6, SETTINGS[0], 2)
    found = [playing.tallies(candidates, rounds, opponents) for opponents, candidates in history]
    fresh = [
        Playing(GAMES[:1], WIDTHS, 1e-6, SETTINGS[0], 1).tallies(candidates, rounds, opponents)
        for opponents, candidates in history
    ]
    assert found == fresh
    assert len({str(tallies) for tallies in fresh}) == len(history)


@pytest.mark.parametrize("threads", [0, -1, 1025])
def test_an_impossible_number_of_threads_is_refused(threads: int) -> None:
    with pytest.raises(NoughtsError, match=rf"^devices={threads} is not allowed: give a whole number from 1 to 1024$"):
        Playing(GAMES, WIDTHS, 0.0, SETTINGS[0], threads)
