"""Routes for small matches: start one, watch its table fill, stop it."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path

from noughts.play.match import MatchPlan
from noughts.rules import format_rules
from noughts.web.answers import GameId, MatchAnswer, MatchRequest
from noughts.web.boards import read_rules
from noughts.web.errors import Refused, documented
from noughts.web.roster import read_agent
from noughts.web.services import Services, services

router = APIRouter(prefix="/api/matches")
Shared = Annotated[Services, Depends(services)]
Id = Annotated[str, Path(max_length=64)]


@router.post("", responses=documented(400, 413, 415, 422, 429, 503))
def start_match(asked: MatchRequest, shared: Shared) -> GameId:
    """Start a match; one that is equal to a stopped one goes on with it."""
    limits = shared.limits
    if asked.games > limits.match_games:
        raise Refused(
            422, f"games={asked.games}: at most {limits.match_games} are played here; `noughts match` plays more"
        )
    plan = MatchPlan(
        rules=format_rules(read_rules(asked.rules, limits)),
        a=str(read_agent(asked.first, limits)),
        b=str(read_agent(asked.second, limits)),
        games=asked.games,
        colours="swapped" if asked.swap else "fixed",
        seed=asked.seed,
    )
    return GameId(id=shared.matches.start(plan))


@router.get("/{id}", responses=documented(404, 422, 503))
def get_match(id: Id, shared: Shared) -> MatchAnswer:
    """How a match stands, with its games."""
    return shared.matches.show(id)


@router.delete("/{id}", responses=documented(404, 422, 503))
def stop_match(id: Id, shared: Shared) -> GameId:
    """Stop a match; what was played is kept."""
    shared.matches.stop(id)
    return GameId(id=id)
