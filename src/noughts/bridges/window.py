"""Render modes, and the window in which people watch: the pictures of `boards`, shown by pygame."""

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.bridges.boards import picture
from noughts.positions import Position
from noughts.rules import RulesError
from noughts.rules.errors import MissingLibraryError
from noughts.rules.text import unknown

RENDER_MODES = ("human", "ansi", "rgb_array")


class Screen:
    """Renders positions in one mode. A copy of it, also by pickle, has no window until it shows something.

    Args:
        mode: ``ansi`` for text, ``rgb_array`` for colours, ``human`` for a window, None to render nothing.
        title: Of the window.
        frames: The most that the window shows in a second: whoever shows more, waits.

    Raises:
        RulesError: there is no such mode.
        MissingLibraryError: pygame is not installed, and a window is wanted.
    """

    def __init__(self, mode: str | None, title: str, frames: int) -> None:
        if mode is not None and mode not in RENDER_MODES:
            raise RulesError(unknown("render mode", mode, RENDER_MODES))
        self.mode, self.title, self.frames = mode, title, frames
        self._pygame: Any = None
        self._surface: Any = None
        self._clock: Any = None
        if mode == "human":
            _pygame()

    def __reduce__(self) -> tuple[type["Screen"], tuple[str | None, str, int]]:
        return Screen, (self.mode, self.title, self.frames)

    def render(self, position: Position) -> str | NDArray[np.uint8] | None:
        """A position as text, as uint8 [height, width, 3], or None after it was shown; a warning where nothing is rendered."""
        if self.mode == "ansi":
            return str(position)
        if self.mode == "rgb_array":
            return picture(position)
        if self.mode == "human":
            self._show(picture(position))
        else:
            from gymnasium import logger

            logger.warn("render() does nothing without a render_mode: give one of " + ", ".join(RENDER_MODES))
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._surface is not None:
            self._pygame.display.quit()
            self._surface = None

    def _show(self, pixels: NDArray[np.uint8]) -> None:
        height, width, _ = pixels.shape
        if self._surface is None or self._surface.get_size() != (width, height):
            self._pygame = _pygame()
            self._pygame.display.init()
            self._pygame.display.set_caption(self.title)
            self._surface = self._pygame.display.set_mode((width, height))
            self._clock = self._pygame.time.Clock()
        self._pygame.surfarray.blit_array(self._surface, pixels.transpose(1, 0, 2))
        self._pygame.event.pump()  # otherwise the system takes the window for dead
        self._pygame.display.flip()
        self._clock.tick(self.frames)


def _pygame() -> Any:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
    except ModuleNotFoundError:
        raise MissingLibraryError.of("pygame", "pettingzoo") from None
    return pygame
