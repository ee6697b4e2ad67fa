"""`ClassGames`: the games of a class, between two pupils or with an agent. The server applies the rules.

A game between two waits until a pupil with its link takes the open seat. It goes on until it is over or a player resigns, and is
saved for both. An agent whose turn it is is asked for its move, also after a restart.
"""

import asyncio
import json
import secrets
from collections import defaultdict
from typing import Literal

from noughts.classroom.room import Classroom
from noughts.classroom.values import KeptGame, Seat, moment
from noughts.rules import NoughtsError, Rules
from noughts.rules.errors import one_line
from noughts.web.asked import MoveRequest
from noughts.web.engine import Engine
from noughts.web.errors import Refused
from noughts.web.reading import play, read_agent

MOST_AT_ONCE = 12
"""Games of one pupil that go on."""

_KIND = "game"


class ClassGames:
    """The games of a class.

    Attributes:
        all: By id, in the order in which they were made.
    """

    def __init__(self, room: Classroom, engine: Engine) -> None:
        """Read the games that are kept. Call it in the event loop: agents whose turn it is begin to move, by `engine`."""
        self._room, self._engine = room, engine
        self.all = dict(sorted(room.read(_KIND, KeptGame).items(), key=lambda each: each[1].made))
        self._of = defaultdict[str, dict[str, None]](dict)  # the ids of each pupil's games
        for game_id, game in self.all.items():
            self._note(game_id, game)
        self._thinking: dict[str, asyncio.Task[None]] = {}
        for game_id in self.all:
            self._think(game_id)

    def get(self, game_id: str) -> KeptGame:
        """A game; Refused if there is none."""
        if game_id not in self.all:
            raise Refused(404, f"there is no game {game_id[:40]!r} in the class")
        return self.all[game_id]

    def of(self, pupil: str) -> list[str]:
        """The ids of the games of a pupil."""
        return list(self._of.get(pupil, ()))

    async def make(
        self,
        maker: str,
        rules: Rules,
        agent: str,
        begins: Literal["me", "other", "chance"] = "chance",
        opening: tuple[str, ...] = (),
        assignment: str = "",
    ) -> str:
        """Make a game of a pupil with an agent, or, without one, with the pupil who will take the open seat. Returns its id.

        A new game that waits replaces an older one of the same pupil that still waits. Refused if the game is over before it
        begins, or the pupil has too many games that go on.
        """
        if play(rules, opening).is_over:
            raise Refused(422, "rules: the game is over before it begins")
        seats, now = (Seat(pupil=maker), Seat(agent=agent)), moment()
        first = secrets.randbelow(2) == 0 if begins == "chance" else begins == "me"
        game = KeptGame(
            rules=rules,
            opening=opening,
            seats=seats if first else seats[::-1],
            maker=maker,
            seed=secrets.randbits(32),
            state="playing" if agent else "waiting",
            made=now,
            updated=now,
            assignment=assignment,
        )
        async with self._room.turn:
            self._require_room(maker)
            for waiting in [id for id in self.of(maker) if self.all[id].state == "waiting" and not agent]:
                await self._put(waiting, self.all[waiting], state="withdrawn")
            game_id = secrets.token_hex(6)
            await self._put(game_id, game)
        self._think(game_id)
        return game_id

    async def take(self, game_id: str, pupil: str) -> None:
        """Take the open seat of a game, which then begins; does nothing for a pupil who has a seat in it already."""
        async with self._room.turn:
            game = self.get(game_id)
            if game.seat_of(pupil) is not None:
                return
            if game.state != "waiting":
                raise Refused(422, "this game waits for no player any more")
            self._require_room(pupil)
            seats = tuple(seat if seat.pupil else Seat(pupil=pupil) for seat in game.seats)
            await self._put(game_id, game, seats=seats, state="playing")

    async def move(self, game_id: str, pupil: str, ply: int, square: str) -> None:
        """Play a move; Refused or IllegalMoveError if it is not this pupil's turn, or not legal.

        `ply` is the number of moves when the pupil decided, so that a move that is sent twice is played once.
        """
        async with self._room.turn:
            game = self._playing(game_id, pupil)
            position = game.position
            if ply != position.ply:
                raise Refused(422, f"move {ply + 1} was played already: look at the board again")
            if game.seats[position.to_move].pupil != pupil:
                raise Refused(422, "it is not your turn")
            await self._play(game_id, game, position.rules.cell_of(square))
        self._think(game_id)

    async def resign(self, game_id: str, pupil: str) -> None:
        """Resign a game: the other player wins, unless that pupil was removed; then there is no result."""
        async with self._room.turn:
            game = self._playing(game_id, pupil)
            mine = game.seat_of(pupil)
            other = game.seats[0 if mine else 1].pupil
            left = other and self._room.pupils[other].removed
            outcome, ending = ("", "broken off") if left else ("first" if mine else "second", "resigned")
            await self._put(game_id, game, state="ended", outcome=outcome, ending=ending)
        if game_id in self._thinking:
            self._thinking[game_id].cancel()

    def close(self) -> None:
        """At the end of the server."""
        for task in list(self._thinking.values()):
            task.cancel()

    def _note(self, game_id: str, game: KeptGame) -> None:
        """Add a game to those of its players."""
        for seat in game.seats:
            self._of[seat.pupil][game_id] = None

    def _require_room(self, pupil: str) -> None:
        """Refused if a pupil has too many games that go on."""
        going_on = sum(self.all[id].state == "playing" for id in self.of(pupil))
        if going_on >= MOST_AT_ONCE:
            raise Refused(429, f"you have {going_on} games that go on: end one of them first")

    def _playing(self, game_id: str, pupil: str) -> KeptGame:
        """A game that goes on, and in which a pupil plays; Refused otherwise."""
        game = self.get(game_id)
        if game.seat_of(pupil) is None:
            raise Refused(403, "you do not play in this game")
        if game.state != "playing":
            raise Refused(422, "this game waits for a player" if game.state == "waiting" else "this game is over")
        return game

    async def _put(self, game_id: str, game: KeptGame, **changed: object) -> None:
        """Save a changed game; the caller holds the turn."""
        now = moment()
        if changed.get("state") == "ended":
            changed["ended"] = now
        kept = game.model_copy(update={"updated": now, "version": game.version + 1, **changed}) if changed else game
        await self._room.keep(_KIND, game_id, kept)
        self.all[game_id] = kept
        self._note(game_id, kept)
        self._room.announce(game_id)
        if kept.state != "playing":
            self._room.announce()  # results may be others

    async def _play(self, game_id: str, game: KeptGame, cell: int) -> None:
        """Play a legal move of the side that is to move."""
        position = game.position.play(cell)
        moves = (*game.moves, position.rules.name_of(cell))
        ended = {"state": "ended", "outcome": str(position.outcome), "ending": "moves"} if position.is_over else {}
        await self._put(game_id, game, moves=moves, **ended)

    def _think(self, game_id: str) -> None:
        """Begin an agent's move, if it is an agent's turn and none has begun."""
        game = self.all[game_id]
        if game.state == "playing" and game_id not in self._thinking and game.seats[game.position.to_move].agent:
            task = asyncio.get_running_loop().create_task(self._agent_moves(game_id))
            self._thinking[game_id] = task
            task.add_done_callback(lambda _: self._thinking.pop(game_id, None))

    async def _agent_moves(self, game_id: str) -> None:
        """Play the move of the agent whose turn it is; if the agent fails, the game ends without a result."""
        game, cell, why = self.all[game_id], None, ""
        try:
            rules, agent = game.rules, read_agent(game.seats[game.position.to_move].agent)
            asked = MoveRequest(rules=rules, moves=[*game.opening, *game.moves], agent=agent, seed=game.seed)
            cell = rules.cell_of(json.loads(await self._engine.ask(asked, game.maker))["move"])
        except Exception as error:  # the pupil reads it beside the board
            why = str(error) if isinstance(error, NoughtsError) else one_line(error)
        async with self._room.turn:
            game = self.all[game_id]
            if game.state == "playing" and cell is not None:
                await self._play(game_id, game, cell)
            elif game.state == "playing":
                await self._put(game_id, game, state="ended", ending="failed", why=why[:300])
