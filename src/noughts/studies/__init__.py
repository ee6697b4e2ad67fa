"""Studies: questions from the papers, one file each, answered by playing and by measuring."""

from noughts.studies.study import Conclusion, Settings, Study

__all__ = ["Conclusion", "Settings", "Study"]
