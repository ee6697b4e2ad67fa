"""Studies: questions from the papers, one file each, answered by games and measurements."""

from noughts.studies.study import Conclusion, Settings, Study

__all__ = ["Conclusion", "Settings", "Study"]
