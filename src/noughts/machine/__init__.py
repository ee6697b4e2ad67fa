"""The machine: worker processes that run jobs given as text, memory limits, the environment of a result. It uses no game."""

from noughts.machine.jobs import NOTE_BYTES, Done, Failed, Job, JobResult, Recorder, Running

__all__ = ["NOTE_BYTES", "Done", "Failed", "Job", "JobResult", "Recorder", "Running"]
