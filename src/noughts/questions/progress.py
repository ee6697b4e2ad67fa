"""`Progress`: how far a session is."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a session is in its present stage: those of another may take a thousand times as long each.

    Attributes:
        done, total: So many questions of the stage are answered, of all.
        new: Those of this sitting.
        note: What the job that has been at work longest said last; empty if none says anything.
        stage, stages: Which of how many stages, from 1.
    """

    done: int
    total: int
    new: int
    note: str = ""
    stage: int = 1
    stages: int = 1
