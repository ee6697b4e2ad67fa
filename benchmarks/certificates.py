"""The cost of a checked certificate relative to its walk alone, in processor time of one process.

    uv run python -m benchmarks.certificates "minimax:depth=2/bttt(A1)/first" "az:example,sims=0,view=canonical/bttt(D4)/first"

Each line is for one proof, walked three times: alone, to warm up; alone, timed; and with its certificate, saved and checked.
"""

import os
import sys
import tempfile
import time

from noughts.agents import parse_agent
from noughts.examine.walk_result import WalkResult
from noughts.machine import Recorder
from noughts.questions.checked import Checked
from noughts.questions.question import answer_here
from noughts.questions.walked import EveryReply
from noughts.rules import parse_rules


def timed(agent: str, game: str, side: str, certify: bool) -> tuple[WalkResult, float, float]:
    """Walk; return the result, the seconds in total, and those of the check."""
    asked = EveryReply(agent=parse_agent(agent), rules=parse_rules(game), side=side, certify=certify)
    begun, notes = time.process_time(), Recorder()
    steps, found, checking = asked.answer([answer_here(one, notes) for one in asked.needs()], notes), None, 0.0
    try:
        while True:
            parts = next(steps) if found is None else steps.send(found)
            before = time.process_time()
            found = [answer_here(part, notes) for part in parts]
            checking += time.process_time() - before if isinstance(parts[0], Checked) else 0.0
    except StopIteration as end:
        result: WalkResult = end.value
    return result, time.process_time() - begun, checking


def main() -> None:
    """Time each proof in the arguments."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NOUGHTS_STORE"] = folder
        for text in sys.argv[1:]:
            agent, game, side = text.split("/")
            timed(agent, game, side, certify=False)
            _, alone, _ = timed(agent, game, side, certify=False)
            result, both, checking = timed(agent, game, side, certify=True)
            print(
                f"{text}: {result}, {result.decisions:,} positions: walk {alone:.2f} s, with its certificate {both:.2f} s "
                f"(checking {checking:.2f} s), ratio {both / alone:.2f}"
            )


if __name__ == "__main__":
    main()
