"""Evolution: sample weights of a network, rank them by games, and sample again around the best."""
