"""What is told to people, as values: tables, figures, findings. The same to every renderer."""

from typing import TYPE_CHECKING

from noughts.offering import offer

if TYPE_CHECKING:
    from noughts.document.citations import Citation as Citation
    from noughts.document.heatmap import Shade as Shade
    from noughts.document.heatmap import brick_heatmap as brick_heatmap
    from noughts.document.result import BoardFigure as BoardFigure
    from noughts.document.result import CellValue as CellValue
    from noughts.document.result import CurveFigure as CurveFigure
    from noughts.document.result import Figure as Figure
    from noughts.document.result import MatrixFigure as MatrixFigure
    from noughts.document.result import Row as Row
    from noughts.document.result import Series as Series
    from noughts.document.result import StudyResult as StudyResult
    from noughts.document.result import Table as Table
    from noughts.document.result import beside as beside
    from noughts.document.result import judged as judged
else:
    __getattr__, __dir__, __all__ = offer(__name__)
