"""Playing games: one playthrough, many at once, matches and tournaments, and the scores."""
