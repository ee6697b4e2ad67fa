"""A game in the terminal: reads the user's moves, plays the agent's replies, and draws the board."""

import sys

import typer

from noughts.agents import Agent, AgentSpec, analyse, build_agent, choose
from noughts.play.playthrough import ENDINGS, SIDES
from noughts.positions import SYMBOLS, Outcome, Position, Rng, Side, derive_seed
from noughts.rules import NoughtsError, Rules, describe_rules, format_rules
from noughts.rules.errors import AgentFailedError, one_line
from noughts.search import Kind
from noughts.store.records import GameRecord

HELP = """Type a square such as B2 to play there, or:
  hint    another agent's move, and its values of the moves
  undo    take back your last move and the reply to it
  board   draw the board again
  rules   show the rules
  help    this
  quit    stop; the game is saved"""


class TableTop:
    """A game of a user against an agent, or of two people at one keyboard (the agent ``human``)."""

    def __init__(
        self, rules: Rules, opponent: AgentSpec, adviser: AgentSpec, seed: int, you_are_second: bool, opponent_name: str
    ) -> None:
        self.rules, self.opponent, self.seed = rules, str(opponent), seed
        self.opponent_name = opponent_name  # as the user sees it
        self.you = Side.SECOND if you_are_second else Side.FIRST
        self.agent = None if self.opponent == "human" else build_agent(opponent)
        self.adviser = build_agent(adviser)
        self.position = Position.start(rules)
        self.name = f"{format_rules(rules)} / human / {opponent}"

    def play(self) -> None:
        """Play until the game is over or the user leaves."""
        typer.echo(describe_rules(self.rules))
        typer.echo(f"You are {self._called(self.you)}. Type help for help.")
        if self.opponent_name != self.opponent:
            typer.echo(f"{self.opponent_name} is {self.opponent}")
        self._draw()
        while not self.position.is_over:
            if self.agent is not None and self.position.to_move != self.you:
                self._reply(self.agent)
            elif not self._obey():
                typer.echo("\nuntil next time")
                return
        typer.echo(self._verdict())

    def record(self) -> GameRecord:
        """Return the game so far; if the user left it, it ends with an error of neither side."""
        names = ("human", self.opponent) if self.you is Side.FIRST else (self.opponent, "human")
        ending = ENDINGS.get(self.position.outcome, "error")
        return GameRecord(
            rules=format_rules(self.rules),
            first=names[0],
            second=names[1],
            seed=self.seed,
            moves=self.position.moves,
            ending=ending,
            error="left before the end" if ending == "error" else "",
        )

    def _called(self, side: Side) -> str:
        return SYMBOLS[1 + side] if self.rules.marks == "own" else SIDES[side]

    def _draw(self) -> None:
        typer.echo(f"\n{self.position}\n")

    def _reply(self, agent: Agent) -> None:
        position = self.position
        try:
            move = choose(agent, position, Rng(derive_seed(self.seed, position.ply)))
        except (Exception, SystemExit) as error:
            raise AgentFailedError(f"{self.opponent_name} failed: {one_line(error)}") from error
        typer.echo(f"{self.opponent_name} plays {self.rules.name_of(move)}")
        self.position = position.play(move)
        self._draw()

    def _obey(self) -> bool:
        """Read a move or a command from the user and execute it; False if the user wants to stop."""
        sys.stdout.write(f"{self._called(self.position.to_move)} to move: ")
        sys.stdout.flush()
        line = sys.stdin.readline() if sys.stdin else ""
        match line.strip().lower():
            case _ if not line:
                return False
            case "quit" | "exit" | "q":
                return False
            case "":
                pass
            case "undo" | "u":
                self._take_back()
            case "help" | "h" | "?":
                typer.echo(HELP)
            case "board" | "b":
                self._draw()
            case "rules":
                typer.echo(describe_rules(self.rules))
            case "hint":
                self._hint(self.position)
            case _:
                try:
                    self.position = self.position.play(self.rules.cell_of(line.strip()))
                    self._draw()
                except NoughtsError as error:
                    typer.echo(f"{error}. Type help for help.")
        return True

    def _hint(self, position: Position) -> None:
        try:
            found = analyse(self.adviser, position, Rng(derive_seed(self.seed, "hint", position.ply)))
        except (Exception, SystemExit) as error:
            typer.echo(f"no hint: {one_line(error)}")
            return
        for move in found.ranked[:5]:
            bound = {Kind.UPPER: "at most ", Kind.LOWER: "at least "}.get(move.kind, "")
            exact = " (exact)" if move.kind is Kind.EXACT else ""
            typer.echo(
                f"  {self.rules.name_of(move.move):5} value {bound}{move.value:+.3f}{exact}, {move.visits} visits"
            )
        expected = " ".join(self.rules.name_of(cell) for cell in found.principal_variation)
        typer.echo(f"  expected: {expected}")

    def _take_back(self) -> None:
        """Undo up to the user's own latest move, or one move if two people play."""
        plies = 1 if self.opponent == "human" else 2
        if self.position.ply < plies:
            typer.echo("you have no move to take back")
            return
        for _ in range(plies):
            self.position = self.position.undo()
        self._draw()

    def _verdict(self) -> str:
        lines = self.position.winning_lines()
        how = " and ".join("-".join(map(self.rules.name_of, line)) for line in lines)
        if self.position.outcome is Outcome.DRAW:
            return "a draw"
        winner = Side(self.position.outcome - 1)
        who = "you win" if winner == self.you else f"{self.opponent_name} wins"
        if self.opponent == "human":
            who = f"the {SIDES[winner]} player wins"
        return f"{who}: {how}" if lines else f"{who}: the board is full"
