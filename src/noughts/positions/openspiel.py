"""Every game of the family as an OpenSpiel game named ``noughts``, and OpenSpiel's own games as `Rules`.

Importing this module registers the game. Its parameters are the fields of `Rules`, with the defaults of
tic-tac-toe:

    noughts(rows=7,cols=7,k=4,bricks=D4,full=second)      one action per cell: ``row * cols + col``, board after board
    noughts(k=3,marks=shared,line=loses,boards=2)         actions have the usual names: ``D4``, ``2.B2``

The observation has the planes of OpenSpiel's own ``tic_tac_toe`` and ``mnk``, and one more if cells can be closed to
both sides. The information state is the moves in order. OpenSpiel serialises a state of a Python game as a pickle, so
deserialise only states that you wrote.
"""

from collections.abc import Callable, Mapping
from typing import Any

from noughts.positions.openspiel_text import DEFAULTS, NAME, parameters_of
from noughts.positions.position import BRICK, EMPTY, FIRST_MARK, SECOND_MARK, Position, Side
from noughts.rules import Rules, RulesError
from noughts.rules.errors import MissingLibraryError
from noughts.rules.squares import Wrap, lines_on_board

try:
    import pyspiel
except ModuleNotFoundError:
    raise MissingLibraryError.of("OpenSpiel", "openspiel") from None

GAME_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="K in a row, with bricks, shared marks, several boards and joined edges",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=DEFAULTS,
)


class NoughtsGame(pyspiel.Game):  # type: ignore[misc] # the library has no types
    """A game of the family as OpenSpiel knows games.

    Attributes:
        rules: The game.

    Raises:
        RulesError: the parameters are impossible.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        self.rules = Rules(**{**DEFAULTS, **(params or {})})
        info = pyspiel.GameInfo(
            num_distinct_actions=self.rules.size,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.rules.size - len(self.rules.brick_cells),
        )
        super().__init__(GAME_TYPE, info, parameters_of(self.rules))

    def new_initial_state(self) -> "NoughtsState":
        """The empty board."""
        return NoughtsState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> Any:
        """The observer of the board, or with perfect recall of the moves; ValueError for any parameters."""
        if params:
            raise ValueError(f"there are no parameters for observations of {NAME}, and {dict(params)} were given")
        if iig_obs_type is not None and not iig_obs_type.public_info:
            from open_spiel.python.observation import IIGObserverForPublicInfoGame

            return IIGObserverForPublicInfoGame(iig_obs_type, params)
        recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        return MovesObserver(self.rules) if recalls else BoardObserver(self.rules)


class NoughtsState(pyspiel.State):  # type: ignore[misc]
    """A position as an OpenSpiel state.

    Attributes:
        position: The position.
    """

    def __init__(self, game: NoughtsGame) -> None:
        super().__init__(game)
        self.position = Position.start(game.rules)

    def current_player(self) -> int:
        """0 for the first player, 1 for the second; PlayerId.TERMINAL once the game is over."""
        return int(pyspiel.PlayerId.TERMINAL) if self.position.is_over else int(self.position.to_move)

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.position.legal_moves) if player == self.current_player() else []

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.rules.name_of(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.is_over

    def returns(self) -> list[float]:
        """+1 won, 0 drawn, -1 lost, the first player's first; zeros until the game is over."""
        outcome = self.position.outcome
        return [float(outcome.value(side)) for side in Side] if self.position.is_over else [0.0, 0.0]

    def __str__(self) -> str:
        """The boards as text."""
        return str(self.position)


class BoardObserver:
    """Observes the marks, as in OpenSpiel's own ``tic_tac_toe`` and ``mnk``; the same for both players.

    Attributes:
        tensor: float32, the planes one after another.
        dict: ``observation``, the same as [planes, boards * rows, cols] of zeros and ones. Plane 0: empty cells, with
            several boards of those that are not closed. Plane 1: the second player's marks; none with shared marks. Plane 2: the first player's,
            or all with shared marks. Plane 3, only where there are bricks or several boards: cells that no player can use.
    """

    def __init__(self, rules: Rules) -> None:
        import numpy as np

        planes = 4 if rules.bricks or rules.boards > 1 else 3
        self.tensor = np.zeros(planes * rules.size, np.float32)
        self.dict = {"observation": self.tensor.reshape(planes, rules.boards * rules.rows, rules.cols)}
        self._planes = self.tensor.reshape(planes, rules.size)

    def set_from(self, state: NoughtsState, player: int) -> None:
        """Fill `tensor` and `dict` from a state."""
        import numpy as np

        position = state.position
        cells = np.frombuffer(position.cells, np.uint8)
        closed = np.zeros(position.rules.boards, np.bool_)
        if len(closed) > 1:  # a line on the only board ends the game without closing a board
            closed[list(position.closed)] = True
        on_closed = np.repeat(closed, position.rules.board_size)
        self._planes[0] = (cells == EMPTY) & ~on_closed
        self._planes[1] = cells == SECOND_MARK
        self._planes[2] = cells == FIRST_MARK
        if len(self._planes) > 3:
            self._planes[3] = (cells == BRICK) | on_closed

    def string_from(self, state: NoughtsState, player: int) -> str:
        """The boards as text."""
        return str(state.position)


