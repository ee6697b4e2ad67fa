"""What crews are asked comes out of its text as it went in, and nothing else is taken."""

import pytest
from pydantic import ValidationError

from noughts.agents import parse_agent
from noughts.rules import NoughtsError, parse_rules
from noughts.web.tasks import (
    AnalysisTask,
    GameAnalysisTask,
    MoveTask,
    SearchTask,
    TraceTask,
    read_task_text,
)

RULES = parse_rules("bttt(D4)")
AGENT = parse_agent("omniscient:sims=3,inside=(minimax:depth=2,ties=first)")


@pytest.mark.parametrize(
    "task",
    [
        MoveTask(rules=RULES, moves=(0, 8), seed=2**63 - 1, agent=AGENT, seconds=1.5),
        AnalysisTask(rules=RULES, moves=(), seed=-1, agent=None, seconds=60.0),
        GameAnalysisTask(rules=RULES, moves=(3,), seed=0, agent=AGENT, seconds=0.1),
        TraceTask(rules=RULES, moves=(), seed=0, agent=AGENT, iterations=100),
    ],
)
def test_tasks_are_read_as_they_were_written(task: SearchTask) -> None:
    assert read_task_text(task.to_json()) == task


@pytest.mark.parametrize("text", ["", "{}", '{"kind": "match"}', '{"kind": "move", "moves": []}'])
def test_other_texts_are_none(text: str) -> None:
    with pytest.raises((ValidationError, NoughtsError)):
        read_task_text(text)
