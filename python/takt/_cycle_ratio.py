"""Cycle ratios of graphs that are no pipelines."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Dict, Hashable, Iterator, List, Optional, Sequence, Tuple, Union

from takt import _core
from takt._errors import UsageError
from takt._program import in_python, options
from takt._records import CycleArc
from takt._tables import frame_of, html_of_records
from takt._words import Number, Solver

if TYPE_CHECKING:
    import pandas

# Of each arc: the number, or name, of a vertex; a weight; tokens.
_Columns = Tuple[Any, Any, Any, Any]


class CycleRatio:
    """What takt.cycle_ratio found: `ratio`, exact, and `arcs`, the indices of the arcs of a cycle that has it, in order.

    `ratio, arcs = takt.cycle_ratio(...)` takes the two at once. Equal where both are.
    """

    def __init__(
        self,
        columns: _Columns,
        labels: Optional[List[Hashable]],
        found: Tuple[Fraction, List[int]],
        minimum: bool,
        solver: str,
        core: Optional[_core.RatioArcs] = None,
    ) -> None:
        self._columns = columns
        self._labels = labels
        self._graph = core
        self._minimum = minimum
        self._solver = solver
        self._ratio, self._arcs = found

    @property
    def ratio(self) -> Fraction:
        """Weight per token of the extreme cycle."""
        return self._ratio

    @property
    def arcs(self) -> List[int]:
        """The arcs of the cycle as indices into the arguments, or into the edges of a graph, from 0."""
        return list(self._arcs)

    @property
    def minimum(self) -> bool:
        """Whether the ratio is the smallest in place of the largest."""
        return self._minimum

    @property
    def solver(self) -> str:
        """The solver that was used."""
        return self._solver

    @property
    def vertices(self) -> List[Any]:
        """All vertices of arcs, as they were named: in the order of integers, or in that in which they were met."""
        vertices = self._core.vertices
        return list(vertices) if self._labels is None else [self._labels[vertex] for vertex in vertices]

    @property
    def cycle(self) -> List[CycleArc]:
        """The arcs of the cycle with the vertices between, weights and tokens."""
        vertices, arcs = self.vertices, self._core.arcs()
        steps = []
        for arc in self._arcs:
            tail, head, weight, tokens = arcs[arc]
            ends = {"from": vertices[tail], "to": vertices[head]}
            steps.append(CycleArc({"arc": arc, **ends, "weight": str(weight), "tokens": tokens}))
        return steps

    @property
    def potentials(self) -> Dict[Any, Fraction]:
        """A number v for each vertex that proves the ratio: v(to) >= v(from) + weight - ratio * tokens on every arc.

        <= where the ratio is the smallest.
        """
        return dict(zip(self.vertices, self._core.potentials(self._ratio, self._arcs, self._minimum)))

    @property
    def graph(self) -> Dict[str, Any]:
        """The graph as the JSON of `takt cycle-ratio`: give it to takt.check with the certificate."""
        names = self._names()
        arcs = [
            {"from": names[tail], "to": names[head], "weight": str(weight), "tokens": tokens}
            for tail, head, weight, tokens in self._core.arcs()
        ]
        return {"vertices": [{"name": name} for name in names], "arcs": arcs}

    @property
    def certificate(self) -> Dict[str, Any]:
        """What proves the ratio to takt.check: the JSON of `takt cycle-ratio --certificate`, as a dict."""
        text = self._core.certificate(self._ratio, self._arcs, self._minimum, self._names())
        return json.loads(text)  # type: ignore[no-any-return]

    def _names(self) -> List[str]:
        names = [str(vertex) for vertex in self.vertices]
        if len(set(names)) < len(names) or "" in names:
            # Numbers in the order of `vertices`.
            return [str(number) for number in range(len(names))]
        return names

    @property
    def _core(self) -> _core.RatioArcs:
        if self._graph is None:
            self._graph = _core.RatioArcs(*self._columns)
        return self._graph

    def __iter__(self) -> Iterator[Any]:
        return iter((self._ratio, self.arcs))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CycleRatio):
            return NotImplemented
        return (self._ratio, self._arcs, self._minimum) == (other._ratio, other._arcs, other._minimum)

    def __hash__(self) -> int:
        return hash((self._ratio, tuple(self._arcs), self._minimum))

    def __reduce__(self) -> Tuple[Any, ...]:
        tails, heads, weights, tokens = zip(*self._core.arcs())
        labels = self.vertices
        found = (self._ratio, self._arcs)
        return CycleRatio, ((tails, heads, weights, tokens), labels, found, self._minimum, self._solver)

    def to_pandas(self) -> "pandas.DataFrame":
        """The cycle as a DataFrame: arc, from_, to, weight, tokens; pandas must be installed."""
        return frame_of(self.cycle)

    def __repr__(self) -> str:
        return f"<takt.CycleRatio {self._sentence()}>"

    def _sentence(self) -> str:
        extreme = "smallest" if self._minimum else "largest"
        return f"{extreme} ratio {self._ratio}, of a cycle of {len(self._arcs)} arcs"

    def _repr_html_(self) -> str:
        return html_of_records(self._sentence(), self.cycle)


def cycle_ratio(
    from_: Any,
    to: Union[Sequence[Any], Any, None] = None,
    weight: Any = None,
    tokens: Any = None,
    minimum: bool = False,
    *,
    solver: Solver = "howard",
    time_limit: Optional[Number] = None,
) -> CycleRatio:
    """The largest ratio of weights to tokens over the cycles of a graph, or the smallest, and the arcs of such a cycle.

    Arc i leads from vertex from_[i] to to[i]: integers, as lists or NumPy arrays, or other labels that can be hashed, such
    as text. Weights are exact: int, Fraction, Decimal, text such as "7/2", and of a float its shortest decimal. Each arc
    has one token where none are given: the ratio is a cycle mean then. Raises NoCycle, Deadlock where a cycle has no
    token, and LimitReached where the time, or karp's table, does not suffice.

    >>> takt.cycle_ratio("abc", "bca", [3, "7/2", 1], [0, 0, 2])
    <takt.CycleRatio largest ratio 15/4, of a cycle of 3 arcs>

    In place of arcs a directed graph of NetworkX, whose edges have `weight` and `tokens` by these names or others that are
    given; an edge without tokens has 1. Or a square sparse array of SciPy that holds weights, an entry an arc, `tokens`
    another one that has their tokens, 0 where it has no entry.
    """
    columns = _columns_of(from_, to, weight, tokens)
    labels, columns = _numbered(columns)
    core = _core.RatioArcs(*columns)
    arguments = options(solver=solver, min=bool(minimum), time_limit=time_limit)
    try:
        found = core.cycle_ratio(arguments)
    except UsageError as error:
        raise UsageError(in_python(str(error))) from None
    return CycleRatio(columns, labels, found, bool(minimum), solver, core)


def _columns_of(from_: Any, to: Any, weight: Any, tokens: Any) -> _Columns:
    if hasattr(from_, "edges") and hasattr(from_, "is_directed"):
        if to is not None:
            raise TypeError("to: found a value, expected none beside a graph")
        return _of_networkx(from_, weight, tokens)
    if hasattr(from_, "tocoo"):
        if to is not None or weight is not None:
            raise TypeError("to, weight: found a value, expected none beside a sparse array")
        return _of_scipy(from_, tokens)
    for name, column in (("to", to), ("weight", weight)):
        if column is None:
            raise TypeError(f"{name}: found None, expected a sequence, one value for each arc")
    if tokens is not None:
        return from_, to, weight, tokens
    if not hasattr(from_, "__len__"):
        raise TypeError(f"from_: found a value of type {type(from_).__name__}, expected a sequence of vertices")
    return from_, to, weight, [1] * len(from_)


def _of_networkx(graph: Any, weight: Any, tokens: Any) -> _Columns:
    if not graph.is_directed():
        raise TypeError("found an undirected graph, expected a directed one, such as a networkx.DiGraph")
    names = ("weight" if weight is None else weight, "tokens" if tokens is None else tokens)
    tails, heads, weights, counts = [], [], [], []
    for tail, head, data in graph.edges(data=True):
        if names[0] not in data:
            raise ValueError(f"edge {tail!r} -> {head!r}: found no {names[0]!r}, expected the weight of each edge")
        tails.append(tail)
        heads.append(head)
        weights.append(data[names[0]])
        counts.append(data.get(names[1], 1))
    return tails, heads, weights, counts


def _of_scipy(matrix: Any, tokens: Any) -> _Columns:
    entries = matrix.tocoo()
    if entries.shape[0] != entries.shape[1]:
        raise ValueError(f"found a sparse array of shape {entries.shape}, expected a square one")
    rows, columns = entries.row, entries.col
    if tokens is None:
        return rows, columns, entries.data, [1] * len(rows)
    if not hasattr(tokens, "tocsr") or tokens.shape != entries.shape:
        raise ValueError(f"tokens: expected a sparse array of shape {entries.shape}, as the weights have")
    counts = tokens.tocsr()
    return rows, columns, entries.data, [counts[row, column] for row, column in zip(rows, columns)]


def _numbered(columns: _Columns) -> Tuple[Optional[List[Hashable]], _Columns]:
    # Labels that are no integers become numbers, in the order in which they are met.
    from_, to, weight, tokens = columns
    if _are_integers(from_) and _are_integers(to):
        return None, columns
    numbers: Dict[Hashable, int] = {}
    tails, heads = (_numbers_of(column, name, numbers) for column, name in ((from_, "from_"), (to, "to")))
    return list(numbers), (tails, heads, weight, tokens)


def _are_integers(column: Any) -> bool:
    if hasattr(column, "dtype"):
        return getattr(column.dtype, "kind", "") in "iu"
    if isinstance(column, range):
        return True
    return isinstance(column, (list, tuple)) and all(type(one) is int and -(2**63) <= one < 2**63 for one in column)


def _numbers_of(column: Any, name: str, numbers: Dict[Hashable, int]) -> List[int]:
    wrong = f"{name}: found %s, expected a sequence of integers or other labels"
    if isinstance(column, dict) or not hasattr(column, "__iter__") or not hasattr(column, "__len__"):
        raise TypeError(wrong % f"a value of type {type(column).__name__}")
    found = []
    for label in column:
        if isinstance(label, (bool, float)) or type(label).__name__ in ("bool_", "float32"):
            raise TypeError(wrong % f"a value of type {type(label).__name__} in it")
        try:
            found.append(numbers.setdefault(label, len(numbers)))
        except TypeError:
            raise TypeError(wrong % f"a value of type {type(label).__name__} in it") from None
    return found
