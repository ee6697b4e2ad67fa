"""The machine: worker processes that do work given as text, memory limits, and the environment of a result. Knows no game."""

from typing import TYPE_CHECKING

from noughts.offering import offer

if TYPE_CHECKING:
    from noughts.machine.jobs import NOTE_BYTES as NOTE_BYTES
    from noughts.machine.jobs import Done as Done
    from noughts.machine.jobs import Failed as Failed
    from noughts.machine.jobs import Job as Job
    from noughts.machine.jobs import JobResult as JobResult
    from noughts.machine.jobs import LocalNotes as LocalNotes
    from noughts.machine.jobs import Recorder as Recorder
    from noughts.machine.jobs import Running as Running
    from noughts.machine.pool import run_jobs as run_jobs
else:
    __getattr__, __dir__, __all__ = offer(
        __name__,
        {
            "noughts.machine.jobs": (
                "NOTE_BYTES",
                "Done",
                "Failed",
                "Job",
                "JobResult",
                "LocalNotes",
                "Recorder",
                "Running",
            ),
            "noughts.machine.pool": ("run_jobs",),
        },
    )
