"""The periods of many mappings of one problem."""

from __future__ import annotations

import html
import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Literal, Mapping, Optional, Sequence, Tuple, Union, overload

from takt import _core
from takt._documents import Document, Source, document_of, need_count
from takt._words import Model, Number

if TYPE_CHECKING:
    import numpy

# A mapping's part: how many stages, and the processors that take data sets in turn, by index or by name.
Part = Union[Tuple[int, Sequence[Union[int, str]]], Mapping[str, Any]]


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

    def __init__(self, problem: Source, model: Optional[Model] = None, rooms: Optional[int] = None) -> None:
        need_count("rooms", rooms, 1)
        if model is not None and not isinstance(model, str):
            raise TypeError(f"model: found {type(model).__name__}, expected the name of a model")
        document = document_of(problem)
        super().__init__(document._core, model or "", rooms)
        self._problem = document

    def _what(self) -> Tuple[Document, str, Optional[int]]:
        return self._problem, self.model, self.rooms

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Evaluator):
            return NotImplemented
        return self._what() == other._what()

    def __hash__(self) -> int:
        return hash(self._what())

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), self._what()

    # `period` is inherited as it is: a call of Python more would cost as much as the period of a small mapping.

    @overload
    def periods(
        self, mappings: Iterable[Sequence[Part]], exact: Literal[True] = True, threads: int = 1, cutoff: None = None
    ) -> List[Fraction]: ...
    @overload
    def periods(
        self, mappings: Iterable[Sequence[Part]], exact: Literal[True] = True, threads: int = 1, *, cutoff: Number
    ) -> List[Optional[Fraction]]: ...
    @overload
    def periods(
        self,
        mappings: Iterable[Sequence[Part]],
        exact: Literal[False],
        threads: int = 1,
        cutoff: Optional[Number] = None,
    ) -> "numpy.ndarray[Any, Any]": ...
    def periods(self, mappings: Any, exact: bool = True, threads: int = 1, cutoff: Any = None) -> Any:
        """The periods of mappings as a list of Fractions, None where not below the cutoff.

        With exact=False a NumPy array of float64, NaN where not below the cutoff.
        """
        return super().periods(mappings, exact, threads, cutoff)

    @overload
    def periods_of_arrays(
        self,
        offsets: Any,
        counts: Any,
        widths: Any,
        processors: Any,
        exact: Literal[False] = False,
        threads: int = 1,
        cutoff: Optional[Number] = None,
    ) -> "numpy.ndarray[Any, Any]": ...
    @overload
    def periods_of_arrays(
        self,
        offsets: Any,
        counts: Any,
        widths: Any,
        processors: Any,
        exact: Literal[True],
        threads: int = 1,
        cutoff: Optional[Number] = None,
    ) -> List[Optional[Fraction]]: ...
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

    def max_cycle_time(self, mapping: Sequence[Part]) -> Fraction:
        """How long the busiest resource of a mapping takes for a data set: no period is smaller."""
        return super().max_cycle_time(mapping)

    def document(self, mapping: Sequence[Part]) -> Dict[str, Any]:
        """The problem with this mapping: an instance, for the functions of takt."""
        return json.loads(super().document(mapping))  # type: ignore[no-any-return]

    def parts(self, instance: Source) -> List[Tuple[int, List[int]]]:
        """The mapping of an instance, as parts with the indices of this problem's processors of the same names."""
        return super().parts(document_of(instance)._core)

    def __repr__(self) -> str:
        return f"<takt.Evaluator {self.model}: {len(self.stages)} stages, {len(self.processors)} processors>"

    def _repr_html_(self) -> str:
        return self._problem._repr_html_().replace(html.escape(repr(self._problem)[1:-1]), html.escape(repr(self)[1:-1]))
