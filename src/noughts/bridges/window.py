"""The window in which people watch a PettingZoo environment: pictures shown by pygame. Gymnasium has its own."""

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.rules.errors import MissingLibraryError

try:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame
except ModuleNotFoundError:
    raise MissingLibraryError.of("pygame", "pettingzoo") from None


class Window:
    """Shows pictures. A copy, also by pickle, opens a window of its own once it shows something.

    Args:
        title: Of the window.
        frames: The most that it shows in a second: whoever shows more, waits.
    """

    def __init__(self, title: str, frames: int) -> None:
        self.title, self.frames = title, frames
        self._surface: Any = None
        self._clock = pygame.time.Clock()

    def __reduce__(self) -> tuple[type["Window"], tuple[str, int]]:
        return Window, (self.title, self.frames)

    def show(self, pixels: NDArray[np.uint8]) -> None:
        """Show a picture, uint8 [height, width, 3]."""
        height, width, _ = pixels.shape
        if self._surface is None or self._surface.get_size() != (width, height):
            pygame.display.init()
            pygame.display.set_caption(self.title)
            self._surface = pygame.display.set_mode((width, height))
        pygame.surfarray.blit_array(self._surface, pixels.transpose(1, 0, 2))
        pygame.event.pump()  # otherwise the system takes the window for dead
        pygame.display.flip()
        self._clock.tick(self.frames)

    def close(self) -> None:
        """Close it, if it is open."""
        if self._surface is not None:
            pygame.display.quit()
            self._surface = None
