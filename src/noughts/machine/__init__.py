"""The machine: worker processes that do work given as text, memory limits, and the environment of a result. Knows no game."""

from noughts.machine.jobs import NOTE_BYTES, Done, Failed, Job, JobResult, Recorder, Running

__all__ = ["NOTE_BYTES", "Done", "Failed", "Job", "JobResult", "Recorder", "Running"]
