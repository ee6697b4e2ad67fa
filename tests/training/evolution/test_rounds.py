"""Rounds by the kernels equal those of the readable version: the same games, and the same number of random draws.

The state of the one generator counts its draws, so equal states at the end mean equally many of them.
"""

from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from noughts.networks.value_network import ValueNetwork, parameter_count
from noughts.positions import Position, Rng, Side, derive_seed
from noughts.positions.graph import game_graph, is_small
from noughts.positions.kernels import tables
from noughts.rules import Rules, parse_rules
from noughts.training.evolution import direct, rounds, table
from noughts.training.evolution.rounds import OpponentSettings, RoundTally
from tests.networks.value_networks import random_network, remembering
from tests.rules.strategies import random_rules

SMALL = (
    "tic-tac-toe",
    "misere-tic-tac-toe",
    "notakto(3)",
    "mnk(3,3,3,bricks=B2,full=second)",
    "mnk(1,5,2)",
    "notakto(2,boards=2)",
)
LARGE = (
    "mnk(3,4,3)",
    "mnk(4,4,3,bricks=A1+B2+C3+D4,full=first)",
    "notakto(4)",
    "notakto(3,boards=2)",
    "mnk(8,8,2,bricks=" + "+".join(f"{row}{col}" for row in "CDEFGH" for col in range(1, 9)) + ")",  # exceeds all words
)
SHAPES = ((2, 2, 1), (2, 3, 1), (1, 6, 1), (2, 2, 2), (1, 3, 3))


class Case(NamedTuple):
    """Two games of a round, and their players."""

    rules: Rules
    candidate: ValueNetwork
    opponents: list[ValueNetwork | None]
    settings: OpponentSettings
    tie_tolerance: float
    seed: int


def make_case(number: int, games: tuple[str, ...]) -> Case:
    """Any way of playing any game; a number always gives the same case."""
    rng = Random(derive_seed(number, *games))
    named = rng.random() < 0.7
    rules = parse_rules(rng.choice(games)) if named else random_rules(rng, rng.choice(SHAPES))
    widths = rng.choice([(2,), (3,), (3, 2)])
    omniscient = rng.random() < 0.6
    count = rng.choice([1, 1, 1, 3])
    opponents: list[ValueNetwork | None] = [random_network(rules, rng.randrange(1 << 32), widths) for _ in range(count)]
    if rng.random() < 0.15:
        opponents = [None]
    settings = OpponentSettings(
        own=rng.random() < 0.2,
        omniscient=omniscient,
        simulations=rng.choice([1, 1, 3]) if rules.size <= 9 else 1,
        random_moves=0.0 if omniscient else rng.choice([0.0, 0.3, 1.0]),
    )
    tolerance = rng.choice([0.0, 1e-6, 1e-2, 0.5, 2.0])
    candidate = random_network(rules, rng.randrange(1 << 32), widths)
    return Case(rules, candidate, opponents, settings, tolerance, rng.getrandbits(64))


class Watched(Rng):
    """A generator that the test can find again."""

    made: list["Watched"] = []  # cleared for each case

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.made.append(self)


def by_the_readable_account(case: Case) -> tuple[RoundTally, int]:
    """The tally, and the state of the generator after the second game."""
    opponents: list[ValueNetwork | None] = [None if one is None else remembering(one) for one in case.opponents]
    Watched.made.clear()
    tally = rounds.play_round(*case._replace(candidate=remembering(case.candidate), opponents=opponents))
    assert len(Watched.made) == 2
    return tally, Watched.made[-1].getstate()[0]


def by_table(case: Case) -> tuple[RoundTally, int]:
    rules, candidate, tolerance = case.rules, case.candidate, case.tie_tolerance
    graph, positions = game_graph(rules)
    network = table.memoized_network(rules, candidate.widths, candidate.parameters, tolerance)
    everything = np.full(len(positions), table.EVERYTHING, np.int32)
    masks = [
        everything if other is None else table.all_masks(rules, other.widths, other.parameters, tolerance)
        for other in case.opponents
    ]
    seeds, tally, rng = np.array([case.seed], np.uint64), np.zeros(4, np.int64), np.zeros(1, np.uint64)
    totals = np.full(rules.size, 99, np.int64)
    # As `play_table` does, but for the generator.
    table.play_rounds(graph, table.seen(rules), network, np.stack(masks), case.settings, seeds, rng, totals, tally)
    return RoundTally(*tally.tolist()), int(rng[0])


