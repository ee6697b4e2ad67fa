"""Routes for a class: who is in it, how one joins, what is to be done, what was done, and what the teacher may do."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request
from fastapi.responses import Response

from noughts.web.answers import GameId
from noughts.web.class_answers import (
    AssignmentRequest,
    ClassAnswer,
    JoinRequest,
    LinkAnswer,
    MeAnswer,
    NicknameRequest,
    SolvedAnswer,
    SolvedRequest,
)
from noughts.web.class_showing import NO_CLASS, show_class, show_me
from noughts.web.class_values import KeptAssignment, moment
from noughts.web.errors import Refused, documented
from noughts.web.qr_code import qr_picture
from noughts.web.school_class import SchoolClass
from noughts.web.services import Services, address_of, owner, services, visitor_of
from noughts.web.visitors import cookie

router = APIRouter(prefix="/api/class")
Shared = Annotated[Services, Depends(services)]
Id = Annotated[str, Path(max_length=64)]
_TEACHER = [Depends(owner)]
_ASKED = documented(400, 404, 413, 415, 422, 503)


async def school_class(shared: Shared) -> SchoolClass:
    """The server's class; Refused if there is none."""
    if shared.school_class is None:
        raise Refused(404, NO_CLASS)
    return shared.school_class


async def pupil_of(request: Request) -> str:
    """The pupil who asks; Refused for others."""
    pupil = visitor_of(request).pupil
    if not pupil:
        raise Refused(403, "this is for the pupils of the class: join it as one, in another browser than the teacher's")
    return pupil


Here = Annotated[SchoolClass, Depends(school_class)]
Pupil = Annotated[str, Depends(pupil_of)]


@router.get("/me")
async def who_am_i(request: Request, shared: Shared) -> MeAnswer:
    """Who asks, and whether there is a class at all; also for those who have not joined."""
    return show_me(shared.school_class, visitor_of(request))


@router.post("/join", responses=_ASKED | documented(429))
async def join_class(asked: JoinRequest, request: Request, response: Response, here: Here) -> MeAnswer:
    """Join the class by its code: the browser is known by a cookie from then on. Wrong codes are slowed."""
    visitor = visitor_of(request)
    if visitor.is_owner:
        raise Refused(403, "you are the teacher here: join as a pupil in another browser, or in a private window")
    if visitor.pupil:
        return show_me(here, visitor)
    pupil, token = await here.room.join(asked.code, asked.nickname, address_of(request))
    response.headers["Set-Cookie"] = cookie(request.scope, token)
    return MeAnswer(role="pupil", id=pupil, nickname=here.room.nickname(pupil))


@router.get("", responses=documented(404))
async def get_class(request: Request, here: Here) -> ClassAnswer:
    """The class, as whoever asks sees it."""
    return show_class(here, visitor_of(request))


@router.post("/solved", responses=_ASKED)
async def solved(asked: SolvedRequest, pupil: Pupil, here: Here) -> SolvedAnswer:
    """Note that a puzzle was solved; the server looks whether that is so."""
    return SolvedAnswer(solved=await here.progress.solve(pupil, asked.rules, asked.moves, asked.move, asked.at_once))


@router.post("/assignment/begin", responses=documented(404, 422, 429, 503))
async def begin_assignment(pupil: Pupil, here: Here) -> GameId:
    """The game that is to be played: the one that goes on, or a new one."""
    return GameId(id=await here.progress.begin(pupil))


@router.put("/assignment", responses=_ASKED, dependencies=_TEACHER)
async def set_assignment(asked: AssignmentRequest, request: Request, here: Here) -> ClassAnswer:
    """Set what all are to do; what was set before counts no more."""
    await here.progress.assign(
        KeptAssignment(
            kind=asked.kind,
            words=" ".join(asked.words.split()),
            rules=asked.rules,
            moves=tuple(asked.moves),
            agent=asked.agent,
            goal=asked.goal,
            grade=asked.grade,
            count=asked.count,
            made=moment(),
        )
    )
    return show_class(here, visitor_of(request))


@router.delete("/assignment", responses=documented(404, 503), dependencies=_TEACHER)
async def clear_assignment(request: Request, here: Here) -> ClassAnswer:
    """Nothing is to be done any more."""
    await here.progress.clear()
    return show_class(here, visitor_of(request))


@router.put("/pupils/{id}", responses=_ASKED, dependencies=_TEACHER)
async def rename_pupil(id: Id, asked: NicknameRequest, request: Request, here: Here) -> ClassAnswer:
    """Call a pupil something else."""
    await here.room.rename(id, asked.nickname)
    return show_class(here, visitor_of(request))


@router.delete("/pupils/{id}", responses=documented(404, 422, 503), dependencies=_TEACHER)
async def remove_pupil(id: Id, request: Request, here: Here) -> ClassAnswer:
    """Remove a pupil from the class; what the pupil did is kept."""
    await here.room.remove(id)
    return show_class(here, visitor_of(request))


@router.post("/pupils/{id}/back", responses=documented(404, 422, 503), dependencies=_TEACHER)
async def take_pupil_back(id: Id, request: Request, here: Here) -> ClassAnswer:
    """Take a pupil back who was removed."""
    await here.room.take_back(id)
    return show_class(here, visitor_of(request))


@router.post("/pupils/{id}/link", responses=documented(404, 422, 503), dependencies=_TEACHER)
async def link_for_pupil(id: Id, here: Here) -> LinkAnswer:
    """An address with which a pupil comes back on another machine; the browser of before is let in no more."""
    return LinkAnswer(address=await here.room.new_link(id))


@router.get(
    "/results.csv",
    response_class=Response,
    responses=documented(404) | {200: {"content": {"text/csv": {}}}},
    dependencies=_TEACHER,
)
async def results_as_csv(here: Here) -> Response:
    """The table of results as a file."""
    headers = {"Content-Disposition": 'attachment; filename="noughts-class.csv"'}
    content = "\ufeff" + here.progress.csv()  # by this mark some programs know the letters
    return Response(content, media_type="text/csv; charset=utf-8", headers=headers)


@router.get(
    "/code.svg",
    response_class=Response,
    responses=documented(404) | {200: {"content": {"image/svg+xml": {}}}},
    dependencies=_TEACHER,
)
async def code_as_picture(here: Here) -> Response:
    """The address at which one joins, as a QR code."""
    return Response(qr_picture(here.room.join_address), media_type="image/svg+xml")


@router.delete("", responses=documented(404, 503), dependencies=_TEACHER)
async def close_class(request: Request, here: Here) -> ClassAnswer:
    """Close the class: nobody is let in any more, and `noughts serve --class` begins a new one."""
    await here.room.close_class(True)
    return show_class(here, visitor_of(request))


@router.post("/open", responses=documented(404, 503), dependencies=_TEACHER)
async def open_class_again(request: Request, here: Here) -> ClassAnswer:
    """Open a class again that was closed."""
    await here.room.close_class(False)
    return show_class(here, visitor_of(request))
