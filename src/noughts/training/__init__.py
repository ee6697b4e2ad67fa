"""Training: one loop for every method. It steps a trainer, measures its strength and saves its weights.

A method is a `Trainer` (see `trainer`), its configuration, and an entry of `registry.METHODS`; `loop.train` is the loop.
"""

from typing import TYPE_CHECKING

from noughts.offering import offer

if TYPE_CHECKING:
    from noughts.training.events import Event as Event
    from noughts.training.events import Finished as Finished
    from noughts.training.events import Iterated as Iterated
    from noughts.training.events import Resumed as Resumed
    from noughts.training.events import Saved as Saved
    from noughts.training.events import Started as Started
    from noughts.training.events import StrengthMeasured as StrengthMeasured
    from noughts.training.loop import train as train
    from noughts.training.method_config import MethodConfig as MethodConfig
    from noughts.training.registry import METHODS as METHODS
    from noughts.training.registry import Method as Method
    from noughts.training.registry import find_method as find_method
    from noughts.training.schedule import Schedule as Schedule
    from noughts.training.settings import begin_run as begin_run
    from noughts.training.settings import make_config as make_config
    from noughts.training.trainer import Trainer as Trainer
else:
    __getattr__, __dir__, __all__ = offer(__name__)
