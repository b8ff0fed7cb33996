"""takt computes the exact throughput of replicated pipelines on unequal processors.

An instance is a dict, the path of a file or a takt.Document; the formats are those of the program takt.

>>> import takt
>>> takt.evaluate("examples/example-a.json", model="strict").period
Fraction(692, 3)
"""

from takt._core import __version__
from takt._cycle_ratio import cycle_ratio
from takt._documents import Document, load
from takt._errors import Deadlock, Infeasible, InvalidDocument, LimitReached, NoCycle, TaktError, UsageError
from takt._evaluator import Evaluator
from takt._functions import (
    changed,
    check,
    dot,
    draw,
    evaluate,
    export,
    gantt,
    generate,
    generators,
    heuristics,
    map,
    plan,
    report,
    rooms,
    sensitivity,
    simulate,
    verify,
)
from takt._program import run
from takt._results import Answer, Drawing, Firings, Mapped, Page, Plan, Result, exact

__all__ = [
    "Answer",
    "Deadlock",
    "Document",
    "Drawing",
    "Evaluator",
    "Firings",
    "Infeasible",
    "InvalidDocument",
    "LimitReached",
    "Mapped",
    "NoCycle",
    "Page",
    "Plan",
    "Result",
    "TaktError",
    "UsageError",
    "__version__",
    "changed",
    "check",
    "cycle_ratio",
    "dot",
    "draw",
    "evaluate",
    "exact",
    "export",
    "gantt",
    "generate",
    "generators",
    "heuristics",
    "load",
    "map",
    "plan",
    "report",
    "rooms",
    "run",
    "sensitivity",
    "simulate",
    "verify",
]
