"""The libraries that a wheel brings, for machines that have them not."""

from __future__ import annotations

import ctypes
import pathlib
from typing import List

FOLDER = pathlib.Path(__file__).parent / "_libs"


def load() -> List[str]:
    """Loads all of them, each after those that it needs, and gives their paths; then the module finds them by their names."""
    left = sorted(str(path) for path in FOLDER.glob("*.so.*"))
    loaded: List[str] = []
    while left:
        failed = [path for path in left if not _is_loaded(path)]
        if len(failed) == len(left):
            break  # the module's own error says what is missing
        loaded += [path for path in left if path not in failed]
        left = failed
    return loaded


def _is_loaded(path: str) -> bool:
    try:
        ctypes.CDLL(path)
    except OSError:
        return False
    return True
