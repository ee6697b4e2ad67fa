"""Answers that tests make up, as a study would find them."""

from collections.abc import Sequence

from noughts.play.playthrough import ENDINGS
from noughts.positions import Position
from noughts.questions.played import Playthrough
from noughts.rules import format_rules
from noughts.store.records import GameRecord


def record_of(game: Playthrough, moves: Sequence[int]) -> GameRecord:
    """The record of a game in which these moves were played."""
    return GameRecord(
        rules=format_rules(game.rules),
        first=str(game.first),
        second=str(game.second),
        seed=game.seed,
        moves=tuple(moves),
        ending=ENDINGS[Position.start(game.rules, tuple(moves)).outcome],
    )
