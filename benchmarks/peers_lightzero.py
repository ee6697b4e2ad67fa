"""LightZero: self-play of its MuZero in its own configuration, for comparison with noughts.

It needs PyTorch and NumPy 1, so it is installed separately from noughts; nothing here imports noughts.
"""

import copy
import importlib
import logging
import os
import tempfile
from functools import partial
from typing import Any

from benchmarks.case import Work


def self_play(configuration: str, games: int, simulations: int, manager: str) -> Work:
    """Rounds of whole games, collected as in its training; positions are counted.

    Args:
        configuration: LightZero's module with the settings; the network, exploration and the game come from it.
        games: The number of games at once, and in a round.
        simulations: For each move.
        manager: How games are stepped: ``subprocess``, each in its own process, or ``base``, in turn in this process.
    """
    import torch
    from ding.config import compile_config
    from ding.envs import create_env_manager, get_vec_env_setting
    from ding.policy import create_policy
    from ding.utils import set_pkg_seed
    from lzero.worker import MuZeroCollector
    from tensorboardX import SummaryWriter

    logging.disable(logging.WARNING)
    settings = importlib.import_module(configuration)
    main, create = copy.deepcopy(settings.main_config), copy.deepcopy(settings.create_config)
    os.chdir(tempfile.mkdtemp(prefix="lightzero-"))  # it always writes logs below the working folder
    main.exp_name = "run"
    main.env.collector_env_num = main.policy.collector_env_num = main.policy.n_episode = games
    main.policy.num_simulations = simulations
    main.policy.cuda, main.policy.device = False, "cpu"
    create.env_manager.type = manager
    config = compile_config(main, seed=0, env=None, auto=True, create_cfg=create, save_cfg=False)
    make, collectors, _ = get_vec_env_setting(config.env)
    envs = create_env_manager(config.env.manager, [partial(make, cfg=one) for one in collectors])
    envs.seed(0)
    set_pkg_seed(0, use_cuda=False)
    policy = create_policy(config.policy, model=None, enable_field=["learn", "collect"])
    collector: Any = MuZeroCollector(
        env=envs,
        policy=policy.collect_mode,
        tb_logger=SummaryWriter("run"),
        exp_name="run",
        policy_config=config.policy,
    )

    def chunk() -> int:
        before = collector.envstep
        collector.collect(train_iter=0, policy_kwargs={"temperature": 1.0, "epsilon": 0.0})
        return int(collector.envstep - before)

    return Work(chunk, f"{games:,} games at once, {torch.get_num_threads()} threads of PyTorch {torch.__version__}")
