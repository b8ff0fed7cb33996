"""The words that arguments and answers know, as types."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Literal, SupportsIndex, Union

# A number that is read exactly: int, Fraction, Decimal, a float as its shortest decimal, or text such as "3/2", "5 ms".
Number = Union[str, float, Fraction, Decimal, SupportsIndex]

Model = Literal["overlap", "strict", "bounded"]
Method = Literal["auto", "unfold", "pattern", "sweep", "residue", "potentials", "simulate"]
Solver = Literal["howard", "karp", "burns"]
Schedule = Literal["paced", "start-up"]
Coloring = Literal["data-set", "stage", "kind"]
PlanClass = Literal["typed", "mixed", "weighted"]
ExportFormat = Literal["pnml", "tina", "sdf3", "csdf", "graph"]
Heuristic = Literal[
    "bs121",
    "spl",
    "bsl",
    "bsc",
    "random",
    "greedy",
    "exhaustive",
    "interval-optimal",
    "homogeneous-dp",
    "hedpm",
    "dpm",
    "calibrate",
    "pdm",
    "homogeneous-dp-divided",
    "chain-dp",
    "chain-approx",
    "random-sampling",
    "hill-climbing",
    "simulated-annealing",
    "clique-optimal",
    "greedy-cpu",
    "coarse-grained",
    "typed-dp",
    "polish",
]
Generator = Literal[
    "replicated-mapping",
    "skeleton-pair",
    "hedpm-sample",
    "ferret-like",
    "planted-pdm",
    "loaded-cluster",
    "workflow",
    "stream-program",
]
