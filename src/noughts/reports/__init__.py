"""Reports: stored results as tables in a terminal, as figures, and as one HTML page. Computes nothing.

`boards` draws a position, `figures` every figure of a study, `page` the self-contained HTML page, and
`terminal` the tables. Each imports its drawing library only when it draws; importing this package loads none.
"""
