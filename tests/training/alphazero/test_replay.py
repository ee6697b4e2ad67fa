"""The replay keeps the latest positions, and augments them with the board's symmetries."""

from typing import Any

import numpy as np
import pytest

from noughts.rules import Rules, parse_rules, symmetries
from noughts.training.alphazero.replay import Replay
from noughts.training.alphazero.replay import turned as turned_samples
from noughts.training.alphazero.selfplay import Samples
from noughts.training.augmentation import Turns
from tests.networks.asking import some_positions, turned
from tests.training.small_runs import tiny_alphazero

CENTRE, SIDE = parse_rules("mnk(3,3,3,bricks=B2)"), parse_rules("mnk(3,3,3,bricks=A2)")


def samples(shape: tuple[int, ...], **arrays: Any) -> Samples:
    """Samples of boards of nine cells; omitted fields are zero."""
    nothing: dict[str, Any] = {
        "cells": np.zeros((*shape, 9), np.int8),
        "closed": np.zeros((*shape, 1), np.bool_),
        "ply": np.zeros(shape, np.int32),
        "number": np.zeros(shape, np.int32),
        "policy": np.full((*shape, 9), 1 / 9, np.float32),
        "valid": np.ones(shape, np.bool_),
    }
    return Samples(**nothing | arrays)


@pytest.mark.parametrize(
    ("augmentation", "games", "images"),
    [
        ("board", [CENTRE, SIDE], [8, 8]),
        ("rules", [CENTRE, SIDE], [8, 2]),
        ("reflections", [CENTRE, SIDE], [4, 4]),
        ("none", [CENTRE, SIDE], [1, 1]),
        ("board", [parse_rules("mnk(2,3,2)")], [4]),
        ("rules", [parse_rules("mnk(2,3,2,bricks=A1)")], [1]),
        ("board", [parse_rules("mnk(2,3,2,bricks=A1,wrap=columns)")], [12]),
        ("rules", [parse_rules("mnk(2,3,2,bricks=A1,wrap=columns)")], [2]),
        ("reflections", [parse_rules("mnk(2,3,2,bricks=A1,wrap=columns)")], [4]),
    ],
)
def test_augmented_positions_are_symmetric_images(augmentation: Any, games: list[Rules], images: list[int]) -> None:
    turns, generator = Turns(games, augmentation), np.random.Generator(np.random.PCG64(0))
    for number, rules in enumerate(games):
        position = some_positions(rules, 8, seed=4)[-1]
        every = symmetries(rules.model_copy(update={"bricks": ()}))
        image_of = {tuple(int(p) for p in np.argsort(s.image)): turned(position, s) for s in every}
        given = samples(
            (400,),
            cells=np.tile(np.array(list(position.cells), np.int8), (400, 1)),
            number=np.full(400, number, np.int32),
            policy=np.tile(np.arange(rules.size, dtype=np.float32), (400, 1)),  # so that one sees where each moved
            value=np.arange(400, dtype=np.float32),
        )
        found = turned_samples(given, turns, generator)
        met: dict[tuple[int, ...], int] = {}
        for cells, policy in zip(np.asarray(found.cells), np.asarray(found.policy), strict=True):
            came_from = tuple(int(share) for share in policy)  # the earlier cell of each cell's share
            assert tuple(cells) == tuple(image_of[came_from].cells)
            met[came_from] = met.get(came_from, 0) + 1
            if augmentation == "rules":
                assert image_of[came_from].rules == rules
        assert len(met) == images[number]
        assert min(met.values()) > 400 / images[number] / 3
        np.testing.assert_array_equal(found.value, np.arange(400))
    bricks = {image.rules.bricks for image in image_of.values()}
    assert len(bricks) > 1 or rules.bricks == ()


def segment(values: list[list[float]], valid: list[list[bool]]) -> Samples:
    """Samples [plies, games] that only differ in the value."""
    return samples(np.shape(values), value=np.array(values, np.float32), valid=np.array(valid))


def test_the_window_slides_over_valid_samples() -> None:
    first = Replay(5, {}).added(segment([[1, 2], [3, 4]], [[True, True], [True, False]]))
    assert first.rows["value"].tolist() == [1, 2, 3]
    second = first.added(segment([[5, 6], [7, 8]], [[True, False], [True, True]]))
    assert second.rows["value"].tolist() == [2, 3, 5, 7, 8]
    assert {len(rows) for rows in second.rows.values()} == {5}
    assert first.rows["value"].tolist() == [1, 2, 3]  # the earlier one is unchanged


def test_batches_are_drawn_evenly_from_the_whole_window() -> None:
    replay = Replay(10, {}).added(segment([[float(n)] for n in range(15)], [[True]] * 15))
    generator = np.random.Generator(np.random.PCG64(1))
    drawn = replay.draw(tiny_alphazero(batch=5000, window=5000), Turns([CENTRE], "board"), generator)
    counts = np.bincount(np.asarray(drawn.value).astype(int), minlength=15)
    assert counts[:5].sum() == 0
    assert counts[5:].min() > 400
    assert np.asarray(drawn.valid).all()
