"""Sizes for which a CPU convolves faster by dense products. Written by ``python -m benchmarks.convolutions --write``.

For the longer side of the board and the side of the kernel: the fewest channels for which they are faster.
"""

PLAY: dict[tuple[int, int], int] = {
    (3, 3): 16,
    (4, 3): 16,
    (4, 4): 16,
    (5, 3): 16,
    (5, 4): 16,
    (6, 3): 16,
    (6, 4): 16,
    (7, 3): 16,
    (7, 4): 16,
    (8, 3): 64,
    (8, 4): 16,
    (9, 3): 64,
    (9, 4): 32,
}

LEARNING: dict[tuple[int, int], int] = {
    (3, 3): 64,
    (4, 3): 64,
    (4, 4): 16,
    (5, 3): 64,
    (5, 4): 64,
    (6, 3): 64,
    (6, 4): 64,
    (7, 3): 64,
    (7, 4): 64,
    (8, 4): 64,
    (9, 4): 64,
}
