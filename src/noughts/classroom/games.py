"""`ClassGames`: the games of a class, between two pupils or against an agent. The server applies the rules.

A game between two pupils waits until a pupil with its link takes the open seat. It continues until it is over or a player
resigns, and is saved for both. The server computes an agent's move when it is the agent's turn, also after a restart.
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
from noughts.web.opponents import refusal_of
from noughts.web.reading import play, read_agent

MOST_AT_ONCE = 12
"""The most games of one pupil that go on or wait."""

_KIND = "game"


def read_opponent(text: str, rules: Rules) -> str:
    """Return an agent's text in canonical form. Raises AgentError if it is unknown, and Refused if it cannot play the game."""
    agent = read_agent(text)
    if (reason := refusal_of(agent, rules)) is not None:
        raise Refused(422, f"agent: {reason}")
    return str(agent)


class ClassGames:
    """The games of a class.

    Attributes:
        all: The games by id, in the order in which they were created.
    """

    def __init__(self, room: Classroom, engine: Engine) -> None:
        """Read the saved games. Call it in the event loop, because agents whose turn it is start to move, in `engine`."""
        self._room, self._engine = room, engine
        self.all = dict(sorted(room.read(_KIND, KeptGame).items(), key=lambda each: each[1].made))
        self._of = defaultdict[str, dict[str, None]](dict)  # the ids of each pupil's games
        for game_id, game in self.all.items():
            self._note(game_id, game)
        self._thinking: dict[str, asyncio.Task[None]] = {}
        for game_id in self.all:
            self._think(game_id)

    def get(self, game_id: str) -> KeptGame:
        """Return a game, or raise Refused if the id is unknown."""
        if game_id not in self.all:
            raise Refused(404, f"there is no game {game_id[:40]!r} in the class")
        return self.all[game_id]

    def of(self, pupil: str) -> list[str]:
        """Return the ids of a pupil's games."""
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
        """Create a game against an agent, or, if `agent` is empty, with an open seat for another pupil. Returns its id.

        Raises Refused if the opening ends the game, or if the pupil has too many games that go on or wait.
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
            game_id = secrets.token_hex(6)
            await self._put(game_id, game)
        self._think(game_id)
        return game_id

    async def take(self, game_id: str, pupil: str) -> None:
        """Take the open seat of a game, which then begins. A pupil who already has a seat in it changes nothing."""
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
        """Play a move. Raises Refused if it is not this pupil's turn, and IllegalMoveError if the move is illegal.

        `ply` is the number of moves that the pupil saw, so that a move that is sent twice is played once.
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
        """Resign a game: the other player wins; or close one that waits for a player, without a result."""
        async with self._room.turn:
            game = self._playing(game_id, pupil, "waiting")
            outcome = "" if game.state == "waiting" else "first" if game.seat_of(pupil) else "second"
            await self._put(game_id, game, state="ended", outcome=outcome, ending="resigned")
        if game_id in self._thinking:
            self._thinking[game_id].cancel()

    def close(self) -> None:
        """Cancel the agents' moves, when the server ends."""
        for task in list(self._thinking.values()):
            task.cancel()

    def _note(self, game_id: str, game: KeptGame) -> None:
        """Record which pupils play in a game."""
        for seat in game.seats:
            self._of[seat.pupil][game_id] = None

    def _require_room(self, pupil: str) -> None:
        """Raise Refused if a pupil has too many games that go on or wait."""
        going_on = sum(self.all[id].state != "ended" for id in self.of(pupil))
        if going_on >= MOST_AT_ONCE:
            raise Refused(422, f"you have {going_on} games that go on or wait: end one of them first")

    def _playing(self, game_id: str, pupil: str, also: str = "playing") -> KeptGame:
        """Return a game of this pupil that is being played, or is in the state `also`; or raise Refused."""
        game = self.get(game_id)
        if game.seat_of(pupil) is None:
            raise Refused(403, "you do not play in this game")
        if game.state not in ("playing", also):
            raise Refused(422, "this game waits for a player" if game.state == "waiting" else "this game is over")
        return game

    async def _put(self, game_id: str, game: KeptGame, **changed: object) -> None:
        """Save a new or changed game. The caller holds `turn`."""
        now = moment()
        if changed.get("state") == "ended":
            changed["ended"] = now
        kept = game.model_copy(update={"updated": now, "version": game.version + 1, **changed}) if changed else game
        await self._room.keep(_KIND, game_id, kept)
        self.all[game_id] = kept
        self._note(game_id, kept)
        self._room.announce(game_id)
        if kept.state != "playing":
            self._room.announce()  # the table of results may have changed

    async def _play(self, game_id: str, game: KeptGame, cell: int) -> None:
        position = game.position.play(cell)
        moves = (*game.moves, position.rules.name_of(cell))
        ended = {"state": "ended", "outcome": str(position.outcome), "ending": "moves"} if position.is_over else {}
        await self._put(game_id, game, moves=moves, **ended)

    def _think(self, game_id: str) -> None:
        """Start to compute a move if it is an agent's turn and no computation is running."""
        game = self.all[game_id]
        if game.state == "playing" and game_id not in self._thinking and game.seats[game.position.to_move].agent:
            task = asyncio.get_running_loop().create_task(self._agent_moves(game_id))
            self._thinking[game_id] = task
            task.add_done_callback(lambda _: self._thinking.pop(game_id, None))

    async def _agent_moves(self, game_id: str) -> None:
        """Compute and play the agent's move. If the agent fails, the game ends without a result."""
        game, cell, why = self.all[game_id], None, ""
        try:
            rules, agent = game.rules, read_agent(game.seats[game.position.to_move].agent)
            asked = MoveRequest(rules=rules, moves=[*game.opening, *game.moves], agent=agent, seed=game.seed)
            cell = rules.cell_of(json.loads(await self._engine.ask(asked, game.maker))["move"])
        except Exception as error:  # shown to the pupil beside the board
            why = str(error) if isinstance(error, NoughtsError) else one_line(error)
        async with self._room.turn:
            game = self.all[game_id]
            if game.state == "playing" and cell is not None:
                await self._play(game_id, game, cell)
            elif game.state == "playing":
                await self._put(game_id, game, state="ended", ending="failed", why=why[:300])
