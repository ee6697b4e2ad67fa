"""Values in notebooks: positions and figures as drawings, results as tables, studies as pages.

`noughts.showing` calls `show`. Drawing code is imported when it is first needed.
"""

import html

from noughts.positions import Position
from noughts.rules import Rules
from noughts.showing import Form
from noughts.store.records import GameRecord

_FRAME_PIXELS = 700  # height of the frame with a study's page


def show(value: object, form: Form) -> str | None:
    """Return a value as SVG or HTML; None if it has no such form."""
    return _svg(value) if form == "svg" else _html(value)


def _svg(value: object) -> str | None:
    from noughts.document.result import BoardFigure, CurveFigure
    from noughts.reports.boards import BoardOptions, board_svg
    from noughts.reports.figures import figure_svg

    if isinstance(value, Position):
        return board_svg(value)
    if isinstance(value, Rules):
        return board_svg(Position.start(value))
    if isinstance(value, GameRecord):
        title = f"{value.first} - {value.second}: {value.ending}"
        return board_svg(Position.start(value.game, value.moves), BoardOptions(numbers=True), title=title)
    return figure_svg(value) if isinstance(value, BoardFigure | CurveFigure) else None


def _html(value: object) -> str | None:
    from noughts.document.result import StudyResult
    from noughts.reports.html import document_html
    from noughts.reports.page import study_page
    from noughts.reports.presenting import is_presented, present

    if isinstance(value, StudyResult):  # in a frame, because its styles apply to a whole page
        page = html.escape(study_page(value), quote=True)
        return f'<iframe sandbox srcdoc="{page}" style="width:100%;height:{_FRAME_PIXELS}px;border:0"></iframe>'
    return document_html(present(value)) if is_presented(value) else None
