"""A pool of local processes that does jobs given as text. Knows no game."""

from noughts.compute.jobs import Done, Failed, Job, JobResult, Recorder
from noughts.compute.pool import run_jobs

__all__ = ["Done", "Failed", "Job", "JobResult", "Recorder", "run_jobs"]
