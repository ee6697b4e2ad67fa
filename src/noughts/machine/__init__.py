"""The machine and who does the work on it: processes that do work given as text, memory, what all was done with. Knows no game."""

from noughts.machine.crew import Crew, Event, Ticket
from noughts.machine.jobs import NOTE_BYTES, Done, Failed, Job, JobResult, LocalNotes, Recorder, Running
from noughts.machine.pool import run_jobs

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
