import pytest

from noughts.positions import Outcome
from noughts.positions.backends import Backend, BatchedBackend, KernelBackend, PositionBackend, ReferenceBackend
from noughts.rules import parse_rules
from tests.positions.hand_made import HAND_MADE, HandMade


@pytest.mark.parametrize("backend_type", [ReferenceBackend, PositionBackend, KernelBackend])
@pytest.mark.parametrize("game", HAND_MADE, ids=lambda game: game.name)
def test_games_end_as_the_rules_say(backend_type: type[Backend], game: HandMade) -> None:
    _check(backend_type(), [game])


def test_games_end_as_the_rules_say_in_batches() -> None:
    # On one board for all, because each size of its own would be compiled.
    for boards in (1, 2, 3):
        games = [game for game in HAND_MADE if parse_rules(game.rules).boards == boards]
        assert games
        _check(BatchedBackend(canvas=(7, 7)), games)


def _check(backend: Backend, games: list[HandMade]) -> None:
    read = [parse_rules(game.rules) for game in games]
    moves = [[rules.cell_of(name) for name in game.moves.split()] for rules, game in zip(read, games, strict=True)]
    for game, trace in zip(games, backend.traces(list(zip(read, moves, strict=True))), strict=True):
        outcomes = [snapshot.outcome for snapshot in trace]
        assert outcomes == [Outcome.ONGOING] * (len(outcomes) - 1) + [game.outcome], game.name
        assert (trace[-1].legal == ()) == (game.outcome is not Outcome.ONGOING), game.name
