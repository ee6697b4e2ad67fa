"""Registers the environments in `bridges` with Gymnasium, by their names as text, so that importing this is cheap."""

from gymnasium import register, registry

GYMNASIUM_ID = "noughts/mnk-v0"

if GYMNASIUM_ID not in registry:
    register(
        id=GYMNASIUM_ID,
        entry_point="noughts.bridges.gymnasium:LearnerEnv",
        vector_entry_point="noughts.bridges.gymnasium_vector:LearnerVectorEnv",
    )
