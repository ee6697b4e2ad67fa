"""A process reuses freed memory without new cleared pages from the system, if the allocator can be configured."""

import platform
import subprocess
import sys

import pytest

FAULTS = """
import resource, sys
import numpy as np
from noughts.machine.memory import keep_freed_memory

told = sys.argv[1] == "keep" and keep_freed_memory()

def take_and_free():
    for _ in range(20):
        np.empty(8 << 20, np.uint8).fill(1)
        np.empty(48 << 20, np.uint8).fill(1)

take_and_free()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
take_and_free()
print(told, resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(how: str) -> tuple[str, int]:
    made = subprocess.run([sys.executable, "-c", FAULTS, how], capture_output=True, text=True, check=True)
    told, count = made.stdout.split()
    return told, int(count)


@pytest.mark.heavy
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can be told")
def test_freed_memory_is_reused_without_new_pages() -> None:
    told, kept = faults("keep")
    _, given_back = faults("give back")
    assert told == "True"
    assert kept < given_back / 10
