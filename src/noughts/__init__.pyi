# What `noughts` offers, by the module where it is: read by type checkers and by `__init__.py`, which loads each when it is used.
from noughts.agents import Agent as Agent
from noughts.agents import Decision as Decision
from noughts.agents import Want as Want
from noughts.library.agents import agent as agent
from noughts.library.agents import analyse as analyse
from noughts.library.agents import choose as choose
from noughts.library.bench import bench as bench
from noughts.library.dataset import Dataset as Dataset
from noughts.library.dataset import dataset as dataset
from noughts.library.examining import losing_chances as losing_chances
from noughts.library.examining import prove as prove
from noughts.library.examining import score as score
from noughts.library.games import match as match
from noughts.library.games import play_game as play_game
from noughts.library.games import tournament as tournament
from noughts.library.imagining import imagine as imagine
from noughts.library.imagining import score_model as score_model
from noughts.library.networks import load_network as load_network
from noughts.library.positions import all_positions as all_positions
from noughts.library.positions import position as position
from noughts.library.positions import sample as sample
from noughts.library.puzzles import make_puzzles as make_puzzles
from noughts.library.studies import study as study
from noughts.library.sweeping import sweep as sweep
from noughts.library.training import TrainingSession as TrainingSession
from noughts.library.training import resume as resume
from noughts.library.training import train as train
from noughts.library.values import solve as solve
from noughts.library.values import solve_many as solve_many
from noughts.networks.evaluate import Evaluation as Evaluation
from noughts.positions import Outcome as Outcome
from noughts.positions import Position as Position
from noughts.positions import Rng as Rng
from noughts.positions import Side as Side
from noughts.reports.boards import BoardOptions as BoardOptions
from noughts.reports.boards import board_svg as board_svg
from noughts.reports.page import write_report as write_report
from noughts.rules import NoughtsError as NoughtsError
from noughts.rules import Rules as Rules
from noughts.rules import Task as Task
from noughts.rules import describe_rules as describe_rules
from noughts.rules import format_game as format_game
from noughts.rules import parse_rules as parse_rules
from noughts.rules import parse_task as parse_task
from noughts.solvers import Budget as Budget
from noughts.solvers import MoveSolution as MoveSolution
from noughts.solvers import Solution as Solution
from noughts.solvers import Span as Span
from noughts.solvers.solve import Truth as Truth

__version__: str
__all__ = [
    "Agent",
    "BoardOptions",
    "Budget",
    "Dataset",
    "Decision",
    "Evaluation",
    "MoveSolution",
    "NoughtsError",
    "Outcome",
    "Position",
    "Rng",
    "Rules",
    "Side",
    "Solution",
    "Span",
    "Task",
    "TrainingSession",
    "Truth",
    "Want",
    "agent",
    "all_positions",
    "analyse",
    "board_svg",
    "choose",
    "dataset",
    "describe_rules",
    "format_game",
    "imagine",
    "load_network",
    "match",
    "parse_rules",
    "parse_task",
    "play_game",
    "position",
    "prove",
    "resume",
    "sample",
    "score",
    "score_model",
    "solve",
    "solve_many",
    "study",
    "sweep",
    "tournament",
    "train",
    "write_report",
]