class MovesObserver:
    """Observes the moves made, in order.

    Attributes:
        tensor: float32, the plies one after another.
        dict: ``moves``, the same as [longest game, cells]: a one for the cell of each move made.
    """

    def __init__(self, rules: Rules) -> None:
        import numpy as np

        longest = rules.size - len(rules.brick_cells)
        self.tensor = np.zeros(longest * rules.size, np.float32)
        self.dict = {"moves": self.tensor.reshape(longest, rules.size)}

    def set_from(self, state: NoughtsState, player: int) -> None:
        """Fill `tensor` and `dict` from a state."""
        moves = state.position.moves
        self.tensor.fill(0)
        self.dict["moves"][range(len(moves)), list(moves)] = 1

    def string_from(self, state: NoughtsState, player: int) -> str:
        """The names of the moves."""
        return " ".join(map(state.position.rules.name_of, state.position.moves))


def rules_of(game: Any) -> Rules:
    """Return the rules of an OpenSpiel game: ``noughts``, ``tic_tac_toe``, ``mnk``, ``gomoku``, or ``misere`` of one of these.

    Args:
        game: The game, or its text.

    Raises:
        RulesError: it is another game, is not two-dimensional, has lines that wrap around the board more than once, or
            does not exist.
    """
    if isinstance(game, str):
        try:
            return rules_of(pyspiel.load_game(game))
        except pyspiel.SpielError as error:
            raise RulesError(f"OpenSpiel has no game {game!r}: {error}") from None
    if isinstance(game, NoughtsGame):
        return game.rules
    name, given = game.get_type().short_name, game.get_parameters()
    if name == "misere":
        return _misere(rules_of(_loaded(given["game"])))
    if name not in _OWN_GAMES:
        names = ", ".join(sorted([NAME, "misere", *_OWN_GAMES]))
        raise RulesError(f"OpenSpiel's game {str(game)!r} is none of this family: that are {names}")
    rules = _OWN_GAMES[name]({**game.get_type().parameter_specification, **given})
    if rules is None:
        raise RulesError(
            f"OpenSpiel's game {str(game)!r} is none of this family: it is not a board of rows and columns, or "
            "its lines may go round the board more than once"
        )
    return rules


def position_of(state: Any) -> Position:
    """Return the position of a state of `noughts` or of OpenSpiel's own games; RulesError as for `rules_of`."""
    if isinstance(state, NoughtsState):
        return state.position
    return Position.start(rules_of(state.get_game()), tuple(state.history()))


def state_of(position: Position, game: Any) -> Any:
    """Return the state of an OpenSpiel game after the moves of a position with the same rules."""
    state = game.new_initial_state()
    for move in position.moves:
        state.apply_action(move)
    return state


def _loaded(given: Mapping[str, Any]) -> Any:
    """Load the game that is a parameter of another game."""
    return pyspiel.load_game(given["name"], {name: value for name, value in given.items() if name != "name"})


def _misere(rules: Rules) -> Rules:
    """The rules with the winner and the loser exchanged."""
    line = {"wins": "loses", "loses": "wins"}[rules.line]
    full = {"draw": "draw", "first": "second", "second": "first"}[rules.full]
    return Rules(**{**dict(rules), "line": line, "full": full})


def _plain(rows: int, cols: int, k: int, line: str = "wins", wrap: Wrap = "none") -> Rules:
    lineless = not any(lines_on_board(rows, cols, k, wrap=wrap))
    return Rules(rows=rows, cols=cols, k=k, line=line, lineless=lineless, wrap=wrap)


def _gomoku(given: Mapping[str, Any]) -> Rules | None:
    # With joined edges, OpenSpiel counts a full row of marks as a line for any `connect` that is longer.
    if given["dims"] != 2 or (given["wrap"] and given["connect"] > given["size"]):
        return None
    line = "loses" if given["anti"] else "wins"
    wrap: Wrap = "both" if given["wrap"] else "none"
    return _plain(given["size"], given["size"], given["connect"], line, wrap)


_OWN_GAMES: dict[str, Callable[[Mapping[str, Any]], Rules | None]] = {
    "tic_tac_toe": lambda given: _plain(3, 3, 3),
    "mnk": lambda given: _plain(given["n"], given["m"], given["k"]),
    "gomoku": _gomoku,
}
"""The rules of OpenSpiel's own games, from their parameters."""

pyspiel.register_game(GAME_TYPE, NoughtsGame)
