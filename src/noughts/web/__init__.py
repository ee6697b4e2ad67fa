"""The web app's server: a JSON API for rules, agents, exact values, games, studies and runs. It has no algorithm of its own."""
