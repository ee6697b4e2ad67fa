"""Routes for the games of a class: make one, take a seat, move, resign, play again."""

from fastapi import APIRouter, Request

from noughts.web.answers import GameId
from noughts.web.class_answers import ClassGameAnswer, ClassMoveRequest, GameOffer
from noughts.web.class_routes import Here, Id, Pupil
from noughts.web.class_showing import games_of, show_game
from noughts.web.class_values import Seat
from noughts.web.errors import documented
from noughts.web.services import visitor_of

router = APIRouter(prefix="/api/class/games")
_CHANGES = documented(404, 422, 429, 503)
_ASKED = documented(400, 404, 413, 415, 422, 429, 503)


@router.get("", responses=documented(404))
async def class_games(request: Request, here: Here) -> list[ClassGameAnswer]:
    """The games of whoever asks, and those in which a seat is kept for whoever asks; all for the teacher."""
    visitor = visitor_of(request)
    return [show_game(here, id, visitor) for id in games_of(here, visitor)]


@router.post("", responses=_ASKED)
async def make_class_game(asked: GameOffer, pupil: Pupil, here: Here) -> GameId:
    """Make a game. One with a classmate waits until it is taken."""
    seat, invited = Seat(agent=asked.agent), "" if asked.agent else asked.pupil
    return GameId(id=await here.games.make(pupil, asked.rules, seat, asked.begins, invited))


@router.get("/{id}", responses=documented(404, 422))
async def class_game(id: Id, request: Request, here: Here) -> ClassGameAnswer:
    """A game: of whoever asks, or with a seat that may be taken; any for the teacher."""
    return show_game(here, id, visitor_of(request))


@router.post("/{id}/take", responses=_CHANGES)
async def take_seat(id: Id, request: Request, pupil: Pupil, here: Here) -> ClassGameAnswer:
    """Take the open seat of a game."""
    await here.games.take(id, pupil)
    return show_game(here, id, visitor_of(request))


@router.post("/{id}/moves", responses=_ASKED)
async def move_in_class(id: Id, asked: ClassMoveRequest, request: Request, pupil: Pupil, here: Here) -> ClassGameAnswer:
    """Play a move, if it is one's turn and the move is legal."""
    await here.games.move(id, pupil, asked.ply, asked.move)
    return show_game(here, id, visitor_of(request))


@router.post("/{id}/resign", responses=_CHANGES)
async def resign_game(id: Id, request: Request, pupil: Pupil, here: Here) -> ClassGameAnswer:
    """Give a game up."""
    await here.games.resign(id, pupil)
    return show_game(here, id, visitor_of(request))


@router.post("/{id}/rematch", responses=_CHANGES)
async def play_again(id: Id, pupil: Pupil, here: Here) -> GameId:
    """The same game once more with the sides exchanged: a new one, or the one that the other has asked for."""
    return GameId(id=await here.games.rematch(id, pupil))


@router.delete("/{id}", responses=_CHANGES)
async def withdraw_game(id: Id, pupil: Pupil, here: Here) -> GameId:
    """Call a game off that still waits, or end one whose other pupil was removed."""
    await here.games.withdraw(id, pupil)
    return GameId(id=id)