def by_direct(case: Case, places: int) -> tuple[RoundTally, int]:
    rules, candidate, tolerance = case.rules, case.candidate, case.tie_tolerance
    widths = np.array(candidate.widths, np.int64)
    networks = [network.parameters for network in case.opponents if network is not None]
    parameters = np.stack(networks) if networks else np.empty((0, parameter_count(candidate.widths)))
    mine = direct.NetworkStack(widths, candidate.parameters[None], np.array([-1]), tolerance)
    theirs = direct.NetworkStack(widths, parameters, np.arange(1, len(networks) + 1), tolerance)
    where, tally = direct.new_room(rules, candidate.widths, places), np.zeros(4, np.int64)
    seeds = np.array([case.seed], np.uint64)
    direct.play_direct(rules, mine, theirs, case.settings, seeds, where, tally)
    return RoundTally(*tally.tolist()), int(where.rng[0])


def compare(cases: list[Case]) -> None:
    for number, case in enumerate(cases):
        expected = by_the_readable_account(case)
        assert sum(expected[0][:3]) == 2
        # A memory of two places forgets nearly everything, and a large one nearly nothing.
        assert by_direct(case, 2 if number % 2 else 1 << 12) == expected, case
        if is_small(case.rules):
            assert by_table(case) == expected, case


@pytest.fixture(autouse=True)
def _watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "Rng", Watched)


@pytest.mark.slow
def test_the_kernels_play_the_same_games_draw_by_draw() -> None:
    cases = [make_case(number, SMALL) for number in range(220)] + [make_case(number, LARGE) for number in range(60)]
    compare(cases)
    for kind in (
        [case.settings.own for case in cases],
        [case.settings.omniscient and case.settings.simulations == 3 for case in cases],
        [case.opponents == [None] and case.settings.omniscient for case in cases],
        [case.opponents == [None] and not case.settings.omniscient for case in cases],
        [len(case.opponents) == 3 for case in cases],
        [0 < case.settings.random_moves < 1 for case in cases],
        [case.tie_tolerance == 0.5 for case in cases],
        [not is_small(case.rules) for case in cases],
        [case.rules.boards > 1 for case in cases],
        [bool(case.rules.bricks) for case in cases],
        [not tables(case.rules).packed for case in cases],
    ):
        assert sum(kind) > 15


@pytest.mark.heavy
def test_the_kernels_play_the_same_games_for_the_papers_network_and_without_tables() -> None:
    rules = parse_rules("tic-tac-toe")
    best = random_network(rules, 7, ())
    settings = OpponentSettings(own=False, omniscient=True, simulations=1, random_moves=0.0)
    compare([Case(rules, random_network(rules, seed, ()), [best], settings, 1e-6, seed) for seed in (2, 4)])
    compare([make_case(number, LARGE[:-1]) for number in range(12)])


def test_a_network_plays_its_best_move() -> None:
    rules = parse_rules("tic-tac-toe")
    network, position = random_network(rules, 2), Position.start(rules, (4,))
    values = network.values(position)
    assert rounds.policy(network, 0.0)(position, Rng(1)) == max(values, key=lambda move: values[move])
    equal = {rounds.policy(network, 2.0)(position, Rng(seed)) for seed in range(200)}
    assert equal == set(position.legal_moves)
    last = Position.start(rules, (0, 1, 2, 4, 3, 5, 7, 6))
    rng = Rng(5)
    assert rounds.random_move(last, rng) == rounds.policy(network, 2.0)(last, rng) == 8
    assert rng.getstate() == Rng(5).getstate()  # nothing is drawn if there is no choice


def test_a_tally_counts_for_the_candidate() -> None:
    """A candidate that always takes the last cell, against random moves; only the second player can win, by a full board."""
    rules = parse_rules("mnk(2,2,3,lineless=true,full=second)")
    settings = OpponentSettings(own=False, omniscient=False, simulations=1, random_moves=0.0)
    candidate = random_network(rules, 1)
    assert rounds.play_game(rules, candidate, [None], settings, 0.0, 1, Side.FIRST) == RoundTally(0, 0, 1, 4)
    assert rounds.play_game(rules, candidate, [None], settings, 0.0, 1, Side.SECOND) == RoundTally(1, 0, 0, 4)
    assert rounds.play_round(rules, candidate, [None], settings, 0.0, 1) == RoundTally(1, 0, 1, 8)
