"""`ClassGames`: the games of a class, between pupils or with agents. The server is their referee.

A game waits until both seats are taken, goes on until it is over or somebody resigns, and is kept for both. Where an agent
is to move, the server asks it, also after a restart.
"""

import asyncio
import secrets
from typing import Literal
from weakref import WeakValueDictionary

from noughts.positions import Outcome
from noughts.rules import NoughtsError, format_rules
from noughts.rules.errors import one_line
from noughts.web.boards import OUTCOMES, read_position
from noughts.web.class_values import KeptGame, Seat, moment
from noughts.web.classroom import Classroom
from noughts.web.crew_tasks import MoveTask
from noughts.web.engine import Engine
from noughts.web.errors import Refused, status_of
from noughts.web.roster import read_agent

_KIND = "game"
_TRIES = 6  # of an agent's move, where the server is busy
_PAUSE_SECONDS = 1.0  # before the second of them; twice as long each time

Begins = Literal["me", "other", "chance"]


class ClassGames:
    """The games of a class.

    Attributes:
        all: By id, in the order in which they were made.
    """

    def __init__(self, room: Classroom, engine: Engine) -> None:
        """Those that are kept.

        Args:
            room: Of which class.
            engine: Makes the moves of agents.
        """
        self._room, self._engine = room, engine
        self.all = dict(sorted(room.read(_KIND, KeptGame).items(), key=lambda each: each[1].made))
        self._of: dict[
            str, dict[str, None]
        ] = {}  # the ids of each pupil's games, and of those that waited for the pupil
        for game_id, game in self.all.items():
            self._note(game_id, game)
        self._thinking: dict[str, asyncio.Task[None]] = {}
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def go_on(self) -> None:
        """Have agents move wherever one is to; called in the event loop."""
        for game_id in self.all:
            self._think(game_id)

    def get(self, game_id: str) -> KeptGame:
        """A game; Refused if there is none."""
        found = self.all.get(game_id)
        if found is None:
            raise Refused(404, f"there is no game {game_id[:40]!r} in the class")
        return found

    def may_see(self, game_id: str, pupil: str) -> bool:
        """Whether a pupil plays a game, or was asked to, or has its link while a seat is open."""
        game = self.all[game_id]
        if game.seat_of(pupil) is not None or (pupil and game.invited == pupil):
            return True
        return game.state == "waiting" and not game.invited

    def of(self, pupil: str) -> list[str]:
        """The ids of the games of a pupil, and of those that wait for this pupil."""
        return [id for id in self._of.get(pupil, ()) if self._is_of(self.all[id], pupil)]

    async def make(
        self,
        maker: str,
        rules: str,
        other: Seat,
        begins: Begins = "chance",
        invited: str = "",
        opening: tuple[str, ...] = (),
        assignment: str = "",
    ) -> str:
        """A new game; gives its id.

        Args:
            maker: The pupil who makes it, and plays.
            rules: Text form.
            other: Who else plays; open for another pupil, who has to take it.
            begins: Who moves first.
            invited: The pupil who is asked; empty for whoever has the link.
            opening: Squares of moves with which it begins.
            assignment: Of which it is.

        Raises:
            Refused: there is too much already, or no such pupil.
            RulesError, IllegalMoveError, AgentError: there are no such rules, moves or agent.
        """
        position = read_position(rules, list(opening), self._room.limits)
        if position.is_over:
            raise Refused(422, "the game is over before it begins: choose an earlier position")
        if other.agent:
            other = Seat(agent=str(read_agent(other.agent, self._room.limits)))
        if invited:
            self._room.pupil(invited)
            if invited == maker:
                raise Refused(422, "choose a classmate, not yourself")
        first = secrets.randbelow(2) == 0 if begins == "chance" else begins == "me"
        mine = Seat(pupil=maker)
        name = position.rules.name_of
        now = moment()
        game = KeptGame(
            rules=format_rules(position.rules),
            opening=tuple(map(name, position.moves)),
            seats=(mine, other) if first else (other, mine),
            maker=maker,
            invited=invited,
            seed=secrets.randbits(32),
            state="waiting" if other.is_open else "playing",
            made=now,
            updated=now,
            assignment=assignment,
        )
        return await self._add(game)

    async def take(self, game_id: str, pupil: str) -> None:
        """Take the open seat of a game, which begins then; nothing if the pupil has a seat in it already."""
        async with self._turn(game_id):
            game = self.get(game_id)
            if game.seat_of(pupil) is not None:
                return
            if game.state != "waiting":
                raise Refused(422, "this game waits for nobody any more")
            if game.invited not in ("", pupil):
                raise Refused(403, "this game waits for somebody else")
            self._require_room(pupil)
            seats = [Seat(pupil=pupil) if seat.is_open else seat for seat in game.seats]
            await self._put(game_id, game, seats=tuple(seats), state="playing", invited="")

    async def move(self, game_id: str, pupil: str, ply: int, square: str) -> None:
        """Play a move.

        Args:
            game_id: Of the game.
            pupil: Who moves.
            ply: How many moves there were when the pupil decided: a move that was sent twice is played once.
            square: Where.

        Raises:
            Refused: it is not this pupil's turn, or the game does not go on.
            IllegalMoveError: it is not legal.
        """
        async with self._turn(game_id):
            game = self._playing(game_id, pupil)
            position = game.position
            if ply != position.ply:
                raise Refused(422, f"move {ply + 1} was played already: look at the board again")
            if game.seats[position.to_move].pupil != pupil:
                raise Refused(422, "it is not your turn")
            await self._play(game_id, game, position.rules.cell_of(square))
        self._think(game_id)

    async def resign(self, game_id: str, pupil: str) -> None:
        """Give a game up: the other one has won."""
        async with self._turn(game_id):
            game = self._playing(game_id, pupil)
            outcome = "second" if game.seat_of(pupil) == 0 else "first"
            await self._put(game_id, game, state="ended", outcome=outcome, ending="resigned")
        self._stop_thinking(game_id)

    async def withdraw(self, game_id: str, pupil: str) -> None:
        """Call a game off that waits, by who made it or is asked; or end one without a result whose other pupil was removed."""
        async with self._turn(game_id):
            game = self.get(game_id)
            if game.state == "waiting" and pupil in (game.maker, game.invited):
                await self._put(game_id, game, state="withdrawn")
                return
            self._playing(game_id, pupil)
            others = [seat.pupil for seat in game.seats if seat.pupil not in ("", pupil)]
            if not any(self._room.pupils[other].removed for other in others):
                raise Refused(422, "this game goes on: resign it, or play it to its end")
            await self._put(game_id, game, state="ended", ending="broken off")

    async def rematch(self, game_id: str, pupil: str) -> str:
        """The same game once more with the sides exchanged; gives its id. A pupil who is asked has to take it."""
        async with self._turn(game_id):
            game = self.get(game_id)
            if game.seat_of(pupil) is None or game.state != "ended":
                raise Refused(422, "only those who have played a game to its end play it again")
            again = self.all.get(game.rematch)
            if again is None or again.state == "withdrawn":
                again_id = await self._add(self._again(game, pupil))
                await self._put(game_id, game, rematch=again_id)
                return again_id
        await self.take(game.rematch, pupil)
        return game.rematch

    def close(self) -> None:
        """At the end of the server."""
        for game_id in list(self._thinking):
            self._stop_thinking(game_id)

    def _again(self, game: KeptGame, pupil: str) -> KeptGame:
        """A game like one that has ended, made by one of its pupils, with the sides exchanged; those of an assignment stay."""
        seats = game.seats if game.assignment else game.seats[::-1]
        other = next((seat.pupil for seat in seats if seat.pupil not in ("", pupil)), "")
        if other:
            self._room.pupil(other)
        now = moment()
        return KeptGame(
            rules=game.rules,
            opening=game.opening,
            seats=(_without(seats[0], other), _without(seats[1], other)),
            maker=pupil,
            invited=other,
            seed=secrets.randbits(32),
            state="waiting" if other else "playing",
            made=now,
            updated=now,
            assignment=game.assignment,
        )

    def _turn(self, game_id: str) -> asyncio.Lock:
        """Held while a game is changed: one change comes after the other."""
        found = self._turns.get(game_id)
        if found is None:
            found = self._turns[game_id] = asyncio.Lock()
        return found

    def _is_of(self, game: KeptGame, pupil: str) -> bool:
        return game.seat_of(pupil) is not None or (game.state == "waiting" and game.invited == pupil)

    def _note(self, game_id: str, game: KeptGame) -> None:
        """Note whose game it is."""
        for pupil in filter(None, (game.invited, *(seat.pupil for seat in game.seats))):
            self._of.setdefault(pupil, {})[game_id] = None

    def _require_room(self, pupil: str) -> None:
        """Refused if a pupil has too many games that wait or go on, or the class too many in all."""
        limits = self._room.limits
        games = (self.all[id] for id in self.of(pupil))
        mine = [game for game in games if game.state in ("waiting", "playing") and game.seat_of(pupil) is not None]
        if len(mine) >= limits.pupil_games:
            raise Refused(429, f"you have {len(mine)} games that go on: end one of them first")
        if len(self.all) >= limits.class_games:
            raise Refused(429, f"the class has played {len(self.all)} games: begin a new class")

    def _playing(self, game_id: str, pupil: str) -> KeptGame:
        """A game that goes on, and in which a pupil plays; Refused otherwise."""
        game = self.get(game_id)
        if game.seat_of(pupil) is None:
            raise Refused(403, "you do not play in this game")
        if game.state != "playing":
            raise Refused(422, "this game waits for somebody" if game.state == "waiting" else "this game is over")
        return game

    async def _add(self, game: KeptGame) -> str:
        self._require_room(game.maker)
        game_id = secrets.token_hex(6)
        await self._put(game_id, game)
        self._think(game_id)
        return game_id

    async def _put(self, game_id: str, game: KeptGame, **changed: object) -> None:
        """Keep a game as it is now; its turn is the caller's."""
        now = moment()
        if changed.get("state") == "ended":
            changed["ended"] = now
        kept = game.model_copy(update={"updated": now, "version": game.version + 1, **changed}) if changed else game
        await self._room.keep(_KIND, game_id, kept)
        self.all[game_id] = kept
        self._note(game_id, kept)
        self._room.tell(game_id)
        if kept.state != "playing":
            self._room.tell()  # results may be others

    async def _play(self, game_id: str, game: KeptGame, cell: int) -> None:
        """Play a legal move of whoever is to move."""
        before = game.position
        position = before.play(cell)
        moves = (*game.moves, before.rules.name_of(cell))
        if position.outcome is Outcome.ONGOING:
            await self._put(game_id, game, moves=moves)
        else:
            outcome = OUTCOMES[position.outcome]
            await self._put(game_id, game, moves=moves, state="ended", outcome=outcome, ending="moves")

    def _think(self, game_id: str) -> None:
        """Have an agent move, if one is to move and does not think already."""
        game = self.all[game_id]
        if game.state != "playing" or game_id in self._thinking:
            return
        if game.seats[game.position.to_move].agent:
            task = asyncio.get_running_loop().create_task(self._agent_moves(game_id))
            self._thinking[game_id] = task
            task.add_done_callback(lambda _: self._thinking.pop(game_id, None))

    def _stop_thinking(self, game_id: str) -> None:
        task = self._thinking.pop(game_id, None)
        if task is not None:
            task.cancel()

    async def _agent_moves(self, game_id: str) -> None:
        """Ask the agent whose turn it is, and play its move; a game whose agent fails ends without a result."""
        try:
            cell = await self._ask(game_id)
        except NoughtsError as error:
            await self._fail(game_id, str(error))
            return
        except Exception as error:
            await self._fail(game_id, one_line(error))
            return
        async with self._turn(game_id):
            game = self.all[game_id]
            if game.state == "playing":
                await self._play(game_id, game, cell)

    async def _ask(self, game_id: str) -> int:
        game = self.all[game_id]
        position, limits = game.position, self._room.limits
        task = MoveTask(
            rules=position.rules,
            moves=position.moves,
            seed=game.seed,
            agent=read_agent(game.seats[position.to_move].agent, limits),
            seconds=limits.move_seconds,
        )
        pause = _PAUSE_SECONDS
        for attempt in range(_TRIES):
            try:
                answer = await self._engine.ask(task, limits.move_seconds, game.maker, _is_gone)
                return int(answer["move"])
            except NoughtsError as error:
                if status_of(error) != 503 or attempt == _TRIES - 1:
                    raise
                await asyncio.sleep(pause)
                pause *= 2
        raise AssertionError("the last attempt is raised for")

    async def _fail(self, game_id: str, why: str) -> None:
        async with self._turn(game_id):
            game = self.all[game_id]
            if game.state == "playing":
                await self._put(game_id, game, state="ended", ending="failed", why=why[:300])


def _without(seat: Seat, pupil: str) -> Seat:
    """A seat, which is open if it was this pupil's."""
    return Seat() if seat.pupil == pupil else seat


async def _is_gone() -> bool:
    """Whether nobody waits for a move any more: somebody always does, as it is kept."""
    return False
