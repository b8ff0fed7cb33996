"""takt computes the exact throughput of replicated pipelines on unequal processors.

An instance is a dict, the path of a file or a takt.Document; the formats are those of the program takt.

>>> import takt
>>> takt.evaluate("examples/example-a.json", model="strict").period
Fraction(692, 3)
"""

try:
    from takt._core import __version__
except ImportError:  # where the system has not what the module is linked to, the wheel's own
    from takt import _libraries

    _libraries.load()
    from takt._core import __version__
from takt._cycle_ratio import CycleRatio, cycle_ratio
from takt._documents import Document, load
from takt._errors import Deadlock, FileError, Infeasible, InvalidDocument, LimitReached, NoCycle, TaktError, UsageError
from takt._evaluator import Evaluator
from takt._experiments import experiment, experiment_figures, experiment_report
from takt._firings import Firings
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
    plan,
    report,
    rooms,
    sensitivity,
    simulate,
    vary,
    verify,
)
from takt._functions import map as map  # not in __all__, but to be had
from takt._pictures import Drawing, Page
from takt._program import run
from takt._records import Record
from takt._results import Answer, Mapped, Plan, Result, Rooms, Sensitivity, Varied, VaryComparison, Verification, exact, to_pandas
from takt._words import Heuristic, Model

# All but `map`, which would hide Python's own from who imports *.
__all__ = [
    "Answer",
    "CycleRatio",
    "Deadlock",
    "Document",
    "Drawing",
    "Evaluator",
    "FileError",
    "Firings",
    "Heuristic",
    "Infeasible",
    "InvalidDocument",
    "LimitReached",
    "Mapped",
    "Model",
    "NoCycle",
    "Page",
    "Plan",
    "Record",
    "Result",
    "Rooms",
    "Sensitivity",
    "TaktError",
    "UsageError",
    "Varied",
    "VaryComparison",
    "Verification",
    "__version__",
    "changed",
    "check",
    "cycle_ratio",
    "dot",
    "draw",
    "evaluate",
    "exact",
    "experiment",
    "experiment_figures",
    "experiment_report",
    "export",
    "gantt",
    "generate",
    "generators",
    "heuristics",
    "load",
    "plan",
    "report",
    "rooms",
    "run",
    "sensitivity",
    "simulate",
    "to_pandas",
    "vary",
    "verify",
]
