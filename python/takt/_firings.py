"""When operations take place, as arrays."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Dict, List, Tuple

from takt._tables import imported_pandas

if TYPE_CHECKING:
    import numpy
    import pandas

_ARRAYS = ("data_set", "column", "start_ticks", "end_ticks")
_MOST_ROWS = 20  # of what a notebook shows


class Firings:
    """When the operations of the first data sets take place, as early as they may: arrays, one entry an operation.

    Times are exact: start_ticks / scale and end_ticks / scale time units. `columns` says what each column does: its
    kind, "compute" or "transfer", part, and first and last stage.
    """

    def __init__(self, fields: Dict[str, Any]) -> None:
        self.data_set: "numpy.ndarray[Any, Any]" = fields["data_set"]
        self.column: "numpy.ndarray[Any, Any]" = fields["column"]
        self.start_ticks: "numpy.ndarray[Any, Any]" = fields["start_ticks"]
        self.end_ticks: "numpy.ndarray[Any, Any]" = fields["end_ticks"]
        self.scale: int = fields["scale"]
        self.columns: List[Tuple[str, int, int, int]] = fields["columns"]

    def __len__(self) -> int:
        return len(self.data_set)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Firings):
            return NotImplemented
        import numpy

        same = (self.scale, self.columns) == (other.scale, other.columns)
        return same and all(numpy.array_equal(getattr(self, name), getattr(other, name)) for name in _ARRAYS)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<takt.Firings: {len(self)} operations of {len(self) // max(len(self.columns), 1)} data sets>"

    def _repr_html_(self) -> str:
        head = "<tr><th>data set</th><th>operation</th><th>part</th><th>start</th><th>end</th></tr>"
        rows = ""
        for i in range(min(len(self), _MOST_ROWS)):
            kind, part, *_ = self.columns[int(self.column[i])]
            cells = (self.data_set[i], kind, part, f"{self.start[i]:.6g}", f"{self.end[i]:.6g}")
            rows += f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
        more = f"<p>and {len(self) - _MOST_ROWS} more</p>" if len(self) > _MOST_ROWS else ""
        return f'<div class="takt-result"><p>{html.escape(repr(self)[6:-1])}</p><table>{head}{rows}</table>{more}</div>'

    @property
    def start(self) -> "numpy.ndarray[Any, Any]":
        """Start times in time units, to the precision of float64."""
        return self.start_ticks / self.scale

    @property
    def end(self) -> "numpy.ndarray[Any, Any]":
        """End times in time units, to the precision of float64."""
        return self.end_ticks / self.scale

    def to_pandas(self) -> "pandas.DataFrame":
        """A DataFrame of data_set, column, kind, part, start and end; pandas must be installed."""
        pandas = imported_pandas()
        import numpy

        kinds = ["compute", "transfer"]
        codes = numpy.array([kinds.index(column[0]) for column in self.columns])
        parts = numpy.array([column[1] for column in self.columns])
        return pandas.DataFrame(
            {
                "data_set": self.data_set,
                "column": self.column,
                "kind": pandas.Categorical.from_codes(codes[self.column], kinds),
                "part": parts[self.column],
                "start": self.start,
                "end": self.end,
            }
        )
