"""`Limits`: how much one request, one client or the whole server may ask for."""

from noughts.rules import Value


class Limits(Value):
    """What is allowed; everything beyond is refused with one line.

    Attributes:
        cells: Of all boards of a game together.
        text: Characters of a text that names rules, a position or an agent.
        address: Bytes of a request's address and headers.
        body: Bytes of a request.
        game_body: Bytes of a game that is to be kept.
        message: Bytes of a message on a socket.
        simulations: Of an agent, for a move; for agents that try each legal move, for each.
        guided_simulations: Of an agent that asks a network, for a move.
        depth: Plies that an agent looks ahead.
        nodes: Of a solver, for a move.
        memory: GiB that an agent's solver may take for its tables.
        nested: Agents inside an agent.
        move_seconds: For a move.
        analysis_seconds: For an analysis, or for one position of a game's.
        traced: Iterations of a search that is watched.
        task_games: Games that one text names, such as `bttt(*)`.
        match_games: Played in a match.
        matches: At work at once.
        commands: At work or waiting at once, of those that are started from the page.
        kept_commands: Kept, with what they said.
        games: Kept for the owner, and for all others together.
        guest_games: Kept for each other visitor.
        connections: Open at once, and fewer where the process may open fewer.
        sockets: Open at once, and for each client.
        analyses: At work or waiting, for each socket.
        moves: At work or waiting, for each client.
        requests: At work at once.
        metrics: Lines of a run's metrics in one answer.
    """

    cells: int = 400
    text: int = 8_000
    address: int = 1_048_576
    body: int = 65_536
    game_body: int = 4_194_304
    message: int = 65_536
    simulations: int = 2_000_000
    guided_simulations: int = 2_000
    depth: int = 361
    nodes: int = 100_000_000
    memory: int = 1
    nested: int = 2
    move_seconds: float = 60.0
    analysis_seconds: float = 600.0
    traced: int = 20_000
    task_games: int = 400
    match_games: int = 200
    matches: int = 4
    commands: int = 20
    kept_commands: int = 100
    games: int = 10_000
    guest_games: int = 500
    connections: int = 8_000
    sockets: int = 256
    client_sockets: int = 128
    analyses: int = 8
    moves: int = 200
    requests: int = 1_000
    metrics: int = 2_000
