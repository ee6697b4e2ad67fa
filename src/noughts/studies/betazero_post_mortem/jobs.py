"""Work of `betazero-post-mortem` that other studies have no use for."""

import json

from noughts.rules import parse_rules
from noughts.studies.betazero_post_mortem.plan import POSITIONS
from noughts.studies.tic_tac_toe import RULES


def values_job(argument: str, notes: object) -> str:
    """What a network says of the paper's positions, without search, for the side to move; JSON by position."""
    from noughts.networks.weights import load_network
    from noughts.positions import Position
    from noughts.search.guided import GuidedSearch
    from noughts.search.settings import SearchSettings
    from noughts.store.run_folder import RunFolder

    asked = json.loads(argument)
    _, files = RunFolder.find(asked["run"]).weights_at(asked["iteration"])
    search = GuidedSearch(load_network(files).network, SearchSettings(simulations=0))
    rules = parse_rules(RULES)
    positions = [Position.start(rules, tuple(map(rules.cell_of, moves))) for moves, _ in POSITIONS.values()]
    said = search.find(positions)
    return json.dumps({name: float(found.raw_value) for name, (_, found) in zip(POSITIONS, said, strict=True)})
