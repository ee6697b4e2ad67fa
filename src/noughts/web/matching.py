"""Routes for small matches: start one, watch its table fill, stop it."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request

from noughts.questions.played import Played
from noughts.web.answers import GameId, MatchAnswer, MatchRequest
from noughts.web.boards import read_task
from noughts.web.errors import Refused, documented
from noughts.web.roster import read_agent
from noughts.web.services import Services, services, visitor_of

router = APIRouter(prefix="/api/matches")
Shared = Annotated[Services, Depends(services)]
Id = Annotated[str, Path(max_length=64)]


@router.post("", responses=documented(400, 413, 415, 422, 429, 503))
async def start_match(asked: MatchRequest, request: Request, shared: Shared) -> GameId:
    """Start a match; what was played of it before, here or by `noughts match`, is not played again."""
    limits = shared.limits
    if asked.games > limits.match_games:
        raise Refused(
            422, f"games={asked.games}: at most {limits.match_games} are played here; `noughts match` plays more"
        )
    played = Played(
        task=read_task(asked.rules, limits),
        a=read_agent(asked.first, limits),
        b=read_agent(asked.second, limits),
        games=asked.games,
        moves_first="turns" if asked.swap else "a",
        seed=asked.seed,
    )
    return GameId(id=await shared.matches.start(played, visitor_of(request).keeper))


@router.get("/{id}", responses=documented(404, 422, 503))
def get_match(id: Id, shared: Shared) -> MatchAnswer:
    """How a match stands, with its games."""
    return shared.matches.show(id)


@router.delete("/{id}", responses=documented(403, 404, 422, 503))
async def stop_match(id: Id, request: Request, shared: Shared) -> GameId:
    """Stop a match of one's own, and wait until it has ended; what was played is kept."""
    await shared.matches.stop(id, visitor_of(request).keeper)
    return GameId(id=id)
