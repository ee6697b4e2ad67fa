"""Plans of games from the texts of their rules and agents."""

from noughts.agents import build_agent, parse_agent
from noughts.play.playthrough import GamePlan, play_game, random_opening
from noughts.positions import Rng, derive_seed
from noughts.rules import parse_rules
from noughts.store.records import GameRecord


def plan(
    first: str = "random", second: str = "random", rules: str = "tic-tac-toe", seed: int = 7, **more: object
) -> GamePlan:
    return GamePlan(rules=parse_rules(rules), first=parse_agent(first), second=parse_agent(second), seed=seed, **more)


def plans(
    a: str, b: str, rules: str = "tic-tac-toe", games: int = 20, opening: int = 0, **more: object
) -> list[GamePlan]:
    """Games with alternating sides, each pair from one seed and one opening."""
    found = []
    for number in range(games):
        seed = derive_seed(number // 2, rules, a, b)
        first, second = (b, a) if number % 2 else (a, b)
        moves = random_opening(parse_rules(rules), opening, Rng(derive_seed(seed, "opening")))
        found.append(plan(first, second, rules, seed, opening=moves, **more))
    return found


def play(of: GamePlan) -> GameRecord:
    return play_game(of, (build_agent(of.first), build_agent(of.second)))
