"""Local processes that do work given as text: a pool for many jobs, a crew for people who wait. Knows no game."""

from noughts.compute.crew import Crew, Event, Ticket
from noughts.compute.jobs import NOTE_BYTES, Done, Failed, Job, JobResult, Recorder, Running
from noughts.compute.pool import run_jobs

__all__ = [
    "NOTE_BYTES",
    "Crew",
    "Done",
    "Event",
    "Failed",
    "Job",
    "JobResult",
    "Recorder",
    "Running",
    "Ticket",
    "run_jobs",
]
