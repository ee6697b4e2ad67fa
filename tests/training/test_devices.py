"""A training uses as many devices as it was given, in any process: its weights depend on their number."""

import subprocess
import sys

import pytest

TRAINING = """
import hashlib, sys
import jax
from noughts.rules import NoughtsError
from noughts.training.devices import prepare
from noughts.training.registry import METHODS
from tests.training.small_runs import tiny_alphazero
if sys.argv[1] == "after":  # as in a notebook that has used a network
    prepare(2)
    jax.devices()
trainer = METHODS["az"].trainer(tiny_alphazero(), 1)
trainer.step()
print(hashlib.sha256(trainer.weights()["weights.safetensors"]).hexdigest())
try:
    METHODS["az"].trainer(tiny_alphazero(), 4)
except NoughtsError as error:
    print(error)
"""


@pytest.mark.heavy
def test_a_training_on_one_device_is_the_same_in_a_process_that_computes_on_two() -> None:
    def found(order: str) -> list[str]:
        done = subprocess.run([sys.executable, "-c", TRAINING, order], capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    (alone, with_one), (after, with_two) = found("first"), found("after")
    assert alone == after
    for refusal, devices in ((with_one, 1), (with_two, 2)):
        assert refusal.startswith(f"devices=4 is not possible: this process computes on {devices} already. ")
        assert len(refusal) <= 120
