"""Cycle ratios of graphs that are no pipelines."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, List, Optional, Sequence, Tuple

from takt import _core


def cycle_ratio(
    from_: Sequence[int],
    to: Sequence[int],
    weight: Sequence[Any],
    tokens: Optional[Sequence[int]] = None,
    minimum: bool = False,
) -> Tuple[Fraction, List[int]]:
    """The largest ratio of weights to tokens over the cycles of a graph, or the smallest, and the arcs of such a cycle.

    Arc i leads from vertex from_[i] to to[i], any integers; lists or NumPy arrays. Weights are exact: int, Fraction,
    Decimal, text such as "7/2", and of a float its shortest decimal. Each arc has one token where none are given: the
    ratio is a cycle mean then. Raises NoCycle, and Deadlock where a cycle has no token.

    >>> takt.cycle_ratio([0, 1, 2], [1, 2, 0], [3, "7/2", 1], [0, 0, 2])
    (Fraction(15, 4), [0, 1, 2])
    """
    return _core.cycle_ratio(from_, to, weight, [1] * len(from_) if tokens is None else tokens, minimum)
