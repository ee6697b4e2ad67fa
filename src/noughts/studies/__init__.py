"""Studies: questions from the papers, one file each, answered by playing and by measuring."""

from typing import TYPE_CHECKING

from noughts.offering import offer

if TYPE_CHECKING:
    from noughts.studies.registry import STUDIES as STUDIES
    from noughts.studies.registry import all_studies as all_studies
    from noughts.studies.registry import find_study as find_study
    from noughts.studies.run import StudyRun as StudyRun
    from noughts.studies.run import conclude_again as conclude_again
    from noughts.studies.study import Conclusion as Conclusion
    from noughts.studies.study import Settings as Settings
    from noughts.studies.study import Study as Study
else:
    __getattr__, __dir__, __all__ = offer(__name__)
