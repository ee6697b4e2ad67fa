"""`Services`: what the routes share, made once when the server starts."""

from dataclasses import dataclass, field

from fastapi import Request
from fastapi.requests import HTTPConnection

from noughts.store.results import Store
from noughts.web.commands import Commands
from noughts.web.engine import Engine
from noughts.web.errors import Refused
from noughts.web.limits import Limits
from noughts.web.matches import Matches
from noughts.web.roster import Roster
from noughts.web.visitors import VISITOR, Visitor


@dataclass
class Services:
    """What there is while the server runs.

    Attributes:
        limits: How much may be asked for.
        engine: The worker processes.
        store: Where games, studies and matches are kept.
        roster: The agents that are offered.
        matches: Those at work.
        commands: Those that were started from the page.
    """

    limits: Limits
    engine: Engine
    store: Store
    roster: Roster = field(init=False, default_factory=Roster)
    matches: Matches = field(init=False)
    commands: Commands = field(init=False)

    def __post_init__(self) -> None:
        workers = max(1, self.engine.cores // self.limits.matches)
        self.commands = Commands(self.store.folder, self.limits)
        self.matches = Matches(self.store, self.limits, self.commands, workers)

    async def close(self) -> None:
        """End the workers; all that was finished is kept."""
        await self.commands.close()
        self.engine.close()
        self.store.close()


async def services(request: Request) -> Services:
    """Those of the server that answers a request; not in a thread, which would cost more than it does."""
    found: Services = request.app.state.services
    return found


def client_of(request: HTTPConnection) -> str:
    """Who asks, for limits."""
    return visitor_of(request).client or address_of(request)


def address_of(request: HTTPConnection) -> str:
    """From which machine a request comes."""
    return request.client.host if request.client else ""


def visitor_of(request: HTTPConnection) -> Visitor:
    """Who asks; the guard has looked."""
    found: Visitor = request.scope[VISITOR]
    return found


async def owner(request: Request) -> None:
    """For routes that start what takes the whole machine: Refused unless whoever asks may."""
    if not is_owner(request):
        raise Refused(403, "only the owner may do this: use the owner's address that `noughts serve` printed")


def is_owner(request: HTTPConnection) -> bool:
    """Whether a request comes from this machine, or with the owner's token."""
    return visitor_of(request).is_owner
