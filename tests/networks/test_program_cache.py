"""Programs that XLA compiled for other cores are not used, because their results differ in the last bits."""

from types import SimpleNamespace

import pytest

from noughts.networks import program_cache
from noughts.networks.program_cache import programs_folder


def test_each_number_of_cores_and_processor_has_its_own_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_cache, "jax", SimpleNamespace(config=None))
    monkeypatch.delenv("NPROC", raising=False)
    found = set()
    for cores, processor in ((1, "avx2"), (2, "avx2"), (2, "avx512f")):
        monkeypatch.setattr(program_cache, "usable_cores", lambda cores=cores: cores)
        monkeypatch.setattr(program_cache, "instruction_sets", lambda processor=processor: processor)
        found.add(programs_folder())
    monkeypatch.setenv("NPROC", "1")  # XLA's number of threads
    assert len(found | {programs_folder()}) == 4
