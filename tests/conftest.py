"""Settings for every test: the same examples on every machine, however slow it is."""

from hypothesis import settings

settings.register_profile("noughts", derandomize=True, deadline=None, database=None, print_blob=False)
settings.load_profile("noughts")
