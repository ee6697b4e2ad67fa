"""`--until proved`: training ends only with a certificate that the independent checker accepts."""

from pathlib import Path

import pytest

from noughts.rules import NoughtsError
from noughts.solvers.verify import check
from noughts.store.run_folder import CERTIFICATES, RunFolder
from noughts.training.events import Event, Finished, StrengthMeasured
from noughts.training.schedule import Schedule
from noughts.training.until import UntilProved
from tests.training.small_runs import make_run, session, tiny_alphazero

pytestmark = pytest.mark.usefixtures("own_store")


def new_run(folder: Path, **fields: object) -> RunFolder:
    """A run of a game that the first player always wins."""
    schedule = {"measure_iterations": 1, "measure_minutes": None, "checkpoint_seconds": 0} | fields
    return make_run(folder, "az", tiny_alphazero(task="mnk(2,2,2)", network="mlp:widths=8", schedule=schedule))


def proved(found: list[Event]) -> list[float]:
    return [event.metrics["proved"] for event in found if isinstance(event, StrengthMeasured)]


@pytest.mark.heavy
def test_a_beatable_player_is_refuted_at_each_measurement(tmp_path: Path) -> None:
    run = new_run(tmp_path / "run", until="proved:sims=2,as=both", iterations=2)
    found = list(session(run))
    assert isinstance(found[-1], Finished)
    assert found[-1].limit == "iterations"
    assert proved(found) == [0.0, 0.0]
    lines = [line.metrics for line in run.metrics.lines() if line.kind == "measurement"]
    assert [line["loses_in"] for line in lines] == [3.0, 3.0]
    assert not (run.folder / CERTIFICATES).exists()


@pytest.mark.heavy
def test_it_ends_with_certificates_after_the_requested_stable_proofs(tmp_path: Path) -> None:
    run = new_run(tmp_path / "run", until="proved:raw,as=first,stable=3")
    stopped, before = session(run), list[Event]()
    for event in stopped:
        before.append(event)
        if proved(before) == [1.0, 1.0]:
            break
    stopped.close()
    after = list(session(run))
    assert isinstance(after[-1], Finished)
    assert (proved(after), after[-1].iteration, after[-1].limit) == ([1.0], 3, "proved")
    (proof,) = (run.folder / CERTIFICATES).iterdir()
    list(check(proof))  # raises if it rejects it


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("proved", "proved:sims=32,as=both,stable=1"),
        ("proved:raw", "proved:raw,as=both,stable=1"),
        ("proved,as=first", "proved:sims=32,as=first,stable=1"),
        ("proved:sims=8,as=second,stable=3", "proved:sims=8,as=second,stable=3"),
    ],
)
def test_conditions_are_parsed(text: str, canonical: str) -> None:
    assert str(UntilProved.parse(text)) == canonical
    assert UntilProved.parse(canonical) == UntilProved.parse(text)


@pytest.mark.parametrize(
    "text", ["", "prove", "proved:fast", "proved:sims=-1", "proved:as=third", "proved:raw,sims=3", "proved:stable=0"]
)
def test_wrong_texts_are_rejected_in_one_line(text: str) -> None:
    with pytest.raises(NoughtsError) as found:
        Schedule(until=text)
    assert [wrong for wrong in ("\n", "seat") if wrong in str(found.value)] == []  # the canonical form is as=first
