"""The periods of many mappings of one problem."""

from __future__ import annotations

import json
from typing import Any, List, Optional, Sequence, Tuple, Union

from takt import _core
from takt._documents import Source, core_document

# A mapping's part: how many stages, and the processors that take data sets in turn, by index or by name.
Part = Tuple[int, Sequence[Union[int, str]]]


class Evaluator(_core.Evaluator):
    """The exact periods of many mappings of one problem, as fast as takt's own heuristics ask for them.

    A mapping is a sequence of parts (number of stages, processors), or of dicts as documents have them. Every mapping
    is checked: a TypeError or a ValueError names the part that is wrong. Threads may share an Evaluator.

    >>> problem = takt.load("examples/hedpm-problem.json")
    >>> evaluator = takt.Evaluator(problem, model="strict")
    >>> mapping = [(4, [0]), (len(evaluator.stages) - 4, [1, 2])]
    >>> evaluator.period(mapping) == takt.evaluate(evaluator.document(mapping), model="strict").period
    True
    """

    def __init__(self, problem: Source, model: Optional[str] = None, rooms: Optional[int] = None) -> None:
        super().__init__(core_document(problem), model or "", rooms)

    # `period` is inherited as it is: a call of Python more would cost as much as the period of a small mapping.

    def periods(self, mappings: Any, exact: bool = True, threads: int = 1, cutoff: Any = None) -> Any:
        """The periods of mappings as a list of Fractions, None where not below the cutoff.

        With exact=False a NumPy array of float64, NaN where not below the cutoff.
        """
        return super().periods(mappings, exact, threads, cutoff)

    def periods_of_arrays(
        self,
        offsets: Any,
        counts: Any,
        widths: Any,
        processors: Any,
        exact: bool = False,
        threads: int = 1,
        cutoff: Any = None,
    ) -> Any:
        """The periods of mappings in four arrays of int32, as a NumPy array of float64 or a list of Fractions.

        offsets[i] to offsets[i + 1] - 1 are the parts of mapping i; part k has counts[k] stages, and widths[k]
        processors, which stand behind those of the part before.
        """
        return super().periods_of_arrays(offsets, counts, widths, processors, exact, threads, cutoff)

    def largest_cycle_time(self, mapping: Any) -> Any:
        """How long the busiest resource of a mapping takes for a data set: no period is smaller. A Fraction."""
        return super().largest_cycle_time(mapping)

    def document(self, mapping: Any) -> dict:
        """The problem with this mapping: an instance, for the functions of takt."""
        return json.loads(super().document(mapping))

    def parts(self, instance: Source) -> List[Tuple[int, List[int]]]:
        """The mapping of an instance, as parts with the indices of this problem's processors of the same names."""
        return super().parts(core_document(instance))

    def __repr__(self) -> str:
        return f"<takt.Evaluator {self.model}: {len(self.stages)} stages, {len(self.processors)} processors>"
