"""The local web page's server: a JSON API over rules, agents, truth, games, studies and runs. It has no algorithm of its own."""
