"""The random generator of noughts: SplitMix64, simple enough to be the same in Python and in kernels.

Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014): one 64-bit state,
a fixed increment, and a mixing function. All random draws of a game come from generators derived from its seed.
"""

import hashlib
import random
from typing import Any

_MASK = (1 << 64) - 1
_INCREMENT = 0x9E3779B97F4A7C15


def derive_seed(seed: int, *keys: object) -> int:
    """Return a 64-bit seed that depends on `seed` and every key, and looks unrelated for different keys."""
    text = "\x1f".join([str(seed), *map(str, keys)])
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


class Rng(random.Random):
    """A `random.Random` whose stream is SplitMix64, so that kernels draw the same numbers.

    All methods of `random.Random` work: `choice`, `shuffle`, `random`, `gauss`. `below` is the draw that the
    kernels share, and `fork` returns an independent generator.
    """

    def __init__(self, seed: int = 0) -> None:
        self._state = seed & _MASK
        super().__init__(seed)

    def seed(self, a: object = 0, version: int = 2) -> None:
        """Restart the stream from the integer `a`."""
        if not isinstance(a, int):
            raise TypeError(f"a seed is a whole number, not {a!r}")
        self._state = a & _MASK
        self.gauss_next: float | None = None  # `gauss` draws in pairs, and stores the second here

    def next64(self) -> int:
        """The next 64 random bits."""
        self._state = (self._state + _INCREMENT) & _MASK
        bits = self._state
        bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & _MASK
        return bits ^ (bits >> 31)

    def below(self, n: int) -> int:
        """An integer from 0 to n - 1, for n up to 2^31: the upper 32 bits, scaled. Its bias is under n / 2^32."""
        return ((self.next64() >> 32) * n) >> 32

    def random(self) -> float:
        """A float in [0, 1), 53 bits."""
        return (self.next64() >> 11) * 2.0**-53

    def getrandbits(self, k: int, /) -> int:
        """`k` random bits."""
        bits = 0
        for _ in range((k + 63) // 64):
            bits = bits << 64 | self.next64()
        return bits >> (-k % 64)

    def fork(self, *keys: object) -> "Rng":
        """Return an independent generator that depends on this one's next draw and on the keys."""
        return Rng(derive_seed(self.next64(), *keys))

    def getstate(self) -> tuple[Any, ...]:
        """The state, for `setstate`."""
        return self._state, self.gauss_next

    def setstate(self, state: tuple[object, ...]) -> None:
        """Restore a state from `getstate`."""
        match state:
            case (int(value), None | float() as kept):
                self._state, self.gauss_next = value, kept
            case _:
                raise TypeError(f"not a state of this generator: {state!r}")
