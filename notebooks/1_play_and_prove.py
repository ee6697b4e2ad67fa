"""A lesson: a game, what is true of it, who plays it well, and what it means to prove that.

uv run marimo edit notebooks/1_play_and_prove.py      in the browser
uv run python notebooks/1_play_and_prove.py           all of it, once
"""

import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo

    import noughts

    mo.md(
        """
        # Play and prove

        A game is a line of text. A position is a game and the moves that were made in it.
        """
    )
    return mo, noughts


@app.cell
def _(noughts):
    position = noughts.position("tic-tac-toe", "B2 A1 C3")
    position
    return (position,)


@app.cell
def _(mo, noughts, position):
    truth = noughts.Truth(position.rules).solve(position, distances="all")
    rows = [
        {
            "move": position.rules.name_of(move.move),
            "value": move.value,
            "plies": move.span.plies if move.span else None,
        }
        for move in truth.moves
    ]
    best = [position.rules.name_of(move) for move in truth.best]
    mo.vstack(
        [
            mo.md(
                f"""
                ## What is true

                A solver looks at every way the game can go on. For the side to move, +1 is won, 0 drawn and -1 lost.
                This position is worth **{truth.value}**, and the best moves are **{", ".join(best)}**.
                """
            ),
            mo.ui.table(rows, selection=None),
        ]
    )
    return (truth,)


@app.cell
def _(mo, noughts, position):
    thought = noughts.analyse("mcts:sims=200", position, seed=1)
    mo.md(
        f"""
        ## What an agent thinks

        Monte-Carlo tree search plays 200 games in its head and would move **{position.rules.name_of(thought.move)}**. It
        estimates a value of {thought.value:+.2f}: close to the truth, and not the truth.
        """
    )
    return (thought,)


@app.cell
def _(mo, noughts):
    played = noughts.match("minimax:depth=1", "random", "tic-tac-toe", games=100, seed=1, workers=0).total
    mo.md(
        f"""
        ## Who plays well? Games can mislead

        An agent that looks one move ahead wins {played.wins} of {played.games} games against one that moves at random, and
        loses {played.losses}. Does that make it a good player? Let us ask for every reply instead of some.
        """
    )
    return (played,)


@app.cell
def _(mo, noughts):
    beaten = noughts.prove("minimax:depth=1,ties=first", "tic-tac-toe", side="second", workers=0).games[0]
    mo.md(
        """
        ## A proof walks every reply

        It does not: here is a game that it loses. One such game refutes the claim, however many others it wins.
        """
    )
    return (beaten,)


@app.cell
def _(beaten, noughts):
    lost = noughts.position(beaten.rules, beaten.result.lost_game)
    lost
    return (lost,)


@app.cell
def _(mo, noughts):
    proof = noughts.prove("minimax:depth=9", "tic-tac-toe", side="second", workers=0).games[0].result
    assert proof.proved
    mo.md(
        f"""
        An agent that looks nine moves ahead is **proved** never to lose: the walk asked it in {proof.decisions:,}
        positions for every move that chance may let it make, answered with every reply, and found no lost game.

        Next: change `tic-tac-toe` above to `misere-tic-tac-toe`, where three in a row loses, and see what stays true.
        """
    )
    return (proof,)


if __name__ == "__main__":
    app.run()
