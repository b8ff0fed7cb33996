"""What a notebook shows of a result."""

from __future__ import annotations

import html
from fractions import Fraction
from typing import TYPE_CHECKING, List

if TYPE_CHECKING:
    from takt._results import Result

_BAR = '<div style="background: #4477aa; width: {:.1f}%; height: 0.7em"></div>'


def html_of_result(result: "Result") -> str:
    """The sentence on the bottleneck, then the resources, the busiest first, with bars for their utilization."""
    sentences, figures, *_ = result.table().split("\n\n") + [""]
    head = "".join(f"<p>{html.escape(line)}</p>" for line in sentences.splitlines())
    head += "<table>" + "".join(_figure(line) for line in figures.splitlines()) + "</table>"
    rows = [_row(resource) for resource in sorted(result.fields["resources"], key=_idleness)]
    return (
        f'<div class="takt-result">{head}<table><thead><tr><th>resource</th><th>cycle time</th>'
        f"<th colspan=2>utilization</th></tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _figure(line: str) -> str:
    name, _, value = line.strip().partition("  ")
    cell = "<td style='text-align: left'>"
    return f"<tr>{cell}{html.escape(name)}</td>{cell}{html.escape(value.strip())}</td></tr>"


def _idleness(resource: dict) -> Fraction:
    return -Fraction(resource["cycle_time"])


def _row(resource: dict) -> str:
    name = resource["processor"]
    if resource["kind"] != "processor":
        name += " " + resource["kind"]
    cells: List[str] = [f"<td>{html.escape(name)}</td>", f"<td style='text-align: right'>{resource['cycle_time']}</td>"]
    share = resource.get("utilization")
    if share is None:
        cells.append("<td></td><td></td>")
    else:
        percent = float(Fraction(share)) * 100
        cells.append(f"<td style='text-align: right'>{percent:.1f}&nbsp;%</td>")
        cells.append(f"<td style='width: 12em; text-align: left'>{_BAR.format(percent)}</td>")
    return f"<tr>{''.join(cells)}</tr>"
