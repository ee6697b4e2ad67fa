"""One HTML page for a study: self-contained, offline, light and dark, for phones and desktops.

The page fetches nothing and runs no code: styles and drawings are inline, downloads are ``data:`` addresses,
and its content security policy forbids everything else.
"""

from pathlib import Path

from markupsafe import Markup

from noughts.document.result import StudyResult
from noughts.reports.drawing import clean
from noughts.reports.file_names import named_figures, page_name
from noughts.reports.html import Picture, data_address, environment, pieces
from noughts.reports.palette import css_variables
from noughts.reports.presenting.studies import provenance, study_sections
from noughts.rules import NoughtsError
from noughts.store.files import make_folder, write_atomically


def study_page(result: StudyResult) -> str:
    """The page of a study, finished or not, as HTML."""
    return _page(result, [Picture.of(figure, name) for figure, name in named_figures(result)])


def write_report(result: StudyResult, folder: Path | str) -> Path:
    """Write the page into `folder` as `StudyResult.file_name`, and each figure beside it as SVG and PNG.

    Each file is written atomically, the page last.

    Returns:
        The page's path.

    Raises:
        StoreError: the folder or a file in it cannot be written.
        NoughtsError: `result` is no result of a study.
    """
    if not isinstance(result, StudyResult):
        raise NoughtsError(
            f"a page is of a StudyResult, as noughts.study(...) gives, and not of a value of type {type(result).__name__}"
        )
    folder = Path(folder)
    make_folder(folder)
    pictures = [Picture.of(figure, name) for figure, name in named_figures(result)]
    for picture in pictures:
        write_atomically(folder / f"{picture.file_name}.svg", picture.svg)
        write_atomically(folder / f"{picture.file_name}.png", picture.png)
    page = folder / f"{page_name(result)}.html"
    write_atomically(page, _page(result, pictures))
    return page


def _page(result: StudyResult, pictures: list[Picture]) -> str:
    drawn = {id(picture.figure): picture for picture in pictures}
    sections = [
        {"title": title, "parts": list(pieces(parts, drawn, complete=result.complete))}
        for title, parts in study_sections(result)
    ]
    html = (
        environment()
        .get_template("study.html")
        .render(
            result=result,
            provenance=provenance(result),
            sections=sections,
            file_name=page_name(result),
            json_address=data_address("application/json", result.to_json().encode()),
            light=Markup(css_variables(dark=False)),  # safe: our own colours
            dark=Markup(css_variables(dark=True)),
        )
    )
    return clean(html).lstrip()
