"""What a notebook shows of a result: the sentences and figures of its table, and bars for how busy resources are."""

from __future__ import annotations

import html
import re

_RESOURCE = re.compile(r"  (?P<name>.*?) {2,}(?P<share>[\d.]+ %|-) +(?P<time>\S.*?)(?: {2,}(?P<exactly>\S.*))?")
_LEFT = '<td style="text-align: left">'
_RIGHT = '<td style="text-align: right">'


def html_of_table(table: str) -> str:
    """Of the table of an evaluation: the sentence on the bottleneck and the figures, then the resources."""
    sentences, figures, *others = table.split("\n\n")
    text = "".join(f"<p>{html.escape(line)}</p>" for line in sentences.splitlines())
    text += _table("".join(_figure(line) for line in figures.splitlines()))
    for section in others:
        heading, *lines = section.splitlines() or [""]
        if heading.startswith("Resources"):
            head = "<tr><th>resource</th><th>cycle time</th><th></th><th>utilization</th></tr>"
            text += _table(head + "".join(_resource(line) for line in lines[1:]))
    return f'<div class="takt-result">{text}</div>'


def _table(rows: str) -> str:
    return f'<table style="margin: 0.8em 0">{rows}</table>'


def _figure(line: str) -> str:
    name, _, value = line.strip().partition("  ")
    return f"<tr>{_LEFT}{html.escape(name)}</td>{_LEFT}{html.escape(value.strip())}</td></tr>"


def _resource(line: str) -> str:
    found = _RESOURCE.fullmatch(line.rstrip())
    if found is None:
        return ""
    # Nothing is known of shares where the period is an interval.
    percent = 0 if found["share"] == "-" else float(found["share"][:-2])
    bar = f'<div style="background: #4477aa; width: {percent:.1f}%; height: 0.7em"></div>'
    time = found["exactly"] or found["time"]
    return (
        f"<tr>{_LEFT}{html.escape(found['name'])}</td>{_RIGHT}{html.escape(time)}</td>"
        f'{_RIGHT}{found["share"]}</td><td style="width: 12em">{bar}</td></tr>'
    )
