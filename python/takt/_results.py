"""Answers: the fields of the program's JSON as attributes, with what people want of them within reach."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Sequence, Tuple, Type, Union

from takt import _core
from takt._documents import Document, Input, number_text
from takt._errors import LimitReached, UsageError
from takt._notebook import html_of_table
from takt._pictures import Drawing, draw_net
from takt._program import options
from takt._records import (
    Ahead,
    Buffer,
    CriticalCircuit,
    ComparedNet,
    CriticalOperations,
    Estimate,
    Estimated,
    FloatingOperation,
    FoundPlan,
    KeptLimit,
    Latencies,
    LatencyPlan,
    MachineLoss,
    MachinesToAdd,
    MapReport,
    Measured,
    ModelPeriod,
    NamedResource,
    OneMore,
    OrderWait,
    Parameter,
    PlanBound,
    PlanChanges,
    PlanFigures,
    PlannedPart,
    PlanRow,
    PipelinePlan,
    PlanSchedule,
    PriceRange,
    QuotaUse,
    RateCost,
    RateLatencies,
    Reason,
    Record,
    Resource,
    RoomPeriod,
    Target,
    Together,
    TypePlan,
    WiderPlan,
    WithoutMore,
)
from takt._tables import frame_of, html_of_records
from takt._words import Number

if TYPE_CHECKING:
    import numpy
    import pandas


def exact(number: Number) -> Fraction:
    """An exact number of a document or of JSON: Fraction(692, 3) of "692/3", and 1/10 of 0.1.

    Raises ValueError of a text that is no number.
    """
    text = number_text(number)
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"found {text[:60]!r}, expected a number such as 7, 0.1 or 692/3") from None


class Answer(Record):
    """What takt answers. The fields of the program's --json (docs/json.md) are attributes, exact numbers Fractions.

    `messages` is what takt says beside it. Answers are equal where their fields are, but for `file`.
    """

    def __init__(self, fields: Dict[str, Any], messages: Sequence[str] = ()) -> None:
        super().__init__(fields)
        self.__dict__["_messages"] = list(messages)

    @property
    def messages(self) -> List[str]:
        """What takt says beside the answer."""
        return list(self.__dict__["_messages"])

    def _compared(self) -> Dict[str, Any]:
        return {key: value for key, value in self.fields.items() if key != "file"}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Answer) or type(other) is not type(self):
            return NotImplemented
        return self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash((type(self), json.dumps(self._compared(), sort_keys=True)))

    def _sentence(self) -> str:
        raise NotImplementedError

    def _rows(self) -> Tuple[Sequence[Record], Type[Record]]:
        raise NotImplementedError

    def _about(self) -> str:
        model = self.fields.get("model")
        return f"{self.fields['file']}{f', {model}' if model else ''}: {self._sentence()}"

    def to_pandas(self) -> "pandas.DataFrame":
        """Its rows as a DataFrame, exact numbers as float64; pandas must be installed."""
        return frame_of(*self._rows())

    def __repr__(self) -> str:
        return f"<takt.{type(self).__name__} {self._about()}>"

    def _repr_html_(self) -> str:
        return html_of_records(self._about(), self._rows()[0])


class Result(Answer):
    """What takt.evaluate found. `period` is exact, a Fraction in time units per data set.

    `bottleneck` is the busiest resource, `critical_circuit` the operations that wait for each other. Certificate, table
    and drawing are made when asked for; of a result that was pickled by evaluating again.
    """

    file: str
    model: str
    rooms: Optional[int]
    window: Optional[int]
    limited_buffers: Optional[int]
    time_unit: Optional[str]
    exact: bool
    period_lower_bound: Fraction
    period_upper_bound: Fraction
    expected_period_lower_bound: Optional[Fraction]
    expected_period_upper_bound: Optional[Fraction]
    expected_period_reason: Optional[str]
    max_cycle_time: Fraction
    busiest_resource: NamedResource
    has_critical_resource: Optional[bool]
    method: Optional[str]
    solver: Optional[str]
    hyper_period: Optional[int]
    distinct_rows: Optional[int]
    measured: Optional[Measured]
    estimate: Optional[Estimate]
    no_estimate: Optional[str]
    latencies: Optional[Latencies]
    ahead: Optional[Ahead]
    critical_circuit: Optional[CriticalCircuit]
    limit: Optional[str]
    resources: List[Resource]

    def __init__(self, core: _core.Evaluated, document: Document, arguments: List[str], drawn: Dict[str, Any]) -> None:
        messages = [f"latency: {core.latency_limit}"] if core.latency_limit else []
        super().__init__({}, messages)
        self.__dict__.update(_core=core, _document=document, _arguments=arguments, _drawn=drawn)
        self.__dict__.update(_bounds=(core.lower, core.upper), _limit=core.limit, _fields=None)

    @property
    def fields(self) -> Dict[str, Any]:
        """All of it, as docs/json.md describes results; exact numbers are text."""
        kept: Optional[Dict[str, Any]] = self.__dict__["_fields"]
        if kept is None:
            kept = self.__dict__["_fields"] = json.loads(self._evaluated().json())
        return kept

    def _kept(self) -> Dict[str, Any]:
        self.fields  # which are quick to be had
        return {**super()._kept(), "_core": None}

    def _evaluated(self) -> _core.Evaluated:
        core: Optional[_core.Evaluated] = self.__dict__["_core"]
        if core is None:
            core = _core.evaluate(self.__dict__["_document"]._core, self.__dict__["_arguments"])
            if (core.lower, core.upper) != self.bounds:
                raise LimitReached(f"evaluated again, {core.limit}: other bounds than before", core.lower, core.upper)
            self.__dict__["_core"] = core
        return core

    @property
    def period(self) -> Fraction:
        """The exact period. Raises LimitReached, which has the bounds, where it is known as an interval only."""
        lower, upper = self.bounds
        if self.exact:
            return lower
        raise LimitReached(f"the period lies between {lower} and {upper}: {self.__dict__['_limit']}", lower, upper)

    @property
    def throughput(self) -> Fraction:
        """Data sets per time unit: 1 / period. Raises ValueError where the period is 0, else as `period` does."""
        if self.period == 0:
            raise ValueError("found a period of 0, which has no throughput")
        return 1 / self.period

    @property
    def bounds(self) -> Tuple[Fraction, Fraction]:
        """What is proved: the period is no less than the first and no more than the second."""
        return self.__dict__["_bounds"]  # type: ignore[no-any-return]

    @property
    def bottleneck(self) -> Resource:
        """The busiest resource, with its cycle time: what holds the pipeline up where `has_critical_resource`."""
        busiest = self.busiest_resource.fields
        for resource in self.resources:
            if resource.fields.items() >= busiest.items():
                return resource
        return Resource({**busiest, "cycle_time": self.fields["max_cycle_time"], "utilization": None})

    @property
    def certificate(self) -> Dict[str, Any]:
        """What proves it to takt.check: the JSON that `takt evaluate --certificate` writes, as a dict."""
        return json.loads(self._evaluated().certificate())  # type: ignore[no-any-return]

    def table(self) -> str:
        """The table of `takt evaluate`."""
        return self._evaluated().table()

    @property
    def net(self) -> Drawing:
        """The timed Petri net, its critical circuit marked: as it is up to 600 transitions, beyond that folded."""
        given = Input(self.__dict__["_document"])
        limit = options(**self.__dict__["_drawn"])
        try:
            return draw_net(given, limit)
        except LimitReached:
            return draw_net(given, [*limit, "--collapse"])

    def _cells(self) -> Dict[str, Any]:
        cells = super()._cells()
        rates = {name: self.fields[name] and exact(self.fields[name]) for name in ("period", "throughput")}
        first = {name: cells.pop(name) for name in ("file", "model")}
        return {**first, **rates, **cells}

    def _rows(self) -> Tuple[Sequence[Record], Type[Record]]:
        return self.resources, Resource

    def to_pandas(self) -> "pandas.DataFrame":
        """Its resources as a DataFrame: processor, kind, cycle_time, utilization; pandas must be installed."""
        return super().to_pandas()

    def _sentence(self) -> str:
        lower, upper = self.bounds
        return f"period {lower if self.exact else f'{lower} to {upper}'}"

    def __str__(self) -> str:
        return self.table()

    def _repr_html_(self) -> str:
        return html_of_table(self.table())


class Verification(Answer):
    """Whether a predicted period holds: `holds`, and `relation`, "equal", "optimistic", "pessimistic" or "undecided"."""

    file: str
    heuristic: Optional[str]
    model: str
    rooms: Optional[int]
    time_unit: Optional[str]
    predicted_period: Fraction
    period: Optional[Fraction]
    period_lower_bound: Optional[Fraction]
    period_upper_bound: Optional[Fraction]
    periods: List[ModelPeriod]
    relation: str
    gap_percent: Optional[float]
    tolerance: Optional[Fraction]
    holds: Optional[bool]
    critical_circuit: Optional[CriticalCircuit]
    limit: Optional[str]

    def _sentence(self) -> str:
        verdict = {True: "holds", False: "does not hold", None: "undecided"}[self.holds]
        return f"predicted period {self.predicted_period} {verdict}: {self.relation}"

    def _rows(self) -> Tuple[Sequence[Record], Type[Record]]:
        return self.periods, ModelPeriod

    def to_pandas(self) -> "pandas.DataFrame":
        """The period under each model as a DataFrame; pandas must be installed."""
        return super().to_pandas()


class Sensitivity(Answer):
    """What every number of an instance means for the period: `parameters`, those worth most first."""

    file: str
    model: str
    rooms: Optional[int]
    time_unit: Optional[str]
    period: Fraction
    critical_operations: Optional[CriticalOperations]
    parameters: List[Parameter]
    together: Optional[Together]
    unasked: Optional[int]
    floats: Optional[List[FloatingOperation]]
    order_wait: Optional[OrderWait]
    one_more: List[OneMore]
    unasked_one_more: Optional[int]

    def _sentence(self) -> str:
        return f"period {self.fields['period']}, {len(self.parameters)} parameters"

    def _rows(self) -> Tuple[Sequence[Record], Type[Record]]:
        return self.parameters, Parameter

    def to_pandas(self) -> "pandas.DataFrame":
        """Its parameters as a DataFrame; pandas must be installed."""
        return super().to_pandas()


class Rooms(Answer):
    """How many files the processors of a mapping must have room for: `enough` for all, `buffers` for each."""

    file: str
    model: str
    time_unit: Optional[str]
    period: Optional[Fraction]
    enough: Optional[int]
    by_room: List[RoomPeriod]
    buffers: List[Buffer]
    room_sum: Optional[int]
    room_sum_lower_bound: Optional[int]
    least_possible: Optional[bool]
    limit: Optional[str]

    def _sentence(self) -> str:
        enough = "not known" if self.enough is None else f"{self.enough} everywhere"
        return f"room enough for period {self.fields['period']}: {enough}"

    def _rows(self) -> Tuple[Sequence[Record], Type[Record]]:
        return self.buffers, Buffer

    def to_pandas(self) -> "pandas.DataFrame":
        """Its buffers as a DataFrame; pandas must be installed."""
        return super().to_pandas()


class Varied(Answer):
    """What takt.vary found: `expected_period`, and `at_rates`, latencies at each rate, with their intervals.

    `period` is the exact one of the means, which no times of these means beat. `latencies()` has those of every data set.
    """

    file: str
    model: str
    rooms: Optional[int]
    time_unit: Optional[str]
    law: Optional[str]
    seed: int
    copies: int
    data_sets: int
    skipped_data_sets: int
    confidence: float
    ended_early: bool
    arrivals: str
    arriving_data_sets: Optional[int]
    period: Optional[Fraction]
    expected_period_upper_bound: Optional[Fraction]
    expected_period: Estimated
    at_rates: List[RateLatencies]
    within: Optional[KeptLimit]

    def __init__(self, fields: Dict[str, Any], messages: Sequence[str], document: Document) -> None:
        super().__init__(fields, messages)
        self.__dict__["_document"] = document

    def latencies(self) -> "List[numpy.ndarray[Any, Any]]":
        """By rate, an array of latencies by copy and data set, in time units; empty where they grow without bound.

        They are played again, with the same random times, as many copies and data sets as at each rate.
        """
        if self.arrivals not in ("periodic", "poisson"):
            raise UsageError("found arrivals of a table, expected periodic or poisson")
        import numpy

        arrays: "List[numpy.ndarray[Any, Any]]" = [numpy.empty((0, 0)) for _ in self.at_rates]
        by_amount: Dict[Tuple[int, int], List[int]] = {}
        for index, rate in enumerate(self.at_rates):
            if not rate.grows:
                by_amount.setdefault((rate.copies, rate.data_sets), []).append(index)
        for (copies, data_sets), indices in by_amount.items():
            played = _core.latencies(
                self.__dict__["_document"]._core,
                self.model,
                self.rooms,
                self.law or "",
                [self.at_rates[index].arrival_gap for index in indices],
                self.arrivals == "poisson",
                copies,
                data_sets,
                self.skipped_data_sets * data_sets // self.data_sets,
                self.seed,
            )
            for index, array in zip(indices, played):
                arrays[index] = array
        return arrays

    def _sentence(self) -> str:
        period = self.expected_period
        return f"expected period {period.estimated:.6g} +- {period.margin:.2g}, {len(self.at_rates)} rates"

    def _rows(self) -> Tuple[Sequence[Record], Type[Record]]:
        return self.at_rates, RateLatencies

    def to_pandas(self) -> "pandas.DataFrame":
        """Its rates as a DataFrame; pandas must be installed."""
        return super().to_pandas()


class VaryComparison(Answer):
    """Several mappings, rooms or windows with the same random times, as takt.vary compares them: `compared`, in order."""

    file: str
    time_unit: Optional[str]
    law: Optional[str]
    seed: int
    copies: int
    data_sets: int
    skipped_data_sets: int
    confidence: float
    ended_early: bool
    arrivals: str
    arriving_data_sets: Optional[int]
    compared: List[ComparedNet]

    def _sentence(self) -> str:
        return f"{len(self.compared)} compared with the same random times"

    def _rows(self) -> Tuple[Sequence[Record], Type[Record]]:
        return self.compared, ComparedNet

    def to_pandas(self) -> "pandas.DataFrame":
        """What is compared as a DataFrame; pandas must be installed."""
        return super().to_pandas()


class Plan(Answer, PlanFigures):
    """What takt.plan found: its cost, machines and parts, or the frontier of all plans.

    `document` is the plan as a mapped document, `certificate` what proves it; each None where there is none.
    """

    file: str
    model: str
    rooms: Optional[int]
    time_unit: Optional[str]
    target: Target
    counts: Dict[str, int]
    have: Optional[Dict[str, int]]
    class_: str
    found: bool
    optimal: bool
    optimal_in: Optional[str]
    bounds: List[PlanBound]
    cost_lower_bound: Optional[Fraction]
    any_mapping_cost_lower_bound: Optional[Fraction]
    any_mapping_period_lower_bound: Optional[Fraction]
    varied_cost_lower_bound: Optional[Fraction]
    varied_period_lower_bound: Optional[Fraction]
    freedoms_varied: List[str]
    freedoms_left_out: List[str]
    proof: Optional[str]
    cost_together: Optional[Fraction]
    frontier: List[PlanRow]
    frontier_is_whole: Optional[bool]
    rates_only: Optional[bool]
    frontier_cut_short: Optional[bool]
    frontier_last_is_fastest: Optional[bool]
    next_cheaper: Optional[PlanRow]
    next_faster: Optional[PlanRow]
    replanned: List[TypePlan]
    upgrade: List[TypePlan]
    reasons: List[Reason]
    reachable: Optional[PlanRow]
    reachable_is_fastest: Optional[bool]
    reachable_without_limits: Optional[PlanRow]
    wider: Optional[WiderPlan]
    fastest_found: Optional[FoundPlan]
    ahead: Optional[Ahead]
    without_more: Optional[WithoutMore]
    to_add: Optional[MachinesToAdd]
    latency_plan: Optional[LatencyPlan]
    price_ranges: List[PriceRange]
    quotas: List[QuotaUse]
    machine_losses: List[MachineLoss]
    cost_by_rate: List[RateCost]
    changes: Optional[PlanChanges]
    plan_schedule: Optional[PlanSchedule]
    pipelines: List[PipelinePlan]
    stock_cost: Optional[Fraction]
    cost_of_cheapest: Optional[Fraction]

    def __init__(
        self,
        fields: Dict[str, Any],
        messages: Sequence[str] = (),
        document: Optional[Dict[str, Any]] = None,
        certificate: Optional[Dict[str, Any]] = None,
    ) -> None:
        super().__init__(fields, messages)
        self.__dict__.update(_document=document, _certificate=certificate)

    @property
    def document(self) -> Optional[Dict[str, Any]]:
        """The plan as a mapped document, for evaluate, draw or json.dump; None where only a frontier was asked for."""
        return self.__dict__["_document"]  # type: ignore[no-any-return]

    @property
    def certificate(self) -> Optional[Dict[str, Any]]:
        """What proves the plan to takt.check; None where it was not asked for."""
        return self.__dict__["_certificate"]  # type: ignore[no-any-return]

    def _sentence(self) -> str:
        if "cost" not in self.fields:
            return f"{len(self.frontier)} plans"
        cost, period = self.fields["cost"], self.fields["period"]
        return f"cost {cost}, {self.fields['machine_count']} machines, period {period}"

    def _rows(self) -> Tuple[Sequence[Record], Type[Record]]:
        if self.frontier:
            return self.frontier, PlanRow
        return self.parts, PlannedPart

    def to_pandas(self) -> "pandas.DataFrame":
        """Its frontier as a DataFrame where one was asked for, else its parts; pandas must be installed."""
        return super().to_pandas()


class Mapped(Dict[str, Any]):
    """A mapped document, a dict: give it to takt.evaluate or takt.verify, or write it with json.dump.

    `report` is what takt says of the mapping, `reports` of those of all heuristics where all were asked, the best first;
    `messages` is what takt says beside it.
    """

    def __init__(self, document: Dict[str, Any], report: Any, messages: Sequence[str]) -> None:
        super().__init__(document)
        self.reports = [MapReport(one) for one in (report if isinstance(report, list) else [report]) if "mapping" in one]
        self.messages = list(messages)

    @property
    def report(self) -> MapReport:
        """What takt says of this mapping."""
        return self.reports[0]

    @property
    def predicted_period(self) -> Fraction:
        """What the heuristic says the period is, under the document's model; in seconds where that has units."""
        return exact(self.report.fields["predicted_period"])

    def _about(self) -> str:
        report = self.report
        return f"{report.file} by {report.heuristic}, {report.model}: predicted period {self.predicted_period}"

    def __repr__(self) -> str:
        return f"<takt.Mapped {self._about()}>"

    def _repr_html_(self) -> str:
        return html_of_records(self._about(), self.report.mapping)


def to_pandas(answers: Iterable[Union[Record, Mapped]]) -> "pandas.DataFrame":
    """A DataFrame with a row for each answer, exact numbers as float64, counts as integers; pandas must be installed.

    Of answers within answers one level is shown, as "latencies.least_latency"; of a mapped document its report. What none
    of them has is left out.
    """
    if not hasattr(answers, "__iter__") or isinstance(answers, (str, bytes, dict)):
        raise TypeError(f"found {type(answers).__name__}, expected a sequence of answers of takt")
    records = [answer.report if isinstance(answer, Mapped) else answer for answer in answers]
    for record in records:
        if not isinstance(record, Record):
            raise TypeError(f"found {type(record).__name__}, expected answers of takt")
    return frame_of(records)
