"""Reports: show stored results as tables in a terminal, as figures, and as one HTML page. They compute nothing.

`boards` draws a position, `figures` every figure of a study, `page` the self-contained HTML page, and
`terminal` the tables. Each imports its drawing library only when it draws; importing this package loads none.
"""

from typing import TYPE_CHECKING

from noughts.offering import offer

if TYPE_CHECKING:
    from noughts.reports.boards import BoardOptions as BoardOptions
    from noughts.reports.boards import board_svg as board_svg
    from noughts.reports.figures import figure_png as figure_png
    from noughts.reports.figures import figure_svg as figure_svg
    from noughts.reports.markdown import write_markdown as write_markdown
    from noughts.reports.page import study_page as study_page
    from noughts.reports.page import write_report as write_report
    from noughts.reports.terminal import document_tables as document_tables
else:
    __getattr__, __dir__, __all__ = offer(__name__)
