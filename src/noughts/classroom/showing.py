"""The answers that show a class to its teacher and to each pupil."""

from pydantic import BaseModel, Field

from noughts.classroom.school_class import PupilResult, SchoolClass
from noughts.classroom.values import Assignment, KeptGame
from noughts.play.playthrough import SIDES
from noughts.play.score import Player
from noughts.web.errors import Refused
from noughts.web.presets import game_name
from noughts.web.visitors import Visitor

_LATEST = 60  # how many games that have ended are listed


class PupilAnswer(BaseModel):
    """A pupil."""

    id: str
    nickname: str
    present: bool = Field(description="Whether the pupil has the page open.")
    result: PupilResult | None = Field(description="For the teacher, and for the pupil; None for classmates.")


class AssignmentAnswer(Assignment):
    """The assignment that the teacher set."""

    name: str = Field(description="Of the game, for people.")


class ClassAnswer(BaseModel):
    """The class, as this visitor sees it."""

    me: str = Field(description="The id of the pupil who asks; empty for the teacher.")
    closed: bool
    pupils: list[PupilAnswer]
    assignment: AssignmentAnswer | None
    code: str = Field(description="By which one joins; for the teacher.")
    address: str = Field(description="Where one joins; for the teacher.")


class ClassGameAnswer(KeptGame):
    """A game in the class, as this visitor sees it. `moves` contains those of the opening, too."""

    id: str
    nicknames: tuple[str, str] = Field(description="Of the pupils on the seats; empty for others.")
    mine: Player | None = Field(description="The side that the visitor who asks plays.")
    to_move: Player | None = Field(description="None if it does not go on.")


class ClassSeen:
    """The class as one visitor sees it."""

    def __init__(self, school: SchoolClass, visitor: Visitor) -> None:
        self.school, self.visitor = school, visitor

    @property
    def pupil(self) -> str:
        """The id of this pupil. Raises Refused for the teacher."""
        if not self.visitor.client:
            words = "this is for the pupils of the class: join it as one, in another browser than the teacher's"
            raise Refused(403, words)
        return self.visitor.client

    def show(self) -> ClassAnswer:
        """Return the class, as this visitor may see it."""
        room, assignment, me = self.school.room, self.school.assignment, self.visitor.client
        return ClassAnswer(
            me=me,
            closed=room.kept.closed,
            pupils=[
                PupilAnswer(
                    id=id,
                    nickname=nickname,
                    present=room.present[id] > 0,
                    result=self.school.result(id) if me in ("", id) else None,
                )
                for id, nickname in room.there
            ],
            assignment=assignment and AssignmentAnswer(name=game_name(assignment.rules), **assignment.model_dump()),
            code="" if me else room.kept.code,
            address="" if me else room.join_address,
        )

    def game(self, game_id: str) -> ClassGameAnswer:
        """Return a game, or raise Refused if it is unknown or not visible to this visitor."""
        game = self.school.games.get(game_id)
        mine = game.seat_of(self.visitor.client)
        if not self.visitor.is_owner and mine is None and game.state != "waiting":
            raise Refused(404, "others play this game: a classmate was first at its link, so ask for a new one")
        first, second = (self.school.room.pupils[seat.pupil].nickname if seat.pupil else "" for seat in game.seats)
        return ClassGameAnswer(
            id=game_id,
            nicknames=(first, second),
            mine=None if mine is None else SIDES[mine],
            to_move=SIDES[game.position.to_move] if game.state == "playing" else None,
            **{**game.model_dump(), "moves": game.opening + game.moves},
        )

    def games(self) -> list[str]:
        """Return the ids of the teacher's or the pupil's games, in the order of their creation; of ended ones the latest."""
        games = self.school.games
        ids = list(games.all) if self.visitor.is_owner else games.of(self.visitor.client)
        old = set([id for id in ids if games.all[id].state == "ended"][:-_LATEST])
        return [id for id in ids if id not in old]
