"""Records as tables: data frames with columns of numbers, and what a notebook shows."""

from __future__ import annotations

import html
import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Sequence, Type

from takt._records import Record, is_list

if TYPE_CHECKING:
    import pandas

_MOST_ROWS = 60  # of what a notebook shows


def imported_pandas(what: str = "to_pandas()") -> Any:
    """The module, which nothing else of takt needs; `what` needs it."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError(
            f"{what} needs pandas (Debian's python3-pandas), which cannot be imported: {error}"
        ) from None
    return pandas


def nearest(number: Any) -> float:
    """The nearest float of an exact number, infinite beyond all; NaN of None."""
    if number is None:
        return math.nan
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _cells(record: Record) -> Dict[str, Any]:
    # Of records within one level alone, as "faster.period".
    cells: Dict[str, Any] = {}
    for name, value in record._cells().items():
        if isinstance(value, Record):
            inner = value._cells().items()
            cells.update((f"{name}.{key}", item) for key, item in inner if not isinstance(item, Record))
        else:
            cells[name] = value
    return cells


def columns_of(records: Iterable[Record]) -> Dict[str, List[Any]]:
    """What the fields of records that are no lists hold, by name, in the order of the names; no column of None alone."""
    rows = [_cells(record) for record in records]
    names: Dict[str, None] = {}
    for row in rows:
        names.update(dict.fromkeys(row))
    columns = {name: [row.get(name) for row in rows] for name in names}
    return {name: values for name, values in columns.items() if any(value is not None for value in values)}


def _column(pandas: Any, values: List[Any]) -> Any:
    known = [value for value in values if value is not None]
    whole = len(known) == len(values)
    if all(isinstance(value, bool) for value in known):
        return pandas.array(values, dtype="bool" if whole else "boolean")
    if all(isinstance(value, int) for value in known):
        if all(-(2**63) <= value < 2**63 for value in known):
            return pandas.array(values, dtype="int64" if whole else "Int64")
        return [nearest(value) for value in values]
    if all(isinstance(value, (int, float, Fraction)) for value in known):
        return [nearest(value) for value in values]
    return values


def frame_of(records: Sequence[Record], kind: Optional[Type[Record]] = None) -> "pandas.DataFrame":
    """A DataFrame with a row for each record: exact numbers as the nearest float64, counts as integers."""
    pandas = imported_pandas()
    columns = {name: _column(pandas, values) for name, values in columns_of(records).items()}
    if not columns and kind is not None:
        return pandas.DataFrame({name: [] for name, hint in kind._hints().items() if not is_list(hint)})
    return pandas.DataFrame(columns)


def _cell_html(value: Any) -> str:
    if value is None:
        return "<td></td>"
    if isinstance(value, Fraction):
        text = str(value)
        shown = text if len(text) <= 12 else f"{nearest(value):.6g}"
        return f'<td style="text-align: right" title="{text[:200]}">{shown}</td>'
    if isinstance(value, float):
        return f'<td style="text-align: right">{value:.6g}</td>'
    if isinstance(value, int) and not isinstance(value, bool):
        return f'<td style="text-align: right">{value}</td>'
    return f'<td style="text-align: left">{html.escape(str(value))}</td>'


def html_of_records(sentence: str, records: Sequence[Record]) -> str:
    """A sentence, and the records as a table of HTML: the first rows of many."""
    columns = columns_of(records[:_MOST_ROWS])
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    rows = "".join(f"<tr>{''.join(map(_cell_html, row))}</tr>" for row in zip(*columns.values()))
    more = f"<p>and {len(records) - _MOST_ROWS} more</p>" if len(records) > _MOST_ROWS else ""
    table = f'<table style="margin: 0.8em 0"><tr>{head}</tr>{rows}</table>' if columns else ""
    return f'<div class="takt-result"><p>{html.escape(sentence)}</p>{table}{more}</div>'
