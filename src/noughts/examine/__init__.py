"""One agent under examination: every reply to it walked, its moves beside exact truth, a certificate of what it does."""
