"""Games that are played: one playthrough, many at once, matches and tournaments, and what is counted of them."""
