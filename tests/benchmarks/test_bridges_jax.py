"""What environments of Pgx are timed at: both programs make every step that they count."""

import pytest

from benchmarks.bridges_jax import steps_ours, steps_theirs


@pytest.mark.slow
def test_both_play_the_same_number_of_steps_a_chunk() -> None:
    ours, theirs = [steps_ours(), steps_theirs()]
    assert (ours.is_peer, theirs.is_peer) == (False, True)
    assert ours.group == theirs.group
    assert ours.prepare().chunk() == theirs.prepare().chunk() == 1024 * 256
