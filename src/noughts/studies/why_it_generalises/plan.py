"""What `why-it-generalises` trains and asks, as its frozen settings have it."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

from noughts.rules import Rules, Value
from noughts.studies.checkpoints.plan import CheckpointPlan, FrozenSettings, RunSizes, classes_of, read_settings
from noughts.studies.study import Settings

STUDY = "why-it-generalises"
BASE = "line"


class Variant(Value):
    """One change to the line network or its training, or to another variant.

    Attributes:
        about: What is different, in words.
        changes: Fields of the configuration.
        group: Which figure it is drawn in; empty for the base.
        beside: The variant from which it differs in one thing.
    """

    called: ClassVar = "variant"

    about: str
    changes: dict[str, Any]
    group: str = ""
    beside: str = BASE


class AblationSizes(RunSizes):
    """How much is run at a scale.

    Attributes:
        iterations: Of training, equal for all.
        variants: Those that are trained; none for all.
    """

    iterations: int
    variants: tuple[str, ...]


class AblationSettings(FrozenSettings):
    """The file `settings.json`.

    Attributes:
        groups: Titles of the figures, by the group of variants.
        variants: By what they are called.
    """

    groups: dict[str, str]
    variants: dict[str, Variant]
    scales: Mapping[str, AblationSizes]


SETTINGS, FROZEN = read_settings(AblationSettings, "why_it_generalises/settings.json")


class AblationPlan(CheckpointPlan[AblationSettings, AblationSizes]):
    """All that a scale holds, for one seed of the study."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings, SETTINGS, SETTINGS.scales[settings.scale])

    @cached_property
    def variants(self) -> Mapping[str, Variant]:
        """Those of this scale."""
        return {name: SETTINGS.variants[name] for name in self.size.variants or SETTINGS.variants}

    @cached_property
    def learners(self) -> Mapping[str, Mapping[str, Any]]:
        """What each variant changes."""
        return {name: variant.changes for name, variant in self.variants.items()}

    def last_iteration(self, learner: str) -> int:
        """One for all."""
        return self.size.iterations

    @cached_property
    def unseen(self) -> tuple[Rules, ...]:
        """Those that no variant's training shows, of this scale or another: so that all scales ask about the same."""
        changed = (variant.changes for variant in SETTINGS.variants.values())
        seen = frozenset[Rules]().union(*(classes_of(changes.get("task", SETTINGS.trained_on)) for changes in changed))
        return tuple(rules for rules in self.classes.rules if rules not in seen)
