"""Evolution: a network's weights are sampled, played, ranked, and sampled anew around the best."""
