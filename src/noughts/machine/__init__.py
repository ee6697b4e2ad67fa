"""The machine: worker processes that do work given as text, memory limits, and the environment of a result. Knows no game."""

from noughts.machine.crew import Crew
from noughts.machine.jobs import NOTE_BYTES, Done, Failed, Job, JobResult, LocalNotes, Recorder, Running
from noughts.machine.pool import run_jobs
from noughts.machine.ticket import Event, Ticket

__all__ = [
    "NOTE_BYTES",
    "Crew",
    "Done",
    "Event",
    "Failed",
    "Job",
    "JobResult",
    "LocalNotes",
    "Recorder",
    "Running",
    "Ticket",
    "run_jobs",
]
