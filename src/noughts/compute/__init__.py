"""A pool of local processes that does jobs given as text. Knows no game."""

from noughts.compute.jobs import NOTE_BYTES, Done, Failed, Job, JobResult, Recorder, Running
from noughts.compute.pool import run_jobs

__all__ = ["NOTE_BYTES", "Done", "Failed", "Job", "JobResult", "Recorder", "Running", "run_jobs"]
