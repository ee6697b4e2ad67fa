"""`Services`: what the routes share, made once when the server starts."""

from dataclasses import dataclass, field

from fastapi import Request
from fastapi.requests import HTTPConnection

from noughts.store.results import Store
from noughts.web.engine import Engine
from noughts.web.limits import Limits
from noughts.web.matches import Matches
from noughts.web.roster import Roster


@dataclass
class Services:
    """What there is while the server runs.

    Attributes:
        limits: How much may be asked for.
        engine: The worker processes.
        store: Where games, studies and matches are kept.
        roster: The agents that are offered.
        matches: Those at work.
    """

    limits: Limits
    engine: Engine
    store: Store
    roster: Roster = field(init=False, default_factory=Roster)
    matches: Matches = field(init=False)

    def __post_init__(self) -> None:
        workers = max(1, self.engine.cores // self.limits.matches)
        self.matches = Matches(self.store, self.limits, workers)

    def close(self) -> None:
        """End the workers; all that was finished is kept."""
        self.matches.close()
        self.engine.close()
        self.store.close()


async def services(request: Request) -> Services:
    """Those of the server that answers a request; not in a thread, which would cost more than it does."""
    found: Services = request.app.state.services
    return found


def client_of(request: HTTPConnection) -> str:
    """Who asks, for limits."""
    return request.client.host if request.client else ""
