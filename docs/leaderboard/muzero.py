"""LightZero's own MuZero, trained by its self-play, as an agent: process:lightzero/bin/python muzero.py WEIGHTS.

`lightzero/bin/python muzero.py train N` trains it from nothing, for N moves of self-play, in the folder `run`.
"""

import json
import random
import sys


def settings():
    """LightZero's own settings for self-play, in one process and without a GPU."""
    import torch
    from zoo.board_games.tictactoe.config.tictactoe_muzero_sp_mode_config import create_config, main_config

    torch.set_num_threads(1)
    main_config.exp_name = "run"
    main_config.policy.cuda, main_config.policy.device = False, "cpu"
    main_config.env.stop_value = 2  # out of reach: otherwise five wins against its own bot end the training
    create_config.env_manager.type = "base"
    return main_config, create_config


def player(weights):
    """A function for the most visited move of its search without noise. The observation is from its own environment."""
    import torch
    from ding.config import compile_config
    from ding.policy import create_policy
    from zoo.board_games.tictactoe.envs.tictactoe_env import TicTacToeEnv

    main, create = settings()
    main.policy.mcts_ctree = False  # its search in Python, because the one in C++ breaks ties by the clock
    config = compile_config(main, seed=0, env=None, auto=True, create_cfg=create, save_cfg=False)
    policy, env = create_policy(config.policy, enable_field=["learn", "eval"]), TicTacToeEnv(main.env)
    policy.learn_mode.load_state_dict(torch.load(weights, map_location="cpu"))

    def choose(board, side):
        random.seed(0)  # ties are broken alike each time
        seen = env.reset(["first", "second"].index(side), [[".XO".index(mark) for mark in row] for row in board])
        planes = torch.from_numpy(seen["observation"][None])
        move = int(policy.eval_mode.forward(planes, [seen["action_mask"]], [seen["to_play"]])[0]["action"])
        return "ABC"[move // 3] + "123"[move % 3]

    return choose


def play(weights):
    """Answer what noughts asks. A refusal loads nothing."""
    answers, sys.stdout, choose = sys.stdout, sys.stderr, None  # LightZero prints, too
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["type"] == "hello":
            reply = {"type": "hello", "protocol": 1, "name": "LightZero's MuZero", "version": "0.2.0"}
        elif [len(row) for board in asked["boards"] for row in board] == [3, 3, 3] and not asked["rules"]["bricks"]:
            choose = choose or player(weights)
            reply = {"type": "answer", "id": asked["id"], "move": choose(asked["boards"][0], asked["to_move"])}
        else:
            why = "it was trained on tic-tac-toe, and serves no other size of board"
            reply = {"type": "error", "id": asked["id"], "message": why}
        print(json.dumps(reply), file=answers, flush=True)


if sys.argv[1] == "train":
    from lzero.entry import train_muzero

    train_muzero(settings(), seed=0, max_env_step=int(sys.argv[2]))
else:
    play(sys.argv[1])
