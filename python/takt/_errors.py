"""What goes wrong, as exceptions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Optional, Sequence


class TaktError(Exception):
    """Whatever takt finds wrong; the exceptions below are of this kind."""


class InvalidDocument(TaktError, ValueError):
    """A document that takt does not read, or whose parts do not fit together.

    `pointer` is the JSON pointer of the place, such as "/mapping/1/processors/0"; `detail` says what was found there and
    what was expected. `file`, `line` and `column` (from 1) say where that is in a file, and are None of a dict.
    """

    def __init__(
        self,
        text: str,
        file: Optional[str] = None,
        line: Optional[int] = None,
        column: Optional[int] = None,
        pointer: str = "",
        detail: str = "",
    ) -> None:
        super().__init__(text)
        self.file = file
        self.line = line
        self.column = column
        self.pointer = pointer
        self.detail = detail


class UsageError(TaktError, ValueError):
    """Arguments that mean nothing, or do not go together."""


class FileError(TaktError, OSError):
    """A file that cannot be read or written, or does not hold what a command needs of it."""


class LimitReached(TaktError):
    """A limit of time, size or memory was met. `lower` and `upper` are what is proved of the period, or None."""

    def __init__(self, text: str, lower: Optional[Fraction] = None, upper: Optional[Fraction] = None) -> None:
        super().__init__(text)
        self.lower = lower
        self.upper = upper


class Infeasible(TaktError):
    """There is no mapping, or no plan, or a heuristic finds none. `fields` is what takt says of it as JSON, or None."""

    def __init__(self, text: str, fields: Any = None) -> None:
        super().__init__(text)
        self.fields = fields


class NoCycle(TaktError, ValueError):
    """A graph without a cycle has no cycle ratio."""


class Deadlock(TaktError, ValueError):
    """A cycle without a token: nothing on it ever happens. `arcs` are the indices of its arcs, in order."""

    def __init__(self, text: str, arcs: Sequence[int] = ()) -> None:
        super().__init__(text)
        self.arcs = list(arcs)


# Users know them by this name.
for _error in (TaktError, InvalidDocument, UsageError, FileError, LimitReached, Infeasible, NoCycle, Deadlock):
    _error.__module__ = "takt"
