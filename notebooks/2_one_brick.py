"""A lesson: a network that has seen one brick square, looked at on all 49.

uv run marimo edit notebooks/2_one_brick.py           in the browser
uv run python notebooks/2_one_brick.py                all of it, once
"""

import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo

    import noughts

    mo.md(
        """
        # One brick, forty-nine squares

        Brick Tic-Tac-Toe is four in a row on 7x7, with one cell closed by a brick; a full board is the second player's. The
        paper of that name asks: does a network that was trained with one brick play well with the brick elsewhere?
        """
    )
    return mo, noughts


@app.cell
def _(mo):
    minutes = mo.ui.slider(
        0, 30, value=0, label="Train one here, for so many minutes; 0 takes the one that ships with noughts"
    )
    minutes
    return (minutes,)


@app.cell
def _(minutes, mo, noughts):
    name = "az:example"
    if minutes.value:
        training = noughts.train("bttt(D4)", minutes=minutes.value, seed=1)
        with training as session, mo.status.spinner(title="Training") as spinner:
            for event in session:
                spinner.update(subtitle=type(event).__name__)
        name = f"az:{session.run.name}"
    agent = f"{name},sims=0,view=canonical"
    mo.md(
        f"The agent is `{agent}`: the network's own choice, without any search, and every position seen from one side."
    )
    return (agent,)


@app.cell
def _(agent, noughts):
    squares = "bttt(A1|A4|B2|C3|D4)"
    result = noughts.match(agent, "minimax:depth=2", squares, games=10, seed=1, fixed=True, workers=0)
    result
    return (result,)


@app.cell
def _(mo, result):
    rows = [
        {"brick": game.rules.brick_names()[0], "won": game.score.wins, "games": game.score.games}
        for game in result.by_game
    ]
    mo.vstack(
        [
            mo.md(
                """
                ## Games against minimax

                It was trained with the brick on D4 alone. Write `bttt(*)` above for all 49 squares.
                """
            ),
            mo.ui.table(rows, selection=None),
        ]
    )
    return


@app.cell
def _(mo):
    from noughts.agents.trained import example_file
    from noughts.solvers.verify import verify

    report = verify(example_file("first-bttt-D4.proof.xz"))
    mo.md(
        f"""
        ## A proof instead of games

        The example comes with a certificate: what it plays in {report.positions:,} positions of `{report.game}`. A checker that
        knows neither the network nor our solvers has just played {report.replies:,} replies to it, and lost all of them: as
        first player the example **{report.claim}** against everybody, in at most {report.longest} moves.
        """
    )
    return (report,)


if __name__ == "__main__":
    app.run()
