import copy
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.positions import Rng, derive_seed
from noughts.positions.kernels import below

SEEDS = st.integers(0, 2**64 - 1)


@pytest.mark.parametrize(
    ("seed", "stream"),
    [
        # Values from the algorithm's public reference implementations.
        (0, [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]),
        (
            1234567,
            [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821],
        ),
    ],
)
def test_the_stream_is_splitmix64(seed: int, stream: list[int]) -> None:
    rng = Rng(seed)
    assert [rng.next64() for _ in stream] == stream


@given(SEEDS, st.integers(1, 2**31))
def test_kernels_draw_the_same_numbers(seed: int, n: int) -> None:
    rng, state = Rng(seed), np.array([seed], np.uint64)
    drawn = [rng.below(n) for _ in range(5)]
    assert [int(below(state, n)) for _ in range(5)] == drawn
    assert all(0 <= number < n for number in drawn)
    assert int(state[0]) == rng.getstate()[0]


def test_below_is_uniform() -> None:
    rng = Rng(7)
    counts = Counter(rng.below(7) for _ in range(70_000))
    assert set(counts) == set(range(7))
    assert all(abs(count - 10_000) < 500 for count in counts.values())  # 5.4 standard deviations


@given(SEEDS, st.integers(0, 200))
def test_floats_are_in_the_unit_interval_and_getrandbits_has_the_width(seed: int, k: int) -> None:
    rng = Rng(seed)
    assert all(0 <= rng.random() < 1 for _ in range(20))
    assert 0 <= rng.getrandbits(k) < 2**k


def test_every_bit_of_getrandbits_is_drawn() -> None:
    rng = Rng(3)
    ones = 0
    for _ in range(64):
        ones |= rng.getrandbits(100)
    assert ones == 2**100 - 1


@given(SEEDS)
def test_a_restored_state_continues_identically(seed: int) -> None:
    rng = Rng(seed)
    rng.gauss(0, 1)  # which keeps a second number for the next call
    again = Rng(0)
    again.setstate(rng.getstate())
    copied = copy.deepcopy(rng)
    stream = [rng.gauss(0, 1), rng.random(), rng.choice(range(100)), rng.gauss(0, 1)]
    for other in (again, copied):
        assert [other.gauss(0, 1), other.random(), other.choice(range(100)), other.gauss(0, 1)] == stream


def test_a_new_seed_resets_the_state() -> None:
    rng = Rng(1)
    rng.gauss(0, 1)
    rng.seed(5)
    assert [rng.gauss(0, 1), rng.next64()] == [(fresh := Rng(5)).gauss(0, 1), fresh.next64()]


def test_forks_depend_on_the_keys_and_on_the_stream() -> None:
    firsts = [
        Rng(1).fork("a").next64(),
        Rng(1).fork("b").next64(),
        Rng(1).fork("a", 0).next64(),
        Rng(2).fork("a").next64(),
        Rng(1).next64(),
    ]
    assert len(set(firsts)) == len(firsts)
    assert Rng(1).fork("a").next64() == firsts[0]
    rng = Rng(1)
    assert rng.fork("a").next64() != rng.fork("a").next64()


def test_derived_seeds_are_stable_and_distinct() -> None:
    assert derive_seed(1, "game", 2) == 5678829737031499083
    keys: list[tuple[object, ...]] = [(), (0,), (1,), (0, 0), ("0", "0", "0"), ("00",), ("a", "b"), ("ab",), ("b", "a")]
    seeds = {derive_seed(seed, *key) for seed in (0, 1, 10, 100) for key in keys}
    assert len(seeds) == 4 * len(keys)
    assert all(0 <= seed < 2**64 for seed in seeds)


@pytest.mark.parametrize("seed", ["1", 1.0, None])
def test_a_seed_must_be_an_integer(seed: object) -> None:
    with pytest.raises(TypeError, match="a seed is a whole number, not"):
        Rng().seed(seed)


@pytest.mark.parametrize("state", [(), ("x", None), (1, 2, 3), (1, "x")])
def test_a_wrong_state_is_refused(state: tuple[object, ...]) -> None:
    with pytest.raises(TypeError, match="not a state of this generator"):
        Rng().setstate(state)
