"""Golden outputs: what commands print, files hold and packages offer, as text that is compared and read as a diff."""
