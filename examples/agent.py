"""An agent for noughts in plain Python: the free square nearest to the centre. Play it as process:python3 examples/agent.py"""

import json
import sys


def distance(square, rules):
    """The distance of a square from the centre."""
    row, column = "ABCDEFGHIJKLMNOPQRS".index(square.split(".")[-1][0]), int(square.split(".")[-1][1:]) - 1
    return abs(2 * row - rules["rows"] + 1) + abs(2 * column - rules["cols"] + 1)


for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        reply = {"type": "hello", "protocol": 1, "name": "nearest to the centre", "version": "1.0"}
    elif asked["type"] == "ask":
        move = min(asked["legal"], key=lambda square: distance(square, asked["rules"]))
        reply = {"type": "answer", "id": asked["id"], "move": move}
    else:
        continue  # an unknown message can be ignored
    print(json.dumps(reply), flush=True)
