"""A lesson: a player that evolves against an adversary that knows how it moves.

uv run marimo edit notebooks/3_evolution.py           in the browser
uv run python notebooks/3_evolution.py                all of it, once
"""

import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo

    import noughts

    mo.md(
        """
        # Evolution against an adversary

        No gradients here: the weights of a small network are sampled, each sample plays, and the next ones are drawn around
        those that did best (CMA-ES). The opponent is *omniscient*: it knows how the player will answer, and looks for a game
        that beats it. So a player that loses no game to it has learned something.
        """
    )
    return mo, noughts


@app.cell
def _(mo):
    iterations = mo.ui.slider(5, 2000, value=20, label="Generations")
    iterations
    return (iterations,)


@app.cell
def _(iterations, mo, noughts):
    training = noughts.train("tic-tac-toe", method="es", iterations=iterations.value, seed=1)
    with training as session, mo.status.spinner(title="Evolving") as spinner:
        for event in session:
            spinner.update(subtitle=type(event).__name__)
    agent = f"es:{session.run.name}"
    mo.md(f"It plays as `{agent}`.")
    return (agent,)


@app.cell
def _(agent, mo, noughts):
    games = noughts.match(agent, "random", "tic-tac-toe", games=100, seed=1, workers=0).total
    walk = noughts.prove(agent, "tic-tac-toe", side="second", workers=0).games[0]
    verdict = "is **proved** never to lose" if walk.result.proved else "can be beaten: here is how"
    mo.md(
        f"""
        ## What it learned

        Against random moves it wins {games.wins} of 100 games and loses {games.losses}. As second player it {verdict}.
        More generations make it stronger; move the slider and see when it can no longer be beaten, and whether that lasts.
        """
    )
    return (walk,)


@app.cell
def _(noughts, walk):
    lost = None if walk.result.proved else noughts.position(walk.rules, walk.result.lost_game)
    lost
    return (lost,)


if __name__ == "__main__":
    app.run()
